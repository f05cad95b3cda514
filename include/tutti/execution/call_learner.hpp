// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <memory>

namespace tutti::selection {
struct planned_call;
}

namespace tutti::engine {

/// What calls on a communicator tell that learns from their times (`call_watch::learning`); kept with the communicator.
class call_learner {
public:
    call_learner() = default;
    call_learner(call_learner const&) = delete;
    call_learner& operator=(call_learner const&) = delete;
    virtual ~call_learner() = default;

    /// A blocking call that names no algorithm begins: the learner decides how it is performed.
    virtual void begin(selection::planned_call const& call) = 0;
    /// Its data has moved: ranks may tell each other of it.
    virtual void moved() = 0;
    /// It has ended, or failed.
    virtual void end() = 0;
};

using learner_in_use = std::unique_ptr<call_learner>;

}  // namespace tutti::engine
