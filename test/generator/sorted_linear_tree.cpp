// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>
#include <string>
#include <vector>

#include <laws/schedule_laws.hpp>
#include <support/late_ranks.hpp>
#include <tutti/generator/sorted_linear_tree.hpp>

BOOST_AUTO_TEST_SUITE(generator_sorted_linear_tree)

using namespace tutti;
using namespace tutti::analysis;
using namespace tutti::generators;
using namespace tutti::schedules;
using namespace late_ranks;

namespace {

void check(times const& found, times const& expected) {
    BOOST_TEST(found == expected, boost::test_tools::per_element());
}

times ends(times const& arrivals) { return finish(sorted_linear_tree{.arrivals = arrivals}, arrivals); }

}  // namespace

BOOST_AUTO_TEST_CASE(gives_every_rank_the_same_result) {
    for (std::size_t const segments : {0U, 1U, 5U}) {
        laws::check_schedules(collective::all_reduce{}, sorted_linear_tree{.segments = segments});
        laws::check_lengths(collective::all_reduce{}, sorted_linear_tree{.segments = segments});
    }
    std::mt19937 random{31};
    for (std::size_t size = 1; size <= 24; ++size) {
        sorted_linear_tree known{.arrivals = random_arrivals(size, random)};
        laws::check_schedules(collective::all_reduce{}, known, {size});
        known.segments = 1 + random() % (3 * size);
        laws::check_schedules(collective::all_reduce{}, known, {size});
        laws::check_lengths(collective::all_reduce{}, known, {size});
    }
}

BOOST_AUTO_TEST_CASE(is_right_for_any_number_of_segments) {
    for (std::size_t size = 1; size <= 12; ++size) {
        for (std::size_t const segments : {1U, 2U, 3U, 7U, 12U, 40U, 1000U}) {
            sorted_linear_tree const known{one_late(size, size / 2, 3), segments};
            auto const cut = partition::equal(segments, segments);
            auto const cost = cost::check(collective::all_reduce{}, known, size, 0, cut,
                                          cost::volume == 2 * (size - 1) * segments, cost::rounds_used == cost::rounds);
            bool const in_line = segments <= send_window * size;
            if (size > 1 && in_line) { BOOST_TEST(cost.rounds == segments + std::max(segments, size) + size - 3); }
        }
    }
}

BOOST_AUTO_TEST_CASE(combines_in_the_order_of_arrival) {
    auto const cut = partition::equal(2, 2);
    auto const texts = bracketings(collective::all_reduce{}, sorted_linear_tree{{3, 4, 3, 1}, 2}, 4, 0, cut, 2);
    BOOST_TEST(texts == (std::vector<std::string>{"(((3+0)+2)+1)", "(((3+0)+2)+1)"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(ranks_end_when_published) {
    check(ends({2, 0, 0, 0}), {7, 8, 9, 9});
    check(ends({0, 0, 3, 3, 1}), {11, 12, 13, 10, 13});
    // four ranks, the first of them late: 13 without the order of arrival, 11 with it, for 5 instead of 4 14 and 12
    BOOST_TEST(latest(finish(sorted_linear_tree{}, one_late(4, 0, 4))) == 13);
    BOOST_TEST(latest(ends(one_late(4, 0, 4))) == 11);
    BOOST_TEST(latest(finish(sorted_linear_tree{}, one_late(4, 0, 5))) == 14);
    BOOST_TEST(latest(ends(one_late(4, 0, 5))) == 12);
}

BOOST_AUTO_TEST_CASE(of_one_late_rank_time_is_as_published) {
    for (std::size_t size = 3; size <= 18; ++size) {
        auto const p = static_cast<double>(size);
        BOOST_TEST(2 * sum(ends(times(size, 0.0))) == 5 * p * p - 3 * p - 2);
        for (std::size_t const rank : {std::size_t{0}, std::size_t{1}, size - 1}) {
            for (double delay = 0; delay <= 2 * p + 4; ++delay) {
                auto const found = ends(one_late(size, rank, delay));
                // one position has nothing to wait for if the rank that is late is the last one anyway
                BOOST_TEST(latest(found) == std::max(3 * p - 3, delay + 2 * p - 1));
                if (delay >= p) { BOOST_TEST(2 * (sum(found) - p * delay) == 3 * p * p + p - 2); }
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(of_one_late_rank_more_segments_leave_less_to_do) {
    for (std::size_t size = 4; size <= 10; ++size) {
        for (std::size_t const segments : {size, size + 1, 2 * size, 4 * size}) {
            auto const p = static_cast<double>(size);
            auto const s = static_cast<double>(segments);
            for (double delay = 0; delay <= 2 * s + p; ++delay) {
                auto const arrivals = one_late(size, 1, delay);
                BOOST_TEST(latest(finish(sorted_linear_tree{arrivals, segments}, arrivals)) ==
                           std::max(2 * s + p - 3, delay + s + p - 1));
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(refuses_what_are_no_arrivals) {
    std::vector<sorted_linear_tree> const wrong{
        {.arrivals = {0, 1}}, {.arrivals = {0, 1, 2, 3}}, {.arrivals = {0, std::nan(""), 0}}};
    laws::check_refusals(collective::all_reduce{}, wrong, {0, 3, 0, partition::equal(3, 3)});
}

BOOST_AUTO_TEST_CASE(cuts_into_a_segment_for_each_rank_or_as_many_as_it_is_given) {
    BOOST_TEST(blocks_for(sorted_linear_tree{}, 12, 8) == 12U);
    BOOST_TEST(blocks_for(sorted_linear_tree{.segments = 7}, 12, 8) == 7U);
    BOOST_TEST(name_of(collective::all_reduce{}, sorted_linear_tree{}) == "sorted_linear_tree");
    static_assert(facts_of<collective::all_reduce, sorted_linear_tree>.requires_commutative);
}

BOOST_AUTO_TEST_SUITE_END()
