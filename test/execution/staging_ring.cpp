// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <vector>

#include <tutti/execution/staging_ring.hpp>

BOOST_AUTO_TEST_SUITE(execution_staging_ring)

using tutti::staging_ring;

BOOST_AUTO_TEST_CASE(users_take_turns) {
    staging_ring<int> ring{7, 3, 10};
    for (std::size_t user = 0; user != 3; ++user) { BOOST_TEST(ring.free_for(user)); }
    for (std::size_t user = 3; user != 7; ++user) { BOOST_TEST(!ring.free_for(user)); }
    ring.release(1);
    BOOST_TEST((!ring.free_for(3) && ring.free_for(4) && !ring.free_for(5)));
    ring.release(0);
    BOOST_TEST(ring.free_for(3));
    ring.release(3);
    BOOST_TEST((ring.free_for(6) && !ring.free_for(0)));
    ring.reset();
    BOOST_TEST((ring.free_for(0) && !ring.free_for(3)));
}

BOOST_AUTO_TEST_CASE(a_user_s_elements_lie_in_its_slot) {
    staging_ring<int> ring{7, 3, 10};
    BOOST_TEST(ring.data(1) - ring.data(0) == 10);
    BOOST_TEST(ring.data(5) == ring.data(2));
    std::vector<int> const first{1, 2};
    std::vector<int> const rest{3};
    ring.fill(4, 0, 2, first.data());
    ring.fill(4, 2, 1, rest.data());
    BOOST_TEST((ring.data(4)[0] == 1 && ring.data(4)[1] == 2 && ring.data(4)[2] == 3));
}

BOOST_AUTO_TEST_CASE(no_more_slots_than_users) {
    staging_ring<int> ring{2, 8, 10};
    BOOST_TEST(ring.data(0) != ring.data(1));
    BOOST_TEST((ring.free_for(0) && ring.free_for(1)));
    staging_ring<int> const none{0, 8, 0};
    staging_ring<int> const unset;
}

BOOST_AUTO_TEST_SUITE_END()
