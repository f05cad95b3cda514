// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <concepts>
#include <span>
#include <type_traits>
#include <utility>

#include <tutti/collective/arguments.hpp>
#include <tutti/collective/forms.hpp>
#include <tutti/collective/invocation.hpp>
#include <tutti/collective/refusal.hpp>

namespace tutti {

namespace overloads {

/// The forms of a collective that takes a vector from every rank and leaves one of the same size on every rank.
template <class Collective>
struct whole_vectors {
    using collective_type = Collective;

    /// (world, in, out, op)
    template <world World, class In, class Out, class Op, algorithm A = automatic>
        requires(!std::is_pointer_v<In> && !algorithm<Op>)
    auto operator()(World const& world, In const& in, Out&& out, Op&& op, A algorithm = {}) const {
        return make(world, argument::as_span(in), argument::as_output(std::forward<Out>(out)), std::forward<Op>(op),
                    algorithm);
    }
    /// (world, inplace(x), op)
    template <world World, class T, class Op, algorithm A = automatic>
    auto operator()(World const& world, argument::in_place<T> both, Op&& op, A algorithm = {}) const {
        return make(world, std::span<T const>{both.block}, both.block, std::forward<Op>(op), algorithm);
    }
    /// (world, pointer, count, pointer, op)
    template <world World, class T, std::integral Count, class Out, class Op, algorithm A = automatic>
        requires std::is_object_v<Out>
    auto operator()(World const& world, T const* in, Count n, Out* out, Op&& op, A algorithm = {}) const {
        return make(world, argument::counted(in, n), argument::counted(out, n), std::forward<Op>(op), algorithm);
    }
    /// (world, inplace(pointer), count, op)
    template <world World, class T, std::integral Count, class Op, algorithm A = automatic>
    auto operator()(World const& world, argument::in_place_pointer<T> both, Count n, Op&& op, A algorithm = {}) const {
        return operator()(world, argument::in_place<T>{argument::counted(both.first, n)}, std::forward<Op>(op),
                          algorithm);
    }

    /// (world, value, op): returns the result
    template <world World, class In, class T, class Op, algorithm A = automatic>
    auto value(World const& world, In const& in, T& result, Op&& op, A algorithm = {}) const {
        if constexpr (!argument::is_single<In>) {
            return engine::refused_call<no_output<T, Op>>{};
        } else if constexpr (std::is_same_v<Collective, collective::exclusive_scan> && operators::operator_on<Op, T> &&
                             !operators::has_identity_v<Op, T>) {
            return engine::refused_call<no_identity<Op>>{};
        } else {
            return make(world, argument::as_span(in), argument::as_span(tutti::value(result)), std::forward<Op>(op),
                        algorithm);
        }
    }
    /// A value for `result`, which is then overwritten.
    template <class In>
        requires argument::single_operand<In>
    static auto first_result(In const& in) { return *argument::as_span(in).data(); }

    template <class World>
    static constexpr void refuse() {
        static_assert(argument::never<World>,
                      "tutti: no such call; there are (world, in, out, op), (world, inplace(x), "
                      "op), (world, x, op) for a single value, (world, pointer, count, pointer, "
                      "op), each with an algorithm at its end or without");
    }

private:
    /// The operands are a range, and there is no `out`.
    template <class T, class Op>
    struct no_output {
        static constexpr void refuse() {
            if constexpr (!argument::may_be_operator<Op>) {
                argument::refuse_operator<T, Op>();
            } else {
                static_assert(argument::never<Op>, "tutti: say where the elements of the result go: (world, in, out, "
                                                   "op) or (world, inplace(x), op)");
            }
        }
    };

    template <class Op>
    struct no_identity {
        static constexpr void refuse() {
            static_assert(argument::never<Op>, "tutti: rank 0 has no value before its own, and the identity of the "
                                               "operator is not known; write tutti::with_identity(op, value) of "
                                               "<tutti/operation/annotated.hpp>, or "
                                               "(world, x, out, op), where rank 0's out stays as it is");
        }
    };

    template <class World, class In, class Out, class Op, class A>
    static auto make(World const& world, std::span<In> in, std::span<Out> out, Op&& op, A const& algorithm) {
        using T = std::remove_const_t<In>;
        using C = argument::communicator_behind_t<World const>;
        if constexpr (argument::types_fit<C, Op, In, Out>) {
            argument::check_vectors<Collective>(std::span<T const>{in}, out);
            auto& ranks = argument::communicator_for(world);
            return engine::invocation<Collective, C, T, Op, A>{
                ranks, in.data(), out.data(), in.size(), 0, std::forward<Op>(op), algorithm};
        } else {
            return engine::refused_call<argument::wrong_types<C, Op, In, Out>>{};
        }
    }
};

}  // namespace overloads

}  // namespace tutti
