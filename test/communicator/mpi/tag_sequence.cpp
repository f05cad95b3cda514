// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/mpi_world.hpp>

#include <algorithm>
#include <vector>

#include <tutti/communicator/mpi.hpp>
#include <tutti/communicator/mpi/duplicates.hpp>

BOOST_AUTO_TEST_SUITE(communicator_mpi_tag_sequence)

BOOST_AUTO_TEST_CASE(tags_begin_at_one_and_cycle_below_the_bound) {
    tutti::mpi::tag_sequence tags{4};
    std::vector<int> drawn(7);
    std::ranges::generate(drawn, [&] { return tags.next(); });
    std::vector const expected{1, 2, 3, 1, 2, 3, 1};
    BOOST_TEST(drawn == expected, boost::test_tools::per_element());

    BOOST_TEST(tutti::mpi::tag_upper_bound() >= 32767);
    tutti::mpi::communicator fresh{MPI_COMM_SELF};
    BOOST_TEST(fresh.new_tag() == 1);
    BOOST_TEST(fresh.new_tag() == 2);
}

BOOST_AUTO_TEST_SUITE_END()
