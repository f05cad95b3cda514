// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <concepts>
#include <optional>
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

/// How `reduce` may be called.
struct reduce {
    using collective_type = collective::reduce;

    /// (world, in, out, op, root)
    template <world World, class In, class Out, class Op, algorithm A = automatic>
        requires(!std::is_pointer_v<In>)
    auto operator()(World const& world, In const& in, Out&& out, Op&& op, int root, A algorithm = {}) const {
        return make(world, argument::as_span(in), argument::as_output(std::forward<Out>(out)), std::forward<Op>(op),
                    root, algorithm);
    }
    /// (world, inplace(x), op, root)
    template <world World, class T, class Op, algorithm A = automatic>
    auto operator()(World const& world, argument::in_place<T> both, Op&& op, int root, A algorithm = {}) const {
        return make(world, std::span<T const>{both.block}, both.block, std::forward<Op>(op), root, algorithm);
    }
    /// (world, in, op, root): not on the root
    template <world World, class In, class Op, algorithm A = automatic>
        requires(!argument::is_in_place<In> && !std::is_pointer_v<In> && !argument::is_single<In>)
    auto operator()(World const& world, In const& in, Op&& op, int root, A algorithm = {}) const {
        auto const block = argument::as_span(in);
        return make(world, block, nowhere(block), std::forward<Op>(op), root, algorithm);
    }
    /// (world, pointer, count, pointer, op, root)
    template <world World, class T, std::integral Count, class Out, class Op, algorithm A = automatic>
        requires std::is_object_v<Out>
    auto operator()(World const& world, T const* in, Count n, Out* out, Op&& op, int root, A algorithm = {}) const {
        return make(world, argument::counted(in, n), argument::counted(out, n), std::forward<Op>(op), root, algorithm);
    }
    /// (world, pointer, count, op, root): not on the root
    template <world World, class T, std::integral Count, class Op, algorithm A = automatic>
    auto operator()(World const& world, T const* in, Count n, Op&& op, int root, A algorithm = {}) const {
        auto const block = argument::counted(in, n);
        return make(world, block, nowhere(block), std::forward<Op>(op), root, algorithm);
    }
    /// (world, inplace(pointer), count, op, root)
    template <world World, class T, std::integral Count, class Op, algorithm A = automatic>
    auto operator()(World const& world, argument::in_place_pointer<T> both, Count n, Op&& op, int root,
                    A algorithm = {}) const {
        return operator()(world, argument::in_place<T>{argument::counted(both.first, n)}, std::forward<Op>(op), root,
                          algorithm);
    }

    /// (world, value, op, root): returns the result on the root
    template <world World, class In, class T, class Op, algorithm A = automatic>
        requires(argument::is_single<In> && !argument::is_in_place<In>)
    auto value_on_root(World const& world, In const& in, std::optional<T>& result, Op&& op, int root,
                       A algorithm = {}) const {
        auto const block = argument::as_span(in);
        std::span<T> out;
        if (argument::rank_of(argument::communicator_for(world)) == root) {
            result.emplace(*block.data());
            out = argument::as_span(tutti::value(*result));
        }
        return make(world, block, out, std::forward<Op>(op), root, algorithm);
    }
    template <class In>
        requires(argument::is_single<In>&& argument::single_operand<In>)
    static std::optional<argument::element_of<In const&>> first_result(In const&) { return std::nullopt; }

    template <class World>
    static constexpr void refuse() {
        static_assert(argument::never<World>,
                      "tutti: no such call; there are reduce(world, in, out, op, root), (world, "
                      "inplace(x), op, root), (world, x, op, root) for a single value, (world, "
                      "pointer, count, pointer, op, root), each with an algorithm at its end or "
                      "without");
    }

private:
    template <class T>
    static std::span<std::remove_const_t<T>> nowhere(std::span<T>) {
        return {};
    }

    template <class World, class In, class Out, class Op, class A>
    static auto make(World const& world, std::span<In> in, std::span<Out> out, Op&& op, int root, A const& algorithm) {
        using T = std::remove_const_t<In>;
        using C = argument::communicator_behind_t<World const>;
        if constexpr (argument::types_fit<C, Op, In, Out>) {
            auto& ranks = argument::communicator_for(world);
            argument::check_root<collective::reduce>(root, argument::size_of(ranks));
            if (argument::rank_of(ranks) == root) {
                if (out.data() == nullptr && !in.empty()) {
                    argument::refuse<collective::reduce>("the root must say where the result goes; give it an out");
                }
                argument::check_vectors<collective::reduce>(std::span<T const>{in}, out);
            }
            return engine::invocation<collective::reduce, C, T, Op, A>{
                ranks, in.data(), out.data(), in.size(), root, std::forward<Op>(op), algorithm};
        } else {
            return engine::refused_call<argument::wrong_types<C, Op, In, Out>>{};
        }
    }
};

}  // namespace overloads

/// out on rank `root` = in(0) ⊕ in(1) ⊕ … ⊕ in(p - 1), element by element; in(r) is `in` on rank r.
/// Requires: ⊕ associative; the same number of elements and the same root on all ranks.
/// Result: on the root. Other ranks may omit `out`, which they neither read nor write. For a single value, the call
/// returns it: `std::optional<T> sum = reduce(world, x, op, root)` holds a value on the root.
/// Order: operands stay in rank order, unless the operator is known to commute and the algorithm uses that. The bits of
/// an element depend on the operands, p, the root and the algorithm, and for some algorithms on its position in the
/// vector. tutti's choice depends on the list at `automatic`, the same on all ranks. With `reproducible{}` as
/// algorithm, bits depend on the operands and p alone.
/// Errors: std::invalid_argument before the first message if the root is no rank or sizes do not fit; exceptions of ⊕
/// on the rank where it throws, and `operand_missing` on ranks whose result lacks an operand because of it; errors of
/// the communicator.
/// Cost: short vectors ⌈log2 p⌉ (α + (β + γ) m); long ones about m (β + γ) and p + q - 2 latencies in q segments.
/// Source: see the generator; the argument `algorithm` replaces tutti's choice.
inline constexpr call_modes::blocking<overloads::reduce> reduce{};

namespace plan {
/// `tutti::reduce` as a plan.
inline constexpr call_modes::persistent<overloads::reduce> reduce{};
}  // namespace plan

namespace async {
/// `tutti::reduce`, started and not waited for.
inline constexpr call_modes::nonblocking<overloads::reduce> reduce{};
}  // namespace async

}  // namespace tutti
