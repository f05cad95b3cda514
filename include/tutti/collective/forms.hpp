// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <ranges>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include <tutti/collective/arguments.hpp>
#include <tutti/collective/perform.hpp>
#include <tutti/collective/plan.hpp>

namespace tutti {

/// The three forms of a collective, made of its call shapes. `Shapes` turns any argument list that callers may write
/// into an invocation; so each shape is written once.
namespace forms {

/// Ranks on which the arguments are wrong stay in step with the others. Apart, so that calls stay short.
template <class World>
[[gnu::cold, gnu::noinline]] void note_refused(World& world, std::invalid_argument const& why) {
    note_refusal(argument::communicator_behind(world), why.what());
}

/// Performs the call before it returns.
template <class Shapes>
struct blocking {
    template <class... Arguments>
        requires requires(Shapes shapes, Arguments&&... arguments) { shapes(std::forward<Arguments>(arguments)...); }
    void operator()(Arguments&&... arguments) const {
        perform(checked(std::forward<Arguments>(arguments)...));
    }

    /// One element in, the result out.
    template <class... Arguments>
        requires requires(Shapes shapes, Arguments&&... arguments) {
            shapes.value(std::forward<Arguments>(arguments)...);
        }
    [[nodiscard]] auto operator()(Arguments&&... arguments) const {
        return Shapes{}.value(std::forward<Arguments>(arguments)...);
    }

private:
    template <class World, class... Arguments>
    [[nodiscard, gnu::always_inline]] static auto checked(World&& world, Arguments&&... arguments) {
        try {
            return Shapes{}(std::forward<World>(world), std::forward<Arguments>(arguments)...);
        } catch (std::invalid_argument const& refused) {
            note_refused(world, refused);
            throw;
        }
    }
};

/// Whether a plan can still find this argument when the call that made it is over.
template <class Data>
inline constexpr bool outlives_call = std::is_lvalue_reference_v<Data> || std::is_pointer_v<Data> ||
                                      std::ranges::borrowed_range<Data> || argument::is_annotation<Data> ||
                                      argument::is_in_place<Data>;

/// A plan that is not yet started.
template <class Shapes>
struct persistent {
    template <class World, class Data, class... Arguments>
    [[nodiscard]] auto operator()(World&& world, Data&& data, Arguments&&... arguments) const {
        static_assert(outlives_call<Data>,
                      "tutti: a plan refers to its operands until it ends; pass a variable, not a temporary");
        return make_plan(Shapes{}(world, std::forward<Data>(data), std::forward<Arguments>(arguments)...));
    }
};

/// A plan that has been started.
template <class Shapes>
struct nonblocking {
    template <class... Arguments>
    [[nodiscard]] auto operator()(Arguments&&... arguments) const {
        auto pending = persistent<Shapes>{}(std::forward<Arguments>(arguments)...);
        pending.start();
        return pending;
    }
};

}  // namespace forms

}  // namespace tutti
