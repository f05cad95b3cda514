// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/mpi_world.hpp>

#include <cstddef>
#include <vector>

#include <boost/mpi/communicator.hpp>
#include <support/boost_mpi_values.hpp>
#include <support/displaced_parts.hpp>

#include <tutti/boost_mpi.hpp>

BOOST_AUTO_TEST_SUITE(collective_boost_mpi_all_gatherv)

using boost::mpi::communicator;
using tutti::all_gatherv;

BOOST_AUTO_TEST_CASE(parts_of_several_sizes) {
    communicator const comm;
    auto const sizes = support::sizes_of(comm.size());
    auto const displacements = support::displacements_of(sizes);
    support::for_each_displaced(sizes, comm.rank(), [&](auto value, auto& mine, auto& row, auto& with_gaps) {
        std::vector<decltype(value(0))> out;
        all_gatherv(comm, mine, out, sizes);
        BOOST_TEST((out == row));
        out.assign(row.size(), value(99));
        all_gatherv(comm, mine.data(), out.data(), sizes);
        BOOST_TEST((out == row));
        out.assign(with_gaps.size(), value(99));
        all_gatherv(comm, mine.data(), out.data(), sizes, displacements);
        BOOST_TEST((out == with_gaps));
        out.assign(3, value(99));
        all_gatherv(comm, mine, out, sizes, displacements);
        BOOST_TEST(out.size() == with_gaps.size() - 1);  // up to the last part
        for (std::size_t i = 0; i != out.size(); ++i) {
            if (with_gaps[i] != value(99)) { BOOST_TEST((out[i] == with_gaps[i])); }
        }
    });
}

BOOST_AUTO_TEST_CASE(one_value_of_each_rank) {
    communicator const comm;
    std::vector<int> const ones(static_cast<std::size_t>(comm.size()), 1);
    support::for_each_value([&](auto value) {
        auto const expected = support::of_all_ranks(comm.size(), value, 1);
        auto out = expected;
        for (auto& each : out) { each = value(99); }
        all_gatherv(comm, value(comm.rank()), out.data(), ones);
        BOOST_TEST((out == expected));
        std::vector<int> in_order;
        for (int rank = 0; rank != comm.size(); ++rank) { in_order.push_back(rank); }
        for (auto& each : out) { each = value(99); }
        all_gatherv(comm, value(comm.rank()), out.data(), ones, in_order);
        BOOST_TEST((out == expected));
    });
}

BOOST_AUTO_TEST_SUITE_END()
