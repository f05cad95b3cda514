// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <concepts>
#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <tutti/collective/arguments.hpp>
#include <tutti/collective/forms.hpp>
#include <tutti/collective/invocation.hpp>
#include <tutti/collective/parts.hpp>
#include <tutti/collective/refusal.hpp>

namespace tutti {

namespace overloads {

/// How `all_gather` may be called.
struct all_gather {
    using collective_type = collective::all_gather;

    /// (world, in, out): a vector `out` grows where `in` is a single element
    template <world World, class In, class Out, algorithm A = automatic>
        requires(!std::is_pointer_v<In> && !argument::is_in_place<In> && !std::is_pointer_v<std::remove_cvref_t<Out>>)
    auto operator()(World const& world, In const& in, Out&& out, A algorithm = {}) const {
        if constexpr (argument::is_one_element<Out, In>) {
            argument::make_room<which>(argument::communicator_for(world), out, 1);
        }
        return argument::divided<which>(world, argument::part_block<Out>(in),
                                        argument::as_output(std::forward<Out>(out)), {}, 0, algorithm);
    }
    /// (world, in, out, counts)
    template <world World, class In, class Out, argument::counts Counts, algorithm A = automatic>
        requires(!std::is_pointer_v<In> && !std::integral<std::remove_cvref_t<Out>>)
    auto operator()(World const& world, In const& in, Out&& out, Counts const& counts, A algorithm = {}) const {
        return argument::divided<which>(world, argument::part_block<Out>(in),
                                        argument::as_output(std::forward<Out>(out)), argument::counts_of_ranks{counts},
                                        0, algorithm);
    }
    /// (world, inplace(x)): x is the whole vector, and this rank's part of it is in its place
    template <world World, class T, algorithm A = automatic>
    auto operator()(World const& world, argument::in_place<T> both, A algorithm = {}) const {
        return argument::divided_in_place<which>(world, both.block, {}, 0, algorithm);
    }
    /// (world, inplace(x), counts)
    template <world World, class T, argument::counts Counts, algorithm A = automatic>
    auto operator()(World const& world, argument::in_place<T> both, Counts const& counts, A algorithm = {}) const {
        return argument::divided_in_place<which>(world, both.block, argument::counts_of_ranks{counts}, 0, algorithm);
    }
    /// (world, value, pointer): by reference, since an array is no pointer here
    template <world World, class T, algorithm A = automatic>
        requires(!std::is_pointer_v<T>)
    auto operator()(World const& world, T const& in, T* const& out, A algorithm = {}) const {
        return operator()(world, std::addressof(in), 1, out, algorithm);
    }
    /// (world, pointer, count, pointer)
    template <world World, class T, std::integral Count, algorithm A = automatic>
    auto operator()(World const& world, T const* in, Count n, T* out, A algorithm = {}) const {
        auto const part = argument::counted(in, n);
        auto const size = static_cast<std::size_t>(argument::size_of(argument::communicator_for(world)));
        return argument::divided<which>(world, part, std::span{out, size * part.size()}, {}, 0, algorithm);
    }
    /// (world, pointer, count, vector): the vector grows
    template <world World, class T, std::integral Count, algorithm A = automatic>
    auto operator()(World const& world, T const* in, Count n, std::vector<T>& out, A algorithm = {}) const {
        auto const part = argument::counted(in, n);
        argument::make_room<which>(argument::communicator_for(world), out, part.size());
        return argument::divided<which>(world, part, std::span{out}, {}, 0, algorithm);
    }

    template <class World>
    static constexpr void refuse() {
        static_assert(argument::never<World>,
                      "tutti: no such call; there are all_gather(world, in, out), (world, in, out, "
                      "counts), (world, inplace(x)), (world, pointer, count, pointer), each "
                      "with an algorithm at its end or without");
    }

private:
    using which = collective_type;
};

}  // namespace overloads

/// out on every rank = in(0), in(1), …, in(p - 1), one after the other; in(r) is `in` on rank r and has `counts[r]`
/// elements; without counts, all have as many.
/// Requires: the same counts on all ranks, if any. Counts may be 0.
/// Result: on every rank. With `inplace(x)`, x is the whole vector and has this rank's part in its place. A vector
/// `out` grows as in Boost.MPI where `in` is one element, or is given as pointer and count.
/// Order: nothing is combined, so that the bits are those of the input whatever the algorithm.
/// Errors: std::invalid_argument before the first message for sizes and counts that cannot be; the communicator's
/// errors.
/// Cost: about ⌈log2 p⌉ α + (p - 1)/p m β for equal parts, m elements in all.
/// Source: every all_gather is a reversed reduce_scatter; `algorithm` names either instead of tutti's choice.
inline constexpr call_modes::blocking<overloads::all_gather> all_gather{};

namespace plan {
/// `tutti::all_gather` as a plan.
inline constexpr call_modes::persistent<overloads::all_gather> all_gather{};
}  // namespace plan

namespace async {
/// `tutti::all_gather`, started and not waited for.
inline constexpr call_modes::nonblocking<overloads::all_gather> all_gather{};
}  // namespace async

}  // namespace tutti
