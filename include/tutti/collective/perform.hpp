// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <tutti/collective.hpp>
#include <tutti/collective/invocation.hpp>
#include <tutti/communicator/call.hpp>
#include <tutti/dynamic_array.hpp>
#include <tutti/element.hpp>
#include <tutti/error.hpp>
#include <tutti/operation.hpp>
#include <tutti/operation/byte_operator.hpp>
#include <tutti/selection/algorithm.hpp>
#include <tutti/selection/planner.hpp>
#include <tutti/text.hpp>

namespace tutti::engine {

/// A text about how a call is performed; `way` is how its messages go now, if there are several ways.
using explain_call = std::string(selection::planned_call const& call, std::string_view way);

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
    /// From the next run on by this algorithm.
    virtual void choose(std::unique_ptr<selection::held_algorithm> algorithm) = 0;
    [[nodiscard]] virtual selection::planned_call const& call() const = 0;
    /// Of the communicator, see `supervisor`; 0 if that is gone.
    [[nodiscard]] virtual std::size_t recoveries() const = 0;
    [[nodiscard]] virtual std::string explain(explain_call* text) const = 0;
};

/// A call as it is executed: on bytes, unless its elements have to be lent or serialised as objects.
template <class C, class Element, class Operator>
struct prepared_call {
    C& world;
    selection::call_kind const& kind;
    program (*plan)(selection::planned_call const&);
    Element const* input;
    Element* output;
    Element* second_output;
    std::size_t elements;
    int root;
    Operator& op;
    void const* algorithm;  ///< the object that the call names, if any
    std::span<std::size_t const> counts;

    [[nodiscard]] bool in_place() const { return input != nullptr && input == output; }
};

/// Performs a call from beginning to end. With TUTTI_COMPILED calls on bytes over tutti's own communicators are linked;
/// else the definition is included.
template <class C, class Element, class Operator>
void perform_prepared(prepared_call<C, Element, Operator> const& call);

/// Linked or included, as `perform_prepared`. A blocking call, or a plan, with wrong arguments counts like any other,
/// so that this rank stays in step with those on which they were right; these are notified.
template <class C>
[[gnu::cold, gnu::noinline]] void note_refusal(C& ranks, std::string_view why, bool is_plan);

/// What `make` makes before a call, or plan, on `world` is counted, that be what the user calls so or the communicator
/// behind it. If it throws, this rank counts the call all the same, unless the communicator itself has failed.
template <class World, class Make>
[[gnu::always_inline]] inline decltype(auto) noting_refusal(World& world, Make make, bool is_plan = false) {
    try {
        return make();
    } catch (needs_recovery const&) {
        throw;
    } catch (std::exception const& why) {
        if constexpr (tutti::world<World>) {
            engine::note_refusal(argument::communicator_for(world), why.what(), is_plan);
        } else {
            engine::note_refusal(world, why.what(), is_plan);
        }
        throw;
    }
}

/// Calls `after()` after `call()`, also if that throws what is no failure of the communicator, such as what an operator
/// throws on one rank: all ranks get there.
template <class C, class Call, class After>
void and_then(C& ranks, Call call, After after) {
    try {
        call();
    } catch (...) {
        if (!ranks.supervisor().failed()) { after(); }
        throw;
    }
    after();
}

/// Linked or included, as `perform_prepared`. The operator of the call outlives the result, unless it is a
/// byte_operator: that is copied.
template <class C, class Element, class Operator>
[[nodiscard]] std::unique_ptr<persistent_call> make_persistent(prepared_call<C, Element, Operator> const& call);

/// Complete where the definitions of these functions are included.
template <class Element>
struct execution_is_included;

template <class Operator>
using unwrapped_operator =
    std::remove_cvref_t<std::unwrap_reference_t<std::remove_cv_t<std::remove_reference_t<Operator>>>>;

