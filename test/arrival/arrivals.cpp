// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

#include <tutti/arrivals.hpp>
#include <tutti/threads.hpp>
#include <tutti/tutti.hpp>

#include <support/point_to_point.hpp>

BOOST_AUTO_TEST_SUITE(arrival_arrivals)

namespace threads = tutti::threads;

namespace {

thread_local std::int64_t wrong_by = 0;  // ns
thread_local double too_fast = 0;

/// A rank whose clock is wrong, and goes too fast or too slow.
struct elsewhere : threads::communicator {
    static std::int64_t now() {
        auto const right = threads::communicator::now();
        return right + wrong_by + static_cast<std::int64_t>(too_fast * static_cast<double>(right));
    }
};

void wait(int ms) { std::this_thread::sleep_for(std::chrono::milliseconds{ms}); }

}  // namespace

BOOST_AUTO_TEST_CASE(nothing_is_known_of_calls_before_the_first_question) {
    threads::run(3, [](threads::communicator& world) {
        int sum = 0;
        tutti::all_reduce(world, 1, sum, std::plus<>{});
        point_to_point::require(tutti::arrivals(world).empty(), "calls before the first question");
        point_to_point::require(tutti::arrivals(world).empty(), "no call");
        tutti::all_reduce(world, 1, sum, std::plus<>{});
        tutti::barrier(world);
        auto const two = tutti::arrivals(world);
        point_to_point::require(two.size() == 2 && two[0].arrivals.size() == 3, "two calls of three ranks");
        point_to_point::require(two[1].iteration == two[0].iteration + 1, "calls are counted");
        for (int i = 0; i < 100; ++i) { tutti::all_reduce(world, 1, sum, std::plus<>{}); }
        point_to_point::require(tutti::arrivals(world).size() == 64, "the last 64");
    });
}

BOOST_AUTO_TEST_CASE(who_is_late_is_known_whatever_clocks_show) {
    constexpr int size = 5;
    constexpr std::size_t calls = 10;
    std::vector<std::vector<tutti::process_arrival_pattern>> seen(size);
    threads::run(size, [&](threads::communicator& world) {
        auto const rank = world.rank();
        wrong_by = (rank % 3 - 1) * 1'000'000'000LL;
        too_fast = (rank % 2 == 0 ? 1 : -1) * 100e-6;
        auto& here = static_cast<elsewhere&>(world);
        static_cast<void>(tutti::monitoring::arrivals_of(here));
        for (std::size_t i = 0; i != calls; ++i) {
            if (static_cast<std::size_t>(rank) == i % size) { wait(30); }
            here.store().get<tutti::engine::call_stamps>().note(elsewhere::now());
            tutti::messaging::control_channel{here}.barrier();
        }
        seen[static_cast<std::size_t>(rank)] = tutti::monitoring::arrivals_of(here);
        wrong_by = 0;
        too_fast = 0;
    });
    for (auto const& each : seen) { BOOST_TEST((each == seen.front())); }
    BOOST_REQUIRE(seen.front().size() == calls);
    std::size_t right = 0;
    for (std::size_t i = 0; i != calls; ++i) {
        auto const& at = seen.front()[i].arrivals;
        auto const last = std::max_element(at.begin(), at.end()) - at.begin();
        right += static_cast<std::size_t>(last) == i % size ? 1 : 0;
    }
    BOOST_TEST(right >= calls - 1);  // a thread may not have run for 30 ms
}

BOOST_AUTO_TEST_SUITE_END()
