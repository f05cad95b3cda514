// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstring>
#include <functional>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <tutti/collective.hpp>
#include <tutti/collective/arguments.hpp>
#include <tutti/collective/broadcast.hpp>
#include <tutti/collective/forms.hpp>
#include <tutti/collective/reduce.hpp>
#include <tutti/collective/whole_vectors.hpp>
#include <tutti/element.hpp>
#include <tutti/operation.hpp>

#define TUTTI_UNLESS_LINKED <tutti/execution/packed_messages.hpp>
#include <tutti/seam.hpp>

namespace tutti {

namespace accumulation {

/// A T in the course of a collective: a W, which travels as a T.
template <class T, class W>
struct accumulated {
    W value;
};

/// Combines what the W's combine to.
template <class Op>
struct on_accumulated {
    Op op;

    template <class T, class W>
    [[nodiscard]] accumulated<T, W> operator()(accumulated<T, W> const& left, accumulated<T, W> const& right) {
        return {static_cast<W>(std::invoke(op, left.value, right.value))};
    }
};

/// See `accumulate_in`.
template <class W, class Op>
struct accumulating_operator {
    using wide = W;
    Op op;

    template <class T>
    [[nodiscard]] T operator()(T const&, T const&) const {
        static_assert(argument::never<T>, "tutti: accumulate_in is for calls that block; for plans, and pending calls, "
                                          "make the elements themselves of the wider type");
        return {};
    }
};

}  // namespace accumulation

/// The operator ⊕ of W's on elements that are narrower: each is made a W, a rank combines W's, and what it sends, or
/// gets as its result, is rounded: sums of floats in double, of a class of 16 bits in float.
/// Requires: T converts to W and back; the call blocks. The elements of T travel, not those of W.
/// Result: as without; where all ranks have it, the same on all. `accumulate_in<W>(std::ref(op))` applies the caller's
/// operator.
/// Order: as for `op`. An operand of a rank's combines is rounded if it came in a message, and the result at the
/// end: where a rank combines several, as the root of `linear` or of a tree, it does not round in between. Messages of
/// threads are the elements themselves, and there only results are rounded.
/// Cost: elements are packed and unpacked; memory for a W of each. An all_reduce is a reduce and a broadcast, since
/// ranks that combine the same operands would round in other places; it takes no algorithm. A scan_reduce is a scan
/// beside it.
template <class W, class Op>
[[nodiscard]] constexpr accumulation::accumulating_operator<W, std::decay_t<Op>> accumulate_in(Op&& op) {
    return {std::forward<Op>(op)};
}

template <class Op, class T, class W>
struct is_commutative<accumulation::on_accumulated<Op>, accumulation::accumulated<T, W>> : is_commutative<Op, W> {};

template <class Op, class T, class W>
    requires operators::has_identity_v<Op, W>
struct identity<accumulation::on_accumulated<Op>, accumulation::accumulated<T, W>> {
    static constexpr bool known = true;
    static constexpr accumulation::accumulated<T, W> value(accumulation::on_accumulated<Op> const& op) {
        return {operators::identity_of<W>(op.op)};
    }
};

template <class T, class W>
inline constexpr bool travels_as_bytes<accumulation::accumulated<T, W>> = false;

template <class T, class W>
struct serialization<accumulation::accumulated<T, W>> {
    static_assert(travels_as_bytes<T>, "tutti: accumulate_in needs elements that can be copied as bytes");

    static void save(std::span<accumulation::accumulated<T, W> const> in, std::vector<std::byte>& packed) {
        auto const first = packed.size();
        packed.resize(first + in.size() * sizeof(T));
        auto* to = packed.data() + first;
        for (auto const& each : in) {
            auto const narrow = static_cast<T>(each.value);
            std::memcpy(to, &narrow, sizeof narrow);
            to += sizeof narrow;
        }
    }

    static void load(std::span<std::byte const> packed, std::span<accumulation::accumulated<T, W>> out) {
        auto const* from = packed.data();
        for (auto& each : out) {
            T narrow;
            std::memcpy(&narrow, from, sizeof narrow);
            each.value = static_cast<W>(narrow);
            from += sizeof narrow;
        }
    }
};

namespace operators {

template <class W, class Op>
inline constexpr bool accumulates<accumulation::accumulating_operator<W, Op>> = true;

}  // namespace operators

namespace accumulation {

/// An argument of a call in the form in which it takes part: itself, if it has nothing to do with the elements.
template <class T, class W, class X>
struct widened {
    X& x;
    [[nodiscard]] X& argument() { return x; }
    void finish() {}
};

template <class T, class W, class X>
concept has_elements = (argument::range_of_elements<X> || argument::is_annotation<std::remove_cvref_t<X>> ||
                        std::same_as<std::remove_cvref_t<X>, T>) && std::same_as<argument::element_of<X&>, T>;

/// The elements of a block as W's, and back again where they may be changed.
template <class T, class W, class Element>
struct widened_block {
    std::span<Element> block;
    std::vector<accumulated<T, W>> wide;

