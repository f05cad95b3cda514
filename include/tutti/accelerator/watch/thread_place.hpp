// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <pthread.h>

#include <tutti/accelerator/watch/call_facts.hpp>
#include <tutti/accelerator/watch/call_site.hpp>
#include <tutti/accelerator/watch/ticks.hpp>
#include <tutti/communicator/mpi/declarations.hpp>

namespace tutti::accelerator::watch {

/// A handle of MPI, an address or a number, as a word, and back.
template <class Handle>
[[nodiscard]] std::uint64_t word_of(Handle handle) noexcept {
    if constexpr (std::is_pointer_v<Handle>) {
        return reinterpret_cast<std::uintptr_t>(handle);
    } else {
        return static_cast<std::uint64_t>(static_cast<std::uint32_t>(handle));
    }
}
template <class Handle>
[[nodiscard]] Handle handle_of(std::uint64_t word) noexcept {
    if constexpr (std::is_pointer_v<Handle>) {
        return reinterpret_cast<Handle>(static_cast<std::uintptr_t>(word));
    } else {
        return static_cast<Handle>(static_cast<std::uint32_t>(word));
    }
}

/// A call, as one thread tells others of it. All members are words: what is stored in halves and loaded as a whole
/// waits for the stores.
struct call_note {
    enum class kind : std::uint64_t { none, collective, other };

    kind of = kind::none;
    char const* name = nullptr;
    char const* through = nullptr;  ///< of a nonblocking collective: MPI_Wait, where the thread waits for it
    std::uint64_t communicator = 0;
    std::uint64_t number = 0;  ///< on its communicator, from 1
    std::int64_t bytes = -1;
    std::uint64_t equal = 1;  ///< whether all ranks have as many
    std::int64_t peer = call_facts::none;
    std::int64_t tag = call_facts::none;
    std::uint64_t op = word_of(MPI_OP_NULL);
    std::uint64_t type = word_of(MPI_DATATYPE_NULL);
    void const* returns_to = nullptr;
    std::uint64_t has_ended = 0;  ///< 1: it has
};

/// Where a thread is: written by it without a lock, and read by others, who read again what changed meanwhile (a
/// sequence lock).
class thread_place {
public:
    void enter(call_note const& note) noexcept {
        change([&] {
            for (std::size_t k = 0; k != words; ++k) {
                std::uint64_t value = 0;
                __builtin_memcpy(&value, reinterpret_cast<std::byte const*>(&note) + k * sizeof value, sizeof value);
                all_[k].store(value, std::memory_order_relaxed);
            }
        });
    }
    void leave() noexcept {
        change([&] { all_[offsetof(call_note, has_ended) / word].store(1, std::memory_order_relaxed); });
    }

    /// False if the thread changes it all the time. `version` differs from call to call, and after one has ended: who
    /// reads now and then knows for how long nothing has changed, without a clock on the way of a call.
    [[nodiscard]] bool read(call_note& note, unsigned& version) const noexcept {
        for (int i = 0; i != 1000; ++i) {
            auto const before = version_.load(std::memory_order_acquire);
            version = before;
            if (before % 2 != 0) { continue; }
            for (std::size_t k = 0; k != words; ++k) { set(note, k, all_[k].load(std::memory_order_relaxed)); }
            std::atomic_thread_fence(std::memory_order_acquire);
            if (version_.load(std::memory_order_relaxed) == before) { return true; }
        }
        return false;
    }

    pthread_t thread{};
    std::atomic<bool> is_used{false};
    thread_place* next = nullptr;

private:
    static constexpr std::size_t word = sizeof(std::uint64_t);
    static constexpr std::size_t words = sizeof(call_note) / word;
    static_assert(words * word == sizeof(call_note));

    static void set(call_note& note, std::size_t k, std::uint64_t value) noexcept {
        __builtin_memcpy(reinterpret_cast<std::byte*>(&note) + k * sizeof value, &value, sizeof value);
    }

