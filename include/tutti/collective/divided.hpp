// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <concepts>
#include <cstddef>
#include <memory>
#include <optional>
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

/// What a call has behind its data and counts.
template <class Op, class A>
struct call_end {
    int root;
    Op op;  // a reference, where the caller's own object is meant
    A algorithm;
};

/// The root, where there is one, and an algorithm or none.
template <class Collective, algorithm A = automatic>
    requires collective::is_rooted<Collective>
[[nodiscard]] auto end_of(int root, A algorithm = {}) {
    return call_end<operators::no_operator, A>{root, {}, algorithm};
}
/// The operator, where there is one, and an algorithm or none.
template <class Collective, class Op, algorithm A = automatic>
    requires(collective::combines<Collective> && !argument::counts<Op> && !algorithm<Op>)
[[nodiscard]] auto end_of(Op&& op, A algorithm = {}) {
    return call_end<Op, A>{0, std::forward<Op>(op), algorithm};
}
/// An algorithm or none.
template <class Collective, algorithm A = automatic>
    requires(!collective::is_rooted<Collective> && !collective::combines<Collective>)
[[nodiscard]] auto end_of(A algorithm = {}) {
    return call_end<operators::no_operator, A>{0, {}, algorithm};
}

/// Whether a call of the collective may end with these arguments.
template <class Collective, class... End>
concept ends_call = requires(End&&... end) { overloads::end_of<Collective>(std::forward<End>(end)...); };

/// How a collective may be called that divides a vector among the ranks: of `in` and `out` one is the whole vector,
/// which rooted collectives read and write on the root only, the other this rank's part. Behind what is listed at each
/// form follow the root or the operator, where the collective has one, and an algorithm or none.
template <class Collective>
struct divided {
    using collective_type = Collective;
    static constexpr bool gathers = argument::gives_part<Collective>;
    static constexpr bool is_rooted = collective::is_rooted<Collective>;
    static constexpr bool scatters = is_rooted && !gathers;

    /// (world, in, out): a vector `out` grows if it takes all parts and `in` is a single element
    template <world World, class In, class Out, class... End>
        requires(!std::is_pointer_v<In> && !argument::is_in_place<In> && !std::is_pointer_v<std::remove_cvref_t<Out>> &&
                 !(gathers && is_rooted && argument::is_counted_array<In, Out>) && ends_call<Collective, End...>)
    auto operator()(World const& world, In const& in, Out&& out, End&&... end) const {
        if constexpr (gathers && argument::is_one_element<Out, In>) { grow(world, out, 1, end...); }
        return make(world, argument::part_block<whole_of<Out>>(in),
                    argument::part_block<part_of<In>>(std::forward<Out>(out)), no_counts, std::forward<End>(end)...);
    }
    /// (world, in, out, counts)
    template <world World, class In, class Out, argument::counts Counts, class... End>
        requires(!std::is_pointer_v<In> && !(gathers && std::integral<std::remove_cvref_t<Out>>) &&
                 ends_call<Collective, End...>)
    auto operator()(World const& world, In const& in, Out&& out, Counts const& counts, End&&... end) const {
        return make(world, argument::part_block<whole_of<Out>>(in),
                    argument::part_block<part_of<In>>(std::forward<Out>(out)), counts, std::forward<End>(end)...);
    }
    /// (world, inplace(x)): x is the whole vector with this rank's part in place, or on ranks without it the part
    template <world World, class T, class... End>
        requires ends_call<Collective, End...>
    auto operator()(World const& world, argument::in_place<T> both, End&&... end) const {
        return make<true>(world, both.block, both.block, no_counts, std::forward<End>(end)...);
    }
    /// (world, inplace(x), counts)
    template <world World, class T, argument::counts Counts, class... End>
        requires ends_call<Collective, End...>
    auto operator()(World const& world, argument::in_place<T> both, Counts const& counts, End&&... end) const {
        return make<true>(world, both.block, both.block, counts, std::forward<End>(end)...);
    }
    /// (world, part): not on the root
    template <world World, class Part, class... End>
        requires(is_rooted && !std::is_pointer_v<std::remove_cvref_t<Part>> &&
                 !argument::is_in_place<std::remove_cvref_t<Part>> && ends_call<Collective, End...>)
    auto operator()(World const& world, Part&& part, End&&... end) const {
        return make_part(world, argument::as_output(std::forward<Part>(part)), std::forward<End>(end)...);
    }

    /// Gathering: (world, value, pointer)
    template <world World, class T, class... End>
        requires(gathers && !std::is_pointer_v<T> && ends_call<Collective, End...>)
    auto operator()(World const& world, T const& in, T* const& out, End&&... end) const {  // arrays are no pointers
        return operator()(world, std::addressof(in), 1, out, std::forward<End>(end)...);
    }
    /// (world, pointer, count, pointer)
    template <world World, class T, std::integral Count, class... End>
        requires(gathers && ends_call<Collective, End...>)
    auto operator()(World const& world, T const* in, Count n, T* out, End&&... end) const {
        auto const part = argument::counted(in, n);
        return make(world, part, whole(world, out, part.size()), no_counts, std::forward<End>(end)...);
    }
    /// (world, pointer, count, vector): the vector grows
    template <world World, class T, std::integral Count, class... End>
        requires(gathers && ends_call<Collective, End...>)
    auto operator()(World const& world, T const* in, Count n, std::vector<T>& out, End&&... end) const {
        auto const part = argument::counted(in, n);
        grow(world, out, part.size(), end...);
        return make(world, part, std::span{out}, no_counts, std::forward<End>(end)...);
    }
    /// (world, pointer, count): not on the root
    template <world World, class T, std::integral Count, class... End>
        requires(is_rooted && gathers && ends_call<Collective, End...>)
    auto operator()(World const& world, T const* in, Count n, End&&... end) const {
        return make_part(world, argument::counted(in, n), std::forward<End>(end)...);
    }

