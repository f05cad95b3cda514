// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <vector>

#include <tutti/communicator/store.hpp>

BOOST_AUTO_TEST_SUITE(communicator_store)

namespace {

std::vector<int> ended;

template <int number>
struct witness {
    int value = 0;
    ~witness() { ended.push_back(number); }
};

}  // namespace

BOOST_AUTO_TEST_CASE(there_is_one_object_of_a_type) {
    tutti::control::store here;
    here.get<int>() = 7;
    here.get<long>() = 8;
    BOOST_TEST(here.get<int>() == 7);
    BOOST_TEST(here.get<long>() == 8);
}

BOOST_AUTO_TEST_CASE(and_one_of_each_key) {
    tutti::control::store here;
    char keys[2] = {};
    here.get<int>(&keys[0]) = 1;
    here.get<int>(&keys[1]) = 2;
    BOOST_TEST(here.get<int>(&keys[0]) == 1);
    BOOST_TEST(here.get<int>(&keys[1]) == 2);
}

BOOST_AUTO_TEST_CASE(they_end_in_reverse_order) {
    ended.clear();
    {
        tutti::control::store here;
        here.get<witness<1>>().value = 1;
        here.get<witness<2>>().value = 2;
        here.get<witness<1>>().value = 3;
    }
    BOOST_TEST((ended == std::vector{2, 1}));
}

BOOST_AUTO_TEST_SUITE_END()
