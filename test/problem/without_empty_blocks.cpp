// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <range/v3/algorithm/equal.hpp>
#include <range/v3/range/conversion.hpp>
#include <range/v3/view/reverse.hpp>

#include <tutti/problem.hpp>

BOOST_AUTO_TEST_SUITE(problem_without_empty_blocks)

using namespace tutti;
using namespace tutti::schedules;

namespace {

auto one_step_per_block(std::size_t blocks) {
    return indexed_schedule(7, blocks, [](std::size_t i) { return step::send(i, 0, buffer::result(), i); });
}

std::vector<std::size_t> rounds_of(auto const& steps) {
    std::vector<std::size_t> rounds;
    for (auto const& each : steps) { rounds.push_back(each.round); }
    return rounds;
}

partition sizes(std::vector<std::size_t> const& all) { return partition::of_sizes(all); }

}  // namespace

BOOST_AUTO_TEST_CASE(leaves_out_what_holds_no_elements) {
    using expected = std::vector<std::size_t>;
    BOOST_TEST(rounds_of(without_empty_blocks(sizes({0, 2, 0, 0, 1, 0}), one_step_per_block(6))) == (expected{1, 4}));
    BOOST_TEST(rounds_of(without_empty_blocks(sizes({2, 0, 1}), one_step_per_block(3))) == (expected{0, 2}));
    BOOST_TEST(rounds_of(without_empty_blocks(sizes({0, 0}), one_step_per_block(2))) == expected{});
    BOOST_TEST(rounds_of(without_empty_blocks(sizes({}), one_step_per_block(0))) == expected{});
    BOOST_TEST(rounds_of(without_empty_blocks(partition::equal(3, 6), one_step_per_block(6))) == (expected{1, 3, 5}));
}

BOOST_AUTO_TEST_CASE(keeps_the_number_of_rounds) {
    BOOST_TEST(without_empty_blocks(sizes({0, 0}), one_step_per_block(2)).rounds() == 7U);
}

BOOST_AUTO_TEST_CASE(a_step_with_elements_in_one_of_its_ranges_stays) {
    block_list two{block_range{0, 1}};
    two.append({3, 4});
    auto const steps = stored_schedule(1, {step::send(0, 0, buffer::result(), two)});
    BOOST_TEST(rounds_of(without_empty_blocks(sizes({0, 2, 2, 1}), steps)).size() == 1U);
    BOOST_TEST(rounds_of(without_empty_blocks(sizes({0, 2, 2, 0}), steps)).empty());
}

BOOST_AUTO_TEST_CASE(reads_backwards_what_it_reads_forwards) {
    auto const steps = without_empty_blocks(sizes({0, 2, 0, 1, 0, 0, 5}), one_step_per_block(7));
    auto forwards = rounds_of(steps);
    std::reverse(forwards.begin(), forwards.end());
    BOOST_TEST(rounds_of(steps | ranges::views::reverse) == forwards);
}

BOOST_AUTO_TEST_CASE(outlives_the_partition_it_was_asked_with) {
    auto const steps = [] {
        auto const cut = sizes({0, 2, 0});
        return without_empty_blocks(cut, one_step_per_block(3));
    }();
    BOOST_TEST(rounds_of(steps) == std::vector<std::size_t>{1});
}

BOOST_AUTO_TEST_SUITE_END()