/// Of two types that are alike the one by which all ranks call both, for instance std::int64_t and long long.
template <class T>
using named_alike = std::conditional_t<
    std::is_same_v<T, long long> && sizeof(T) == sizeof(long), long,
    std::conditional_t<std::is_same_v<T, unsigned long long> && sizeof(T) == sizeof(long), unsigned long, T>>;

template <class Collective, class T, class Operator, class Algorithm>
[[nodiscard]] constexpr selection::call_kind make_call_kind() {
    constexpr bool commutes = selection::may_reorder<Collective, Operator, T>;
    constexpr bool with_identity = operators::has_identity_v<Operator, T>;
    selection::call_kind result{.collective = Collective::name,
                     .algorithm = text::type_name<Algorithm>(),
                     .element = text::type_name<named_alike<T>>(),
                     .combine = {},
                     .element_bytes = sizeof(T),
                     .rooted = collective::is_rooted<Collective>,
                     .travels_as_bytes = travels_as_bytes<T>,
                     .commutes = commutes,
                     .has_identity = with_identity};
    if constexpr (collective::combines<Collective>) {
        result.combine = text::type_name<unwrapped_operator<Operator>>();
        result.exact = is_exact<unwrapped_operator<Operator>, T>::value;
    }
    if constexpr (std::is_same_v<Algorithm, selection::reproducible>) {
        static_assert(
            is_linked || requires { sizeof(selection::canonical_is_included<Collective>); },
            "tutti: reproducible needs #include <tutti/selection/canonical.hpp>, which <tutti/mpi.hpp> and "
            "<tutti/threads.hpp> bring, too");
        if constexpr (collective::combines<Collective>) { result.hold = selection::hold_reproducible_for<Collective>; }
    } else if constexpr (!std::is_same_v<Algorithm, selection::automatic>) {
        result.hold = selection::hold_algorithm<Collective, commutes, with_identity, Algorithm>;
    }
    return result;
}

/// One object for each kind of call: its address tells kinds apart.
template <class Collective, class T, class Operator, class Algorithm>
inline constexpr selection::call_kind kind_of_call = engine::make_call_kind<Collective, T, Operator, Algorithm>();

/// The kind of a call whose elements or operator are known only at run time; defined in
/// <tutti/collective/records.hpp>. It lasts as long as the process.
template <class Invocation>
[[nodiscard]] selection::call_kind const& run_time_kind(Invocation const& what);

/// A call that was made of the arguments, some of them records; defined in <tutti/collective/records.hpp>.
template <class Collective, class C, class Operator, class Algorithm, class... Arguments>
[[nodiscard]] auto with_extent(invocation<Collective, C, packing::record, Operator, Algorithm>&& what,
                               Arguments const&... arguments);

template <class Invocation>
[[nodiscard]] selection::call_kind const& kind_of(Invocation const& what) {
    using Operator = typename Invocation::operator_type;
    if constexpr (operators::is_run_time_operator<std::remove_cv_t<Operator>> || requires { what.extent; }) {
        return engine::run_time_kind(what);
    } else {
        return kind_of_call<typename Invocation::collective_type, typename Invocation::element_type, Operator,
                            std::remove_cvref_t<decltype(what.algorithm)>>;
    }
}

/// Whether the algorithm is still to be chosen when the call begins.
template <class Invocation>
inline constexpr bool is_deferred =
    selection::deferred_choice<std::remove_cvref_t<decltype(std::declval<Invocation&>().algorithm)>,
                    typename Invocation::collective_type>;

/// Such a call as the planner sees it.
template <class Invocation>
    requires is_deferred<Invocation>
[[nodiscard]] selection::planned_call undecided(Invocation const& what) {
    using C = typename Invocation::communicator_type;
    return {.kind = &kind_of_call<typename Invocation::collective_type, typename Invocation::element_type,
                                  typename Invocation::operator_type, selection::automatic>,
            .size = static_cast<std::size_t>(what.world.size()),
            .elements = what.elements,
            .lends_objects = control::in_one_process<C>,
            .machine = &what.world.store().template get<pricing::machine_model>(),
            .nodes = &what.world.nodes()};
}

