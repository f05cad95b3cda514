// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <boost/test/unit_test.hpp>

#include <array>
#include <vector>

#include <support/point_to_point.hpp>

/// What every communicator must keep of messages between ranks in a ring.
namespace laws {

/// `none` are requests of which none is active.
template <class Communicator, class Requests>
void check_inactive_requests(Communicator& comm, Requests none) {
    std::array<tutti::completion, 3> done;
    BOOST_TEST(comm.wait_some(none, done) == 0U);
    BOOST_TEST(comm.test_some(none, done) == 0U);
    BOOST_TEST(comm.wait_some({}, {}) == 0U);
    BOOST_TEST(comm.test_some({}, {}) == 0U);
}

/// `wait_some` returns with what has ended, while the rest stays active.
template <class Communicator>
void check_waiting_for_some(Communicator& comm, int next, int previous) {
    using namespace point_to_point;
    auto const early = comm.new_tag();
    auto const late = comm.new_tag();
    auto const permission = comm.new_tag();
    std::vector<int> first(1);
    std::vector<int> second(1);
    std::vector const sent{42};
    std::array requests{comm.receive(previous, late, memory_of(second)),
                        comm.receive(previous, early, memory_of(first))};
    std::array<tutti::completion, 2> done;
    auto const sending = comm.send(next, early, bytes_of(sent));
    BOOST_TEST(comm.wait_some(requests, done) == 1U);
    BOOST_TEST(done[0].index == 1U);
    BOOST_TEST((requests[0] != comm.inactive() && requests[1] == comm.inactive()));

    // no rank sends the late message before its receiver has permitted it
    wait_all(comm, {comm.send(previous, permission, {}), comm.receive(next, permission, {})});
    auto const sending_late = comm.send(next, late, bytes_of(sent));
    BOOST_TEST(comm.wait_some(requests, done) == 1U);
    BOOST_TEST(done[0].index == 0U);
    BOOST_TEST(second[0] == 42);
    wait_all(comm, {sending, sending_late});
}

}  // namespace laws
