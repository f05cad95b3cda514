// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

#include <laws/scan_laws.hpp>
#include <laws/schedule_laws.hpp>
#include <support/scan_counts.hpp>
#include <tutti/combinator/reverse.hpp>
#include <tutti/generator/linear.hpp>

BOOST_AUTO_TEST_SUITE(generator_linear_scan)

using namespace tutti;
using namespace tutti::analysis;
using namespace scans;
using boost::test_tools::per_element;

BOOST_AUTO_TEST_CASE(gives_prefixes_in_rank_order) {
    laws::check_schedules(exclusive, linear{});
    laws::check_lengths(exclusive, linear{.segments = 4});
}

BOOST_AUTO_TEST_CASE(gives_inclusive_prefixes_in_rank_order) {
    laws::check_schedules(inclusive, linear{});
    laws::check_lengths(inclusive, linear{.segments = 4});
}

BOOST_AUTO_TEST_CASE(gives_prefixes_and_total_in_rank_order) {
    laws::check_schedules(both, linear{});
    laws::check_lengths(both, linear{.segments = 4});
}

BOOST_AUTO_TEST_CASE(scans_cost_what_is_stated) {
    for (std::size_t size = 2; size <= 64; ++size) {
        for (std::size_t const blocks : {1U, 2U, 7U}) {
            auto const elements = 3 * blocks;
            auto const cut = partition::equal(elements, blocks);
            auto const check = [&](verification const& cost, std::size_t combining) {
                BOOST_TEST(cost.rounds == size + blocks - 2);
                BOOST_TEST(cost.rounds_used == cost.rounds);
                BOOST_TEST(cost.messages == (size - 1) * blocks);
                BOOST_TEST(cost.max_volume_sent == elements);
                BOOST_TEST(cost.max_volume_received == elements);
                BOOST_TEST(cost.combines == combining * elements);
                BOOST_TEST(cost.max_combines == (combining == 0 ? 0 : elements));
            };
            check(verify(exclusive, linear{}, size, 0, cut), size - 2);
            check(verify(inclusive, linear{}, size, 0, cut), size - 1);
        }
    }
}

BOOST_AUTO_TEST_CASE(scan_reduce_costs_what_is_stated) {
    for (std::size_t size = 2; size <= 64; ++size) {
        for (std::size_t const blocks : {1U, 2U, 7U}) {
            auto const elements = 3 * blocks;
            auto const cost = verify(both, linear{}, size, 0, partition::equal(elements, blocks));
            BOOST_TEST(cost.rounds == (blocks == 1 ? 2 * (size - 1) : 2 * size + 2 * blocks - 5));
            BOOST_TEST(cost.rounds_used == cost.rounds);
            BOOST_TEST(cost.messages == 2 * (size - 1) * blocks);
            BOOST_TEST(cost.max_volume_sent == (size == 2 ? 1 : 2) * elements);
            BOOST_TEST(cost.combines == (size - 1) * elements);
            BOOST_TEST(cost.max_combines == elements);
        }
    }
}

BOOST_AUTO_TEST_CASE(takes_no_round_for_one_rank_or_no_block) {
    for (auto const& cut : {partition::equal(7, 3), partition::equal(0, 0)}) {
        BOOST_TEST(verify(exclusive, linear{}, 1, 0, cut).rounds == 0U);
        BOOST_TEST(verify(both, linear{}, 1, 0, cut).rounds == 0U);
        BOOST_TEST(verify(both, linear{}, 9, 0, partition::equal(0, 0)).rounds == 0U);
    }
}

BOOST_AUTO_TEST_CASE(strings_are_concatenated_from_left_to_right) { laws::check_concatenation(linear{}, 5); }

BOOST_AUTO_TEST_CASE(combines_from_left_to_right_on_every_rank) {
    auto const cut = partition::equal(1, 1);
    BOOST_TEST(bracketings(exclusive, linear{}, 5, 0, cut, 4).front() == "(((0+1)+2)+3)");
    for (std::size_t rank = 0; rank < 5; ++rank) {
        BOOST_TEST(bracketings(both, linear{}, 5, 0, cut, rank).front() == "((((0+1)+2)+3)+4)");
    }
}

BOOST_AUTO_TEST_CASE(steps_are_found_as_they_are_read) {
    auto const size = std::size_t{1} << 40;
    auto const blocks = std::size_t{1} << 20;
    auto const cut = partition::equal(blocks, blocks);
    auto const rank = size / 2;
    std::vector<std::size_t> rounds;
    for (step const& each : generate(both, linear{}, problem{rank, size, 0, cut})) {
        rounds.push_back(each.round);
        if (rounds.size() == 4) { break; }
    }
    BOOST_TEST(rounds == (std::vector<std::size_t>{rank - 1, rank - 1, rank, rank}), per_element());
}

BOOST_AUTO_TEST_CASE(scans_are_cut_into_segments_and_reductions_are_not) {
    BOOST_TEST(blocks_for(exclusive, linear{}, 4, 100 * tutti::generators::default_segment) == 100U);
    BOOST_TEST(blocks_for(both, linear{.segments = 12}, 4, 1) == 12U);
    BOOST_TEST(blocks_for(collective::reduce{}, linear{.segments = 12}, 4, 100 * tutti::generators::default_segment) ==
               1U);
    BOOST_TEST(blocks_for(collective::broadcast{}, reverse(linear{}), 4, 100 * tutti::generators::default_segment) ==
               1U);
}

BOOST_AUTO_TEST_SUITE_END()
