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

/// How `gather` may be called.
struct gather {
    using collective_type = collective::gather;

    /// (world, in, out, root): on the root a vector `out` grows where `in` is a single element
    template <world World, class In, class Out, algorithm A = automatic>
        requires(!std::is_pointer_v<In> && !argument::is_in_place<In> && !std::is_pointer_v<std::remove_cvref_t<Out>> &&
                 !argument::is_counted_array<In, Out>)
    auto operator()(World const& world, In const& in, Out&& out, int root, A algorithm = {}) const {
        if constexpr (argument::is_one_element<Out, In>) {
            argument::make_room<which>(argument::communicator_for(world), out, 1, root);
        }
        return argument::divided<which>(world, argument::part_block<Out>(in),
                                        argument::as_output(std::forward<Out>(out)), {}, root, algorithm);
    }
    /// (world, in, out, counts, root)
    template <world World, class In, class Out, argument::counts Counts, algorithm A = automatic>
        requires(!std::is_pointer_v<In> && !std::integral<std::remove_cvref_t<Out>>)
    auto operator()(World const& world, In const& in, Out&& out, Counts const& counts, int root,
                    A algorithm = {}) const {
        auto const part = argument::part_block<Out>(in);
        return argument::divided<which>(world, part, argument::as_output(std::forward<Out>(out)),
                                        argument::counts_for<A>(world, counts, root, part.size()), root, algorithm);
    }
    /// (world, in, root): not on the root
    template <world World, class In, algorithm A = automatic>
        requires(!std::is_pointer_v<In> && !argument::is_in_place<In>)
    auto operator()(World const& world, In const& in, int root, A algorithm = {}) const {
        auto const part = argument::as_span(in);
        return argument::divided<which>(world, part, std::span<argument::element_of<In>>{}, {}, root, algorithm);
    }
    /// (world, inplace(x), root): on the root x is the whole vector with its part in place, elsewhere the part
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
    /// (world, value, pointer, root): by reference, since an array is no pointer here
    template <world World, class T, algorithm A = automatic>
        requires(!std::is_pointer_v<T>)
    auto operator()(World const& world, T const& in, T* const& out, int root, A algorithm = {}) const {
        return operator()(world, std::addressof(in), 1, out, root, algorithm);
    }
    /// (world, pointer, count, pointer, root)
    template <world World, class T, std::integral Count, algorithm A = automatic>
    auto operator()(World const& world, T const* in, Count n, T* out, int root, A algorithm = {}) const {
        auto const part = argument::counted(in, n);
        auto const size = static_cast<std::size_t>(argument::size_of(argument::communicator_for(world)));
        return argument::divided<which>(world, part, std::span{out, out == nullptr ? 0 : size * part.size()}, {}, root,
                                        algorithm);
    }
    /// (world, pointer, count, vector, root): on the root the vector grows
    template <world World, class T, std::integral Count, algorithm A = automatic>
    auto operator()(World const& world, T const* in, Count n, std::vector<T>& out, int root, A algorithm = {}) const {
        auto const part = argument::counted(in, n);
        argument::make_room<which>(argument::communicator_for(world), out, part.size(), root);
        return argument::divided<which>(world, part, std::span{out}, {}, root, algorithm);
    }
    /// (world, pointer, count, root): not on the root
    template <world World, class T, std::integral Count, algorithm A = automatic>
    auto operator()(World const& world, T const* in, Count n, int root, A algorithm = {}) const {
        auto const part = argument::counted(in, n);
        return argument::divided<which>(world, part, std::span<std::remove_const_t<T>>{}, {}, root, algorithm);
    }

    template <class World>
    static constexpr void refuse() {
        static_assert(argument::never<World>,
                      "tutti: no such call; there are gather(world, in, out, root), (world, in, out, "
                      "counts, root), (world, inplace(x), root), (world, pointer, count, "
                      "pointer, root), each with an algorithm at its end or without");
    }

private:
    using which = collective_type;
};

}  // namespace overloads

/// out on rank `root` = in(0), in(1), …, in(p - 1), one after the other; in(r) is `in` on rank r and has `counts[r]`
/// elements; without counts, all have as many.
/// Requires: the same root on all ranks, and counts on all or none; they are read on the root only, unless an algorithm
/// is named. Counts may be 0.
/// Result: on the root; `out` elsewhere is neither read nor written, and may be left out. With `inplace(x)`, the root's
/// x is the whole vector and has the root's part in its place. A vector `out` grows on the root as in Boost.MPI where
/// `in` is one element, or is given as pointer and count.
/// Order: nothing is combined, so that the bits are those of the input whatever the algorithm.
/// Errors: std::invalid_argument before the first message for a root, sizes and counts that cannot be; the
/// communicator's errors.
/// Cost: (p - 1)/p m β for equal parts, m elements in all; short parts take ⌈log2 p⌉ α, long ones, and those with
/// counts, (p - 1) α.
/// Source: every gather is a reversed scatter; `algorithm` names either instead of tutti's choice.
inline constexpr call_modes::blocking<overloads::gather> gather{};

namespace plan {
/// `tutti::gather` as a plan.
inline constexpr call_modes::persistent<overloads::gather> gather{};
}  // namespace plan

namespace async {
/// `tutti::gather`, started and not waited for.
inline constexpr call_modes::nonblocking<overloads::gather> gather{};
}  // namespace async

}  // namespace tutti
