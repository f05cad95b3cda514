// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <vector>

#include <tutti/arrival/leader_protocol.hpp>

BOOST_AUTO_TEST_SUITE(arrival_leader_protocol)

namespace {

using tutti::monitoring::time_factor;
using tutti::monitoring::leader;
using times = std::vector<std::int64_t>;

leader of(std::size_t size) { return leader{size}; }

}  // namespace

BOOST_AUTO_TEST_CASE(it_decides_when_it_has_heard_of_all) {
    auto one = of(3);
    BOOST_TEST(!one.hear({.rank = 2, .iteration = 0, .arrival = 900}, 100));
    BOOST_TEST(!one.hear({.rank = 0, .iteration = 0, .arrival = 700}, 120));
    auto const decided = one.hear({.rank = 1, .iteration = 0, .arrival = 400}, 130);
    BOOST_REQUIRE(decided);
    BOOST_TEST(decided->iteration == 0U);
    BOOST_TEST(decided->heard == 3U);
    BOOST_TEST(decided->arrivals == (times{300, 0, 500}), boost::test_tools::per_element());
    BOOST_TEST((decided->time_scale == time_factor{}));
}

BOOST_AUTO_TEST_CASE(nobody_is_expected_before_the_decision) {
    auto one = of(3);
    BOOST_TEST(!one.hear({.rank = 0, .iteration = 0, .arrival = 110}, 100));
    BOOST_TEST(!one.hear({.rank = 1, .iteration = 0, .arrival = 150}, 100));
    auto const decided = one.hear({.rank = 2, .iteration = 0, .arrival = 500}, 200);
    BOOST_REQUIRE(decided);
    BOOST_TEST(decided->arrivals == (times{0, 0, 300}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(when_one_enters_those_not_heard_of_stand_last) {
    auto one = of(5);
    BOOST_TEST(!one.hear({.rank = 3, .iteration = 0, .arrival = 900}, 100));
    BOOST_TEST(!one.hear({.rank = 2, .iteration = 0, .arrival = 800}, 110));
    auto const decided = one.enter(2, 0, 200);  // earlier than it has said
    BOOST_REQUIRE(decided);
    BOOST_TEST(decided->heard == 2U);
    BOOST_TEST(decided->arrivals == (times{701, 701, 0, 700, 701}), boost::test_tools::per_element());
    BOOST_TEST(decided->order() == (std::vector<std::size_t>{2, 3, 0, 1, 4}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_comes_after_the_decision_does_not_change_it) {
    auto one = of(2);
    BOOST_TEST(!one.hear({.rank = 1, .iteration = 0, .arrival = 50}, 50));
    BOOST_TEST(one.enter(1, 0, 60).has_value());
    BOOST_TEST(!one.enter(1, 0, 70));
    BOOST_TEST(!one.hear({.rank = 0, .iteration = 0, .arrival = 80}, 80));
    BOOST_TEST(!one.enter(0, 0, 90));

    BOOST_TEST(!one.hear({.rank = 0, .iteration = 1, .arrival = 200}, 100));
    auto const next = one.hear({.rank = 1, .iteration = 1, .arrival = 150}, 100);
    BOOST_REQUIRE(next);
    BOOST_TEST(next->iteration == 1U);
    BOOST_TEST(next->arrivals == (times{50, 0}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(who_was_late_and_is_missing_again_is_expected_as_late) {
    auto one = of(3);
    BOOST_TEST(!one.hear({.rank = 0, .iteration = 0, .arrival = 100}, 100));
    BOOST_TEST(one.enter(0, 0, 100).has_value());
    BOOST_TEST(!one.hear({.rank = 1, .iteration = 0, .arrival = 5100}, 3000));
    BOOST_TEST(!one.hear({.rank = 2, .iteration = 0, .arrival = 90}, 200));

    BOOST_TEST(!one.hear({.rank = 0, .iteration = 1, .arrival = 10'000}, 10'000));
    auto const again = one.enter(0, 1, 10'000);
    BOOST_REQUIRE(again);
    BOOST_TEST(again->arrivals == (times{0, 5000, 1}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(one_rank_waits_for_nobody) {
    auto one = of(1);
    auto const decided = one.hear({.rank = 0, .iteration = 0, .arrival = 100}, 50);
    BOOST_REQUIRE(decided);
    BOOST_TEST(decided->arrivals == times{0}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(the_time_factor_follows_the_rank_that_did_not_wait_when_all_have_told) {
    auto one = of(2);
    BOOST_TEST(!one.hear({.rank = 0, .iteration = 0, .arrival = 0, .elapsed = 900, .predicted = 100}, 0));
    auto const early = one.enter(0, 0, 0);
    BOOST_REQUIRE(early);
    BOOST_TEST((early->time_scale == time_factor{}));
    BOOST_TEST(!one.hear({.rank = 1, .iteration = 0, .arrival = 0, .elapsed = 150, .predicted = 100}, 0));
    BOOST_TEST(!one.hear({.rank = 0, .iteration = 1, .arrival = 0}, 0));
    auto const later = one.enter(0, 1, 0);
    BOOST_REQUIRE(later);
    BOOST_TEST(later->time_scale.value() == 1.125);

    // rank 0 did not tell
    BOOST_TEST(!one.hear({.rank = 1, .iteration = 1, .arrival = 0, .elapsed = 500, .predicted = 100}, 0));
    BOOST_TEST(!one.hear({.rank = 0, .iteration = 2, .arrival = 0}, 0));
    BOOST_TEST((one.enter(0, 2, 0)->time_scale == later->time_scale));
}

BOOST_AUTO_TEST_SUITE_END()
