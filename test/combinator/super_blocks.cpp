// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <cstddef>
#include <string>
#include <vector>

#include <range/v3/range/conversion.hpp>

#include <laws/schedule_laws.hpp>
#include <support/parts.hpp>
#include <tutti/combinator/super_blocks.hpp>

BOOST_AUTO_TEST_SUITE(combinator_super_blocks)

using namespace tutti;
using namespace tutti::generators;
using namespace tutti::schedules;

namespace {

/// "0-2 4-6".
std::string text(block_list const& blocks) {
    std::string result;
    for (auto const& range : blocks) {
        result += (result.empty() ? "" : " ") + std::to_string(range.first) + '-' + std::to_string(range.last);
    }
    return result;
}

strided_ranks every_second(std::size_t size) { return {.size = size, .count = size / 2, .step = 2}; }

}  // namespace

BOOST_AUTO_TEST_CASE(super_blocks_are_what_ranks_own) {
    static_assert(super_block_lists<strided_ranks>);
    strided_ranks const lower_half{.size = 12, .stride = 2, .width = 2};
    BOOST_TEST(text(lower_half.super_block(2, 12)) == "4-6");
    BOOST_TEST(text(lower_half.super_block(2, 24)) == "8-12");
    BOOST_TEST(text(lower_half.super_block(2, 3)) == "");
    BOOST_TEST(text(every_second(6).super_block(1, 6)) == "1-2 3-4 5-6");
    BOOST_TEST(text(every_second(6).super_block(1, 12)) == "2-4 6-8 10-12");
    BOOST_TEST(text(every_second(6).super_block(1, 0)) == "");
}

BOOST_AUTO_TEST_CASE(steps_name_the_blocks_of_super_blocks) {
    auto const cut = partition::equal(6, 6);
    auto const steps = ranges::to<std::vector>(generate(
        collective::reduce_scatter{}, on_super_blocks(every_second(6), parts::bucket{}), problem{0, 2, 0, cut}));
    BOOST_REQUIRE(steps.size() == 2U);
    BOOST_TEST(text(steps[0].blocks) == "1-2 3-4 5-6");
    BOOST_TEST(text(steps[1].blocks) == "0-1 2-3 4-5");
}

BOOST_AUTO_TEST_CASE(super_blocks_that_lie_together_are_one_range) {
    auto const cut = partition::equal(12, 12);
    strided_ranks const pairs{.size = 12, .first = 4, .stride = 2, .width = 2};
    auto const steps = ranges::to<std::vector>(
        generate(collective::reduce{}, on_super_blocks(pairs, parts::through_scratch{}), problem{1, 3, 0, cut}));
    BOOST_REQUIRE(steps.size() == 1U);
    BOOST_TEST(text(steps[0].blocks) == "4-10");
}

BOOST_AUTO_TEST_CASE(super_blocks_without_elements_are_not_sent) {
    auto const cut = partition::of_sizes(std::vector<std::size_t>{1, 0, 1, 0, 3, 0});
    auto const steps = ranges::to<std::vector>(generate(
        collective::reduce_scatter{}, on_super_blocks(every_second(6), parts::bucket{}), problem{0, 2, 0, cut}));
    BOOST_REQUIRE(steps.size() == 1U);
    BOOST_TEST(text(steps[0].blocks) == "0-1 2-3 4-5");
}

BOOST_AUTO_TEST_CASE(super_blocks_of_one_block_each_are_the_algorithm_itself) {
    for (std::size_t const size : {1U, 2U, 5U}) {
        laws::check_schedules(collective::reduce_scatter{},
                              on_super_blocks(strided_ranks{.size = size}, parts::bucket{}), {size});
    }
}

BOOST_AUTO_TEST_CASE(a_stage_is_called_after_its_algorithm) {
    BOOST_TEST(name_of(collective::reduce_scatter{}, on_super_blocks(strided_ranks{}, parts::bucket{})) ==
               "on_super_blocks(bucket)");
}

BOOST_AUTO_TEST_SUITE_END()
