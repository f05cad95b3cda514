// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/mpi_world.hpp>

#include <array>
#include <climits>
#include <cstddef>
#include <mpi.h>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <support/mpi_messages.hpp>
#include <support/sentences.hpp>
#include <tutti/communicator/mpi.hpp>
#include <tutti/communicator/mpi/duplicates.hpp>
#include <tutti/communicator/mpi/error.hpp>

BOOST_AUTO_TEST_SUITE(communicator_mpi_error)

namespace {

using namespace point_to_point;
using support::contains;
using support::sentence_of;

/// Waits for all, then throws the error of the one that failed.
void raise_what_fails(tutti::mpi::communicator& comm, std::span<request> requests) {
    std::vector<completion> done(requests.size());
    completion failed;
    while (auto const ended = comm.wait_some(requests, done)) {
        for (auto const& each : std::span{done}.first(ended)) {
            if (each.error != 0) { failed = each; }
        }
    }
    if (failed.error != 0) { comm.raise(failed); }
}

/// A communicator that returns errors, as tutti's do.
struct all_ranks : support::own_world {
    all_ranks() { MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN); }
};

/// The class of the error that a message from the rank before gives which is longer than expected. Of one rank alone
/// there is no such message: Open MPI says nothing of one to oneself.
int error_of_a_long_message(MPI_Comm comm) {
    if (support::world_size() == 1) { return MPI_ERR_TRUNCATE; }
    int const size = support::world_size();
    int const rank = support::world_rank();
    std::array<int, 4> const sent{};
    int room = 0;
    std::array<MPI_Request, 2> requests{};
    MPI_Irecv(&room, 1, MPI_INT, (rank + size - 1) % size, 1, comm, &requests[0]);
    MPI_Isend(sent.data(), 4, MPI_INT, (rank + 1) % size, 1, comm, &requests[1]);
    int result = MPI_SUCCESS;
    for (int done = 0; done != 2; ++done) {
        int index = MPI_UNDEFINED;
        int const code = MPI_Waitany(2, requests.data(), &index, MPI_STATUS_IGNORE);
        if (code == MPI_SUCCESS) { continue; }
        MPI_Error_class(code, &result);
        if (index != MPI_UNDEFINED && requests[static_cast<std::size_t>(index)] != MPI_REQUEST_NULL) {
            MPI_Request_free(&requests[static_cast<std::size_t>(index)]);  // Open MPI leaves it
        }
    }
    return result;
}

void ignore_it(MPI_Comm* /*where*/, int* /*code*/, ...) {}

MPI_Errhandler handler_of(MPI_Comm comm) {
    MPI_Errhandler result;
    MPI_Comm_get_errhandler(comm, &result);
    return result;
}

}  // namespace

// MPI_COMM_WORLD's handler would end the program.
BOOST_AUTO_TEST_CASE(a_message_of_another_rank_that_is_too_long_is_an_error) {
    auto& comm = tutti_of(MPI_COMM_WORLD);
    if (comm.size() == 1) { return; }
    int const next = (comm.rank() + 1) % comm.size();
    int const previous = (comm.rank() + comm.size() - 1) % comm.size();
    std::vector<int> const sent(10);
    std::vector<int> received(5);
    std::array requests{comm.receive(previous, 1, memory_of(received)), comm.send(next, 1, bytes_of(sent))};
    BOOST_CHECK_THROW(raise_what_fails(comm, requests), tutti::mpi::error);
    MPI_Barrier(MPI_COMM_WORLD);
}

BOOST_AUTO_TEST_CASE(a_message_longer_than_its_receiver_expects_is_an_error_with_mpis_text) {
    MPI_Comm users = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_SELF, &users);
    auto& comm = tutti_of(users);
    std::vector<int> const sent(10);
    std::vector<int> received(5);
    std::array requests{comm.send(0, 1, bytes_of(sent)), comm.receive(0, 1, memory_of(received))};
    try {
        raise_what_fails(comm, requests);
        BOOST_ERROR("nothing was thrown");
    } catch (tutti::mpi::error const& thrown) {
        int error_class = MPI_SUCCESS;
        MPI_Error_class(thrown.code(), &error_class);
        BOOST_TEST(error_class == MPI_ERR_TRUNCATE);
        std::string const text = thrown.what();
        BOOST_TEST(contains(text, "tutti: MPI_Waitany failed because a message was longer"), text);
        BOOST_TEST(contains(text, "the same number and type of elements"), text);
        std::array<char, MPI_MAX_ERROR_STRING + 1> words{};
        int length = 0;
        MPI_Error_string(thrown.code(), words.data(), &length);
        BOOST_TEST(contains(text, words.data()), text);
        BOOST_TEST(contains(text, "trunc"), text);
    }
    MPI_Comm_free(&users);
}

