// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <utility>

#include <tutti/collective/perform.hpp>
#include <tutti/collective/plan.hpp>

namespace tutti {

/// The three forms of a collective, made of its call shapes. `Shapes` turns any argument list that callers may write
/// into an invocation; so each shape is written once.
namespace forms {

/// Performs the call before it returns.
template <class Shapes>
struct blocking {
    template <class... Arguments>
        requires requires(Shapes shapes, Arguments&&... arguments) { shapes(std::forward<Arguments>(arguments)...); }
    void operator()(Arguments&&... arguments) const {
        perform(Shapes{}(std::forward<Arguments>(arguments)...));
    }

    /// One element in, the result out.
    template <class... Arguments>
        requires requires(Shapes shapes, Arguments&&... arguments) { shapes.value(std::forward<Arguments>(arguments)...); }
    [[nodiscard]] auto operator()(Arguments&&... arguments) const {
        return Shapes{}.value(std::forward<Arguments>(arguments)...);
    }
};

/// A plan that is not yet started.
template <class Shapes>
struct persistent {
    template <class... Arguments>
    [[nodiscard]] auto operator()(Arguments&&... arguments) const {
        return make_plan(Shapes{}(std::forward<Arguments>(arguments)...));
    }
};

/// A plan that has been started.
template <class Shapes>
struct nonblocking {
    template <class... Arguments>
    [[nodiscard]] auto operator()(Arguments&&... arguments) const {
        auto pending = make_plan(Shapes{}(std::forward<Arguments>(arguments)...));
        pending.start();
        return pending;
    }
};

}  // namespace forms

}  // namespace tutti
