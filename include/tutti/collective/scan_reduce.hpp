// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <span>
#include <type_traits>
#include <utility>

#include <tutti/collective/arguments.hpp>
#include <tutti/collective/forms.hpp>
#include <tutti/collective/invocation.hpp>
#include <tutti/collective/refusal.hpp>

#define TUTTI_UNLESS_LINKED <tutti/selection/candidates/scan.hpp>
#include <tutti/seam.hpp>

namespace tutti {

namespace collective {

/// The result of a `scan_reduce` of single values on one rank.
template <class T>
struct scanned {
    T prefix;  ///< of the ranks before
    T total;   ///< of all ranks
    friend bool operator==(scanned const&, scanned const&) = default;
};

}  // namespace collective

namespace overloads {

/// How `scan_reduce` may be called.
struct scan_reduce {
    using collective_type = collective::scan_reduce;

    /// (world, in, prefix, total, op)
    template <world World, class In, class Prefix, class Total, class Op, algorithm A = automatic>
        requires(!argument::is_in_place<In> && !algorithm<Op>)
    auto operator()(World const& world, In const& in, Prefix&& prefix, Total&& total, Op&& op, A algorithm = {}) const {
        return make(world, argument::as_span(in), argument::as_output(std::forward<Prefix>(prefix)),
                    argument::as_output(std::forward<Total>(total)), std::forward<Op>(op), algorithm);
    }
    /// (world, inplace(x), total, op): the prefix takes the place of the input
    template <world World, class T, class Total, class Op, algorithm A = automatic>
    auto operator()(World const& world, argument::in_place<T> both, Total&& total, Op&& op, A algorithm = {}) const {
        return make(world, std::span<T const>{both.block}, both.block, argument::as_output(std::forward<Total>(total)),
                    std::forward<Op>(op), algorithm);
    }

    /// (world, value, op): returns both results
    template <world World, class In, class T, class Op, algorithm A = automatic>
    auto value(World const& world, In const& in, collective::scanned<T>& both, Op&& op, A algorithm = {}) const {
        if constexpr (!argument::is_single<In>) {
            return engine::refused_call<no_outputs<Op>>{};
        } else if constexpr (operators::operator_on<Op, T> && !operators::has_identity_v<Op, T>) {
            return engine::refused_call<no_identity<Op>>{};
        } else {
            return make(world, argument::as_span(in), argument::as_span(tutti::value(both.prefix)),
                        argument::as_span(tutti::value(both.total)), std::forward<Op>(op), algorithm);
        }
    }
    /// A value for `both`, which is then overwritten.
    template <class In>
        requires argument::single_operand<In>
    static auto first_result(In const& in) {
        auto const& operand = *argument::as_span(in).data();
        return collective::scanned<std::remove_cvref_t<decltype(operand)>>{operand, operand};
    }

    template <class World>
    static constexpr void refuse() {
        static_assert(argument::never<World>,
                      "tutti: no such call; there are scan_reduce(world, in, prefix, total, op), "
                      "(world, inplace(x), total, op), (world, x, op) for a single value, each "
                      "with an algorithm at its end or without");
    }

private:
    template <class Op>
    struct no_outputs {
        static constexpr void refuse() {
            static_assert(argument::never<Op>, "tutti: say where the elements of the results go: (world, in, prefix, "
                                               "total, op) or (world, inplace(x), total, op)");
        }
    };

    template <class Op>
    struct no_identity {
        static constexpr void refuse() {
            static_assert(argument::never<Op>, "tutti: rank 0 has no value before its own, and the identity of the "
                                               "operator is not known; write tutti::with_identity(op, value) of "
                                               "<tutti/operation/annotated.hpp>, or "
                                               "(world, x, prefix, total, op), where rank 0's prefix stays as it is");
        }
    };

    template <class In>
    struct different_outputs {
        static constexpr void refuse() {
            static_assert(argument::never<In>, "tutti: in, prefix and total must hold elements of the same type, and "
                                               "prefix and total must be neither const nor temporaries");
        }
    };

    template <class World, class In, class Prefix, class Total, class Op, class A>
    static auto make(World const& world, std::span<In> in, std::span<Prefix> prefix, std::span<Total> total, Op&& op,
                     A const& algorithm) {
        using which = collective_type;
        using T = std::remove_const_t<In>;
        using C = argument::communicator_behind_t<World const>;
        if constexpr (argument::types_fit<C, Op, In, Prefix, Total>) {
            argument::check_vectors<which>(std::span<T const>{in}, prefix);
            if (total.size() != in.size()) {
                argument::refuse<which>(text::joined(
                    {"in has ", text::word(in.size(), "element"), ", but total has room for ", total.size(),
                     "; give both the same number"}));
            }
            argument::check_separate<which>(std::span<T const>{in}, std::span<T const>{total});
            argument::check_separate<which>(std::span<T const>{prefix}, std::span<T const>{total});
            auto& ranks = argument::communicator_for(world);
            return engine::invocation<which, C, T, Op, A>{
                ranks, in.data(), prefix.data(), in.size(), 0, std::forward<Op>(op), algorithm, total.data()};
        } else if constexpr (argument::types_fit<C, Op, In, T, T>) {
            return engine::refused_call<different_outputs<In>>{};
        } else {
            return engine::refused_call<argument::wrong_types<C, Op, In, T, T>>{};
        }
    }
};

}  // namespace overloads

/// prefix on rank r = in(0) ⊕ … ⊕ in(r - 1), total on every rank = in(0) ⊕ … ⊕ in(p - 1), element by element and in one
/// pass; in(r) is `in` on rank r.
/// Requires: ⊕ associative; the same number of elements on all ranks. It needs no identity.
/// Result: on every rank. Rank 0's prefix is the identity of ⊕ if it is known, see `with_identity`; otherwise it is
/// unchanged. If it is known, a call on a single value returns both: `auto [before, all] = scan_reduce(world, x, op)`.
/// Order: operands stay in rank order. Totals have the same bits on all ranks, unless a named algorithm states
/// otherwise. The bits of an element depend on the operands, p and the algorithm, and for some algorithms on its
/// position in the vector. tutti's choice depends on length, machine model and node map alone. With `reproducible{}` as
/// algorithm, bits depend on the operands and p alone.
/// Errors: std::invalid_argument before the first message if sizes do not fit; exceptions of ⊕ on the rank where it
/// throws, and `operand_missing` on ranks whose result lacks an operand because of it; errors of the communicator.
/// Cost: about as one of the two scans, see the generator: short vectors ⌊log2 p⌋ + 2 messages of the vector.
/// Source: [bae98], prefix-reduction; the argument `algorithm` replaces tutti's choice.
inline constexpr call_modes::blocking<overloads::scan_reduce> scan_reduce{};

namespace plan {
/// `tutti::scan_reduce` as a plan.
inline constexpr call_modes::persistent<overloads::scan_reduce> scan_reduce{};
}  // namespace plan

namespace async {
/// `tutti::scan_reduce`, started and not waited for.
inline constexpr call_modes::nonblocking<overloads::scan_reduce> scan_reduce{};
}  // namespace async

}  // namespace tutti
