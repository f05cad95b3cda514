// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tutti/communicator.hpp>

namespace tutti::selection {
class held_algorithm;
struct planned_call;
}

namespace tutti::engine {

/// The algorithm of calls on one communicator that name none, as its store keeps it: `hold(call, names)` makes it
/// for a call; where it or its result is null, tutti chooses.
struct default_algorithm {
    selection::held_algorithm* (*hold)(selection::planned_call const& call, void const* names) = nullptr;
    void const* names = nullptr;  ///< what `hold` knows, if anything

    /// All ranks say the same.
    template <communicator C>
    static void set(C& ranks, default_algorithm chosen) {
        auto& kept = ranks.store().template get<default_algorithm>();
        if (kept.hold != chosen.hold || chosen.names != nullptr) { ranks.supervisor().begin_generation(); }
        kept = chosen;
    }
};

}  // namespace tutti::engine