    explicit widened_block(std::span<Element> all) : block{all} {
        wide.reserve(all.size());
        for (auto const& each : all) { wide.push_back({static_cast<W>(each)}); }
    }
    void finish() {
        if constexpr (!std::is_const_v<Element>) {
            std::transform(wide.begin(), wide.end(), block.begin(),
                           [](auto const& each) { return static_cast<T>(each.value); });
        }
    }
};

template <class T, class W, class X>
    requires has_elements<T, W, X>
struct widened<T, W, X> : widened_block<T, W, typename decltype(argument::as_span(std::declval<X&>()))::element_type> {
    explicit widened(X& x) : widened::widened_block{argument::as_span(x)} {}
    [[nodiscard]] auto& argument() { return this->wide; }
};

template <class T, class W, class X>
    requires std::same_as<std::remove_cvref_t<X>, argument::in_place<T>>
struct widened<T, W, X> : widened_block<T, W, T> {
    explicit widened(X& x) : widened::widened_block{x.block} {}
    [[nodiscard]] auto argument() { return tutti::inplace(this->wide); }
};

template <class T, class W, class X>
    requires operators::accumulates<std::remove_cvref_t<X>>
struct widened<T, W, X> {
    X& x;
    [[nodiscard]] auto argument() { return on_accumulated<decltype(x.op)>{x.op}; }
    void finish() {}
};

template <class X>
struct wide_type {
    using type = void;
};
template <class W, class Op>
struct wide_type<accumulating_operator<W, Op>> {
    using type = W;
};

/// The operands that the first argument of a call stands for.
template <class First>
[[nodiscard]] auto operands_of(First& first) {
    if constexpr (argument::is_in_place<std::remove_cvref_t<First>>) {
        using T = std::remove_reference_t<decltype(first.block[0])>;
        return std::span<T const>{first.block};
    } else {
        using T = std::remove_cv_t<typename decltype(argument::as_span(first))::element_type>;
        return std::span<T const>{argument::as_span(first)};
    }
}

template <class First>
using element_of_first =
    std::remove_const_t<typename decltype(accumulation::operands_of(std::declval<First&>()))::element_type>;

template <class... Arguments>
struct wide_of;
template <class First, class... Rest>
struct wide_of<First, Rest...> {
    using own = typename wide_type<std::remove_cvref_t<First>>::type;
    using type =
        typename std::conditional_t<std::is_void_v<own>, wide_of<Rest...>, wide_type<std::remove_cvref_t<First>>>::type;
};
template <>
struct wide_of<> {
    using type = void;
};

}  // namespace accumulation

namespace call_modes {

/// A call with arguments of the wide type, whose results are rounded at the end.
template <class Overloads, class World, class First, class... Rest>
void perform_widened(World& world, First& first, Rest&... rest) {
    using Collective = typename Overloads::collective_type;
    using T = accumulation::element_of_first<First>;
    using W = typename accumulation::wide_of<Rest...>::type;
    auto all = call_modes::noting_refusal(world, [&] {
        return std::tuple<accumulation::widened<T, W, First>, accumulation::widened<T, W, Rest>...>{
            accumulation::widened<T, W, First>{first}, accumulation::widened<T, W, Rest>{rest}...};
    });
    auto const finish = [](auto&... each) { (each.finish(), ...); };
    if constexpr (std::is_same_v<Collective, collective::all_reduce>) {
        call_modes::telling_others(world, "all_reduce", [&] {  // who wait for the broadcast
            std::apply([&](auto&... each) { tutti::reduce(world, each.argument()..., 0); }, all);
        });
        std::apply(finish, all);
        tutti::broadcast(world, std::get<sizeof...(Rest) - 1>(all).block, 0);
    } else {
        std::apply([&](auto&... each) { blocking<Overloads>{}(world, each.argument()...); }, all);
        std::apply(finish, all);
    }
}

template <class Overloads, class World, class First, class... Rest>
void perform_accumulating(World& world, First& first, Rest&... rest) {
    using Collective = typename Overloads::collective_type;
    constexpr auto count = 1 + sizeof...(Rest);
    using Last = std::remove_cvref_t<std::tuple_element_t<count - 1, std::tuple<First&, Rest&...>>>;
    constexpr bool everywhere =
        std::is_same_v<Collective, collective::all_reduce> || std::is_same_v<Collective, collective::scan_reduce>;
    if constexpr (everywhere && !operators::accumulates<Last>) {
        static_assert(argument::never<Last>,
                      "tutti: an all_reduce by accumulate_in takes no algorithm; leave it out, also of a scan_reduce");
    } else if constexpr (std::is_same_v<Collective, collective::scan_reduce>) {
        auto const operands = accumulation::operands_of(first);
        auto const others = std::tie(rest...);
        auto& op = std::get<count - 2>(others);
        blocking<overloads::whole_vectors<collective::all_reduce>> const reduction;
        blocking<overloads::whole_vectors<collective::exclusive_scan>> const scan;
        reduction(world, operands, std::get<count - 3>(others), op);
        if constexpr (argument::is_in_place<std::remove_cvref_t<First>>) {
            scan(world, first, op);
        } else {
            scan(world, operands, std::get<0>(others), op);
        }
    } else {
        call_modes::perform_widened<Overloads>(world, first, rest...);
    }
}

}  // namespace call_modes

}  // namespace tutti
