// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <new>
#include <thread>

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <tutti/communicator/mpi/shared_memory/segment_layout.hpp>

BOOST_AUTO_TEST_SUITE(communicator_mpi_shared_memory_segment_layout_doorbell)

using tutti::mpi::node::doorbell;

namespace {

constexpr long limit = 2'000'000;  // ns

}  // namespace

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
