// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/mpi_world.hpp>

#include <array>
#include <cstddef>
#include <numeric>
#include <span>
#include <stdexcept>
#include <vector>

#include <mpi.h>

#include <tutti/communicator/mpi/communicator.hpp>

#include <support/mpi_messages.hpp>

BOOST_AUTO_TEST_SUITE(communicator_mpi_lookout)

using support::bytes_of;
using support::finish;
using support::memory_of;
using support::request;
using tutti::completion;

namespace {

/// The same ranks twice: messages of one go through memory, those of the other by MPI.
struct two_ways {
    tutti::mpi::communicator near{MPI_COMM_WORLD};
    tutti::mpi::communicator far{MPI_COMM_WORLD};
    int next = (near.rank() + 1) % near.size();
    int previous = (near.rank() + near.size() - 1) % near.size();

    two_ways() { BOOST_TEST_REQUIRE(near.share_memory(true)); }
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(one_waits_for_the_messages_of_both, two_ways) {
    std::vector<int> const sent{near.rank()};
    for (bool const by_waiting : {true, false}) {
        std::vector<int> came(6, -1);
        std::vector<request> requests;
        for (std::size_t i = 0; i != came.size(); ++i) {
            auto& way = i % 2 == 0 ? near : far;
            requests.push_back(way.receive(previous, 1, std::as_writable_bytes(std::span{came}.subspan(i, 1))));
        }
        for (std::size_t i = 0; i != came.size(); ++i) {
            requests.push_back((i % 2 == 0 ? near : far).send(next, 1, bytes_of(sent)));
        }
        requests.push_back(near.inactive());
        std::vector<completion> done(requests.size());
        for (std::size_t ended = 0; ended != 2 * came.size();) {
            auto const count = by_waiting ? far.wait_some(requests, done) : near.test_some(requests, done);
            for (auto const& each : std::span{done}.first(count)) {
                BOOST_TEST(each.error == 0);
                BOOST_TEST((requests[each.index] == near.inactive()));
                if (each.index < came.size()) { BOOST_TEST(each.bytes == sizeof(int)); }
            }
            ended += count;
        }
        BOOST_TEST(came == std::vector<int>(6, previous));
        BOOST_TEST(far.wait_some(requests, done) == 0U);
        BOOST_TEST(near.test_some(requests, done) == 0U);
    }
    std::array<completion, 1> few;
    std::array<request, 2> none;
    BOOST_CHECK_THROW(near.test_some(none, few), std::invalid_argument);
    BOOST_CHECK_THROW(near.wait_some(none, few), std::invalid_argument);
}

// More than there is room for, so that senders have to wait for their receivers.
BOOST_FIXTURE_TEST_CASE(many_long_messages_keep_their_order, two_ways) {
    constexpr std::size_t messages = 200;
    auto const length = near.message_limit() / sizeof(int);
    std::vector<std::vector<int>> sent(messages, std::vector<int>(length));
    std::vector<std::vector<int>> came(messages, std::vector<int>(length));
    std::vector<request> requests;
    for (std::size_t i = 0; i != messages; ++i) {
        std::iota(sent[i].begin(), sent[i].end(), static_cast<int>(i));
        requests.push_back(near.send(next, 1, bytes_of(sent[i])));
    }
    for (auto& each : came) { requests.push_back(near.receive(previous, 1, memory_of(each))); }
    finish(near, requests);
    BOOST_TEST((came == sent));
}

BOOST_FIXTURE_TEST_CASE(a_message_that_is_too_long_is_the_error_of_its_receive, two_ways) {
    std::vector<int> const sent{1, 2, 3, 4};
    std::vector<int> little(1);
    std::vector<int> enough(4);
    std::vector<request> requests{near.receive(previous, 1, memory_of(little)),
                                  near.receive(previous, 2, memory_of(enough)), near.send(next, 1, bytes_of(sent)),
                                  near.send(next, 2, bytes_of(sent))};
    std::vector<completion> done(requests.size());
    while (auto const count = near.wait_some(requests, done)) {
        for (auto const& each : std::span{done}.first(count)) {
            BOOST_TEST((each.error != 0) == (each.index == 0));
            if (each.error == 0) { continue; }
            BOOST_CHECK_EXCEPTION(tutti::mpi::communicator::raise(each), tutti::mpi::error, [](auto const& wrong) {
                return support::contains(wrong.what(), "longer than its receiver expected");
            });
        }
    }
    BOOST_TEST(enough == sent);
}

// Open MPI ends all that have failed when it tells of one; MPICH leaves the others, and they are given up.
BOOST_FIXTURE_TEST_CASE(several_messages_of_mpi_that_are_too_long, two_ways) {
    if (far.size() == 1) { return; }  // Open MPI says nothing of one to oneself
    std::vector<int> const sent{1, 2, 3, 4};
    std::vector<std::vector<int>> little(3, std::vector<int>(1));
    std::vector<request> requests;
    for (auto& each : little) { requests.push_back(far.receive(previous, 1, memory_of(each))); }
    for (std::size_t i = 0; i != little.size(); ++i) { finish(far, {far.send(next, 1, bytes_of(sent))}); }
    int waiting = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i != 100; ++i) {  // so that all of them have come, and failed
        MPI_Iprobe(MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &waiting, MPI_STATUS_IGNORE);
    }
    std::vector<completion> done(requests.size());
    auto const count = far.wait_some(requests, done);
    BOOST_TEST_REQUIRE(count != 0U);
    for (auto const& each : std::span{done}.first(count)) {
        BOOST_TEST(each.error != 0);
        BOOST_TEST((requests[each.index] == far.inactive()));
    }
    for (auto const& each : requests) { far.cancel(each); }
}

BOOST_FIXTURE_TEST_CASE(what_is_given_up_is_not_received, two_ways) {
    std::vector<int> const sent{7};
    std::vector<int> never{-1};
    std::vector<int> came{-1};
    near.cancel(near.receive(previous, 1, memory_of(never)));
    finish(near, {near.receive(previous, 1, memory_of(came)), near.send(next, 1, bytes_of(sent))});
    BOOST_TEST(never.front() == -1);
    BOOST_TEST(came.front() == 7);
}

BOOST_FIXTURE_TEST_CASE(the_way_can_be_changed, two_ways) {
    auto const limit_in_memory = near.message_limit();
    BOOST_TEST(limit_in_memory < far.message_limit());
    std::vector<int> const sent(limit_in_memory / sizeof(int) + 1, near.rank());
    BOOST_TEST(near.element_limit() == far.message_limit());
    for (bool const wanted : {false, true, false}) {
        BOOST_TEST(near.share_memory(wanted) == wanted);
        BOOST_TEST(near.shares_memory() == wanted);
        BOOST_TEST(near.message_limit() == (wanted ? limit_in_memory : far.message_limit()));
        for (auto const length : {sent.size() - 1, sent.size()}) {  // the longer one goes by MPI
            std::vector<int> came(length);
            std::span const some{sent.data(), length};
            finish(near, {near.receive(previous, 1, memory_of(came)), near.send(next, 1, std::as_bytes(some))});
            BOOST_TEST(came.back() == previous);
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
