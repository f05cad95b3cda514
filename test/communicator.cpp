// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstdint>
#include <thread>

#include <support/scripted_communicator.hpp>

#include <tutti/communicator.hpp>
#include <tutti/communicator/threads/communicator.hpp>

BOOST_AUTO_TEST_SUITE(communicator)

using namespace tutti;

namespace {

/// Time goes by in its messages alone.
struct simulated_communicator : support::scripted_communicator {
    [[nodiscard]] static std::int64_t now() { return 5; }
};

template <class C>
void nanoseconds_go_by() {
    auto const begun = C::now();
    std::this_thread::sleep_for(std::chrono::milliseconds{2});
    BOOST_TEST(C::now() - begun >= 2'000'000);
    BOOST_TEST(!messaging::is_simulated<C>());
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_communicator_tells_the_time) { nanoseconds_go_by<threads::communicator>(); }

BOOST_AUTO_TEST_CASE(without_one_that_does_there_is_a_clock) { nanoseconds_go_by<support::scripted_communicator>(); }

BOOST_AUTO_TEST_CASE(a_clock_that_stands_still_is_simulated) {
    BOOST_TEST(simulated_communicator::now() == 5);
    BOOST_TEST(messaging::is_simulated<simulated_communicator>());
}

BOOST_AUTO_TEST_SUITE_END()
