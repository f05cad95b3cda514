// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/mpi_world.hpp>

#include <cstddef>
#include <limits>
#include <vector>

#include <tutti/communicator/mpi/shared_memory/endpoint.hpp>

BOOST_AUTO_TEST_SUITE(communicator_mpi_shared_memory_endpoint)

using tutti::mpi::node::endpoint;
using tutti::mpi::node::posted_operation;

namespace {

constexpr int tag = 3;

/// Sends to rank 1; the request ends when it has been read.
tutti::mpi::node::request send(endpoint& end, std::vector<std::byte> const& message) {
    return end.send(1, tag, message, false);
}

void finish_send(endpoint& end, tutti::mpi::node::request sent) {
    while (!sent.pending->ended) { end.send_more(); }
    static_cast<void>(end.completion_of(*sent.pending, 0));
}

/// Receives a message of rank 0 and lets its memory go.
void receive(endpoint& end, std::size_t bytes) {
    std::vector<std::byte> memory(bytes);
    auto const posted = end.receive(posted_operation::kind::receive, 0, tag, memory.data(), bytes);
    while (!posted.pending->ended) { end.look(true); }
    BOOST_TEST(end.completion_of(*posted.pending, 0).bytes == bytes);
}

/// Whether the bell of `owner`, which has announced that it sleeps, rings when another rank does `act`; true on others.
template <class Act>
bool rings(endpoint& end, int owner, Act act) {
    bool const is_owner = support::world_rank() == owner;
    if (is_owner) { end.bell().announce(); }
    MPI_Barrier(MPI_COMM_WORLD);
    if (support::world_rank() == 1 - owner) { act(); }
    MPI_Barrier(MPI_COMM_WORLD);
    return !is_owner || end.bell().await_ring(1);
}

}  // namespace

BOOST_AUTO_TEST_CASE(whoever_sleeps_is_woken_by_what_it_may_wait_for) {
    if (support::world_size() < 2) { return; }
    support::single_copies const where_they_are{"always"};
    endpoint end{MPI_COMM_WORLD, 16};
    bool const sends = support::world_rank() == 0;
    bool const receives = support::world_rank() == 1;

    auto const silent = rings(end, 1, [] {});
    BOOST_TEST(silent == !receives);

    std::vector<std::byte> const short_one(8), in_a_slot(1000), long_one(100'000);
    {  // a message
        tutti::mpi::node::request sent;
        BOOST_TEST(rings(end, 1, [&] { sent = send(end, short_one); }));
        if (sends) { finish_send(end, sent); }
        if (receives) { receive(end, short_one.size()); }
    }
    {  // a slot that is free again
        if (sends) { finish_send(end, send(end, in_a_slot)); }
        BOOST_TEST(rings(end, 0, [&] { receive(end, in_a_slot.size()); }));
    }
    {  // places in the ring
        constexpr int messages = 16;  // fewer than have room, more than are acknowledged together
        if (sends) {
            for (int i = 0; i != messages; ++i) { finish_send(end, send(end, short_one)); }
        }
        BOOST_TEST(rings(end, 0, [&] {
            for (int i = 0; i != messages; ++i) { receive(end, short_one.size()); }
        }));
    }
    if (end.longest_lent(false) == std::numeric_limits<std::size_t>::max()) {  // memory that has been read
        tutti::mpi::node::request sent;
        if (sends) { sent = send(end, long_one); }
        BOOST_TEST(rings(end, 0, [&] { receive(end, long_one.size()); }));
        if (sends) { finish_send(end, sent); }
    }
}

BOOST_AUTO_TEST_SUITE_END()