/// The same call with the algorithm that is chosen for it now.
template <class Invocation>
    requires is_deferred<Invocation>
[[nodiscard]] auto decided(Invocation& what) {
    using collective_type = typename Invocation::collective_type;
    using T = typename Invocation::element_type;
    using Operator = decltype(Invocation::op);
    using C = typename Invocation::communicator_type;
    constexpr bool commutes = operators::is_commutative_v<typename Invocation::operator_type, T>;
    auto chosen = what.algorithm.template decide<commutes>(collective_type{}, engine::undecided(what), what.world);
    return invocation<collective_type, C, T, Operator, decltype(chosen)>{
        what.world, what.input, what.output, what.elements, what.root, std::forward<Operator>(what.op),
        std::move(chosen), what.second_output, std::move(what.counts)};
}

/// Calls `use(call)` with the prepared form of an invocation whose operator is `op`, which outlives it.
template <class Invocation, class Operator, class Use>
decltype(auto) with_prepared(Invocation const& what, Operator& op, Use use) {
    using Collective = typename Invocation::collective_type;
    using T = typename Invocation::element_type;
    using C = typename Invocation::communicator_type;
    auto const& kind = engine::kind_of(what);
    if constexpr (travels_as_bytes<T>) {
        operators::byte_operator on_bytes;
        if constexpr (collective::combines<Collective>) { on_bytes = operators::byte_operator::of<T>(op); }
        return use(prepared_call<C, std::byte, operators::byte_operator>{
            what.world, kind, selection::plan_program<Collective>, reinterpret_cast<std::byte const*>(what.input),
            reinterpret_cast<std::byte*>(what.output), reinterpret_cast<std::byte*>(what.second_output), what.elements,
            what.root, on_bytes, &what.algorithm, what.counts});
    } else {
        static_assert(
            requires {
                sizeof(execution_is_included<T>);
                sizeof(C);
            },
            "tutti: elements that do not travel as bytes are not part of tutti::compiled; include "
            "<tutti/boost_mpi.hpp> or <tutti/threads.hpp>, or compile this translation unit without TUTTI_COMPILED");
        constexpr bool is_moved = control::in_one_process<C> || requires { sizeof(packing::packing_is_included<T>); };
        static_assert(is_moved,
                      "tutti: elements that are serialised need #include <tutti/execution/packed_messages.hpp>, which "
                      "<tutti/mpi.hpp> and <tutti/threads.hpp> bring, too");
        if constexpr (is_moved) {
            return use(prepared_call<C, T, Operator>{what.world, kind, selection::plan_program<Collective>, what.input,
                                                     what.output, what.second_output, what.elements, what.root, op,
                                                     &what.algorithm, what.counts});
        }
    }
}

/// The digests that ranks have compared.
struct compared_digests {
    dynamic_array<std::uint64_t> all;
};

/// Where an algorithm is read from a file: throws `mismatched_calls` unless all ranks have the same file, in the first
/// call by it on a communicator.
template <class C, class Algorithm>
void compare_digests(C& world, [[maybe_unused]] Algorithm const& named) {
    if constexpr (requires { named.digest(); }) {
        auto& known = world.store().template get<compared_digests>().all;
        if (std::find(known.begin(), known.end(), named.digest()) != known.end()) { return; }
        control::enter_together(world, control::call::named("the file of the algorithm", named.digest()));
        known.push_back(named.digest());
    }
}

/// Performs a call from beginning to end.
template <class Invocation>
void perform(Invocation&& what) {
    if constexpr (is_deferred<std::remove_cvref_t<Invocation>>) {
        auto now = engine::noting_refusal(what.world, [&] { return engine::decided(what); });
        engine::and_then(what.world, [&] { engine::perform(now); }, [&] { what.algorithm.ended(what.world); });
    } else {
        engine::compare_digests(what.world, what.algorithm);
        engine::with_prepared(what, what.op, [](auto const& call) { engine::perform_prepared(call); });
    }
}

}  // namespace tutti::engine
