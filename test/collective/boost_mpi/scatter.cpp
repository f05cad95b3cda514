// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/mpi_world.hpp>

#include <cstddef>
#include <vector>

#include <boost/mpi/communicator.hpp>
#include <support/boost_mpi_values.hpp>

#include <tutti/boost_mpi.hpp>

BOOST_AUTO_TEST_SUITE(collective_boost_mpi_scatter)

using boost::mpi::communicator;
using tutti::scatter;

BOOST_AUTO_TEST_CASE(values_from_every_root) {
    communicator const comm;
    support::for_each_value([&](auto value) {
        auto const all = support::of_all_ranks(comm.size(), value, 1);
        auto const expected = value(comm.rank());
        for (int root = 0; root != comm.size(); ++root) {
            auto result = value(0);
            scatter(comm, all, result, root);
            BOOST_TEST((result == expected));
            result = value(0);
            scatter(comm, all.data(), result, root);  // to const: Boost.MPI takes an int after an int* for a count
            BOOST_TEST((result == expected));
            result = value(0);
            if (comm.rank() == root) {
                scatter(comm, all, result, root);
            } else {
                scatter(comm, result, root);
            }
            BOOST_TEST((result == expected));
        }
    });
}

BOOST_AUTO_TEST_CASE(pointer_and_count_from_every_root) {
    communicator const comm;
    support::for_each_value([&](auto value) {
        auto const all = support::of_all_ranks(comm.size(), value, 10);
        std::vector const expected(10, value(comm.rank()));
        for (int root = 0; root != comm.size(); ++root) {
            std::vector result(10, value(0));
            auto const check = [&] {
                BOOST_TEST((result == expected));
                result.assign(10, value(0));
            };
            scatter(comm, all, &result[0], static_cast<int>(result.size()), root);
            check();
            scatter(comm, all.data(), result.data(), 10, root);
            check();
            if (comm.rank() == root) {
                scatter(comm, &all[0], &result[0], 10, root);
            } else {
                int ten = 10;
                scatter(comm, &result[0], ten, root);
            }
            check();
        }
    });
}

BOOST_AUTO_TEST_SUITE_END()
