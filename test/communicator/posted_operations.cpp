// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <set>

#include <tutti/communicator/posted_operations.hpp>

namespace {

struct operation {
    int number = 0;
    operation* next = nullptr;
};

auto const numbered = [](int number) { return [number](operation const& each) { return each.number == number; }; };

}  // namespace

BOOST_AUTO_TEST_SUITE(communicator_posted_operations)

BOOST_AUTO_TEST_CASE(an_operation_put_back_is_taken_again) {
    tutti::posted::pool<operation> room;
    auto& first = room.take();
    auto& second = room.take();
    BOOST_TEST(&first != &second);
    room.put_back(first);
    BOOST_TEST(&room.take() == &first);
}

BOOST_AUTO_TEST_CASE(a_pool_grows_and_visits_all_of_its_operations) {
    tutti::posted::pool<operation> room;
    std::set<operation const*> taken;
    for (int i = 0; i != 1000; ++i) { taken.insert(&room.take()); }
    BOOST_TEST(taken.size() == 1000U);
    room.for_each([&](operation const& each) { taken.erase(&each); });
    BOOST_TEST(taken.empty());
}

BOOST_AUTO_TEST_CASE(a_queue_gives_the_first_that_fits) {
    operation all[] = {{1}, {2}, {1}, {3}};
    tutti::posted::queue<operation> some;
    for (auto& each : all) { some.push(each); }
    BOOST_TEST(some.find(numbered(3)) == &all[3]);
    BOOST_TEST(some.find(numbered(4)) == nullptr);
    BOOST_TEST(some.take(numbered(1)) == &all[0]);
    BOOST_TEST(some.take(numbered(1)) == &all[2]);
    BOOST_TEST(some.take(numbered(1)) == nullptr);
    BOOST_TEST(&some.front() == &all[1]);
    some.pop();
    BOOST_TEST(&some.front() == &all[3]);
}

BOOST_AUTO_TEST_CASE(an_operation_is_withdrawn_once_and_the_queue_goes_on) {
    operation all[] = {{1}, {2}, {3}};
    tutti::posted::queue<operation> some;
    for (auto& each : all) { some.push(each); }
    BOOST_TEST(some.withdraw(all[2]));  // the last
    BOOST_TEST(!some.withdraw(all[2]));
    some.push(all[2]);
    BOOST_TEST(some.withdraw(all[0]));
    BOOST_TEST(some.withdraw(all[1]));
    BOOST_TEST(&some.front() == &all[2]);
    some.pop();
    BOOST_TEST(some.empty());
}

BOOST_AUTO_TEST_SUITE_END()
