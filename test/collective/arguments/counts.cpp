// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <array>
#include <cstddef>
#include <functional>
#include <limits>
#include <list>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <tutti/collective/arguments.hpp>

BOOST_AUTO_TEST_SUITE(collective_arguments_counts)

using tutti::argument::counts_of_ranks;

namespace {

std::vector<std::size_t> numbers_in(counts_of_ranks const& counts) { return {counts.begin(), counts.end()}; }

}  // namespace

BOOST_AUTO_TEST_CASE(counts_may_be_left_out) {
    counts_of_ranks const none;
    BOOST_TEST(!none.provided());
    BOOST_TEST(none.empty());
    BOOST_TEST(none.total() == 0U);
}

BOOST_AUTO_TEST_CASE(no_entries_are_not_the_same_as_no_counts) {
    BOOST_TEST(counts_of_ranks{std::vector<int>{}}.provided());
    BOOST_TEST(counts_of_ranks{std::vector<std::size_t>{}}.provided());
}

BOOST_AUTO_TEST_CASE(counts_are_the_caller_s_where_possible) {
    std::vector<std::size_t> const numbers{3, 0, 5};
    counts_of_ranks const counts{numbers};
    BOOST_TEST(counts.provided());
    BOOST_TEST(counts.size() == 3U);
    BOOST_TEST(counts[2] == 5U);
    BOOST_TEST(counts.total() == 8U);
    std::span<std::size_t const> const view = counts;
    BOOST_TEST((view.data() == numbers.data()));
}

BOOST_AUTO_TEST_CASE(counts_of_any_integral_type) {
    std::vector<std::size_t> const expected{3, 0, 5};
    int const c_array[] = {3, 0, 5};
    BOOST_TEST(numbers_in(counts_of_ranks{c_array}) == expected);
    BOOST_TEST(numbers_in(counts_of_ranks{std::array<unsigned char, 3>{3, 0, 5}}) == expected);
    BOOST_TEST(numbers_in(counts_of_ranks{std::list<long>{3, 0, 5}}) == expected);
    BOOST_TEST(numbers_in(counts_of_ranks{std::list<std::size_t>{3, 0, 5}}) == expected);
    std::vector<std::size_t> const whole{1, 3, 0, 5};
    BOOST_TEST(numbers_in(counts_of_ranks{std::span{whole}.subspan(1)}) == expected);
}

BOOST_AUTO_TEST_CASE(own_numbers_move_along) {
    counts_of_ranks first{std::vector<int>{3, 0, 5}};
    counts_of_ranks second{std::move(first)};
    counts_of_ranks third;
    third = std::move(second);
    BOOST_TEST(third.provided());
    BOOST_TEST(numbers_in(third) == (std::vector<std::size_t>{3, 0, 5}));
}

BOOST_AUTO_TEST_CASE(the_part_of_one_rank_may_be_all_that_is_known) {
    auto known = counts_of_ranks::of_one(4, 2, 7);
    auto const moved = std::move(known);
    BOOST_TEST(moved.provided());
    BOOST_TEST(moved.total() == 7U);
    BOOST_TEST(numbers_in(moved) == (std::vector<std::size_t>{0, 0, 7, 0}));
}

BOOST_AUTO_TEST_CASE(a_count_is_not_negative) {
    BOOST_CHECK_EXCEPTION(static_cast<void>(counts_of_ranks{std::vector<int>{3, -1}}), std::invalid_argument,
                          [](auto const& wrong) {
                              return wrong.what() == std::string{"tutti: a count of elements must not be negative"};
                          });
}

// On all ranks, whether they need the sum or not.
BOOST_AUTO_TEST_CASE(counts_have_a_sum) {
    auto const most = std::numeric_limits<std::size_t>::max();
    BOOST_TEST(counts_of_ranks(std::vector<std::size_t>{most - 1, 1, 0}).total() == most);
    std::vector<std::size_t> const too_many{most - 1, 2, 0};
    BOOST_CHECK_EXCEPTION(static_cast<void>(counts_of_ranks{too_many}), std::invalid_argument, [](auto const& wrong) {
        return std::string{wrong.what()}.starts_with("tutti: the sum of the counts overflows");
    });
}

BOOST_AUTO_TEST_CASE(what_callers_may_give_as_counts) {
    using tutti::argument::counts;
    static_assert(counts<std::vector<int>> && counts<std::vector<std::size_t> const&> && counts<int[3]>);
    static_assert(counts<std::list<long>> && counts<std::span<unsigned const>>);
    static_assert(!counts<int> && !counts<std::vector<double>> && !counts<std::plus<>> && !counts<int*>);
    BOOST_TEST(true);
}

BOOST_AUTO_TEST_SUITE_END()
