// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <mutex>
#include <thread>
#include <vector>

#include <tutti/communicator/threads/matcher.hpp>

BOOST_AUTO_TEST_SUITE(communicator_threads_matcher_spin_lock)

BOOST_AUTO_TEST_CASE(one_at_a_time) {
    constexpr int threads = 4;
    constexpr int turns = 10'000;
    tutti::threads::spin_lock lock;
    int count = 0;
    {
        std::vector<std::jthread> all;
        for (int i = 0; i < threads; ++i) {
            all.emplace_back([&] {
                for (int turn = 0; turn < turns; ++turn) {
                    std::lock_guard const inside{lock};
                    ++count;
                }
            });
        }
    }
    BOOST_TEST(count == threads * turns);
}

BOOST_AUTO_TEST_SUITE_END()
