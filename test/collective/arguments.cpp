// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <functional>
#include <limits>
#include <list>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <support/sentences.hpp>
#include <tutti/collective/arguments.hpp>

BOOST_AUTO_TEST_SUITE(collective_arguments)

using namespace tutti::argument;
using tutti::argument::counts_of_ranks;

namespace {

/// Whether the argument stands for these elements.
template <class T>
bool stands_for(std::span<T> block, T const* first, std::size_t count) {
    return block.data() == first && block.size() == count;
}

std::vector<std::size_t> numbers_in(counts_of_ranks const& counts) { return {counts.begin(), counts.end()}; }

}  // namespace

BOOST_AUTO_TEST_CASE(contiguous_ranges_are_their_elements) {
    std::vector<int> vector(3);
    std::vector<int> const& constant = vector;
    std::array<double, 4> array{};
    long c_array[5] = {};
    std::span<int> const view{vector};
    std::span<int, 3> const fixed{vector};
    BOOST_TEST(stands_for(as_span(vector), vector.data(), 3));
    BOOST_TEST(stands_for(as_span(array), array.data(), 4));
    BOOST_TEST(stands_for(as_span(c_array), &c_array[0], 5));
    BOOST_TEST(stands_for(as_span(view), vector.data(), 3));
    BOOST_TEST(stands_for(as_span(fixed), vector.data(), 3));
    static_assert(std::same_as<decltype(as_span(constant)), std::span<int const>>);
    static_assert(std::same_as<decltype(as_span(view)), std::span<int>>);
    static_assert(!is_single<std::vector<int>> && !is_single<int[5]> && !is_single<std::span<int>>);
}

BOOST_AUTO_TEST_CASE(everything_else_is_one_value) {
    int number = 1;
    std::string text = "four";
    std::list<int> list{1, 2};
    std::map<int, int> const map;
    BOOST_TEST(stands_for(as_span(number), &number, 1));
    BOOST_TEST(stands_for(as_span(text), &text, 1));
    BOOST_TEST((as_span(list).data() == &list && as_span(list).size() == 1));
    static_assert(std::same_as<decltype(as_span(map)), std::span<std::map<int, int> const>>);
    static_assert(is_single<int> && is_single<std::string> && is_single<std::wstring const> &&
                  is_single<std::list<int>>);
}

BOOST_AUTO_TEST_CASE(callers_may_say_what_they_mean) {
    std::vector<int> vector(3);
    std::string text = "four";
    std::string const constant = "four";
    BOOST_TEST((as_span(tutti::value(vector)).data() == &vector && as_span(tutti::value(vector)).size() == 1));
    BOOST_TEST(stands_for(as_span(tutti::elements(text)), text.data(), 4));
    static_assert(std::same_as<decltype(as_span(tutti::elements(constant))), std::span<char const>>);
    static_assert(std::same_as<element_of<std::vector<int> const&>, int>);
    static_assert(is_single<decltype(tutti::value(vector))> && !is_single<decltype(tutti::elements(text))>);
}

BOOST_AUTO_TEST_CASE(in_place_arguments) {
    std::vector<int> vector(3);
    int c_array[5] = {};
    int number = 1;
    int* pointer = vector.data();
    int const* const constant = pointer;
    BOOST_TEST(stands_for(tutti::inplace(vector).block, vector.data(), 3));
    BOOST_TEST(stands_for(tutti::inplace(std::span{vector}).block, vector.data(), 3));
    BOOST_TEST(stands_for(tutti::inplace(c_array).block, &c_array[0], 5));
    BOOST_TEST(stands_for(tutti::inplace(number).block, &number, 1));
    BOOST_TEST((tutti::inplace(tutti::value(vector)).block.data() == &vector));
    BOOST_TEST(tutti::inplace(pointer).first == pointer);
    BOOST_TEST(tutti::inplace(vector.data()).first == pointer);
    static_assert(std::same_as<decltype(tutti::inplace(constant)), in_place_pointer<int const>>);
}

BOOST_AUTO_TEST_CASE(pointer_and_count) {
    int data[3] = {};
    BOOST_TEST(stands_for(counted(data, 3), &data[0], 3));
    BOOST_TEST(stands_for(counted(data, 3UL), &data[0], 3));
    BOOST_TEST(counted(data, 0).empty());
    BOOST_CHECK_EXCEPTION(static_cast<void>(counted(data, -1)), std::invalid_argument,
                          support::says("tutti: a count of elements must not be negative"));
}

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
                          support::says("tutti: a count of elements must not be negative"));
}

// On all ranks, whether they need the sum or not.
BOOST_AUTO_TEST_CASE(counts_have_a_sum) {
    auto const most = std::numeric_limits<std::size_t>::max();
    BOOST_TEST(counts_of_ranks(std::vector<std::size_t>{most - 1, 1, 0}).total() == most);
    std::vector<std::size_t> const too_many{most - 1, 2, 0};
    BOOST_CHECK_EXCEPTION(static_cast<void>(counts_of_ranks{too_many}), std::invalid_argument,
                          support::begins("tutti: the sum of the counts overflows"));
}

BOOST_AUTO_TEST_CASE(what_callers_may_give_as_counts) {
    using tutti::argument::counts;
    static_assert(counts<std::vector<int>> && counts<std::vector<std::size_t> const&> && counts<int[3]>);
    static_assert(counts<std::list<long>> && counts<std::span<unsigned const>>);
    static_assert(!counts<int> && !counts<std::vector<double>> && !counts<std::plus<>> && !counts<int*>);
    BOOST_TEST(true);
}

BOOST_AUTO_TEST_SUITE_END()
