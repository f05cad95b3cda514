// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <atomic>
#include <cstdint>

#include <pthread.h>

#include <tutti/communicator/mpi/declarations.hpp>
#include <watch/call_record.hpp>
#include <watch/call_site.hpp>
#include <watch/per_thread.hpp>

namespace tutti::watch {

/// The call that a thread is in, or a nonblocking collective. The thread writes it without a lock, and other threads
/// read again what has changed meanwhile (a sequence lock). A call like the one before writes three words.
class thread_status {
public:
    /// The thread begins a call that has a record of its own.
    void enter(call_record const& record) noexcept {
        enter(own_, record.number, [&] { own_.set(record); });
    }
    /// It begins call `number` of those that `about` records. `write()` writes there what has changed.
    template <class Write>
    void enter(seqlock_data<call_record> const& about, std::uint64_t number, Write write) noexcept {
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

    /// False if the thread changes it all the time. `version` changes when a call begins and when it ends: a reader
    /// that finds the version of its last look knows that nothing has changed since, and the thread reads no clock.
    [[nodiscard]] bool read(call_record& record, unsigned& version) const noexcept {
        for (int i = 0; i != 1000; ++i) {
            auto const before = version_.load(std::memory_order_acquire);
            version = before;
            if (before % versions == changes) { continue; }
            auto const* const about = about_.load(std::memory_order_relaxed);
            record = about == nullptr ? call_record{} : about->get();
            record.number = number_.load(std::memory_order_relaxed);
            record.has_ended = before % versions == inside ? 0 : 1;
            std::atomic_thread_fence(std::memory_order_acquire);
            if (version_.load(std::memory_order_relaxed) == before) { return true; }
        }
        return false;
    }

    /// Whether this is the record of its call.
    [[nodiscard]] bool is_in(seqlock_data<call_record> const& about) const noexcept {
        return about_.load(std::memory_order_acquire) == &about;
    }

    std::atomic<bool> is_used{false};
    thread_status* next = nullptr;
    pthread_t thread{};                     ///< none of a nonblocking collective, for which are the members that follow
    std::atomic<std::uint64_t> request{0};  ///< 0: not yet known
    std::atomic<bool> is_waited_for{false};  ///< a thread has waited for it, or tested it
    std::atomic<call_site*> site{nullptr};

private:
    // A version is a multiple of `versions` after a call, one more while the thread writes, two more in a call.
    static constexpr unsigned changes = 1;
    static constexpr unsigned inside = 2;
    static constexpr unsigned versions = 4;

    std::atomic<unsigned> version_{0};
    std::atomic<seqlock_data<call_record> const*> about_{nullptr};
    std::atomic<std::uint64_t> number_{0};
    seqlock_data<call_record> own_;
};

/// The states of all threads that have called MPI, and of nonblocking collectives.
class thread_statuses {
public:
    [[nodiscard]] static thread_status& mine() {
        if (mine_ == nullptr) { mine_ = &acquire_until_the_thread_ends(); }
        return *mine_;
    }

    template <class Use>
    static void for_each(Use use) {
        for (auto* each = first_.load(std::memory_order_acquire); each != nullptr; each = each->next) {
            if (each->is_used.load(std::memory_order_acquire)) { use(*each); }
        }
    }

    [[nodiscard]] static thread_status& acquire() {
        for (auto* each = first_.load(std::memory_order_acquire); each != nullptr; each = each->next) {
            bool free = false;
            if (each->is_used.compare_exchange_strong(free, true)) { return *each; }
        }
        auto* const made = new thread_status;
        made->is_used = true;
        made->next = first_.load(std::memory_order_relaxed);
        while (!first_.compare_exchange_weak(made->next, made, std::memory_order_release)) {}
        return *made;
    }
    static void release(thread_status& status) {
        status.leave();
        status.thread = {};
        status.is_used.store(false, std::memory_order_release);
    }

private:
    [[nodiscard, gnu::cold]] static thread_status& acquire_until_the_thread_ends() {
        struct owner {
            thread_status& status = acquire();
            ~owner() {
                mine_ = nullptr;
                release(status);
            }
        };
        auto& status = per_thread<owner>::get().status;
        status.thread = pthread_self();
        return status;
    }

    inline static std::atomic<thread_status*> first_{nullptr};
    inline static constinit thread_local thread_status* mine_ = nullptr;
};

/// Nonblocking collectives that have begun and not ended, by their requests; without a lock. More than `most` at a time
/// are not recorded.
class pending_collectives {
public:
    [[nodiscard]] static bool any() noexcept { return number_.load(std::memory_order_relaxed) != 0; }

    static void add(MPI_Request request, call_record const& record, call_site& site) {
        if (number_.fetch_add(1) >= most) {
            number_.fetch_sub(1);
            return;
        }
        auto& status = thread_statuses::acquire();
        status.is_waited_for = false;
        status.site = &site;
        status.enter(record);
        status.request.store(key_of(request), std::memory_order_release);
    }
    [[nodiscard]] static thread_status* find(MPI_Request request) {
        thread_status* found = nullptr;
        thread_statuses::for_each([&, key = key_of(request)](thread_status& each) {
            if (each.request.load(std::memory_order_acquire) == key) { found = &each; }
        });
        return found;
    }
    static void remove(thread_status& one) {
        one.request.store(0, std::memory_order_release);
        one.site = nullptr;
        one.is_waited_for = false;
        thread_statuses::release(one);
        number_.fetch_sub(1);
    }

private:
    static constexpr int most = 64;

    /// Not 0.
    [[nodiscard]] static std::uint64_t key_of(MPI_Request request) noexcept { return word_of(request) + 1; }

    inline static std::atomic<int> number_{0};
};

}  // namespace tutti::watch
