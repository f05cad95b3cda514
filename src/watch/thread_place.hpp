// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include <pthread.h>

#include <tutti/communicator/mpi/declarations.hpp>
#include <watch/call_note.hpp>
#include <watch/call_site.hpp>
#include <watch/per_thread.hpp>

namespace tutti::watch {

/// Where a thread is, or a nonblocking collective: written without a lock, and read by others, who read again what
/// changed meanwhile (a sequence lock). A call that repeats one before writes three words.
class thread_place {
public:
    /// The thread begins a call with a note of its own.
    void enter(call_note const& note) noexcept {
        enter(own_, note.number, [&] { own_.set(note); });
    }
    /// It begins call `number` of those that `about` tells of, after `write()` has written there what changed.
    template <class Write>
    void enter(shared_note const& about, std::uint64_t number, Write write) noexcept {
        auto const before = version_.load(std::memory_order_relaxed) / versions * versions;
        version_.store(before + versions + changes, std::memory_order_relaxed);
        std::atomic_thread_fence(std::memory_order_release);
        write();
        about_.store(&about, std::memory_order_relaxed);
        number_.store(number, std::memory_order_relaxed);
        version_.store(before + versions + inside, std::memory_order_release);
    }
    void leave() noexcept {
        auto const before = version_.load(std::memory_order_relaxed) / versions * versions;
        version_.store(before + versions, std::memory_order_release);
    }

    /// False if the thread changes it all the time. `version` differs from call to call, and after one has ended: who
    /// reads now and then knows for how long nothing has changed, without a clock on the way of a call.
    [[nodiscard]] bool read(call_note& note, unsigned& version) const noexcept {
        for (int i = 0; i != 1000; ++i) {
            auto const before = version_.load(std::memory_order_acquire);
            version = before;
            if (before % versions == changes) { continue; }
            auto const* const about = about_.load(std::memory_order_relaxed);
            note = about == nullptr ? call_note{} : about->get();
            note.number = number_.load(std::memory_order_relaxed);
            note.has_ended = before % versions == inside ? 0 : 1;
            std::atomic_thread_fence(std::memory_order_acquire);
            if (version_.load(std::memory_order_relaxed) == before) { return true; }
        }
        return false;
    }

    /// Whether it tells of this note.
    [[nodiscard]] bool is_in(shared_note const& about) const noexcept {
        return about_.load(std::memory_order_acquire) == &about;
    }

    std::atomic<bool> is_used{false};
    thread_place* next = nullptr;
    pthread_t thread{};                      ///< none: of a nonblocking collective, as are those that follow
    std::atomic<std::uint64_t> request{0};   ///< 0: not yet known
    std::atomic<bool> is_waited_for{false};  ///< a thread has waited for it, or tested it
    std::atomic<call_site*> site{nullptr};

private:
    // A version is a multiple of `versions` after a call, one more while the thread writes, two more in a call.
    static constexpr unsigned changes = 1;
    static constexpr unsigned inside = 2;
    static constexpr unsigned versions = 4;

    std::atomic<unsigned> version_{0};
    std::atomic<shared_note const*> about_{nullptr};
    std::atomic<std::uint64_t> number_{0};
    shared_note own_;
};

/// The places of all threads that have called MPI, and of nonblocking collectives.
class thread_places {
public:
    [[nodiscard]] static thread_place& mine() {
        if (mine_ == nullptr) { mine_ = &take_until_the_thread_ends(); }
        return *mine_;
    }

    template <class Use>
    static void for_each(Use use) {
        for (auto* each = first_.load(std::memory_order_acquire); each != nullptr; each = each->next) {
            if (each->is_used.load(std::memory_order_acquire)) { use(*each); }
        }
    }

    [[nodiscard]] static thread_place& take() {
        for (auto* each = first_.load(std::memory_order_acquire); each != nullptr; each = each->next) {
            bool free = false;
            if (each->is_used.compare_exchange_strong(free, true)) { return *each; }
        }
        auto* const made = new thread_place;
        made->is_used = true;
        made->next = first_.load(std::memory_order_relaxed);
        while (!first_.compare_exchange_weak(made->next, made, std::memory_order_release)) {}
        return *made;
    }
    static void give(thread_place& place) {
        place.leave();
        place.thread = {};
        place.is_used.store(false, std::memory_order_release);
    }

private:
    [[nodiscard, gnu::cold]] static thread_place& take_until_the_thread_ends() {
        struct owner {
            thread_place& place = take();
            ~owner() {
                mine_ = nullptr;
                give(place);
            }
        };
        auto& place = per_thread<owner>::get().place;
        place.thread = pthread_self();
        return place;
    }

    inline static std::atomic<thread_place*> first_{nullptr};
    inline static constinit thread_local thread_place* mine_ = nullptr;
};

/// Nonblocking collectives that have begun and not ended, by their requests: without a lock. Of more than `most`,
/// nothing is known.
class pending_collectives {
public:
    [[nodiscard]] static bool any() noexcept { return number_.load(std::memory_order_relaxed) != 0; }

    static void add(MPI_Request request, call_note const& note, call_site& site) {
        if (number_.fetch_add(1) >= most) {
            number_.fetch_sub(1);
            return;
        }
        auto& place = thread_places::take();
        place.is_waited_for = false;
        place.site = &site;
        place.enter(note);
        place.request.store(key_of(request), std::memory_order_release);
    }
    [[nodiscard]] static thread_place* find(MPI_Request request) {
        thread_place* found = nullptr;
        thread_places::for_each([&, key = key_of(request)](thread_place& each) {
            if (each.request.load(std::memory_order_acquire) == key) { found = &each; }
        });
        return found;
    }
    static void remove(thread_place& one) {
        one.request.store(0, std::memory_order_release);
        one.site = nullptr;
        one.is_waited_for = false;
        thread_places::give(one);
        number_.fetch_sub(1);
    }

private:
    static constexpr int most = 64;

    /// Not 0.
    [[nodiscard]] static std::uint64_t key_of(MPI_Request request) noexcept { return word_of(request) + 1; }

    inline static std::atomic<int> number_{0};
};

}  // namespace tutti::watch
