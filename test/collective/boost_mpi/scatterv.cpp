// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/mpi_world.hpp>

#include <cstddef>
#include <vector>

#include <boost/mpi/communicator.hpp>
#include <support/boost_mpi_values.hpp>
#include <support/displaced_parts.hpp>

#include <tutti/boost_mpi.hpp>

BOOST_AUTO_TEST_SUITE(collective_boost_mpi_scatterv)

using boost::mpi::communicator;
using tutti::scatterv;

BOOST_AUTO_TEST_CASE(parts_of_several_sizes) {
    communicator const comm;
    auto const sizes = support::sizes_of(comm.size());
    auto const displacements = support::displacements_of(sizes);
    auto const n = sizes[static_cast<std::size_t>(comm.rank())];
    support::for_each_displaced(sizes, comm.rank(), [&](auto value, auto& mine, auto& row, auto& with_gaps) {
        using values = std::vector<decltype(value(0))>;
        for (int root = 0; root != comm.size(); ++root) {
            values out(mine.size(), value(99));
            auto const check_out = [&] {
                BOOST_TEST((out == mine));
                out.assign(mine.size(), value(99));
            };
            scatterv(comm, row, sizes, out.data(), root);
            check_out();
            scatterv(comm, row.data(), sizes, out.data(), root);
            check_out();
            scatterv(comm, with_gaps, sizes, displacements, out.data(), n, root);
            check_out();
            if (comm.rank() == root) {
                scatterv(comm, row, sizes, out.data(), root);
                check_out();
                scatterv(comm, with_gaps.data(), sizes, displacements, out.data(), n, root);
            } else {  // sizes matter on the root only
                scatterv(comm, out.data(), n, root);
                check_out();
                scatterv(comm, values{}, out.data(), n, root);
            }
            check_out();
        }
    });
}

BOOST_AUTO_TEST_CASE(parts_of_one_size) {
    communicator const comm;
    support::for_each_value([&](auto value) {
        auto const all = support::of_all_ranks(comm.size(), value, 2);
        std::vector out(2, value(99));
        scatterv(comm, all, out.data(), 2, 0);
        BOOST_TEST((out == std::vector(2, value(comm.rank()))));
    });
}

BOOST_AUTO_TEST_SUITE_END()
