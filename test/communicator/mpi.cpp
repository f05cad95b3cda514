// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/mpi_world.hpp>

#include <climits>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include <tutti/communicator/mpi.hpp>
#include <tutti/communicator/mpi/duplicates.hpp>

#include <support/intercommunicator.hpp>
#include <support/mpi_messages.hpp>
#include <support/sentences.hpp>

BOOST_AUTO_TEST_SUITE(communicator_mpi)

namespace {

using namespace point_to_point;
using support::contains;
using support::sentence_of;

/// Before main MPI is not initialised, after it MPI is finalised.
struct outside_of_mpi {
    std::string before = sentence_of([] { tutti_of(MPI_COMM_SELF); });

    ~outside_of_mpi() {
        auto const after = sentence_of([] { tutti_of(MPI_COMM_SELF); });
        auto const alive = tutti::mpi::communicator::alive();
        if (alive != 0 || !contains(after, "tutti: MPI is already finalised")) {
            std::fprintf(stderr, "after MPI_Finalize: %zu communicators are alive; %s\n", alive, after.c_str());
            std::_Exit(1);
        }
    }
} const outside;

}  // namespace

BOOST_AUTO_TEST_CASE(knows_rank_and_size_and_is_one_object_per_communicator) {
    auto& comm = tutti_of(MPI_COMM_WORLD);
    BOOST_TEST(comm.rank() == support::world_rank());
    BOOST_TEST(comm.size() == support::world_size());
    BOOST_TEST(&comm == &tutti_of(MPI_COMM_WORLD));
    BOOST_TEST(&comm != &tutti_of(MPI_COMM_SELF));
    BOOST_TEST(tutti_of(MPI_COMM_SELF).size() == 1);
    BOOST_TEST(comm.message_limit() == static_cast<std::size_t>(INT_MAX));
    comm.store().get<int>() = 7;
    BOOST_TEST(tutti_of(MPI_COMM_WORLD).store().get<int>() == 7);
}

BOOST_FIXTURE_TEST_CASE(the_users_wildcards_never_see_the_messages, neighbours) {
    auto const tag = comm.new_tag();
    std::vector<int> const ours{1000 + comm.rank()};
    auto const sending = comm.send(next, tag, bytes_of(ours));
    MPI_Barrier(MPI_COMM_WORLD);

    int flag = -1;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &status);
    BOOST_TEST(flag == 0);

    MPI_Barrier(MPI_COMM_WORLD);
    int theirs = comm.rank();
    int received = -1;
    MPI_Request user = MPI_REQUEST_NULL;
    MPI_Isend(&theirs, 1, MPI_INT, next, tag, MPI_COMM_WORLD, &user);
    MPI_Recv(&received, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    BOOST_TEST(received == previous);
    MPI_Wait(&user, MPI_STATUS_IGNORE);

    std::vector<int> memory(1);
    wait_all(comm, {sending, comm.receive(previous, tag, memory_of(memory))});
    BOOST_TEST(memory[0] == 1000 + previous);
}

BOOST_AUTO_TEST_CASE(the_duplicate_ends_with_the_communicator_and_is_not_inherited) {
    auto const before = tutti::mpi::communicator::alive();
    MPI_Comm users = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &users);
    auto const& comm = tutti_of(users);
    BOOST_TEST(tutti::mpi::communicator::alive() == before + 1);

    MPI_Comm copy = MPI_COMM_NULL;
    MPI_Comm_dup(users, &copy);
    BOOST_TEST(tutti::mpi::communicator::alive() == before + 1);
    BOOST_TEST(&tutti_of(copy) != &comm);
    BOOST_TEST(tutti::mpi::communicator::alive() == before + 2);

    MPI_Comm_free(&users);
    BOOST_TEST(tutti::mpi::communicator::alive() == before + 1);
    MPI_Comm_free(&copy);
    BOOST_TEST(tutti::mpi::communicator::alive() == before);
}

BOOST_AUTO_TEST_CASE(many_communicators_come_and_go) {
    // an implementation has a few thousand communicators: one that leaked its duplicates would run out
    if (support::world_size() > 4) { return; }  // each rank does it by itself, and has less of a processor
    for (int i = 0; i != 3000; ++i) {
        MPI_Comm users = MPI_COMM_NULL;
        MPI_Comm_dup(MPI_COMM_SELF, &users);
        BOOST_REQUIRE(tutti_of(users).size() == 1);
        MPI_Comm_free(&users);
    }
}

BOOST_AUTO_TEST_CASE(communicators_that_the_user_never_frees_are_left_to_finalize) {
    // leaked on purpose: `outside_of_mpi` counts what is alive after MPI_Finalize
    MPI_Comm kept = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, support::world_rank() % 2, 0, &kept);
    tutti_of(kept);
    tutti_of(MPI_COMM_SELF);
    BOOST_TEST(tutti::mpi::communicator::alive() >= 2U);
}

BOOST_AUTO_TEST_CASE(a_split_communicator_numbers_its_own_ranks) {
    auto const rank = support::world_rank();
    MPI_Comm half = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
    int expected = -1;
    MPI_Comm_rank(half, &expected);
    BOOST_TEST(tutti_of(half).rank() == expected);
    BOOST_TEST(tutti_of(half).size() == (support::world_size() + 1 - rank % 2) / 2);
    MPI_Comm_free(&half);
}

BOOST_AUTO_TEST_CASE(what_is_not_an_intracommunicator_is_refused) {
    BOOST_CHECK_THROW(tutti_of(MPI_COMM_NULL), std::invalid_argument);
    BOOST_TEST(sentence_of([] { tutti_of(MPI_COMM_NULL); }) ==
               "tutti: the communicator is MPI_COMM_NULL; only ranks of a communicator make calls on it");
    if (support::world_size() == 1) { return; }
    support::on_intercommunicator([](MPI_Comm both) {
        BOOST_CHECK_THROW(tutti_of(both), std::invalid_argument);
        BOOST_TEST(contains(sentence_of([&] { tutti_of(both); }), "tutti: the communicator is an intercommunicator"));
    });
}

BOOST_AUTO_TEST_CASE(before_MPI_Init_there_is_no_communicator) {
    BOOST_TEST(contains(outside.before, "tutti: MPI is not initialised"), outside.before);
}

BOOST_AUTO_TEST_SUITE_END()
