// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <bit>
#include <cstddef>
#include <new>
#include <thread>
#include <unistd.h>

#include <sys/mman.h>
#include <sys/wait.h>
#include <tutti/communicator/mpi/shared_memory/segment_layout.hpp>

BOOST_AUTO_TEST_SUITE(communicator_mpi_shared_memory_segment_layout)

using tutti::mpi::node::ack;
using tutti::mpi::node::doorbell;
using tutti::mpi::node::presence;
using tutti::mpi::node::queue_entry;
using tutti::mpi::node::segment_layout;

namespace {

constexpr long limit = 2'000'000;  // ns

}  // namespace

BOOST_AUTO_TEST_CASE(nothing_lies_upon_anything_else) {
    for (std::size_t const ranks : {1U, 2U, 7U, 32U, 33U, 64U, 200U}) {
        for (std::size_t const most_slots : {4U, 16U, 64U}) {
            segment_layout const where{ranks, most_slots};
            BOOST_TEST(where.ack_at(0) >= sizeof(presence));
            BOOST_TEST(where.ring_at(0) >= where.ack_at(ranks - 1) + sizeof(ack));
            BOOST_TEST(where.slots_at(0) >= where.ring_at(ranks - 1) + where.ring_entries() * where.entry_bytes());
            BOOST_TEST(where.bytes() == where.slots_at(ranks - 1) + where.slots() * where.slot_bytes());
            for (std::size_t receiver = 0; receiver != ranks; ++receiver) {
                BOOST_TEST(where.ack_at(receiver) % alignof(ack) == 0U);
                BOOST_TEST(where.ring_at(receiver) % alignof(queue_entry) == 0U);
                BOOST_TEST(where.slots_at(receiver) % segment_layout::page == 0U);
            }
        }
    }
}

// Slots are marked by the bits of a word, and counted in powers of two, as the numbers of notices wrap around.
BOOST_AUTO_TEST_CASE(the_fewer_ranks_the_more_and_the_longer_slots) {
    std::size_t room = segment_layout{1, 16}.slots() * segment_layout{1, 16}.slot_bytes();
    for (std::size_t ranks = 1; ranks <= 300; ++ranks) {
        segment_layout const where{ranks, 16};
        BOOST_TEST(std::has_single_bit(where.slots()));
        BOOST_TEST(std::has_single_bit(where.ring_entries()));
        BOOST_TEST(where.slots() >= segment_layout::fewest_slots);
        BOOST_TEST(where.slots() <= 16U);
        BOOST_TEST(where.slot_bytes() >= segment_layout::shortest_slot);
        BOOST_TEST(where.slot_bytes() <= segment_layout::longest_slot);
        BOOST_TEST(where.slots() * where.slot_bytes() <= room);
        BOOST_TEST(where.keeps_budget() == (ranks <= 32));
        room = where.slots() * where.slot_bytes();
    }
    BOOST_TEST(segment_layout(22, 64).slot_bytes() == segment_layout::longest_slot);
}

BOOST_AUTO_TEST_CASE(one_that_does_not_ring_ends_by_its_limit) {
    doorbell bell;
    bell.announce();
    BOOST_TEST(!bell.await_ring(limit));
}

BOOST_AUTO_TEST_CASE(a_ring_before_it_is_announced_is_lost) {
    doorbell bell;
    bell.ring();
    bell.announce();
    BOOST_TEST(!bell.await_ring(limit));
    bell.announce();
    bell.ring();
    BOOST_TEST(bell.await_ring(limit));
}

// Each wakes the other one, in turn: were no ring heard, a round would end by the limit, and say so.
BOOST_AUTO_TEST_CASE(processes_wake_each_other) {
    struct shared {
        doorbell bells[2];
        std::atomic<int> turn = 0;
        std::atomic<bool> asleep[2] = {};
    };
    constexpr int rounds = 200;
    auto* const memory = mmap(nullptr, sizeof(shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    BOOST_TEST_REQUIRE((memory != MAP_FAILED));
    auto& both = *new (memory) shared;
    // how many of its rounds ended by a ring
    auto const play = [&both](int self) {
        int heard = 0;
        for (int round = 0; round != rounds; ++round) {
            if (round % 2 == self) {  // wakes the other one
                while (!both.asleep[1 - self].exchange(false)) { std::this_thread::yield(); }
                both.bells[1 - self].ring();
            } else {
                both.bells[self].announce();
                both.asleep[self].store(true);
                bool rung = false;
                while (!rung) {
                    rung = both.bells[self].await_ring(limit);
                    if (!rung && !both.asleep[self].load()) { break; }  // the ring came between two sleeps
                    if (!rung) { both.bells[self].announce(); }
                }
                heard += rung ? 1 : 0;
            }
        }
        return heard;
    };
    auto const child = fork();
    if (child == 0) { _exit(play(1) > rounds / 4 ? 0 : 1); }
    BOOST_TEST(play(0) > rounds / 4);
    int status = 0;
    BOOST_TEST(waitpid(child, &status, 0) == child);
    BOOST_TEST(status == 0);
    munmap(memory, sizeof(shared));
}

BOOST_AUTO_TEST_SUITE_END()
