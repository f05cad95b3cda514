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

/// How `scatter` may be called.
struct scatter {
    using collective_type = collective::scatter;

    /// (world, in, out, root)
    template <world World, class In, class Out, algorithm A = automatic>
        requires(!std::is_pointer_v<In> && !argument::is_in_place<In> && !std::is_pointer_v<std::remove_cvref_t<Out>>)
    auto operator()(World const& world, In const& in, Out&& out, int root, A algorithm = {}) const {
        return argument::divided<which>(world, argument::as_span(in), argument::part_block<In>(std::forward<Out>(out)),
                                        {}, root, algorithm);
    }
    /// (world, in, out, counts, root)
    template <world World, class In, class Out, argument::counts Counts, algorithm A = automatic>
        requires(!std::is_pointer_v<In>)
    auto operator()(World const& world, In const& in, Out&& out, Counts const& counts, int root,
                    A algorithm = {}) const {
        auto const part = argument::part_block<In>(std::forward<Out>(out));
        return argument::divided<which>(world, argument::as_span(in), part,
                                        argument::counts_for<A>(world, counts, root, part.size()), root, algorithm);
    }
    /// (world, out, root): not on the root
    template <world World, class Out, algorithm A = automatic>
        requires(!std::is_pointer_v<std::remove_cvref_t<Out>> && !argument::is_in_place<std::remove_cvref_t<Out>>)
    auto operator()(World const& world, Out&& out, int root, A algorithm = {}) const {
        auto const part = argument::as_output(std::forward<Out>(out));
        return argument::divided<which>(world, std::span<argument::element_of<Out> const>{}, part, {}, root, algorithm);
    }
    /// (world, inplace(x), root): on the root x is the whole vector and keeps its part in place, elsewhere the part
    template <world World, class T, algorithm A = automatic>
    auto operator()(World const& world, argument::in_place<T> both, int root, A algorithm = {}) const {
        return argument::divided_in_place<which>(world, both.block, {}, root, algorithm);
    }
    /// (world, inplace(x), counts, root)
    template <world World, class T, argument::counts Counts, algorithm A = automatic>
    auto operator()(World const& world, argument::in_place<T> both, Counts const& counts, int root,
                    A algorithm = {}) const {
        return argument::divided_in_place<which>(
            world, both.block, argument::counts_for<A>(world, counts, root, both.block.size()), root, algorithm);
    }
    /// (world, pointer, value, root): by reference, since an array is no pointer here
    template <world World, class T, algorithm A = automatic>
        requires(!std::is_pointer_v<T>)
    auto operator()(World const& world, T const* const& in, T& out, int root, A algorithm = {}) const {
        return operator()(world, in, std::addressof(out), 1, root, algorithm);
    }
    /// (world, pointer, pointer, count, root)
    template <world World, class T, std::integral Count, algorithm A = automatic>
    auto operator()(World const& world, T const* in, T* out, Count n, int root, A algorithm = {}) const {
        auto const part = argument::counted(out, n);
        auto const size = static_cast<std::size_t>(argument::size_of(argument::communicator_for(world)));
        return argument::divided<which>(world, std::span{in, in == nullptr ? 0 : size * part.size()}, part, {}, root,
                                        algorithm);
    }
    /// (world, vector, pointer, count, root)
    template <world World, class T, std::integral Count, algorithm A = automatic>
    auto operator()(World const& world, std::vector<T> const& in, T* out, Count n, int root, A algorithm = {}) const {
        return argument::divided<which>(world, std::span{in}, argument::counted(out, n), {}, root, algorithm);
    }
    /// (world, pointer, count, root): not on the root. As in Boost.MPI an int after a pointer to int is a count.
    template <world World, class T, std::integral Count, algorithm A = automatic>
        requires(!std::is_const_v<T>)
    auto operator()(World const& world, T* out, Count n, int root, A algorithm = {}) const {
        auto const part = argument::counted(out, n);
        return argument::divided<which>(world, std::span<T const>{}, part, {}, root, algorithm);
    }

    template <class World>
    static constexpr void refuse() {
        static_assert(argument::never<World>,
                      "tutti: no such call; there are scatter(world, in, out, root), (world, in, out, "
                      "counts, root), (world, inplace(x), root), (world, pointer, pointer, "
                      "count, root), each with an algorithm at its end or without");
    }

private:
    using which = collective_type;
};

}  // namespace overloads

/// out on rank r = part r of `in` on rank `root`. Part r has the `counts[r]` elements that follow part r - 1; without
/// counts, all parts are of the size of `out`.
/// Requires: the same root on all ranks, and counts on all or none; they are read on the root only, unless an algorithm
/// is named. Counts may be 0.
/// Result: on every rank its part; `in` elsewhere than on the root is not read, and may be left out. With `inplace(x)`,
/// the root's x is the whole vector and stays as it is.
/// Order: nothing is combined, so that the bits are those of the input whatever the algorithm.
/// Errors: std::invalid_argument before the first message for a root, sizes and counts that cannot be; the
/// communicator's errors.
/// Cost: (p - 1)/p m β for equal parts, m elements in all; short parts take ⌈log2 p⌉ α, long ones, and those with
/// counts, (p - 1) α.
/// Source: the second half of the short-vector reduce-scatter; `algorithm` names a generator instead of tutti's choice.
inline constexpr call_modes::blocking<overloads::scatter> scatter{};

namespace plan {
/// `tutti::scatter` as a plan.
inline constexpr call_modes::persistent<overloads::scatter> scatter{};
}  // namespace plan

namespace async {
/// `tutti::scatter`, started and not waited for.
inline constexpr call_modes::nonblocking<overloads::scatter> scatter{};
}  // namespace async

}  // namespace tutti
