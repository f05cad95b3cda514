// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <pmpi/call_facts.hpp>
#include <tutti/communicator/mpi/declarations.hpp>

namespace tutti::watch {

using namespace pmpi;

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

/// What ranks and threads tell others of a call. All members are words.
struct call_words {
    enum class kind : std::uint64_t { none, collective, other };

    kind of = kind::none;
    std::uint64_t communicator = 0;
    std::uint64_t number = 0;  ///< on its communicator, from 1
    std::int64_t bytes = -1;
    std::uint64_t equal = 1;  ///< whether all ranks have as many
    std::int64_t peer = call_facts::none;
    std::int64_t tag = call_facts::none;
    std::uint64_t type_kind = 0;  ///< what the type means, see `type_kind_of`
    std::uint64_t has_ended = 0;  ///< 1: it has

    [[nodiscard]] bool is_in_collective() const { return of == kind::collective && has_ended == 0; }
};

/// A call, as threads of its process know it.
struct call_note : call_words {
    char const* name = nullptr;
    char const* through = nullptr;  ///< of a nonblocking collective: MPI_Wait, where the thread waits for it
    std::uint64_t op = word_of(MPI_OP_NULL);
    std::uint64_t type = word_of(MPI_DATATYPE_NULL);
    void const* returns_to = nullptr;

    call_note() = default;
    /// `on` has this id. What the type means is left out: MPI has to be asked for it.
    call_note(kind what, call_facts const& facts, std::uint64_t on, void const* from)
        : call_words{what, on, 0, facts.bytes(), facts.equal ? 1U : 0U, facts.peer, facts.tag}, name{facts.name},
          op{word_of(facts.op)}, type{word_of(facts.type)}, returns_to{from} {}
};

/// A note that one thread writes, and others read meanwhile: which words belong together they know by a version, see
/// `thread_place`.
class shared_note {
public:
    void set(call_note const& note) noexcept {
        for (std::size_t k = 0; k != words; ++k) {
            std::uint64_t value = 0;
            __builtin_memcpy(&value, reinterpret_cast<std::byte const*>(&note) + k * sizeof value, sizeof value);
            all_[k].store(value, std::memory_order_relaxed);
        }
    }
    [[nodiscard]] call_note get() const noexcept {
        call_note note;
        for (std::size_t k = 0; k != words; ++k) {
            auto const value = all_[k].load(std::memory_order_relaxed);
            __builtin_memcpy(reinterpret_cast<std::byte*>(&note) + k * sizeof value, &value, sizeof value);
        }
        return note;
    }

private:
    static constexpr std::size_t words = sizeof(call_note) / sizeof(std::uint64_t);
    static_assert(words * sizeof(std::uint64_t) == sizeof(call_note));

    std::array<std::atomic<std::uint64_t>, words> all_{};
};

}  // namespace tutti::watch
