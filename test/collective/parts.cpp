// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <tutti/collective/parts.hpp>

BOOST_AUTO_TEST_SUITE(collective_parts)

using namespace tutti::argument;
using tutti::argument::counts_of_ranks;

namespace {

using which = tutti::collective::gather;

/// As much of a communicator as arguments are checked against.
struct place_in_team {
    int mine;
    int ranks;
    [[nodiscard]] int rank() const { return mine; }
    [[nodiscard]] int size() const { return ranks; }
};

template <class Action>
void check_refused(Action action, std::string const& message) {
    BOOST_CHECK_EXCEPTION(action(), std::invalid_argument, [&](auto const& wrong) {
        BOOST_TEST(wrong.what() == message);
        return true;
    });
}

/// Not made from nothing.
struct only_copied {
    explicit only_copied(int) {}
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_part_tells_the_size_of_the_whole) {
    place_in_team const world{1, 3};
    BOOST_TEST(whole_of<which>(world, {}, 4, "in") == 12U);
    BOOST_TEST(whole_of<which>(world, {}, 0, "in") == 0U);
    counts_of_ranks const counts{std::vector<int>{7, 4, 0}};
    BOOST_TEST(whole_of<which>(world, counts, 4, "in") == 11U);
    check_refused([&] { static_cast<void>(whole_of<which>(world, counts, 5, "in")); },
                  "tutti: gather: in has 5 elements, but counts gives this rank 4; make both equal");
    check_refused(
        [&] {
            static_cast<void>(whole_of<which>(place_in_team{1, 4}, counts, 4, "in"));
        },
        "tutti: gather: counts has 3 numbers for 4 ranks; give one for each rank");
    check_refused([&] { static_cast<void>(whole_of<which>(world, counts_of_ranks{std::vector<int>{}}, 4, "in")); },
                  "tutti: gather: counts has 0 numbers for 3 ranks; give one for each rank");
}

BOOST_AUTO_TEST_CASE(the_whole_tells_the_size_of_a_part) {
    place_in_team const world{1, 3};
    BOOST_TEST(part_of<which>(world, {}, 12) == 4U);
    BOOST_TEST(part_of<which>(world, {}, 0) == 0U);
    BOOST_TEST(part_of<which>(world, counts_of_ranks{std::vector<int>{7, 4, 0}}, 11) == 4U);
    check_refused([&] { static_cast<void>(part_of<which>(world, {}, 13)); },
                  "tutti: gather: a vector of 13 elements does not divide equally among 3 ranks; give counts");
    // the number of counts is checked with the whole
    BOOST_TEST(part_of<which>(world, counts_of_ranks{std::vector<int>{7}}, 7) == 0U);
    BOOST_TEST(part_of<which>(world, counts_of_ranks{std::vector<int>{}}, 7) == 0U);
}

BOOST_AUTO_TEST_CASE(the_whole_is_all_parts) {
    check_whole<which>(11, 11, "out");
    check_refused([] { check_whole<which>(12, 11, "out"); },
                  "tutti: gather: out has 12 elements, but the parts of all ranks together have 11; make both equal");
}

BOOST_AUTO_TEST_CASE(an_element_of_the_whole_is_a_part) {
    using pairs = std::vector<std::array<int, 2>>;
    std::array<int, 2> pair{};
    auto const one = part_block<pairs&>(pair);
    static_assert(std::same_as<decltype(one), std::span<std::array<int, 2>> const>);
    BOOST_TEST((one.data() == &pair && one.size() == 1));
    auto const two = part_block<std::vector<int>&>(pair);
    static_assert(std::same_as<decltype(two), std::span<int> const>);
    BOOST_TEST((two.data() == pair.data() && two.size() == 2));
    static_assert(std::same_as<decltype(part_block<pairs>(tutti::value(pair))), std::span<std::array<int, 2>>>);
    static_assert(std::same_as<decltype(part_block<pairs>(tutti::elements(pair))), std::span<int>>);

    static_assert(is_one_element<pairs&, std::array<int, 2>> && is_one_element<std::vector<int>&, int>);
    static_assert(is_one_element<std::vector<std::string>, std::string> && is_one_element<pairs, as_value<int>>);
    static_assert(!is_one_element<std::vector<int>&, std::array<int, 2>> && !is_one_element<int[3], std::span<int>>);
}

BOOST_AUTO_TEST_CASE(vectors_grow_where_they_are_the_whole) {
    place_in_team const world{1, 3};
    std::vector<int> vector(2);
    make_room<which>(world, vector, 5, 1);
    BOOST_TEST(vector.size() == 15U);
    make_room<which>(world, vector, 1, 1);
    BOOST_TEST(vector.size() == 3U);
    make_room<which>(world, vector, 5, 0);
    BOOST_TEST(vector.size() == 3U);
    make_room<tutti::collective::all_gather>(world, vector, 2);
    BOOST_TEST(vector.size() == 6U);
    check_refused([&] { make_room<which>(world, vector, 5, 3); },
                  "tutti: gather: root 3 is not a rank of a communicator of 3 ranks; ranks count from 0");
    std::array<int, 2> array{};
    make_room<which>(world, array, 5, 1);
    std::vector<int> const constant(2);
    make_room<which>(world, constant, 5, 1);
    BOOST_TEST(constant.size() == 2U);
    std::vector<only_copied> several(3, only_copied{1});
    make_room<which>(world, several, 5, 1);
    BOOST_TEST(several.size() == 3U);
}

BOOST_AUTO_TEST_CASE(an_array_and_a_number_are_pointer_and_count) {
    static_assert(is_counted_array<int[3], int> && is_counted_array<int[3], std::size_t const&>);
    static_assert(!is_counted_array<std::vector<int>, int> && !is_counted_array<int[3], double>);
    BOOST_TEST(true);
}

BOOST_AUTO_TEST_SUITE_END()