    /// Scattering: (world, pointer, value)
    template <world World, class T, class... End>
        requires(scatters && !std::is_pointer_v<T> && ends_call<Collective, End...>)
    auto operator()(World const& world, T const* const& in, T& out, End&&... end) const {  // arrays are no pointers
        return operator()(world, in, std::addressof(out), 1, std::forward<End>(end)...);
    }
    /// (world, pointer, pointer, count)
    template <world World, class T, std::integral Count, class... End>
        requires(scatters && ends_call<Collective, End...>)
    auto operator()(World const& world, T const* in, T* out, Count n, End&&... end) const {
        auto const part = argument::counted(out, n);
        return make(world, whole(world, in, part.size()), part, no_counts, std::forward<End>(end)...);
    }
    /// (world, vector, pointer, count)
    template <world World, class T, std::integral Count, class... End>
        requires(scatters && ends_call<Collective, End...>)
    auto operator()(World const& world, std::vector<T> const& in, T* out, Count n, End&&... end) const {
        return make(world, std::span{in}, argument::counted(out, n), no_counts, std::forward<End>(end)...);
    }
    /// (world, pointer, count): not on the root. As in Boost.MPI an int after a pointer to int is a count.
    template <world World, class T, std::integral Count, class... End>
        requires(scatters && !std::is_const_v<T> && ends_call<Collective, End...>)
    auto operator()(World const& world, T* out, Count n, End&&... end) const {
        return make_part(world, argument::counted(out, n), std::forward<End>(end)...);
    }

private:
    static constexpr std::nullopt_t no_counts = std::nullopt;

    // the vector of which the other argument is a part; void if the other argument is the vector
    template <class Out>
    using whole_of = std::conditional_t<gathers, Out, void>;
    template <class In>
    using part_of = std::conditional_t<gathers, void, In>;

    /// The vector of all parts, of `part` elements each; nothing where there is none.
    template <class World, class T>
    static std::span<T> whole(World const& world, T* first, std::size_t part) {
        auto const size = static_cast<std::size_t>(argument::size_of(argument::communicator_for(world)));
        return {first, first == nullptr ? 0 : size * part};
    }
    template <class World, class Whole, class... End>
    static void grow(World const& world, Whole& whole, std::size_t part, End const&... end) {
        argument::make_room<Collective>(argument::communicator_for(world), whole, part,
                                        overloads::end_of<Collective>(end...).root);
    }

    template <class World, class T, class... End>
    static auto make_part(World const& world, std::span<T> part, End&&... end) {
        if constexpr (gathers) {
            return make(world, part, std::span<std::remove_const_t<T>>{}, no_counts, std::forward<End>(end)...);
        } else {
            return make(world, std::span<T const>{}, part, no_counts, std::forward<End>(end)...);
        }
    }
    /// `in_place`: both are the same memory, the whole vector where this rank has it, else its part.
    template <bool in_place = false, class World, class In, class Out, class Counts, class... End>
    static auto make(World const& world, std::span<In> in, std::span<Out> out, Counts const& given, End&&... last) {
        using C = argument::communicator_behind_t<World const>;
        return make_from<in_place, C>(world, in, out, given, overloads::end_of<Collective>(std::forward<End>(last)...));
    }
    template <bool in_place, class C, class World, class In, class Out, class Counts, class Op, class A>
    static auto make_from(World const& world, std::span<In> in, std::span<Out> out, Counts const& given,
                          call_end<Op, A> end) {
        if constexpr (!argument::fit<Collective, C, Op, In, Out>) {
            return engine::refused_call<argument::wrong_types<C, Op, In, Out>>{};
        } else {
            using T = std::remove_const_t<In>;
            auto& ranks = argument::communicator_for(world);
            bool const all = argument::has_whole<Collective>(ranks, end.root);
            auto const part = gathers ? in.size() : out.size();
            argument::counts_of_ranks counts;
            if constexpr (is_rooted && argument::counts<Counts>) {
                counts = argument::counts_for<A>(world, given, end.root, part);
            } else if constexpr (argument::counts<Counts>) {
                counts = argument::counts_of_ranks{given};
            }
            auto const elements =
                in_place ? argument::whole_in_place<Collective>(ranks, counts, part, all)
                         : argument::whole_of<Collective>(ranks, counts, part, gathers ? "in" : "out");
            if (all && !in_place) {
                std::span<T const> const whole{gathers ? out : in};
                if (is_rooted && whole.data() == nullptr && elements != 0) {
                    argument::refuse<Collective>(gathers ? "the root must say where the result goes; give it an out"
                                                         : "the root must say what is scattered; give it an in");
                }
                argument::check_whole<Collective>(whole.size(), elements, gathers ? "out" : "in");
                argument::check_separate<Collective>(std::span<T const>{in}, std::span<T const>{out});
            }
            T const* const from = all || gathers ? in.data() : nullptr;
            // where an empty vector begins means nothing, even if that is where `in` begins
            T* const to = (all || !gathers) && (in_place || !out.empty()) ? out.data() : nullptr;
            return engine::invocation<Collective, C, T, Op, A>{
                ranks, from, to, elements, end.root, std::forward<Op>(end.op), end.algorithm, nullptr,
                std::move(counts)};
        }
    }
};

}  // namespace overloads

}  // namespace tutti
