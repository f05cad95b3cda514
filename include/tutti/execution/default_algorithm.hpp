// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <memory>

#include <tutti/communicator.hpp>

namespace tutti::selection {
class held_algorithm;
struct planned_call;
}

namespace tutti::engine {

class persistent_call;

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

/// What blocking calls that name no algorithm report to while a communicator learns from them
/// (`call_hook::learning`).
class call_learner {
public:
    call_learner() = default;
    call_learner(call_learner const&) = delete;
    call_learner& operator=(call_learner const&) = delete;

    /// Such a call begins on this rank: decides which algorithm it takes.
    virtual void begin(selection::planned_call const& call) = 0;
    /// It has ended, unless the communicator has failed: ranks may exchange times now.
    virtual void end() = 0;

protected:
    ~call_learner() = default;
};

/// Of a communicator, in its store; set as long as that learns.
struct learner_in_use {
    call_learner* learner = nullptr;
    /// The same plan, which names no algorithm, but learns from its own runs. All ranks call.
    std::unique_ptr<persistent_call> (*lead)(call_learner& learner, std::unique_ptr<persistent_call> plan) = nullptr;
};

}  // namespace tutti::engine
