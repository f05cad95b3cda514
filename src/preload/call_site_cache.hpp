// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>

#include <pmpi/call_signature.hpp>
#include <preload/call_entry.hpp>
#include <tutti/communicator/mpi/declarations.hpp>
#include <watch/observed_call.hpp>

namespace tutti::preload {

/// The last call that this thread has made from one place of the program, and its entry.
struct alignas(64) call_site_slot {
    void const* returns_to = nullptr;
    char const* name = nullptr;
    MPI_Comm comm{};
    watch::known_site site{};  ///< where calls are observed

    // `entry` is for calls of this many elements, of this type and operator.
    MPI_Count count = -1;
    MPI_Datatype type{};
    unsigned ended = 0;  ///< `duplicates::ended()` when the entry was found: another communicator may have its handle
    MPI_Op op{};         ///< not beside `type`: compilers compare both at once, and wait for what was stored in parts
    call_entry* entry = nullptr;

    [[nodiscard, gnu::always_inline]] bool is_of(void const* place, call_signature const& signature) const {
        return returns_to == place && name == signature.name && comm == signature.comm;
    }
    [[nodiscard, gnu::always_inline]] bool has_entry_of(call_signature const& signature, unsigned now) const {
        return entry != nullptr && signature.count == count && signature.type == type && signature.op == op &&
               ended == now;
    }
};

using call_site_slots = std::array<call_site_slot, 8>;

/// The address of the slots of a thread. It lies in static thread-local memory, of which a library that is loaded late
/// can have a few words: to find other thread-local memory is a function call, which takes as long as the rest here.
[[gnu::tls_model("initial-exec")]] inline constinit thread_local call_site_slots* slots_of_thread = nullptr;

/// The slots of a thread, by return address: programs call from few places.
class call_site_cache {
public:
    /// The slot of a call; null if it is another place's.
    [[nodiscard, gnu::always_inline]] static call_site_slot* known_slot_of(void const* returns_to,
                                                                           call_signature const& signature) {
        if (slots_of_thread == nullptr) { return nullptr; }
        auto& slot = (*slots_of_thread)[index_of(returns_to)];
        return slot.is_of(returns_to, signature) ? &slot : nullptr;
    }
    /// The slot of a call. It replaces another place's that has the same index.
    [[nodiscard]] static call_site_slot& slot_of(void const* returns_to, call_signature const& signature) {
        auto& slot = (slots_of_thread != nullptr ? *slots_of_thread : make_slots())[index_of(returns_to)];
        if (!slot.is_of(returns_to, signature)) { slot = {returns_to, signature.name, signature.comm}; }
        return slot;
    }

private:
    [[nodiscard]] static std::size_t index_of(void const* returns_to) {
        auto const instruction = reinterpret_cast<std::uintptr_t>(returns_to);
        return (instruction ^ instruction >> 4U) % std::tuple_size_v<call_site_slots>;
    }

    [[nodiscard, gnu::cold, gnu::noinline]] static call_site_slots& make_slots() {
        static thread_local call_site_slots own;
        return *(slots_of_thread = &own);
    }
};

/// The place in the program of the call that this thread performs, where calls are observed; else null.
inline constinit thread_local call_site* observed_site = nullptr;

}  // namespace tutti::preload
