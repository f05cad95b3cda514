// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <concepts>
#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>

#include <tutti/collective/arguments.hpp>
#include <tutti/collective/forms.hpp>
#include <tutti/collective/invocation.hpp>
#include <tutti/collective/refusal.hpp>

#define TUTTI_UNLESS_LINKED <tutti/selection/candidates/reduce.hpp>
#include <tutti/seam.hpp>

namespace tutti {

namespace overloads {

/// How `broadcast` may be called.
struct broadcast {
    using collective_type = collective::broadcast;

    /// (world, x, root)
    template <world World, class X, algorithm A = automatic>
        requires(!std::is_pointer_v<std::remove_cvref_t<X>>)
    auto operator()(World const& world, X&& x, int root, A algorithm = {}) const {
        return make(world, argument::as_output(std::forward<X>(x)), root, algorithm);
    }
    /// (world, pointer, count, root)
    template <world World, class T, std::integral Count, algorithm A = automatic>
    auto operator()(World const& world, T* x, Count n, int root, A algorithm = {}) const {
        return make(world, argument::counted(x, n), root, algorithm);
    }

    template <class World>
    static constexpr void refuse() {
        static_assert(argument::never<World>, "tutti: no such call; there are broadcast(world, x, root) and (world, "
                                              "pointer, count, root), each with an algorithm at its end or without");
    }

private:
    template <class World, class X, class A>
    static auto make(World const& world, std::span<X> x, int root, A const& algorithm) {
        using T = std::remove_const_t<X>;
        using C = argument::communicator_behind_t<World const>;
        if constexpr (argument::data_fits<C, X>) {
            auto& ranks = argument::communicator_for(world);
            argument::check_root<collective::broadcast>(root, argument::size_of(ranks));
            if (std::is_const_v<X> && argument::rank_of(ranks) != root) {
                argument::refuse<collective::broadcast>(
                    "only the root may give something const, or a temporary; this rank receives, so give a variable");
            }
            // The root's vector is only read.
            auto* const both = const_cast<T*>(x.data());
            return engine::invocation<collective::broadcast, C, T, operators::no_operator, A>{
                ranks, both, both, x.size(), root, {}, algorithm};
        } else {
            return engine::refused_call<argument::wrong_data<C, X>>{};
        }
    }
};

/// Contiguous containers that can be given another size: with new elements, so that these have a default.
template <class X>
concept resizable = argument::range_of_elements<X> && std::ranges::range<X> &&
                    std::default_initializable<std::ranges::range_value_t<X>> &&
                    requires(std::remove_const_t<X>& x, std::size_t n) { x.resize(n); };

/// How the call may be written that is over when it returns: only that can wait for the size of the root's container.
struct blocking_broadcast : broadcast {
    template <world World, class X, class... Arguments>
        requires std::invocable<broadcast, World const&, X, Arguments...>
    auto operator()(World const& world, X&& x, Arguments&&... arguments) const {
        if constexpr (control::resizes_containers<World> && resizable<std::remove_reference_t<X>>) {
            resize(world, x, arguments...);
        }
        return broadcast::operator()(world, std::forward<X>(x), std::forward<Arguments>(arguments)...);
    }

private:
    template <class World, class X, class A = automatic>
    void resize(World const& world, X& x, int root, A const& = {}) const {
        auto elements = x.size();
        // the size and the elements are two calls, whatever is refused
        engine::perform(
            call_modes::noting_refusal(world, [&] { return broadcast::operator()(world, elements, root); }));
        if constexpr (!std::is_const_v<X>) {
            if (argument::rank_of(argument::communicator_for(world)) != root) { x.resize(elements); }
        }
    }
};

}  // namespace overloads

/// x on every rank = x on rank `root`.
/// Requires: the same root on all ranks, and the same number of elements. Over a boost::mpi::communicator, containers
/// with `resize` get the length of the root's; then all ranks pass such a container. Plans never resize.
/// Result: on every rank. The root's `x` is only read and may be const.
/// Order: nothing is combined: the bits are those of the input, for every algorithm.
/// Errors: std::invalid_argument before the first message if the root is no rank; errors of the communicator.
/// Cost: short vectors ⌈log2 p⌉ (α + β m); long ones about m β and p + q - 2 latencies in q segments. A length that
/// travels first costs ⌈log2 p⌉ α.
/// Source: every broadcast is a reversed reduction; the argument `algorithm` names either, and replaces tutti's choice.
inline constexpr call_modes::blocking<overloads::blocking_broadcast> broadcast{};

namespace plan {
/// `tutti::broadcast` as a plan.
inline constexpr call_modes::persistent<overloads::broadcast> broadcast{};
}  // namespace plan

namespace async {
/// `tutti::broadcast`, started and not waited for.
inline constexpr call_modes::nonblocking<overloads::broadcast> broadcast{};
}  // namespace async

}  // namespace tutti
