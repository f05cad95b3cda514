// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tutti/collective/perform.hpp>  // first: compilers list the includes on the way to what they refuse

#include <exception>
#include <initializer_list>
#include <ranges>
#include <type_traits>
#include <utility>

#include <tutti/collective/arguments.hpp>
#include <tutti/collective/pending_value.hpp>
#include <tutti/collective/plan.hpp>
#include <tutti/collective/refusal.hpp>
#include <tutti/text.hpp>

namespace tutti {

/// The three forms of a collective, made of its overloads. `Overloads` turns any argument list that callers may write
/// into an invocation; so each overload is written once. Calls that none takes are refused in one sentence.
///
/// Overloads that give a result for a single value have three functions beside `operator()`: `value(world, in, result,
/// ...)` makes the invocation, `first_result(in)` what `result` is before it, and `value_on_root` takes the place of
/// `value` where only the root has a result, so that other ranks need not look at theirs.
namespace call_modes {

using engine::noting_refusal;

/// Lets an exception go on from a rank that the others wait for in their next call: they are notified.
template <class World, class Work>
decltype(auto) telling_others(World const& world, char const* what, Work work) {
    try {
        return work();
    } catch (std::exception const& wrong) {
        engine::note_refusal(argument::communicator_for(world),
                             text::joined({"tutti: ", what, ": ", text::quoted(wrong.what())}), false);
        throw;
    }
}

template <class Overloads, class... Arguments>
concept takes = (!argument::is_no_argument<Arguments> && ...) &&
                requires(Overloads overloads, Arguments&&... arguments) {
    overloads(std::forward<Arguments>(arguments)...);
};

/// The invocation that the overloads make of the arguments.
template <class Overloads, class World, class... Arguments>
[[nodiscard, gnu::always_inline]] inline auto invocation_of(World& world, Arguments&&... arguments) {
    if constexpr ((argument::has_extent<std::remove_cvref_t<Arguments>> || ...)) {
        return engine::with_extent(Overloads{}(world, arguments...), arguments...);
    } else {
        return Overloads{}(world, std::forward<Arguments>(arguments)...);
    }
}

template <class Overloads, class In>
using first_result_t = decltype(Overloads::first_result(std::declval<In const&>()));

template <class Overloads, class World, class In, class... Arguments>
concept gives_value =
    !argument::is_no_argument<In> && requires(Overloads overloads, World const& world, In const& in,
                                              first_result_t<Overloads, In>& result, Arguments&&... arguments) {
    overloads.value(world, in, result, std::forward<Arguments>(arguments)...);
};

template <class Overloads, class World, class In, class... Arguments>
concept gives_value_on_root =
    !argument::is_no_argument<In> && requires(Overloads overloads, World const& world, In const& in,
                                              first_result_t<Overloads, In>& result, Arguments&&... arguments) {
    overloads.value_on_root(world, in, result, std::forward<Arguments>(arguments)...);
};

/// The arguments of a call, by their types.
template <class...>
struct arguments;

/// Whether all that keeps a call from having a form is its last argument, which is then meant as an algorithm.
template <class Overloads, class Before, class... Rest>
inline constexpr bool names_no_algorithm = false;
template <class Overloads, class World, class In, class... Before, class Last>
inline constexpr bool names_no_algorithm<Overloads, arguments<World, In, Before...>, Last> =
    !algorithm<Last> && (takes<Overloads, World, In, Before...> || gives_value<Overloads, World, In, Before...> ||
                         gives_value_on_root<Overloads, World, In, Before...>);
template <class Overloads, class... Before, class Next, class... Rest>
    requires(sizeof...(Rest) != 0)
inline constexpr bool names_no_algorithm<Overloads, arguments<Before...>, Next, Rest...> =
    names_no_algorithm<Overloads, arguments<Before..., Next>, Rest...>;

/// Refuses a call that has no form.
template <class Overloads, class World, class... Arguments>
constexpr void refuse_call() {
    constexpr bool lacks_algorithm = names_no_algorithm<Overloads, arguments<World>, Arguments...>;
    argument::refuse_call<Overloads, lacks_algorithm, World, Arguments...>();
}

/// Whether the operator, which follows the operand, takes it as one element, though it is a range.
template <class In, class Op = void, class... Rest>
inline constexpr bool is_taken_whole = operators::takes_whole<std::remove_cvref_t<Op>, std::remove_cvref_t<In>>;

/// Stands beside the other forms for calls with what has no type that a template could find: the name of an overloaded
/// function, or a list in braces. Volatile, so that any other form fits better.
struct refusing_untyped_arguments {
    template <class World, class In, class Op>
    engine::refused_result operator()(World const&, In const&, Op const&, argument::options_in_braces) const volatile {
        argument::refuse_options<World>();
        return {};
    }
    template <class World, class In, class Out, class Op>
    engine::refused_result operator()(World const&, In const&, Out const&, Op const&, argument::options_in_braces) const
        volatile {
        argument::refuse_options<World>();
        return {};
    }
    template <class World, class In, class Out, class Op>
    engine::refused_result operator()(World const&, In const&, Out const&, Op const&, int,
                                      argument::options_in_braces) const volatile {
        argument::refuse_options<World>();
        return {};
    }
    template <class World, class T, class... Rest>
    engine::refused_result operator()(World const&, std::initializer_list<T>, Rest&&...) const volatile {
        argument::refuse_list<T>();
        return {};
    }
    template <class World, class In, class Out, class T, class... Rest>
    engine::refused_result operator()(World const&, In const&, Out const&, std::initializer_list<T>, Rest&&...) const
        volatile {
        argument::refuse_list<T>();
        return {};
    }
    template <class World, class In, class... Rest>
    engine::refused_result operator()(World const&, In const&, argument::overloaded_function_on<In>,
                              Rest const&...) const volatile {
        argument::refuse_overloaded_function<In>();
        return {};
    }
    template <class World, class In, class Out, class... Rest>
    engine::refused_result operator()(World const&, In const&, Out const&, argument::overloaded_function_on<In>,
                              Rest const&...) const volatile {
        argument::refuse_overloaded_function<In>();
        return {};
    }
    template <class World, class In, class Second, class Third, class... Rest>
    engine::refused_result operator()(World const&, In const&, Second const&, Third const&,
                              argument::overloaded_function_on<In>, Rest const&...) const volatile {
        argument::refuse_overloaded_function<In>();
        return {};
    }
};

/// Performs the call before it returns.
template <class Overloads>
struct blocking : refusing_untyped_arguments {
    template <class World, class... Arguments>
        requires takes<Overloads, World, Arguments...>
    auto operator()(World&& world, Arguments&&... arguments) const {  // void, unless it is refused
        return engine::perform(call_modes::noting_refusal(world, [&] {
            return call_modes::invocation_of<Overloads>(world, std::forward<Arguments>(arguments)...);
        }));
    }

