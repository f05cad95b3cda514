// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <array>
#include <cstdint>

#include <pmpi/call_signature.hpp>
#include <preload/call_entry.hpp>
#include <tutti/communicator/mpi/declarations.hpp>
#include <watch/observed_call.hpp>

namespace tutti::preload {

/// The last call that this thread has made from one place of the program, and its entry.
struct call_site_slot {
    void const* returns_to = nullptr;
    char const* name = nullptr;
    MPI_Comm comm{};
    watch::known_site site{};  ///< where calls are observed

    // `entry` is for calls of this many elements, of this type and operator.
    MPI_Count count = -1;
    MPI_Datatype type{};
    MPI_Op op{};
    unsigned ended = 0;  ///< `duplicates::ended()` when the entry was found: another communicator may have its handle
    call_entry* entry = nullptr;

    [[nodiscard]] bool is_of(void const* place, call_signature const& signature) const {
        return returns_to == place && name == signature.name && comm == signature.comm;
    }
    [[nodiscard]] bool has_entry_of(call_signature const& signature, unsigned now) const {
        return entry != nullptr && signature.count == count && signature.type == type && signature.op == op &&
               ended == now;
    }
};

/// The slots of a thread, by return address: programs call from few places.
class call_site_cache {
public:
    /// The slot of a call. It replaces another place's that has the same index.
    [[nodiscard]] static call_site_slot& slot_of(void const* returns_to, call_signature const& signature) {
        auto const instruction = reinterpret_cast<std::uintptr_t>(returns_to);
        auto& slot = slots_[(instruction ^ instruction >> 4U) % slots_.size()];
        if (!slot.is_of(returns_to, signature)) { slot = {returns_to, signature.name, signature.comm}; }
        return slot;
    }

private:
    static thread_local std::array<call_site_slot, 8> slots_;
};
inline constinit thread_local std::array<call_site_slot, 8> call_site_cache::slots_{};

/// The place in the program of the call that this thread performs, where calls are observed; else null.
inline constinit thread_local call_site* observed_site = nullptr;

}  // namespace tutti::preload
