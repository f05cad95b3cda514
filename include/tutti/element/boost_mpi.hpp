// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <type_traits>

#include <boost/mpi/datatype.hpp>

#include <tutti/element.hpp>

namespace tutti {

/// What Boost.MPI describes by an MPI datatype, user types marked with BOOST_IS_MPI_DATATYPE included, needs no
/// serialisation if a copy of it is a copy of its bytes.
template <class T>
    requires(!std::is_trivially_copyable_v<T> && std::is_trivially_copy_constructible_v<T> &&
             std::is_trivially_destructible_v<T> && boost::mpi::is_mpi_datatype<T>::value)
inline constexpr bool travels_as_bytes<T> = true;

}  // namespace tutti
