// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <cstddef>
#include <thread>

#include <tutti/communicator/threads/call_log.hpp>

BOOST_AUTO_TEST_SUITE(communicator_threads_call_log_calls_of_rank)

namespace threads = tutti::threads;

namespace {

tutti::control::call call_of(std::size_t elements) { return {"reduce", "binomial", "double", elements, 0}; }

void add(threads::calls_of_rank& calls, std::size_t elements) {
    if (!calls.add(call_of(elements))) {
        calls.make_room();
        BOOST_TEST(calls.add(call_of(elements)));
    }
}

}  // namespace

BOOST_AUTO_TEST_CASE(equal_calls_in_a_row_take_the_room_of_one) {
    threads::calls_of_rank calls;
    for (int i = 0; i < 1000; ++i) { BOOST_TEST(calls.add(call_of(5))); }
    BOOST_TEST(calls.made() == 1000U);
    BOOST_TEST(calls.at(1).last == 1000U);
    BOOST_TEST(calls.mark().made == 1000U);
}

BOOST_AUTO_TEST_CASE(every_call_is_found_by_its_number) {
    threads::calls_of_rank calls;
    BOOST_TEST(!calls.newest());
    for (std::size_t i = 0; i < 300; ++i) { add(calls, i / 3); }
    for (std::size_t number = 1; number <= 300; ++number) {
        auto const found = calls.at(number);
        BOOST_TEST(found.entered.view().elements == (number - 1) / 3);
        BOOST_TEST(found.last == (number - 1) / 3 * 3 + 3);
    }
    calls.forget(100);
    BOOST_TEST(calls.at(101).entered.view().elements == 33U);
    BOOST_TEST(calls.newest().value().elements == 99U);
}

BOOST_AUTO_TEST_CASE(what_is_forgotten_makes_room) {
    threads::calls_of_rank calls;
    std::size_t made = 0;
    while (calls.add(call_of(made))) { ++made; }
    calls.forget(made);
    calls.make_room();
    auto const room = made;
    while (calls.add(call_of(made))) { ++made; }
    BOOST_TEST(made == 2 * room - 1);  // the newest is never forgotten
    BOOST_TEST(calls.at(made).entered.view().elements == made - 1);
}

BOOST_AUTO_TEST_CASE(others_read_while_the_rank_goes_on) {
    threads::calls_of_rank calls;
    std::atomic<bool> wrong = false;
    constexpr std::size_t count = 12;  // without need of room
    std::jthread const reader{[&] {
        for (std::size_t known = 0; known < count;) {
            known = calls.made();
            if (known != 0 && calls.at(known).entered.view().elements != known) { wrong = true; }
        }
    }};
    for (std::size_t i = 1; i <= count; ++i) {
        static_cast<void>(calls.add(call_of(i)));
        std::this_thread::yield();
    }
    BOOST_TEST(!wrong);
}

BOOST_AUTO_TEST_SUITE_END()
