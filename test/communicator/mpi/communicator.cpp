// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/mpi_world.hpp>

#include <array>
#include <cstddef>
#include <numeric>
#include <span>
#include <stdexcept>
#include <vector>

#include <tutti/communicator/mpi.hpp>
#include <tutti/communicator/mpi/duplicates.hpp>

#include <laws/message_laws.hpp>
#include <support/allocations.hpp>
#include <support/mpi_messages.hpp>

// program: alone
BOOST_AUTO_TEST_SUITE(communicator_mpi_communicator)

using namespace point_to_point;

BOOST_FIXTURE_TEST_CASE(a_message_arrives_with_its_length, neighbours) {
    auto const tag = comm.new_tag();
    auto const count = 100 + static_cast<std::size_t>(comm.rank());
    std::vector<int> sent(count);
    std::iota(sent.begin(), sent.end(), comm.rank());
    std::vector<int> received(1000, -1);

    std::array requests{comm.receive(previous, tag, memory_of(received)), comm.send(next, tag, bytes_of(sent))};
    std::array<completion, 2> done;
    std::size_t bytes = 0;
    std::size_t reported = 0;
    while (auto const ended = comm.wait_some(requests, done)) {
        for (auto const& one : std::span{done}.first(ended)) {
            if (one.index == 0) { bytes = one.bytes; }
        }
        reported += ended;
    }
    BOOST_TEST(reported == 2U);
    BOOST_TEST((requests[0] == comm.inactive() && requests[1] == comm.inactive()));

    auto const expected = 100 + static_cast<std::size_t>(previous);
    BOOST_TEST(bytes == expected * sizeof(int));
    BOOST_TEST(received[0] == previous);
    BOOST_TEST(received[expected - 1] == previous + static_cast<int>(expected) - 1);
    BOOST_TEST(received[expected] == -1);
}

BOOST_FIXTURE_TEST_CASE(a_message_may_be_empty, neighbours) {
    auto const tag = comm.new_tag();
    std::array requests{comm.receive(previous, tag, {}), comm.send(next, tag, {})};
    std::array<completion, 2> done;
    std::size_t reported = 0;
    while (auto const ended = comm.wait_some(requests, done)) {
        for (auto const& one : std::span{done}.first(ended)) { BOOST_TEST((one.index == 1 || one.bytes == 0)); }
        reported += ended;
    }
    BOOST_TEST(reported == 2U);
}

BOOST_FIXTURE_TEST_CASE(messages_with_one_tag_keep_their_order, neighbours) {
    auto const tag = comm.new_tag();
    constexpr std::size_t messages = 50;
    std::vector<std::vector<int>> sent(messages);
    std::vector<std::vector<int>> received(messages, std::vector<int>(60000));
    std::vector<request> requests;
    for (std::size_t i = 0; i != messages; ++i) {
        sent[i].assign(i % 10 == 0 ? 60000 : 1, static_cast<int>(i));  // eager and rendezvous
        requests.push_back(comm.send(next, tag, bytes_of(sent[i])));
    }
    for (auto& memory : received) { requests.push_back(comm.receive(previous, tag, memory_of(memory))); }
    wait_all(comm, requests);
    for (std::size_t i = 0; i != messages; ++i) { BOOST_TEST(received[i][0] == static_cast<int>(i)); }
}

BOOST_FIXTURE_TEST_CASE(tags_keep_messages_apart, neighbours) {
    auto const first = comm.new_tag();
    auto const second = comm.new_tag();
    std::vector const one{1};
    std::vector const two{2};
    std::vector<int> from_first(1);
    std::vector<int> from_second(1);
    wait_all(comm, {comm.send(next, first, bytes_of(one)), comm.send(next, second, bytes_of(two)),
                    comm.receive(previous, second, memory_of(from_second)),
                    comm.receive(previous, first, memory_of(from_first))});
    BOOST_TEST(from_first[0] == 1);
    BOOST_TEST(from_second[0] == 2);
}

BOOST_FIXTURE_TEST_CASE(without_an_active_request_nothing_is_reported, neighbours) {
    std::array<request, 3> none{comm.inactive(), comm.inactive(), comm.inactive()};
    laws::check_inactive_requests(comm, none);
    std::array<completion, 2> too_few;
    BOOST_CHECK_THROW(comm.test_some(none, too_few), std::invalid_argument);
}

BOOST_FIXTURE_TEST_CASE(test_some_returns_before_the_message_and_reports_it_later, neighbours) {
    auto const data = comm.new_tag();
    auto const permission = comm.new_tag();
    std::vector<int> received(1);
    std::vector<int> const sent{comm.rank()};

    // no rank sends the data before its receiver has permitted it, so the first test cannot find them
    std::array<request, 2> requests{comm.inactive(), comm.receive(previous, data, memory_of(received))};
    std::array<completion, 2> done;
    BOOST_TEST(comm.test_some(requests, done) == 0U);
    BOOST_TEST((requests[1] != comm.inactive()));

    wait_all(comm, {comm.send(previous, permission, {}), comm.receive(next, permission, {})});
    auto const sending = comm.send(next, data, bytes_of(sent));
    std::size_t ended = 0;
    while (ended == 0) { ended = comm.test_some(requests, done); }
    BOOST_TEST(ended == 1U);
    BOOST_TEST(done[0].index == 1U);
    BOOST_TEST(done[0].bytes == sizeof(int));
    BOOST_TEST((requests[1] == comm.inactive()));
    BOOST_TEST(received[0] == previous);
    wait_all(comm, {sending});
}

