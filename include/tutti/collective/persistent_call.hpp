// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <string>
#include <string_view>

#include <tutti/selection/planner.hpp>

namespace tutti {

/// A text that says how a call is performed; `way` is that of its messages now, if there are several.
using explain_call = std::string(planned_call const& call, std::string_view way);

/// A program on one communicator, and the memory and the operator on which it can be run many times.
class persistent_call {
public:
    persistent_call() = default;
    persistent_call(persistent_call const&) = delete;
    persistent_call& operator=(persistent_call const&) = delete;
    virtual ~persistent_call() = default;

    virtual void start() = 0;
    [[nodiscard]] virtual bool running() const = 0;
    virtual bool test() = 0;
    virtual void wait() = 0;
    [[nodiscard]] virtual std::string explain() const = 0;
};

}  // namespace tutti
