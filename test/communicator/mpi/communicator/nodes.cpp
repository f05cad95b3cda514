// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/mpi_world.hpp>

#include <cstddef>

#include <tutti/communicator/mpi.hpp>
#include <tutti/communicator/mpi/duplicates.hpp>
#include <tutti/communicator/mpi/communicator.hpp>

namespace {

int splits = 0;
// a machine that is not there: ranks of different parities are on different nodes
bool parities_are_apart = false;

}  // namespace

// MPI's profiling interface: what the library really calls.
extern "C" int MPI_Comm_split_type(MPI_Comm ranks, int type, int key, MPI_Info info, MPI_Comm* node) {
    ++splits;
    if (parities_are_apart) { return PMPI_Comm_split(ranks, 1 - support::world_rank() % 2, key, node); }
    return PMPI_Comm_split_type(ranks, type, key, info, node);
}

// program: alone on MPI
BOOST_AUTO_TEST_SUITE(communicator_mpi_communicator_nodes)

BOOST_AUTO_TEST_CASE(ranks_of_this_machine_share_a_node) {
    auto const size = static_cast<std::size_t>(support::world_size());
    BOOST_TEST(tutti::mpi::discovered_nodes(MPI_COMM_WORLD).count(size) == 1U);
    BOOST_TEST(tutti::mpi::discovered_nodes(MPI_COMM_SELF).count(1) == 1U);
}

BOOST_AUTO_TEST_CASE(nodes_are_numbered_in_the_order_of_their_first_ranks) {
    parities_are_apart = true;
    auto const size = static_cast<std::size_t>(support::world_size());
    auto const nodes = tutti::mpi::discovered_nodes(MPI_COMM_WORLD);
    for (std::size_t rank = 0; rank != size; ++rank) { BOOST_TEST(nodes.node_of(rank) == rank % 2); }

    // ranks backwards: the last is the first
    auto backwards = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, 0, -support::world_rank(), &backwards);
    auto const turned = tutti::mpi::discovered_nodes(backwards);
    for (std::size_t rank = 0; rank != size; ++rank) { BOOST_TEST(turned.node_of(rank) == rank % 2); }
    MPI_Comm_free(&backwards);
    parities_are_apart = false;
}

// Not in its first call: a rank that refuses that one would not ask with the others.
BOOST_FIXTURE_TEST_CASE(a_communicator_asks_once_when_it_is_made, support::own_world) {
    auto& ranks = tutti::communicator_of<MPI_Comm>::get(world);
    splits = 0;
    static_cast<void>(ranks.nodes());
    BOOST_TEST(splits == 0);
    ranks.nodes(tutti::node_map::of_width(2));
    BOOST_TEST((tutti::communicator_of<MPI_Comm>::get(world).nodes() == tutti::node_map::of_width(2)));
    BOOST_TEST(splits == 0);
}

BOOST_AUTO_TEST_SUITE_END()