BOOST_FIXTURE_TEST_CASE(wait_some_returns_with_what_has_ended_while_the_rest_stays_active, neighbours) {
    laws::check_waiting_for_some(comm, next, previous);
}

BOOST_FIXTURE_TEST_CASE(a_receive_that_was_given_up_takes_no_message, neighbours) {
    auto const tag = comm.new_tag();
    std::vector<int> given_up{-1};
    std::vector<int> received{-1};
    std::vector<int> const sent{comm.rank()};
    comm.cancel(comm.receive(previous, tag, memory_of(given_up)));
    comm.cancel(comm.inactive());
    MPI_Barrier(MPI_COMM_WORLD);
    wait_all(comm, {comm.send(next, tag, bytes_of(sent)), comm.receive(previous, tag, memory_of(received))});
    BOOST_TEST(received[0] == previous);
    BOOST_TEST(given_up[0] == -1);
}

BOOST_AUTO_TEST_CASE(a_send_that_nobody_receives_can_be_given_up) {
    tutti::mpi::communicator comm{MPI_COMM_SELF};
    std::vector<int> const sent(1000000);
    comm.cancel(comm.send(0, 1, bytes_of(sent)));

    std::vector const other{7};
    std::vector<int> received(1);
    wait_all(comm, {comm.send(0, 2, bytes_of(other)), comm.receive(0, 2, memory_of(received))});
    BOOST_TEST(received[0] == 7);
}

// MPI may keep the memory of a send for a while, and so there is always a request.
BOOST_FIXTURE_TEST_CASE(without_a_request_it_sends_through_memory_only, neighbours) {
    int const number = comm.rank();
    auto const data = std::as_bytes(std::span{&number, 1});
    comm.sharing(tutti::memory_sharing::never);
    BOOST_TEST(!comm.send_at_once(next, 1, data));
    comm.sharing(tutti::memory_sharing::automatic);
    auto const usual = comm.message_limit();
    if (comm.share_memory(true)) {
        auto const tag = comm.new_tag();
        BOOST_TEST(comm.send_at_once(next, tag, data));
        int received = -1;
        std::vector<request> one{comm.receive(previous, tag, std::as_writable_bytes(std::span{&received, 1}))};
        wait_all(comm, one);
        BOOST_TEST(received == previous);
        comm.message_limit(2);
        BOOST_TEST(!comm.send_at_once(next, tag, data));
        comm.message_limit(usual);
        comm.share_memory(false);
        BOOST_TEST(!comm.send_at_once(next, tag, data));
    }
}

BOOST_FIXTURE_TEST_CASE(what_is_said_of_sharing_counts_more_than_what_is_measured, neighbours) {
    bool const possible = comm.share_memory(true) && comm.size() > 1;
    comm.sharing(tutti::memory_sharing::never);
    BOOST_TEST(!comm.shares_memory());
    BOOST_TEST(!comm.share_memory(true));
    comm.sharing(tutti::memory_sharing::always);
    BOOST_TEST(comm.shares_memory() == possible);
    BOOST_TEST(comm.share_memory(false) == possible);
    comm.sharing(tutti::memory_sharing::automatic);
    BOOST_TEST(comm.shares_memory() == possible);
    BOOST_TEST(!comm.share_memory(false));
}

BOOST_FIXTURE_TEST_CASE(it_lends_messages_that_come_through_memory, neighbours) {
    BOOST_TEST(!comm.lends());
    if (comm.share_memory(true)) {
        BOOST_TEST(comm.lends());
        auto const tag = comm.new_tag();
        std::vector<int> const sent(1000, comm.rank());
        std::array requests{comm.receive_lent(previous, tag, 4000), comm.send(next, tag, bytes_of(sent))};
        std::array<completion, 2> done;
        completion lent;
        for (std::size_t reported = 0; reported != 2;) {
            auto const ended = comm.wait_some(requests, done);
            reported += ended;
            for (auto const& one : std::span{done}.first(ended)) {
                if (one.index == 0) { lent = one; }
            }
        }
        BOOST_TEST(lent.bytes == 4000U);
        BOOST_REQUIRE(lent.lent != nullptr);
        BOOST_TEST(reinterpret_cast<int const*>(lent.lent)[999] == previous);
        comm.give_back(lent);
        comm.share_memory(false);
        BOOST_TEST(!comm.lends());
    }
}

BOOST_FIXTURE_TEST_CASE(nothing_is_allocated_once_it_has_seen_as_many_requests, neighbours) {
    auto const tag = comm.new_tag();
    std::vector const sent{1, 2, 3};
    std::vector<int> received(3);
    std::array<completion, 2> done;
    auto const exchange = [&] {
        std::array requests{comm.receive(previous, tag, memory_of(received)), comm.send(next, tag, bytes_of(sent))};
        while (comm.wait_some(requests, done) != 0) {}
        return comm.test_some(requests, done);
    };
    BOOST_TEST(exchange() == 0U);
    auto const before = support::allocations;
    for (int i = 0; i != 100; ++i) { exchange(); }
    auto const after = support::allocations;
    BOOST_TEST(after - before == 0U);
}

BOOST_AUTO_TEST_SUITE_END()
