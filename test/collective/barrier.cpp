// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/ranks.hpp>

#include <atomic>

#include <tutti/collective/barrier.hpp>

BOOST_AUTO_TEST_SUITE(collective_barrier)

BOOST_AUTO_TEST_CASE_ON_RANKS(barriers_follow_one_another) {
    for (int i = 0; i != 10; ++i) { tutti::barrier(world); }
}

#if !defined(TUTTI_TEST_OVER_MPI) && !defined(TUTTI_TEST_OVER_BOOST_MPI)

BOOST_AUTO_TEST_CASE(nobody_leaves_before_all_have_come) {
    for (int const size : {1, 2, 3, 5, 8}) {
        for (std::uint64_t seed = 0; seed != 10; ++seed) {
            std::atomic<int> come = 0;
            tutti::threads::run(
                size,
                [&](auto& world) {
                    for (int i = 1; i != 6; ++i) {
                        ++come;
                        tutti::barrier(world);
                        support::check(come >= i * size, "a rank left a barrier too early");
                    }
                },
                {.perturb = seed});
        }
    }
}

#endif

BOOST_AUTO_TEST_SUITE_END()
