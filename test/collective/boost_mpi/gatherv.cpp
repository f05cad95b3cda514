// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/mpi_world.hpp>

#include <cstddef>
#include <vector>

#include <boost/mpi/communicator.hpp>
#include <support/boost_mpi_values.hpp>
#include <support/displaced_parts.hpp>

#include <tutti/boost_mpi.hpp>

BOOST_AUTO_TEST_SUITE(collective_boost_mpi_gatherv)

using boost::mpi::communicator;
using tutti::gatherv;

BOOST_AUTO_TEST_CASE(parts_of_several_sizes) {
    communicator const comm;
    auto const sizes = support::sizes_of(comm.size());
    auto const displacements = support::displacements_of(sizes);
    auto const n = sizes[static_cast<std::size_t>(comm.rank())];
    support::for_each_displaced(sizes, comm.rank(), [&](auto value, auto& mine, auto& row, auto& with_gaps) {
        using values = std::vector<decltype(value(0))>;
        for (int root = 0; root != comm.size(); ++root) {
            bool const is_root = comm.rank() == root;
            values out(is_root ? row.size() : 0, value(99));
            auto const check_out = [&](values const& expected) {
                BOOST_TEST((out == (is_root ? expected : values{})));
                out.assign(is_root ? with_gaps.size() : 0, value(99));
            };
            gatherv(comm, mine, out.data(), sizes, root);
            check_out(row);
            gatherv(comm, mine, out.data(), sizes, displacements, root);
            check_out(with_gaps);
            gatherv(comm, mine.data(), n, out.data(), sizes, displacements, root);
            check_out(with_gaps);
            if (is_root) {
                gatherv(comm, mine.data(), n, out.data(), sizes, root);
                out.resize(row.size());
                BOOST_TEST((out == row));
                out.assign(with_gaps.size(), value(99));
                gatherv(comm, mine, out.data(), sizes, displacements, root);
                BOOST_TEST((out == with_gaps));
            } else {  // sizes matter on the root only
                gatherv(comm, mine.data(), n, root);
                gatherv(comm, mine, root);
            }
        }
    });
}

BOOST_AUTO_TEST_SUITE_END()
