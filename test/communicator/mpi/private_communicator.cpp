// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/mpi_world.hpp>

#include <functional>

#include <mpi.h>

#include <tutti/collective/all_reduce.hpp>
#include <tutti/communicator/mpi.hpp>
#include <tutti/communicator/mpi/private_communicator.hpp>
#include <tutti/communicator/mpi/shared_memory.hpp>

BOOST_AUTO_TEST_SUITE(communicator_mpi_private_communicator)

namespace {

int copies = 0;

int count_copies(MPI_Comm, int, void*, void*, void*, int* inherited) {
    ++copies;
    *inherited = 0;
    return MPI_SUCCESS;
}

/// A communicator with an attribute whose copies are counted.
class watched_communicator {
public:
    watched_communicator() {
        MPI_Comm_dup(MPI_COMM_WORLD, &world_);
        MPI_Comm_create_keyval(count_copies, MPI_COMM_NULL_DELETE_FN, &key_, nullptr);
        MPI_Comm_set_attr(world_, key_, nullptr);
        copies = 0;
    }
    watched_communicator(watched_communicator const&) = delete;
    watched_communicator& operator=(watched_communicator const&) = delete;
    ~watched_communicator() {
        MPI_Comm_free_keyval(&key_);
        MPI_Comm_free(&world_);
    }

    [[nodiscard]] MPI_Comm get() const { return world_; }

private:
    MPI_Comm world_ = MPI_COMM_NULL;
    int key_ = MPI_KEYVAL_INVALID;
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_collective_copies_no_attribute_of_the_users) {
    watched_communicator const watched;
    BOOST_TEST(tutti::all_reduce(watched.get(), 1, std::plus<>{}) == support::world_size());
    BOOST_TEST(copies == 0);
}

BOOST_AUTO_TEST_CASE(neither_does_shared_memory) {
    watched_communicator const watched;
    {
        tutti::mpi::shared_memory node{watched.get()};
        BOOST_TEST(tutti::all_reduce(node, 1, std::plus<>{}) == support::world_size());
    }
    BOOST_TEST(copies == 0);
}

BOOST_AUTO_TEST_CASE(ranks_and_their_order_stay) {
    auto own = tutti::mpi::private_communicator(MPI_COMM_WORLD);
    int result = MPI_UNEQUAL;
    MPI_Comm_compare(MPI_COMM_WORLD, own, &result);
    BOOST_TEST(result == MPI_CONGRUENT);
    MPI_Comm_free(&own);
}

BOOST_AUTO_TEST_SUITE_END()
