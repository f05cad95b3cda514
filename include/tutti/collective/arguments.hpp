// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tutti/language.hpp>

#include <concepts>
#include <cstddef>
#include <limits>
#include <memory>
#include <ranges>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include <tutti/collective/dense_objects.hpp>
#include <tutti/dynamic_array.hpp>

namespace tutti {

/// Annotations of arguments whose meaning the type does not show.
namespace argument {

template <class X>
struct as_value {
    X& x;
};

template <class X>
struct as_elements {
    X& x;
};

template <class T>
struct in_place {
    std::span<T> block;
};

template <class T>
struct in_place_pointer {
    T* first;
};

}  // namespace argument

/// `x` is one element, even if it is a contiguous range.
template <class X>
[[nodiscard]] argument::as_value<X> value(X& x) {
    return {x};
}

/// The elements of `x` are combined one by one, even if it is a string.
template <std::ranges::contiguous_range X>
[[nodiscard]] argument::as_elements<X> elements(X& x) {
    return {x};
}

namespace argument {

template <class X>
inline constexpr bool is_string = false;
template <class Char, class Traits, class Allocator>
inline constexpr bool is_string<std::basic_string<Char, Traits, Allocator>> = true;

template <class X>
inline constexpr bool is_annotation = false;
template <class X>
inline constexpr bool is_annotation<as_value<X>> = true;
template <class X>
inline constexpr bool is_annotation<as_elements<X>> = true;

template <class X>
inline constexpr bool is_in_place = false;
template <class T>
inline constexpr bool is_in_place<in_place<T>> = true;
template <class T>
inline constexpr bool is_in_place<in_place_pointer<T>> = true;

/// Whether the size of an argument's elements is known at run time only (see `records`).
template <class X>
inline constexpr bool has_extent = false;

/// What is combined element by element.
template <class X>
concept range_of_elements = (std::ranges::contiguous_range<X> && !is_string<std::remove_cvref_t<X>>) ||
                            dense_object<std::remove_reference_t<X>>;

// By reference: GCC 12 at -O1 believes of the result of a function that takes an annotation by value that it points
// to something else than what the annotation refers to.
template <class X>
[[nodiscard]] std::span<X> as_span(as_value<X> const& argument) {
    return {std::addressof(argument.x), 1};
}
template <class X>
[[nodiscard]] auto as_span(as_elements<X> const& argument) {
    return std::span{std::ranges::data(argument.x), std::ranges::size(argument.x)};
}
/// The elements that an argument stands for: those of a contiguous range, or the argument itself.
template <class X>
    requires(!is_annotation<std::remove_cvref_t<X>>)
[[nodiscard]] auto as_span(X&& x) {
    if constexpr (dense_object<std::remove_reference_t<X>>) {
        return argument::span_of(x);
    } else if constexpr (range_of_elements<X>) {
        return std::span{std::ranges::data(x), static_cast<std::size_t>(std::ranges::size(x))};
    } else {
        return std::span<std::remove_reference_t<X>, std::dynamic_extent>{std::addressof(x), 1};
    }
}

/// Whether an X refers to elements that it does not own: those of a const X can be changed. Eigen's blocks cannot, and
/// some views are no ranges where they are const.
template <class X>
concept refers_to_elements =
    !std::is_const_v<typename decltype(argument::as_span(std::declval<X const&>()))::element_type> ||
    std::ranges::enable_view<X> || (eigen_object<X> && !std::is_same_v<X, typename X::PlainObject>);

/// The same of an output, whose elements are const, so that it is refused, if they are lost with a temporary.
template <class X>
[[nodiscard]] auto as_output(X&& x) {
    auto const block = argument::as_span(x);
    if constexpr (std::is_lvalue_reference_v<X> || refers_to_elements<std::remove_cv_t<X>>) {
        return block;
    } else {
        return std::span<typename decltype(block)::element_type const>{block};
    }
}

/// Pointer and count, as Boost.MPI has them.
template <class T, std::integral Count>
[[nodiscard]] std::span<T> counted(T* first, Count n) {
    if constexpr (std::signed_integral<Count>) {
        if (n < 0) { throw std::invalid_argument{"tutti: a count of elements must not be negative"}; }
    }
    if constexpr (requires { sizeof(T); }) {
        return {first, static_cast<std::size_t>(n)};
    } else {
        return {};  // refused, since T is only declared
    }
}

/// The element type of an argument.
template <class X>
using element_of = std::remove_cv_t<typename decltype(argument::as_span(std::declval<X>()))::element_type>;

/// Whether an argument is one element rather than a range of them.
template <class X>
inline constexpr bool is_single = !range_of_elements<X> && !is_annotation<std::remove_cvref_t<X>>;
template <class X>
inline constexpr bool is_single<as_value<X>> = true;

}  // namespace argument

/// `x` is both the input and the place of the result. A view may be a temporary, but not its elements.
template <class X>
    requires(!std::is_pointer_v<std::remove_reference_t<X>>)
[[nodiscard]] auto inplace(X&& x) {
    auto const block = argument::as_output(std::forward<X>(x));
    return argument::in_place<typename decltype(block)::element_type>{block};
}
/// The same for pointer and count. By reference, since an array is no pointer here.
template <class P>
    requires std::is_pointer_v<std::remove_reference_t<P>>
[[nodiscard]] auto inplace(P&& first) {
    return argument::in_place_pointer<std::remove_pointer_t<std::remove_reference_t<P>>>{first};
}

namespace argument {

/// How many elements of a vector each rank owns; not given where all own the same number. Refers to the caller's
/// numbers if they are std::size_t and lie in a row, otherwise keeps its own.
class counts_of_ranks {
public:
    counts_of_ranks() = default;
    counts_of_ranks(counts_of_ranks&&) = default;
    counts_of_ranks& operator=(counts_of_ranks&&) = default;
    counts_of_ranks(counts_of_ranks const&) = delete;
    counts_of_ranks& operator=(counts_of_ranks const&) = delete;
    ~counts_of_ranks() = default;

