// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/mpi_world.hpp>

#include <array>
#include <climits>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <tutti/communicator/mpi.hpp>
#include <tutti/communicator/mpi/duplicates.hpp>

#include <support/mpi_messages.hpp>
#include <support/sentences.hpp>

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

BOOST_AUTO_TEST_SUITE_END()
