// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/mpi_world.hpp>

#include <vector>

#include <boost/mpi/communicator.hpp>
#include <support/boost_mpi_values.hpp>

#include <tutti/boost_mpi.hpp>

BOOST_AUTO_TEST_SUITE(collective_boost_mpi_scan)

using boost::mpi::communicator;
using tutti::scan;

BOOST_AUTO_TEST_CASE(values) {
    communicator const comm;
    support::for_all_kinds([&](auto value, auto op) {
        auto const expected = support::reduced(comm.rank() + 1, value, op);
        auto const mine = value(comm.rank());
        BOOST_TEST(scan(comm, mine, op) == expected);
        auto result = value(0);
        scan(comm, mine, result, op);
        BOOST_TEST(result == expected);
    });
}

BOOST_AUTO_TEST_CASE(pointer_and_count) {
    communicator const comm;
    support::for_all_kinds([&](auto value, auto op) {
        std::vector const mine(10, value(comm.rank()));
        std::vector result(10, value(0));
        scan(comm, &mine[0], static_cast<int>(mine.size()), &result[0], op);
        BOOST_TEST((result == std::vector(10, support::reduced(comm.rank() + 1, value, op))));
    });
}

BOOST_AUTO_TEST_SUITE_END()
