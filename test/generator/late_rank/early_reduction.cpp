// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <numeric>
#include <vector>

#include <tutti/generator/late_rank.hpp>

BOOST_AUTO_TEST_SUITE(generator_late_rank_early_reduction)

using namespace tutti;
using namespace tutti::generators;

namespace {

using numbers = std::vector<std::size_t>;

/// The steps of the rank at `place`, where rank and place are the same.
std::vector<step> steps_at(std::size_t place, std::size_t size, std::size_t blocks) {
    numbers ranks(size);
    std::iota(ranks.begin(), ranks.end(), std::size_t{0});
    early_reduction const part{ranks, place, partition::equal(blocks, blocks)};
    std::vector<step> result;
    for (std::size_t i = 0; i < part.steps(); ++i) {
        if (auto each = part(i); !each.blocks.empty()) { result.push_back(each); }
    }
    return result;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_rank_sends_each_block_once_or_keeps_it) {
    for (std::size_t size = 2; size <= 40; ++size) {
        auto const q = static_cast<std::size_t>(std::bit_width(size - 1));
        for (std::size_t const blocks : {1U, 2U, 3U, 8U, 13U}) {
            numbers kept(blocks, 0);
            for (std::size_t place = 1; place < size; ++place) {
                numbers sent(blocks, 0);
                numbers received_until(blocks, 0);
                for (auto const& each : steps_at(place, size, blocks)) {
                    auto const block = each.blocks.begin()->first;
                    BOOST_TEST(each.peer != 0U);
                    BOOST_TEST(sent[block] == 0U);
                    if (each.what == action::send) {
                        ++sent[block];
                    } else {
                        received_until[block] = each.round;
                    }
                }
                for (std::size_t block = 0; block < blocks; ++block) {
                    if (sent[block] != 0) { continue; }
                    ++kept[block];
                    BOOST_TEST(received_until[block] <= q - 1 + block);
                    if (block == blocks - 1) { BOOST_TEST(place == 1U); }
                }
            }
            BOOST_TEST(kept == numbers(blocks, 1), boost::test_tools::per_element());
        }
    }
}

BOOST_AUTO_TEST_CASE(the_late_rank_does_nothing) {
    for (std::size_t const size : {1U, 2U, 3U, 8U, 21U}) {
        for (std::size_t const blocks : {0U, 1U, 2U, 9U}) { BOOST_TEST(steps_at(0, size, blocks).empty()); }
    }
}

BOOST_AUTO_TEST_CASE(of_one_block_the_latest_send_last) {
    auto const sends_in = [](std::size_t place) { return steps_at(place, 9, 1).back().round; };
    for (std::size_t const place : {5U, 6U, 7U, 8U}) { BOOST_TEST(sends_in(place) == 0U); }
    BOOST_TEST(sends_in(4) == 1U);
    BOOST_TEST(sends_in(3) == 1U);
    BOOST_TEST(sends_in(2) == 2U);
}

BOOST_AUTO_TEST_CASE(rounds) {
    static_assert(early_reduction_rounds(1, 5) == 0);
    static_assert(early_reduction_rounds(2, 5) == 0);
    static_assert(early_reduction_rounds(3, 0) == 0);
    static_assert(early_reduction_rounds(17, 1) == 4);
    static_assert(early_reduction_rounds(17, 8) == 12);
    std::size_t last = 0;
    for (std::size_t place = 1; place < 20; ++place) { last = std::max(last, steps_at(place, 20, 6).back().round); }
    BOOST_TEST(last + 1 == early_reduction_rounds(20, 6));
}

BOOST_AUTO_TEST_SUITE_END()
