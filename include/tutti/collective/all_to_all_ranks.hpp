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

namespace tutti {

namespace shapes {

/// How a collective may be called that takes a vector from every rank and leaves one of the same size on every rank.
template <class Collective>
struct all_to_all_ranks {
    /// (world, in, out, op)
    template <world World, class In, class Out, class Op, algorithm A = automatic>
        requires(!std::is_pointer_v<In> && !algorithm<Op>)
    auto operator()(World const& ranks, In const& in, Out&& out, Op&& op, A named = {}) const {
        return make(ranks, argument::block_of(in), argument::block_of(out), std::forward<Op>(op), named);
    }
    /// (world, inplace(x), op)
    template <world World, class T, class Op, algorithm A = automatic>
    auto operator()(World const& ranks, argument::in_place<T> both, Op&& op, A named = {}) const {
        return make(ranks, std::span<T const>{both.block}, both.block, std::forward<Op>(op), named);
    }
    /// (world, pointer, count, pointer, op)
    template <world World, class T, std::integral Count, class Op, algorithm A = automatic>
    auto operator()(World const& ranks, T const* in, Count n, T* out, Op&& op, A named = {}) const {
        return make(ranks, argument::counted(in, n), argument::counted(out, n), std::forward<Op>(op), named);
    }
    /// (world, inplace(pointer), count, op)
    template <world World, class T, std::integral Count, class Op, algorithm A = automatic>
    auto operator()(World const& ranks, argument::in_place_pointer<T> both, Count n, Op&& op, A named = {}) const {
        return operator()(ranks, argument::in_place<T>{argument::counted(both.first, n)}, std::forward<Op>(op), named);
    }

    /// (world, value, op): the result is returned
    template <world World, class In, class Op, algorithm A = automatic>
        requires(!argument::is_in_place<In>)
    [[nodiscard]] auto value(World const& ranks, In const& in, Op&& op, A named = {}) const {
        static_assert(argument::is_single<In>,
                      "tutti: say where the elements of the result go: (world, in, out, op) or "
                      "(world, inplace(x), op)");
        auto result = *argument::block_of(in).data();
        perform(make(ranks, argument::block_of(in), argument::block_of(tutti::value(result)), std::forward<Op>(op),
                     named));
        return result;
    }

private:
    template <class World, class In, class Out, class Op, class A>
    static auto make(World const& ranks, std::span<In> in, std::span<Out> out, Op&& op, A const& named) {
        using T = std::remove_const_t<In>;
        argument::require_same_elements<In, Out>();
        auto& world = argument::communicator_behind(ranks);
        argument::require_types<std::remove_reference_t<decltype(world)>, T, std::remove_reference_t<Op>>();
        argument::check_vectors<Collective>(std::span<T const>{in}, out);
        return invocation<Collective, std::remove_reference_t<decltype(world)>, T, Op, A>{
            world, in.data(), out.data(), in.size(), 0, std::forward<Op>(op), named};
    }
};

}  // namespace shapes

}  // namespace tutti
