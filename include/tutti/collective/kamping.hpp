// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <span>

#include <tutti/collective/dense_objects.hpp>

namespace mpi::experimental {

/// KaMPIng's: where the elements are of a type that is no range. Not included by other headers of tutti, since
/// programs use to call boost::mpi by this name.
template <typename T>
struct buffer_traits;

}  // namespace mpi::experimental

namespace tutti {

/// Whatever KaMPIng (version 2) learns by its buffer_traits.
template <class X>
    requires requires(X& x) {
        ::mpi::experimental::buffer_traits<X>::ptr(x);
        ::mpi::experimental::buffer_traits<X>::count(x);
    }
struct dense_elements<X> {
    template <class Object>
    [[nodiscard]] static auto of(Object& x) {
        using traits = ::mpi::experimental::buffer_traits<X>;
        return std::span{traits::ptr(x), static_cast<std::size_t>(traits::count(x))};
    }
};

}  // namespace tutti