BOOST_AUTO_TEST_CASE(a_message_that_fails_takes_no_other_with_it) {
    MPI_Comm users = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_SELF, &users);
    auto& comm = tutti_of(users);
    std::vector<int> const sent(10, 7);
    std::vector<int> too_short(5);
    std::vector<int> received(10);
    // sent first: Open MPI does not notice a message to the rank itself that finds too short a receive
    std::array requests{comm.send(0, 1, bytes_of(sent)), comm.send(0, 2, bytes_of(sent)),
                        comm.receive(0, 1, memory_of(too_short)), comm.receive(0, 2, memory_of(received))};
    BOOST_CHECK_THROW(raise_what_fails(comm, requests), tutti::mpi::error);
    BOOST_TEST(received == sent);
    for (auto const each : requests) { BOOST_TEST((each == comm.inactive())); }
    MPI_Comm_free(&users);
}

BOOST_FIXTURE_TEST_CASE(a_rank_that_does_not_exist_is_an_error_that_names_the_call, neighbours) {
    for (bool const through_memory : {true, false}) {
        comm.share_memory(through_memory);
        auto const text = sentence_of([&] { (void)comm.send(comm.size(), 1, {}); });
        BOOST_TEST(contains(text, "tutti: MPI_Isend failed; MPI says: "), text);
        BOOST_TEST(contains(text, "rank"), text);
        BOOST_TEST(contains(sentence_of([&] { (void)comm.receive(-7, 1, {}); }), "tutti: MPI_Irecv failed"));
    }
}

BOOST_AUTO_TEST_CASE(a_message_over_the_limit_is_an_error) {
    tutti::mpi::communicator comm{MPI_COMM_SELF};
    std::vector<int> data(3);
    comm.message_limit(8);
    BOOST_TEST(comm.message_limit() == 8U);
    BOOST_CHECK_THROW((void)comm.send(0, 1, bytes_of(data)), std::length_error);
    BOOST_CHECK_THROW((void)comm.receive(0, 1, memory_of(data)), std::length_error);
    BOOST_CHECK_THROW(comm.message_limit(0), std::invalid_argument);
    BOOST_CHECK_THROW(comm.message_limit(std::size_t{INT_MAX} + 1), std::invalid_argument);
}

BOOST_FIXTURE_TEST_CASE(the_users_error_handler_stays, neighbours) {
    auto const tag = comm.new_tag();
    wait_all(comm, {comm.send(next, tag, {}), comm.receive(previous, tag, {})});
    for (auto const users : {MPI_COMM_WORLD, MPI_COMM_SELF}) {
        MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
        MPI_Comm_get_errhandler(users, &handler);
        BOOST_TEST((handler == MPI_ERRORS_ARE_FATAL));
    }
}

BOOST_AUTO_TEST_CASE(the_error_of_a_message_is_returned) {
    all_ranks const all;
    tutti::mpi::returned_errors const scope;
    BOOST_TEST(error_of_a_long_message(all.world) == MPI_ERR_TRUNCATE);
}

BOOST_AUTO_TEST_CASE(scopes_nest) {
    all_ranks const all;
    tutti::mpi::returned_errors const outer;
    { tutti::mpi::returned_errors const inner; }
    BOOST_TEST(error_of_a_long_message(all.world) == MPI_ERR_TRUNCATE);
}

BOOST_AUTO_TEST_CASE(the_users_handlers_are_back_at_the_end) {
    for (MPI_Comm const comm : {MPI_COMM_WORLD, MPI_COMM_SELF}) {
        auto const before = handler_of(comm);
        MPI_Errhandler mine;
        MPI_Comm_create_errhandler(ignore_it, &mine);
        MPI_Comm_set_errhandler(comm, mine);
        {
            tutti::mpi::returned_errors const outer;
            tutti::mpi::returned_errors const inner;
        }
        BOOST_TEST((handler_of(comm) == mine));
        MPI_Comm_set_errhandler(comm, before);
    }
}

BOOST_AUTO_TEST_SUITE_END()