    template <std::ranges::input_range Counts>
        requires std::integral<std::ranges::range_value_t<Counts>>
    explicit counts_of_ranks(Counts const& counts) : provided_{true} {
        if constexpr (std::ranges::contiguous_range<Counts const> &&
                      std::same_as<std::ranges::range_value_t<Counts>, std::size_t>) {
            counts_ = {std::ranges::data(counts), std::ranges::size(counts)};
        } else {
            for (auto const count : counts) {
                if (std::cmp_less(count, 0)) {
                    throw std::invalid_argument{"tutti: a count of elements must not be negative"};
                }
                own_.push_back(static_cast<std::size_t>(count));
            }
            counts_ = own_;
        }
        // on every rank, also on those that need no sum
        for (auto const count : counts_) {
            if (count > std::numeric_limits<std::size_t>::max() - total_) {
                throw std::invalid_argument{"tutti: the sum of the counts overflows; a count is a number of elements"};
            }
            total_ += count;
        }
    }

    /// Where the part of one rank is all that is known: the others' count as empty.
    [[nodiscard]] static counts_of_ranks of_one(std::size_t ranks, std::size_t rank, std::size_t count) {
        counts_of_ranks result;
        result.own_.resize(ranks);
        result.own_[rank] = count;
        result.counts_ = result.own_;
        result.total_ = count;
        result.provided_ = true;
        return result;
    }

    [[nodiscard]] bool provided() const { return provided_; }
    [[nodiscard]] bool empty() const { return counts_.empty(); }
    [[nodiscard]] std::size_t size() const { return counts_.size(); }
    [[nodiscard]] auto begin() const { return counts_.begin(); }
    [[nodiscard]] auto end() const { return counts_.end(); }
    [[nodiscard]] std::size_t operator[](std::size_t rank) const { return counts_[rank]; }
    [[nodiscard]] std::size_t total() const { return total_; }
    [[nodiscard]] operator std::span<std::size_t const>() const { return counts_; }

private:
    dynamic_array<std::size_t> own_;
    std::span<std::size_t const> counts_;
    std::size_t total_ = 0;
    bool provided_ = false;
};

/// What callers may give as counts.
template <class X>
concept counts = std::ranges::input_range<X const&> && std::integral<std::ranges::range_value_t<X const&>>;

}  // namespace argument

}  // namespace tutti
