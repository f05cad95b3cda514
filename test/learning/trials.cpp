// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>

#include <tutti/learning/trials.hpp>

BOOST_AUTO_TEST_SUITE(learning_trials)

using tutti::selection::trials;

namespace {

/// Makes calls of which each takes `cost(variant, call)` ns, and counts those of each variant.
std::map<std::size_t, std::size_t> make_calls(trials& of, std::size_t calls,
                                              std::function<std::int64_t(std::size_t, std::size_t)> const& cost) {
    std::map<std::size_t, std::size_t> made;
    std::int64_t now = 0;
    for (std::size_t i = 0; i != calls; ++i) {
        if (!of.is_usual() && of.must_agree()) { of.agree(of.given()); }
        auto const variant = of.now();
        ++made[variant];
        auto const begun = now;
        now += cost(variant, i);
        of.is_usual() ? of.usual_call_ended() : of.ended(begun, now);
    }
    return made;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_fastest_variant_is_chosen_within_two_hundred_calls) {
    for (std::size_t fastest = 0; fastest != 3; ++fastest) {
        trials all{3};
        make_calls(all, 200, [&](std::size_t variant, std::size_t) { return variant == fastest ? 1000 : 1200; });
        BOOST_TEST(all.chosen() == fastest);
        BOOST_TEST(all.made() == 1U);
        BOOST_TEST(all.seconds(fastest) < 1.001e-6);
    }
}

BOOST_AUTO_TEST_CASE(variants_that_take_much_longer_are_tried_in_few_calls) {
    trials all{3};
    auto const made = make_calls(all, 1000, [](std::size_t variant, std::size_t) { return variant == 0 ? 1000 : 5000; });
    BOOST_TEST(made.at(1) == tutti::selection::trial_run{}.calls);
    BOOST_TEST(made.at(2) == tutti::selection::trial_run{}.calls);
    BOOST_TEST(all.chosen() == 0U);
}

BOOST_AUTO_TEST_CASE(a_variant_that_is_hardly_faster_does_not_replace_the_chosen_one) {
    trials all{2};
    make_calls(all, 50'000, [](std::size_t variant, std::size_t) { return variant == 0 ? 1000 : 970; });
    BOOST_TEST(all.chosen() == 0U);
    BOOST_TEST(all.made() > 2U);
}

BOOST_AUTO_TEST_CASE(a_few_fast_calls_do_not_keep_a_slower_variant_but_many_do) {
    trials all{2};
    make_calls(all, 100, [](std::size_t variant, std::size_t call) {
        return variant == 1 ? 1000 : call % 8 == 7 ? 900 : 1300;
    });
    BOOST_TEST(all.chosen() == 1U);
    trials close{2};
    make_calls(close, 100, [](std::size_t variant, std::size_t call) {
        return variant == 1 ? 1000 : call % 2 == 1 ? 900 : 1100;
    });
    BOOST_TEST(close.chosen() == 0U);
}

BOOST_AUTO_TEST_CASE(trials_are_few) {
    for (std::size_t calls : {5000U, 20'000U, 100'000U}) {
        trials all{4};
        auto made = make_calls(all, 200, [](std::size_t, std::size_t) { return 1000; });
        made = make_calls(all, calls, [](std::size_t, std::size_t) { return 1000; });
        BOOST_TEST(50 * (made[1] + made[2] + made[3]) <= calls);
        BOOST_TEST(made[1] + made[2] + made[3] > 0U);
    }
}

BOOST_AUTO_TEST_CASE(a_preferred_variant_is_taken_for_less) {
    auto const cost = [](std::size_t variant, std::size_t) { return variant == 0 ? 1000 : 970; };
    trials equal{2};
    make_calls(equal, 200, cost);
    BOOST_TEST(equal.chosen() == 0U);
    trials favouring{2, {24, 12}, 1};
    auto made = make_calls(favouring, 500, cost);
    BOOST_TEST(favouring.chosen() == 1U);
    made = make_calls(favouring, 5000, cost);
    BOOST_TEST(50 * made[0] <= 5000U);  // long runs, too, are 2 % of the calls
    BOOST_TEST(made[0] > 0U);
}

BOOST_AUTO_TEST_CASE(a_load_that_changes_is_noticed) {
    trials all{2};
    auto const cost = [](std::size_t variant, std::size_t call) { return (variant == 0) == (call < 1000) ? 1000 : 1400; };
    make_calls(all, 1000, cost);
    BOOST_TEST(all.chosen() == 0U);
    trials changed{2};
    make_calls(changed, 10'000, cost);
    BOOST_TEST(changed.chosen() == 1U);
}

BOOST_AUTO_TEST_CASE(of_calls_that_take_longer_than_a_second_nothing_is_tried) {
    trials all{3};
    auto const made = make_calls(all, 5000, [](std::size_t, std::size_t) { return 1'100'000'000; });
    BOOST_TEST(made.size() == 1U);
    BOOST_TEST(all.is_retired());
}

BOOST_AUTO_TEST_CASE(one_variant_leaves_no_choice) {
    trials all{1};
    auto const made = make_calls(all, 5000, [](std::size_t, std::size_t) { return 1000; });
    BOOST_TEST(made.size() == 1U);
    BOOST_TEST(all.made() == 0U);
    BOOST_TEST(!all.is_retired());
}

BOOST_AUTO_TEST_CASE(the_first_calls_of_a_run_do_not_count) {
    trials all{2};
    std::size_t last = 2;
    std::size_t since = 0;  // calls of the same variant
    make_calls(all, 200, [&](std::size_t variant, std::size_t) {
        since = variant == last ? since + 1 : 0;
        last = variant;
        bool const may_set_up = since < tutti::selection::trial_run{}.not_counted;
        return may_set_up ? (variant == 0 ? 1000 : 1'000'000) : variant == 0 ? 1200 : 1000;
    });
    BOOST_TEST(all.chosen() == 1U);
}

BOOST_AUTO_TEST_CASE(the_other_calls_of_a_run_do) {
    tutti::selection::trial_run const run{.calls = 7, .not_counted = 3};
    trials all{2, run};
    make_calls(all, trials::calls_before + run.calls, [](std::size_t, std::size_t) { return 1000; });
    BOOST_TEST(all.must_agree());
    BOOST_TEST(all.given().size() == 2 * (run.calls - run.not_counted));  // when each began and ended
}

BOOST_AUTO_TEST_SUITE_END()
