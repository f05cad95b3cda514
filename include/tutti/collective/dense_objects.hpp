// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <concepts>
#include <cstddef>
#include <ranges>
#include <span>
#include <stdexcept>
#include <type_traits>

namespace tutti {

/// Specialise it for a type that is no contiguous range, to state where its elements lie: `static auto of(X& x)`, also
/// for X const, returns a std::span of them. <tutti/collective/kamping.hpp> does so for the types that KaMPIng knows.
template <class X>
struct dense_elements {};

}  // namespace tutti

namespace tutti::argument {

/// Requires that an object's elements lie in memory without gaps.
inline void require_dense(bool is_dense) {
    if (!is_dense) {
        throw std::invalid_argument{
            "tutti: the elements of an argument do not lie in memory in one piece; copy them to a dense one first"};
    }
}

/// Eigen's matrices, vectors, maps and blocks of whole columns.
template <class X>
concept eigen_object = requires(X& x) {
    typename std::remove_const_t<X>::PlainObject;
    x.data();
    x.size();
    { x.innerStride() == x.outerStride() && x.innerSize() == x.outerSize() } -> std::same_as<bool>;
};

/// Kokkos::View.
template <class X>
concept kokkos_view = requires(X& x) {
    x.data();
    { x.span_is_contiguous() } -> std::same_as<bool>;
    x.span();
};

/// std::mdspan, and what is like it.
template <class X>
concept multidimensional_span = requires(X& x) {
    x.data_handle();
    { x.is_exhaustive() } -> std::same_as<bool>;
    x.mapping().required_span_size();
};

template <class X>
concept described_buffer = requires(X& x) { dense_elements<std::remove_const_t<X>>::of(x); };

/// What tells KaMPIng itself where its elements are.
template <class X>
concept self_describing_buffer = requires(X& x) {
    x.mpi_ptr();
    x.mpi_count();
};

/// An object of other libraries whose elements lie in memory one after the other, though it is no range of the standard
/// library's. No header of theirs is included.
template <class X>
concept dense_object =
    !std::ranges::contiguous_range<X> && (eigen_object<X> || kokkos_view<X> || multidimensional_span<X> ||
                                          described_buffer<X> || self_describing_buffer<X>);

/// Its elements in the order in which they lie.
template <dense_object X>
[[nodiscard]] auto span_of(X& x) {
    if constexpr (described_buffer<X>) {
        return dense_elements<std::remove_const_t<X>>::of(x);
    } else if constexpr (self_describing_buffer<X>) {
        return std::span{x.mpi_ptr(), static_cast<std::size_t>(x.mpi_count())};
    } else if constexpr (eigen_object<X>) {
        argument::require_dense(x.size() <= 1 ||
                                (x.innerStride() == 1 && (x.outerSize() == 1 || x.outerStride() == x.innerSize())));
        return std::span{x.data(), static_cast<std::size_t>(x.size())};
    } else if constexpr (kokkos_view<X>) {
        argument::require_dense(x.span_is_contiguous());
        return std::span{x.data(), static_cast<std::size_t>(x.span())};
    } else {
        argument::require_dense(x.is_exhaustive());
        return std::span{x.data_handle(), static_cast<std::size_t>(x.mapping().required_span_size())};
    }
}

}  // namespace tutti::argument
