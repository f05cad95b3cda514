// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/mpi_world.hpp>

#include <cstddef>
#include <vector>

#include <boost/mpi/communicator.hpp>
#include <support/boost_mpi_values.hpp>

#include <tutti/boost_mpi.hpp>

BOOST_AUTO_TEST_SUITE(collective_boost_mpi_all_gather)

using boost::mpi::communicator;
using tutti::all_gather;

BOOST_AUTO_TEST_CASE(values) {
    communicator const comm;
    support::for_each_value([&](auto value) {
        auto const mine = value(comm.rank());
        auto const expected = support::of_all_ranks(comm.size(), value, 1);
        std::vector<decltype(value(0))> result;
        all_gather(comm, mine, result);
        BOOST_TEST((result == expected));
        result.assign(expected.size(), value(0));
        all_gather(comm, mine, result.data());
        BOOST_TEST((result == expected));
        result.assign(3 * expected.size(), value(0));
        all_gather(comm, value(comm.rank()), result);
        BOOST_TEST((result == expected));
    });
}

BOOST_AUTO_TEST_CASE(pointer_and_count) {
    communicator const comm;
    support::for_each_value([&](auto value) {
        std::vector const mine(10, value(comm.rank()));
        auto const expected = support::of_all_ranks(comm.size(), value, 10);
        std::vector<decltype(value(0))> result;
        all_gather(comm, &mine[0], static_cast<int>(mine.size()), result);
        BOOST_TEST((result == expected));
        result.assign(expected.size(), value(0));
        all_gather(comm, mine.data(), 10, result.data());
        BOOST_TEST((result == expected));
    });
}

BOOST_AUTO_TEST_SUITE_END()
