// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/mpi_world.hpp>

#include <vector>

#include <boost/mpi/communicator.hpp>
#include <support/boost_mpi_values.hpp>

#include <tutti/boost_mpi.hpp>

BOOST_AUTO_TEST_SUITE(collective_boost_mpi_all_reduce)

using boost::mpi::communicator;
using tutti::all_reduce;
using tutti::inplace;

BOOST_AUTO_TEST_CASE(values) {
    communicator const comm;
    support::for_all_kinds([&](auto value, auto op) {
        auto const expected = support::reduced(comm.size(), value, op);
        auto const mine = value(comm.rank());
        BOOST_TEST(all_reduce(comm, mine, op) == expected);
        auto result = value(0);
        all_reduce(comm, mine, result, op);
        BOOST_TEST(result == expected);
        auto both = mine;
        all_reduce(comm, inplace(both), op);
        BOOST_TEST(both == expected);
    });
}

BOOST_AUTO_TEST_CASE(pointer_and_count) {
    communicator const comm;
    support::for_all_kinds([&](auto value, auto op) {
        std::vector const expected(10, support::reduced(comm.size(), value, op));
        std::vector both(10, value(comm.rank()));
        std::vector result(10, value(0));
        all_reduce(comm, &both[0], static_cast<int>(both.size()), &result[0], op);
        BOOST_TEST((result == expected));
        all_reduce(comm, inplace(&both[0]), both.size(), op);
        BOOST_TEST((both == expected));
    });
}

BOOST_AUTO_TEST_SUITE_END()