    template <class Write>
    void change(Write write) noexcept {
        auto const version = version_.load(std::memory_order_relaxed);
        version_.store(version + 1, std::memory_order_relaxed);
        std::atomic_thread_fence(std::memory_order_release);
        write();
        version_.store(version + 2, std::memory_order_release);
    }

    std::atomic<unsigned> version_{0};
    std::array<std::atomic<std::uint64_t>, words> all_{};
};

/// The places of all threads that have called MPI.
class thread_places {
public:
    [[nodiscard]] static thread_place& mine() {
        auto& place = this_thread.place;
        if (place == nullptr) { place = &take_until_the_thread_ends(); }
        return *place;
    }

    template <class Use>
    static void for_each(Use use) {
        for (auto* each = first_.load(std::memory_order_acquire); each != nullptr; each = each->next) {
            if (each->is_used.load(std::memory_order_acquire)) { use(*each); }
        }
    }

private:
    [[nodiscard, gnu::cold]] static thread_place& take_until_the_thread_ends() {
        static thread_local struct owner {
            thread_place* place = take();
            ~owner() { place->is_used.store(false, std::memory_order_release); }
        } one;
        return *one.place;
    }

    [[nodiscard]] static thread_place* take() {
        for (auto* each = first_.load(std::memory_order_acquire); each != nullptr; each = each->next) {
            bool free = false;
            if (each->is_used.compare_exchange_strong(free, true)) {
                each->thread = pthread_self();
                return each;
            }
        }
        auto* const made = new thread_place;
        made->thread = pthread_self();
        made->is_used = true;
        made->next = first_.load(std::memory_order_relaxed);
        while (!first_.compare_exchange_weak(made->next, made, std::memory_order_release)) {}
        return made;
    }

    inline static std::atomic<thread_place*> first_{nullptr};
};

/// Nonblocking collectives that have begun and not ended, by their requests: without a lock; of more than there are
/// places for, nothing is known.
class pending_collectives {
public:
    struct entry {
        std::atomic<std::uint64_t> request{0};
        std::atomic<bool> is_waited_for{false};  ///< a thread has waited for it, or tested it
        std::atomic<call_site*> site{nullptr};
        thread_place about;
    };

    [[nodiscard]] static bool any() noexcept { return number_.load(std::memory_order_relaxed) != 0; }

    static void add(MPI_Request request, call_note const& note, call_site& site) noexcept {
        auto const key = key_of(request);
        for (auto& each : all_) {
            std::uint64_t free = 0;
            if (!each.request.compare_exchange_strong(free, taking)) { continue; }
            each.is_waited_for = false;
            each.site = &site;
            each.about.enter(note);
            each.request.store(key, std::memory_order_release);
            number_.fetch_add(1);
            return;
        }
    }
    [[nodiscard]] static entry* find(MPI_Request request) noexcept {
        auto const key = key_of(request);
        for (auto& each : all_) {
            if (each.request.load(std::memory_order_acquire) == key) { return &each; }
        }
        return nullptr;
    }
    static void remove(entry& one) noexcept {
        one.request.store(0, std::memory_order_release);
        number_.fetch_sub(1);
    }

    template <class Use>
    static void for_each(Use use) {
        for (auto& each : all_) {
            if (each.request.load(std::memory_order_acquire) > taking) { use(each); }
        }
    }

private:
    static constexpr std::uint64_t taking = 1;  // no request of an MPI is 0 or 1 with the offset
    static constexpr std::uint64_t offset = 2;

    [[nodiscard]] static std::uint64_t key_of(MPI_Request request) noexcept {
        std::uint64_t key = 0;
        __builtin_memcpy(&key, &request, sizeof request);
        return key + offset;
    }

    static std::array<entry, 64> all_;
    inline static std::atomic<int> number_{0};
};
inline std::array<pending_collectives::entry, 64> pending_collectives::all_{};

}  // namespace tutti::accelerator::watch