    /// One element in, the result out.
    template <class World, class In, class... Arguments>
        requires gives_value<Overloads, World, In, Arguments...>
    [[nodiscard]] auto operator()(World&& world, In&& in, Arguments&&... arguments) const {
        if constexpr (is_taken_whole<In, Arguments...>) {
            return (*this)(world, tutti::value(in), std::forward<Arguments>(arguments)...);
        } else {
            auto result = Overloads::first_result(in);
            engine::perform(call_modes::noting_refusal(
                world, [&] { return Overloads{}.value(world, in, result, std::forward<Arguments>(arguments)...); }));
            return result;
        }
    }

    /// One element in, the result out on the root.
    template <class World, class In, class... Arguments>
        requires gives_value_on_root<Overloads, World, In, Arguments...>
    auto operator()(World&& world, In&& in, Arguments&&... arguments) const {
        auto result = Overloads::first_result(in);
        engine::perform(call_modes::noting_refusal(world, [&] {
            return Overloads{}.value_on_root(world, in, result, std::forward<Arguments>(arguments)...);
        }));
        return result;
    }

    /// A call that has no form. Volatile, so that any other fits better.
    template <class World, class... Arguments>
    auto operator()(World&&, Arguments&&...) const volatile {
        call_modes::refuse_call<Overloads, World, Arguments...>();
        return engine::refused_result{};
    }
    using refusing_untyped_arguments::operator();
};

/// Whether a plan can still find this argument when the call that made it is over.
template <class Data>
inline constexpr bool outlives_call = std::is_lvalue_reference_v<Data> || std::is_pointer_v<Data> ||
                                      std::ranges::borrowed_range<Data> || argument::is_annotation<Data> ||
                                      argument::is_in_place<Data>;

/// A plan that is not yet started.
template <class Overloads, engine::plan_use Use = engine::plan_use::runs_again>
struct persistent : refusing_untyped_arguments {
    using refusing_untyped_arguments::operator();

    template <class World, class Data, class... Arguments>
    [[nodiscard]] auto operator()(World&& world, Data&& data, Arguments&&... arguments) const {
        static_assert(outlives_call<Data>,
                      "tutti: a plan refers to its operands until it ends; pass a variable, not a temporary");
        if constexpr (!outlives_call<Data>) {
            return engine::refused_result{};
        } else if constexpr (takes<Overloads, World, Data, Arguments...>) {
            return engine::make_plan<Use>(call_modes::noting_refusal(
                world,
                [&] {
                    return call_modes::invocation_of<Overloads>(world, std::forward<Data>(data),
                                                    std::forward<Arguments>(arguments)...);
                },
                true));
        } else {
            call_modes::refuse_call<Overloads, World, Data, Arguments...>();
            return engine::refused_result{};
        }
    }
};

/// A plan that has been started.
template <class Overloads>
struct nonblocking : refusing_untyped_arguments {
    using refusing_untyped_arguments::operator();

    template <class World, class In, class... Arguments>
    [[nodiscard]] auto operator()(World&& world, In&& in, Arguments&&... arguments) const {
        if constexpr (gives_value<Overloads, World, In, Arguments...> ||
                      gives_value_on_root<Overloads, World, In, Arguments...>) {
            return engine::make_pending_value<Overloads>(world, in, std::forward<Arguments>(arguments)...);
        } else {
            using once = persistent<Overloads, engine::plan_use::runs_once>;
            auto pending = once{}(world, std::forward<In>(in), std::forward<Arguments>(arguments)...);
            pending.start();
            return pending;
        }
    }
};

}  // namespace call_modes

}  // namespace tutti

#define TUTTI_UNLESS_LINKED <tutti/collective/execute.hpp>
#include <tutti/seam.hpp>
