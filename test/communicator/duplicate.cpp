// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/ranks.hpp>

#include <thread>
#include <vector>

#include <support/point_to_point.hpp>

// program: threads
BOOST_AUTO_TEST_SUITE(communicator_duplicate)

namespace {

using namespace point_to_point;

#if defined(TUTTI_TEST_OVER_MPI) || defined(TUTTI_TEST_OVER_BOOST_MPI)
auto const several_threads = support::thread_level = MPI_THREAD_MULTIPLE;
#endif

template <class World>
auto& ranks_of(World& world) {
    return tutti::communicator_of<World>::get(world);
}

}  // namespace

BOOST_AUTO_TEST_CASE_ON_RANKS(it_has_the_same_ranks_and_messages_of_its_own) {
    auto& ranks = ranks_of(world);
    auto const other = ranks.duplicate();
    support::check_equal(other->rank(), ranks.rank(), "rank");
    support::check_equal(other->size(), ranks.size(), "size");
    auto const next = (ranks.rank() + 1) % ranks.size();
    auto const previous = (ranks.rank() + ranks.size() - 1) % ranks.size();
    std::vector<int> const here{1, ranks.rank()};
    std::vector<int> const there{2, ranks.rank()};
    std::vector<int> from_here(2);
    std::vector<int> from_there(2);
    // the same peers and the same tag; those of the duplicate are received first
    auto const sends = std::vector{ranks.send(next, 7, bytes_of(here))};
    wait_all(*other, {other->send(next, 7, bytes_of(there)), other->receive(previous, 7, memory_of(from_there))});
    wait_all(ranks, {sends[0], ranks.receive(previous, 7, memory_of(from_here))});
    support::check_equal(from_there, std::vector{2, previous}, "message of the duplicate");
    support::check_equal(from_here, std::vector{1, previous}, "message of the first");
}

BOOST_AUTO_TEST_CASE_ON_RANKS(another_thread_may_use_it) {
    auto& ranks = ranks_of(world);
    support::check(ranks.allows_threads(), "threads are allowed");
    auto const other = ranks.duplicate();
    auto const rings = [](auto& over) {
        std::vector<int> mine{over.rank()};
        for (int step = 0; step < 20 * over.size(); ++step) {
            std::vector<int> next(1);
            wait_all(over, {over.send((over.rank() + 1) % over.size(), 1, bytes_of(mine)),
                            over.receive((over.rank() + over.size() - 1) % over.size(), 1, memory_of(next))});
            mine = next;
        }
        return mine[0];
    };
    int seen = -1;
    {
        std::jthread const second{[&] { seen = rings(*other); }};
        support::check_equal(rings(ranks), ranks.rank(), "rings of the first");
    }
    support::check_equal(seen, ranks.rank(), "rings of the duplicate");
}

BOOST_AUTO_TEST_CASE_ON_RANKS(many_come_and_go) {
    auto last = ranks_of(world).duplicate();
    for (int i = 0; i < 10; ++i) { last = ranks_of(world).duplicate(); }
    auto const next = (last->rank() + 1) % last->size();
    auto const previous = (last->rank() + last->size() - 1) % last->size();
    std::vector<int> const mine{last->rank()};
    std::vector<int> theirs(1);
    wait_all(*last, {last->send(next, 1, bytes_of(mine)), last->receive(previous, 1, memory_of(theirs))});
    support::check_equal(theirs[0], previous, "message");
}

#if defined(TUTTI_TEST_OVER_MPI)
BOOST_AUTO_TEST_CASE_ON_RANKS(what_nobody_has_received_is_forgotten_when_it_settles) {
    auto& ranks = ranks_of(world);
    auto const other = ranks.duplicate();
    std::vector<int> const values(1000, ranks.rank());
    std::vector<tutti::mpi::request> sends;
    for (int i = 0; i < ranks.rank() + 1; ++i) {
        for (int peer = 0; peer < ranks.size(); ++peer) { sends.push_back(other->send(peer, i, bytes_of(values))); }
    }
    other->drain(sends);
    for (auto const& each : sends) { support::check(each == other->inactive(), "every send has ended"); }
    int found = 1;
    std::vector<int> memory(1000);
    auto receive = other->receive(0, 0, memory_of(memory));
    MPI_Test(&receive.mpi, &found, MPI_STATUS_IGNORE);
    support::check(found == 0, "nothing is left");
    other->cancel(receive);
}
#endif

BOOST_AUTO_TEST_SUITE_END()
