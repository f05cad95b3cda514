// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/mpi_world.hpp>

#include <cstddef>
#include <vector>

#include <boost/mpi/communicator.hpp>
#include <support/boost_mpi_values.hpp>

#include <tutti/boost_mpi.hpp>

BOOST_AUTO_TEST_SUITE(collective_boost_mpi_gather)

using boost::mpi::communicator;
using tutti::gather;

BOOST_AUTO_TEST_CASE(values_to_every_root) {
    communicator const comm;
    support::for_each_value([&](auto value) {
        using type = decltype(value(0));
        auto const mine = value(comm.rank());
        auto const expected = support::of_all_ranks(comm.size(), value, 1);
        for (int root = 0; root != comm.size(); ++root) {
            std::vector<type> result;
            gather(comm, mine, result, root);
            BOOST_TEST((result == (comm.rank() == root ? expected : std::vector<type>{})));
            if (comm.rank() == root) {
                gather(comm, mine, result, root);
                BOOST_TEST((result == expected));
                result.assign(expected.size(), value(0));
                gather(comm, mine, result.data(), root);
                BOOST_TEST((result == expected));
            } else {
                gather(comm, mine, root);
                gather(comm, mine, static_cast<type*>(nullptr), root);
            }
        }
    });
}

BOOST_AUTO_TEST_CASE(pointer_and_count_to_every_root) {
    communicator const comm;
    support::for_each_value([&](auto value) {
        using type = decltype(value(0));
        std::vector const mine(10, value(comm.rank()));
        auto const expected = support::of_all_ranks(comm.size(), value, 10);
        for (int root = 0; root != comm.size(); ++root) {
            std::vector<type> result;
            gather(comm, &mine[0], static_cast<int>(mine.size()), result, root);
            BOOST_TEST((result == (comm.rank() == root ? expected : std::vector<type>{})));
            if (comm.rank() == root) {
                result.assign(expected.size(), value(0));
                gather(comm, mine.data(), 10, result.data(), root);
                BOOST_TEST((result == expected));
            } else {
                gather(comm, mine.data(), 10, root);
            }
        }
    });
}

BOOST_AUTO_TEST_SUITE_END()
