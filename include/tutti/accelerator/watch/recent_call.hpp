// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <tutti/accelerator/watch/call_facts.hpp>
#include <tutti/accelerator/watch/call_site.hpp>
#include <tutti/communicator/mpi/declarations.hpp>

namespace tutti::accelerator {
struct call_entry;
}  // namespace tutti::accelerator

namespace tutti::accelerator::watch {

struct known_communicator;
class thread_place;

/// What calls of this thread like one before need: a program calls from few places.
struct recent_call {
    void const* returns_to = nullptr;
    char const* name = nullptr;
    MPI_Comm comm{};

    unsigned freed = 0;                   ///< communicators of this process, when it was found
    known_communicator* known = nullptr;  ///< if calls are noted
    call_site* site = nullptr;

    // The entry of its communicator that calls of this many elements have, with this type and operator.
    MPI_Count count = -1;
    MPI_Datatype type{};
    MPI_Op op{};
    unsigned ended = 0;           ///< communicators of this process, when it was found
    call_entry* entry = nullptr;

    [[nodiscard]] bool is_of(void const* place, call_facts const& facts) const {
        return returns_to == place && name == facts.name && comm == facts.comm;
    }
    [[nodiscard]] bool knows(call_facts const& facts, unsigned now) const {
        return facts.count == count && facts.type == type && facts.op == op && ended == now;
    }
};

/// What the calls of a thread need at once.
struct thread_memory {
    MPI_Comm comm{};     ///< of the last call, if `known` is set
    unsigned freed = 0;  ///< communicators of this process, then
    known_communicator* known = nullptr;
    thread_place* place = nullptr;
    call_site* site = nullptr;  ///< of the call that it is in
    std::array<recent_call, 8> recent{};

    /// The last one of those like this, or one that gives way to it.
    [[nodiscard]] recent_call& recent_one(void const* returns_to, call_facts const& facts) {
        auto const instruction = reinterpret_cast<std::uintptr_t>(returns_to);
        auto& one = recent[(instruction ^ instruction >> 4U) % recent.size()];
        if (!one.is_of(returns_to, facts)) { one = {returns_to, facts.name, facts.comm}; }
        return one;
    }
};
inline constinit thread_local thread_memory this_thread{};

}  // namespace tutti::accelerator::watch
