// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <concepts>
#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <tutti/collective/arguments.hpp>
#include <tutti/collective/counts.hpp>
#include <tutti/collective/forms.hpp>
#include <tutti/collective/invocation.hpp>
#include <tutti/collective/parts.hpp>
#include <tutti/collective/refusal.hpp>

namespace tutti {

namespace shapes {

/// How `all_gather` may be called.
struct all_gather {
    using collective_type = collective::all_gather;

    /// (world, in, out): a vector `out` grows where `in` is a single element
    template <world World, class In, class Out, algorithm A = automatic>
        requires(!std::is_pointer_v<In> && !argument::is_in_place<In> && !std::is_pointer_v<std::remove_cvref_t<Out>>)
    auto operator()(World const& ranks, In const& in, Out&& out, A named = {}) const {
        return of_ranges(ranks, in, out, named);
    }
    /// (world, in, out, counts)
    template <world World, class In, class Out, argument::counts Counts, algorithm A = automatic>
        requires(!std::is_pointer_v<In> && !std::integral<std::remove_cvref_t<Out>>)
    auto operator()(World const& ranks, In const& in, Out&& out, Counts const& counts, A named = {}) const {
        return make(ranks, argument::part_block<Out>(in), argument::block_of(out), counts_of_ranks{counts}, named);
    }
    /// (world, inplace(x)): x is the whole vector, and this rank's part of it is in its place
    template <world World, class T, algorithm A = automatic>
    auto operator()(World const& ranks, argument::in_place<T> both, A named = {}) const {
        return make_in_place(ranks, both.block, {}, named);
    }
    /// (world, inplace(x), counts)
    template <world World, class T, argument::counts Counts, algorithm A = automatic>
    auto operator()(World const& ranks, argument::in_place<T> both, Counts const& counts, A named = {}) const {
        return make_in_place(ranks, both.block, counts_of_ranks{counts}, named);
    }
    /// (world, value, pointer): by reference, since an array is no pointer here
    template <world World, class T, algorithm A = automatic>
        requires(!std::is_pointer_v<T>)
    auto operator()(World const& ranks, T const& in, T* const& out, A named = {}) const {
        return operator()(ranks, &in, 1, out, named);
    }
    /// (world, pointer, count, pointer)
    template <world World, class T, std::integral Count, algorithm A = automatic>
    auto operator()(World const& ranks, T const* in, Count n, T* out, A named = {}) const {
        auto const part = argument::counted(in, n);
        auto const size = static_cast<std::size_t>(argument::size_of(argument::communicator_behind(ranks)));
        return make(ranks, part, std::span{out, size * part.size()}, {}, named);
    }
    /// (world, pointer, count, vector): the vector grows
    template <world World, class T, std::integral Count, algorithm A = automatic>
    auto operator()(World const& ranks, T const* in, Count n, std::vector<T>& out, A named = {}) const {
        auto const part = argument::counted(in, n);
        argument::make_room(out, static_cast<std::size_t>(argument::size_of(argument::communicator_behind(ranks))) * part.size());
        return make(ranks, part, std::span{out}, {}, named);
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

    template <class World, class In, class Out, class A>
    static auto of_ranges(World const& ranks, In const& in, Out& out, A const& named) {
        auto const part = argument::part_block<Out>(in);
        if constexpr (argument::is_one_element<Out, In>) {
            argument::make_room(out, static_cast<std::size_t>(argument::size_of(argument::communicator_behind(ranks))));
        }
        return make(ranks, part, argument::block_of(out), {}, named);
    }

    template <class World, class In, class Out, class A>
    static auto make(World const& ranks, std::span<In> in, std::span<Out> out, counts_of_ranks counts, A const& named) {
        using T = std::remove_const_t<In>;
        using C = argument::communicator_behind_t<World const>;
        if constexpr (argument::data_fits<C, In, Out>) {
            auto& world = argument::communicator_behind(ranks);
            argument::check_whole<which>(out.size(), argument::whole_of<which>(world, counts, in.size(), "in"), "out");
            argument::check_separate<which>(std::span<T const>{in}, std::span<T const>{out});
            return call(world, in.data(), out, std::move(counts), named);
        } else {
            return refused_call<argument::wrong_data<C, In, Out>>{};
        }
    }

    template <class World, class T, class A>
    static auto make_in_place(World const& ranks, std::span<T> both, counts_of_ranks counts, A const& named) {
        using C = argument::communicator_behind_t<World const>;
        if constexpr (argument::data_fits<C, T, T>) {
            auto& world = argument::communicator_behind(ranks);
            static_cast<void>(argument::whole_in_place<which>(world, counts, both.size()));
            return call(world, both.data(), both, std::move(counts), named);
        } else {
            return refused_call<argument::wrong_data<C, T, T>>{};
        }
    }

    template <class C, class T, class A>
    static auto call(C& world, T const* in, std::span<T> out, counts_of_ranks counts, A const& named) {
        return invocation<which, C, T, no_operator, A>{
            world, in, out.data(), out.size(), 0, {}, named, nullptr, std::move(counts)};
    }
};

}  // namespace shapes

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
inline constexpr forms::blocking<shapes::all_gather> all_gather{};

namespace plan {
/// `tutti::all_gather` as a plan.
inline constexpr forms::persistent<shapes::all_gather> all_gather{};
}  // namespace plan

namespace async {
/// `tutti::all_gather`, started and not waited for.
inline constexpr forms::nonblocking<shapes::all_gather> all_gather{};
}  // namespace async

}  // namespace tutti
