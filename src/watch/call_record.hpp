// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <pmpi/call_signature.hpp>
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

/// What other ranks are sent of a call. All members are words, also those that are true or false: `seqlock_data` copies
/// records word by word.
struct call_fields {
    enum class kind : std::uint64_t { none, collective, other };

    kind of = kind::none;
    std::uint64_t communicator = 0;
    std::uint64_t number = 0;  ///< on its communicator, from 1
    std::int64_t bytes = -1;
    std::uint64_t equal = 1;  ///< whether all ranks have as many
    std::int64_t peer = call_signature::none;
    std::int64_t tag = call_signature::none;
    std::uint64_t type_kind = 0;  ///< what the type means, see `type_kind_of`
    std::uint64_t has_ended = 0;

    [[nodiscard]] bool is_in_collective() const { return of == kind::collective && has_ended == 0; }
};

/// A call, as the threads of its process see it.
struct call_record : call_fields {
    char const* name = nullptr;
    char const* through = nullptr;  ///< of a nonblocking collective: MPI_Wait, where the thread waits for it
    std::uint64_t op = word_of(MPI_OP_NULL);
    std::uint64_t type = word_of(MPI_DATATYPE_NULL);
    void const* returns_to = nullptr;

    call_record() = default;
    /// `on` is the id of the communicator. `type_kind` is left out, since MPI has to be asked for it.
    call_record(kind what, call_signature const& signature, std::uint64_t on, void const* from)
        : call_fields{what, on, 0, signature.bytes(), signature.equal ? 1U : 0U, signature.peer, signature.tag},
          name{signature.name},
          op{word_of(signature.op)},
          type{word_of(signature.type)},
          returns_to{from} {}
};

/// What a sequence lock guards: one thread writes it while others read. The words are atomic, so that this is no data
/// race; whether those that were read belong together is known by the version, see `thread_status`.
template <class Record>
class seqlock_data {
public:
    void set(Record const& record) noexcept {
        auto const values = std::bit_cast<std::array<std::uint64_t, words>>(record);
        for (std::size_t k = 0; k != words; ++k) { all_[k].store(values[k], std::memory_order_relaxed); }
    }
    [[nodiscard]] Record get() const noexcept {
        std::array<std::uint64_t, words> values;
        for (std::size_t k = 0; k != words; ++k) { values[k] = all_[k].load(std::memory_order_relaxed); }
        return std::bit_cast<Record>(values);
    }

private:
    static_assert(std::is_trivially_copyable_v<Record> && sizeof(Record) % sizeof(std::uint64_t) == 0);
    static constexpr std::size_t words = sizeof(Record) / sizeof(std::uint64_t);

    std::array<std::atomic<std::uint64_t>, words> all_{};
};

}  // namespace tutti::watch
