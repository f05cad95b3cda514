// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <array>
#include <cstdint>

#include <pmpi/call_facts.hpp>
#include <preload/call_entry.hpp>
#include <tutti/communicator/mpi/declarations.hpp>
#include <watch/observed_call.hpp>

namespace tutti::preload {

/// What calls of this thread like one before need: a program calls from few places.
struct recent_call {
    void const* returns_to = nullptr;
    char const* name = nullptr;
    MPI_Comm comm{};
    watch::known_site noted{};  ///< if calls are noted

    // The entry of its communicator that calls of this many elements have, with this type and operator.
    MPI_Count count = -1;
    MPI_Datatype type{};
    MPI_Op op{};
    unsigned ended = 0;  ///< communicators of this process, when it was found
    call_entry* entry = nullptr;

    [[nodiscard]] bool is_of(void const* place, call_facts const& facts) const {
        return returns_to == place && name == facts.name && comm == facts.comm;
    }
    [[nodiscard]] bool knows(call_facts const& facts, unsigned now) const {
        return facts.count == count && facts.type == type && facts.op == op && ended == now;
    }

    /// The last one of this thread of those like this, or one that gives way to it.
    [[nodiscard]] static recent_call& of(void const* returns_to, call_facts const& facts) {
        auto const instruction = reinterpret_cast<std::uintptr_t>(returns_to);
        auto& one = of_thread_[(instruction ^ instruction >> 4U) % of_thread_.size()];
        if (!one.is_of(returns_to, facts)) { one = {returns_to, facts.name, facts.comm}; }
        return one;
    }

private:
    static thread_local std::array<recent_call, 8> of_thread_;
};
inline constinit thread_local std::array<recent_call, 8> recent_call::of_thread_{};

/// The place in the program of the call that this thread performs, if calls are noted.
inline constinit thread_local call_site* noted_site = nullptr;

}  // namespace tutti::preload
