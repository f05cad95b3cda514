// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <string>
#include <utility>

#include <boost/mpi/datatype.hpp>

#include <tutti/element/boost_mpi.hpp>
#include <tutti/element/boost_serialization.hpp>

namespace {

/// Assigns in a way of its own; a copy is a copy of its bytes.
struct point {
    point() = default;
    point(point const&) = default;
    point& operator=(point const& other) {
        x = other.x;
        return *this;
    }
    int x = 0;
};

/// The same, but nobody told Boost.MPI.
struct unmarked : point {};

/// Copies in a way of its own.
struct counted {
    counted() = default;
    counted(counted const& other) : copies{other.copies + 1} {}
    int copies = 0;
};

}  // namespace

BOOST_IS_MPI_DATATYPE(point)
BOOST_IS_MPI_DATATYPE(counted)

BOOST_AUTO_TEST_SUITE(element_boost_mpi)

BOOST_AUTO_TEST_CASE(what_has_an_mpi_datatype_travels_as_bytes_if_its_copies_are_bytes) {
    BOOST_TEST(tutti::travels_as_bytes<point>);
    BOOST_TEST(!tutti::travels_as_bytes<unmarked>);
    BOOST_TEST(!tutti::travels_as_bytes<counted>);
    BOOST_TEST(tutti::travels_as_bytes<int>);
    BOOST_TEST((tutti::travels_as_bytes<std::pair<int, double>>));
    BOOST_TEST((tutti::travels_as_bytes<std::pair<int, point>>));
    BOOST_TEST(!tutti::travels_as_bytes<std::string>);
    BOOST_TEST(tutti::packing::element<std::string>);
}

BOOST_AUTO_TEST_SUITE_END()
