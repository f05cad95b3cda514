// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <concepts>
#include <span>
#include <type_traits>
#include <utility>

#include <tutti/collective/arguments.hpp>
#include <tutti/collective/forms.hpp>
#include <tutti/collective/invocation.hpp>
#include <tutti/collective/parts.hpp>
#include <tutti/collective/refusal.hpp>

namespace tutti {

namespace overloads {

/// How `reduce_scatter` may be called.
struct reduce_scatter {
    using collective_type = collective::reduce_scatter;

    /// (world, in, out, op)
    template <world World, class In, class Out, class Op, algorithm A = automatic>
        requires(!argument::is_in_place<In> && !argument::counts<Op> && !algorithm<Op>)
    auto operator()(World const& world, In const& in, Out&& out, Op&& op, A algorithm = {}) const {
        return make(world, argument::as_span(in), argument::part_block<In>(std::forward<Out>(out)), {},
                    std::forward<Op>(op), algorithm);
    }
    /// (world, in, out, counts, op)
    template <world World, class In, class Out, argument::counts Counts, class Op, algorithm A = automatic>
        requires(!argument::is_in_place<In>)
    auto operator()(World const& world, In const& in, Out&& out, Counts const& counts, Op&& op,
                    A algorithm = {}) const {
        return make(world, argument::as_span(in), argument::part_block<In>(std::forward<Out>(out)),
                    counts_of_ranks{counts}, std::forward<Op>(op), algorithm);
    }
    /// (world, inplace(x), op)
    template <world World, class T, class Op, algorithm A = automatic>
        requires(!argument::counts<Op>)
    auto operator()(World const& world, argument::in_place<T> both, Op&& op, A algorithm = {}) const {
        return make_in_place(world, both.block, {}, std::forward<Op>(op), algorithm);
    }
    /// (world, inplace(x), counts, op)
    template <world World, class T, argument::counts Counts, class Op, algorithm A = automatic>
    auto operator()(World const& world, argument::in_place<T> both, Counts const& counts, Op&& op,
                    A algorithm = {}) const {
        return make_in_place(world, both.block, counts_of_ranks{counts}, std::forward<Op>(op), algorithm);
    }

    template <class World>
    static constexpr void refuse() {
        static_assert(argument::never<World>,
                      "tutti: no such call; there are reduce_scatter(world, in, out, op), (world, in, "
                      "out, counts, op), (world, inplace(x), op), (world, inplace(x), counts, "
                      "op), each with an algorithm at its end or without");
    }

private:
    using which = collective_type;

    template <class World, class In, class Out, class Op, class A>
    static auto make(World const& world, std::span<In> in, std::span<Out> out, counts_of_ranks counts, Op&& op,
                     A const& algorithm) {
        using T = std::remove_const_t<In>;
        using C = argument::communicator_behind_t<World const>;
        if constexpr (argument::types_fit<C, Op, In, Out>) {
            auto& ranks = argument::communicator_for(world);
            argument::check_whole<which>(in.size(), argument::whole_of<which>(ranks, counts, out.size(), "out"), "in");
            argument::check_separate<which>(std::span<T const>{in}, std::span<T const>{out});
            // where an empty part begins means nothing, even if that is where in begins
            auto* const part = out.empty() ? nullptr : out.data();
            return call(ranks, std::span<T const>{in}, part, std::move(counts), std::forward<Op>(op), algorithm);
        } else {
            return refused_call<argument::wrong_types<C, Op, In, Out>>{};
        }
    }

    template <class World, class T, class Op, class A>
    static auto make_in_place(World const& world, std::span<T> both, counts_of_ranks counts, Op&& op,
                              A const& algorithm) {
        using C = argument::communicator_behind_t<World const>;
        if constexpr (argument::types_fit<C, Op, T, T>) {
            auto& ranks = argument::communicator_for(world);
            static_cast<void>(argument::whole_in_place<which>(ranks, counts, both.size()));
            return call(ranks, std::span<T const>{both}, both.data(), std::move(counts), std::forward<Op>(op),
                        algorithm);
        } else {
            return refused_call<argument::wrong_types<C, Op, T, T>>{};
        }
    }

    template <class C, class T, class Op, class A>
    static auto call(C& ranks, std::span<T const> in, T* out, counts_of_ranks counts, Op&& op, A const& algorithm) {
        return invocation<which, C, T, Op, A>{
            ranks, in.data(), out, in.size(), 0, std::forward<Op>(op), algorithm, nullptr, std::move(counts)};
    }
};

}  // namespace overloads

/// out on rank r = part r of in(0) ⊕ in(1) ⊕ … ⊕ in(p - 1), element by element; in(s) is `in` on rank s. Part r has the
/// `counts[r]` elements that follow part r - 1; without counts, all parts are of the size of `out`.
/// Requires: ⊕ associative; the same number of elements and the same counts on all ranks. Counts may be 0.
/// Result: on every rank its part. With `inplace(x)` it is at the beginning of x, and the rest of x stays as it was.
/// Order: operands stay in rank order, unless the operator is known to commute and the algorithm makes use of it.
/// The bits of an element depend on the operands, on p and the algorithm and, of some, on its place in the vector;
/// tutti's choice depends on what `automatic` says, on all ranks alike.
/// With `reproducible{}` as algorithm they depend on the operands and on p alone.
/// Errors: std::invalid_argument before the first message for sizes and counts that cannot be; what ⊕ throws, on the
/// rank where it throws, and `operand_missing` where a result is therefore missing; the communicator's errors.
/// Cost: about ⌈log2 p⌉ α + (p - 1)/p m (β + γ) for equal parts, m elements in all. In place it takes memory for one
/// part more, which is copied to x in the end.
/// Source: see the generator; `algorithm` names one instead of tutti's choice.
inline constexpr call_modes::blocking<overloads::reduce_scatter> reduce_scatter{};

namespace plan {
/// `tutti::reduce_scatter` as a plan.
inline constexpr call_modes::persistent<overloads::reduce_scatter> reduce_scatter{};
}  // namespace plan

namespace async {
/// `tutti::reduce_scatter`, started and not waited for.
inline constexpr call_modes::nonblocking<overloads::reduce_scatter> reduce_scatter{};
}  // namespace async

}  // namespace tutti
