// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include <range/v3/algorithm/equal.hpp>
#include <range/v3/range/conversion.hpp>
#include <range/v3/view/reverse.hpp>
#include <range/v3/view/take.hpp>

#include <laws/schedule_laws.hpp>
#include <tutti/generator/two_tree.hpp>

BOOST_AUTO_TEST_SUITE(generator_two_tree_scan)

using namespace tutti;
using namespace tutti::analysis;
using namespace tutti::generators;

namespace {

std::size_t doublings(std::size_t size) { return static_cast<std::size_t>(std::bit_width(size - 1)); }

partition equal_segments(std::size_t blocks) { return partition::equal(blocks, blocks); }

template <class Collective>
std::vector<step> steps_of(Collective which, std::size_t rank, std::size_t size, std::size_t blocks) {
    auto const cut = equal_segments(blocks);
    return ranges::to<std::vector>(generate(which, two_tree{}, problem{rank, size, 0, cut}));
}

/// What `rank` holds of block 0, which goes through the first tree, and of block 1, which goes through the second.
template <class Collective>
std::vector<std::string> held(Collective which, std::size_t size, std::size_t rank) {
    return bracketings(which, two_tree{}, size, 0, equal_segments(2), rank);
}

/// The most combines of one rank in one round, before round `from` and from it on.
struct busiest {
    std::size_t before = 0;
    std::size_t after = 0;
};

template <class Collective>
busiest most_combines(Collective which, std::size_t size, std::size_t blocks, std::size_t from) {
    busiest result;
    for (std::size_t rank = 0; rank < size; ++rank) {
        std::map<std::size_t, std::size_t> in_round;
        for (auto const& each : steps_of(which, rank, size, blocks)) {
            in_round[each.round] += each.combines() ? 1 : 0;
        }
        for (auto const& [round, combines] : in_round) {
            auto& most = round < from ? result.before : result.after;
            most = std::max(most, combines);
        }
    }
    return result;
}

template <class Collective>
void check_costs(Collective which) {
    constexpr bool with_total = std::same_as<Collective, collective::scan_reduce>;
    constexpr bool inclusive = std::same_as<Collective, collective::inclusive_scan>;
    for (std::size_t size = 2; size <= 130; ++size) {
        for (std::size_t const blocks : {1U, 2U, 8U, 17U}) {
            auto const cost = verify(which, two_tree{}, size, 0, partition::equal(3 * blocks, blocks));
            BOOST_TEST(cost.ok, cost.reason);
            auto const q = doublings(size);
            BOOST_TEST(cost.rounds <= 2 * blocks + 4 * q + (with_total ? blocks + 1 : 0));
            BOOST_TEST(cost.rounds <= cost.rounds_used + (size == 2 ? 1 : 0));
            // up and down each of p-1 edges in each tree at most
            BOOST_TEST(cost.messages <= (with_total ? 3 : 2) * (size - 1) * blocks);
            BOOST_TEST(cost.max_messages_sent <= (with_total ? 3 : 2) * blocks + 2);
            BOOST_TEST(cost.max_messages_received <= (with_total ? 3 : 2) * blocks + 2);
            auto const inner = (blocks + 1) / 2;
            BOOST_TEST(cost.max_combines <= 3 * (inclusive ? 3 * inner + blocks / 2 + 1 : 4 * inner));
        }
    }
}

}  // namespace

BOOST_AUTO_TEST_CASE(scans_in_rank_order) {
    laws::check_schedules(collective::exclusive_scan{}, two_tree{});
    laws::check_schedules(collective::inclusive_scan{}, two_tree{});
    laws::check_schedules(collective::scan_reduce{}, two_tree{});
    laws::check_lengths(collective::exclusive_scan{}, two_tree{});
    laws::check_lengths(collective::inclusive_scan{}, two_tree{.segments = 7});
    laws::check_lengths(collective::scan_reduce{}, two_tree{.segments = 4});
}

BOOST_AUTO_TEST_CASE(keeps_ports_and_order_by_its_own_words) {
    auto const promised = [](facts const& known) { return known.one_ported && !known.requires_commutative; };
    static_assert(promised(facts_of<collective::exclusive_scan, two_tree>));
    static_assert(promised(facts_of<collective::inclusive_scan, two_tree>));
    static_assert(promised(facts_of<collective::scan_reduce, two_tree>));
    BOOST_TEST(name_of(collective::scan_reduce{}, two_tree{}) == "two_tree");
}

BOOST_AUTO_TEST_CASE(rounds_messages_and_combines_keep_their_bounds) {
    check_costs(collective::exclusive_scan{});
    check_costs(collective::inclusive_scan{});
    check_costs(collective::scan_reduce{});
}

BOOST_AUTO_TEST_CASE(a_round_up_has_two_combines_at_most_and_one_down_one) {
    for (std::size_t const size : {2U, 5U, 8U, 21U, 64U, 100U}) {
        for (std::size_t const blocks : {1U, 4U, 13U}) {
            auto const cut = equal_segments(blocks);
            // as many rounds up as down
            auto const up = generate(collective::exclusive_scan{}, two_tree{}, problem{0, size, 0, cut}).rounds() / 2;
            auto const exclusive = most_combines(collective::exclusive_scan{}, size, blocks, up);
            auto const inclusive = most_combines(collective::inclusive_scan{}, size, blocks, up);
            auto const both = most_combines(collective::scan_reduce{}, size, blocks, up);
            for (auto const& most : {exclusive, inclusive, both}) {
                BOOST_TEST(most.before <= 2U);
                BOOST_TEST(most.after <= 1U);
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(operands_are_associated_along_the_trees) {
    BOOST_TEST(held(collective::exclusive_scan{}, 7, 0) == (std::vector<std::string>{"", ""}));
    BOOST_TEST(held(collective::exclusive_scan{}, 7, 3) == (std::vector<std::string>{"((0+1)+2)", "(0+(1+2))"}));
    BOOST_TEST(held(collective::exclusive_scan{}, 7, 6) ==
               (std::vector<std::string>{"((((0+1)+2)+3)+(4+5))", "((0+(((1+2)+3)+4))+5)"}));
    BOOST_TEST(held(collective::inclusive_scan{}, 7, 0) == (std::vector<std::string>{"0", "0"}));
    BOOST_TEST(held(collective::inclusive_scan{}, 7, 3) ==
               (std::vector<std::string>{"(((0+1)+2)+3)", "((0+(1+2))+3)"}));
    BOOST_TEST(held(collective::inclusive_scan{}, 7, 4) ==
               (std::vector<std::string>{"((((0+1)+2)+3)+4)", "(0+(((1+2)+3)+4))"}));
    for (std::size_t rank = 0; rank < 7; ++rank) {
        BOOST_TEST(held(collective::scan_reduce{}, 7, rank) ==
                   (std::vector<std::string>{"((((0+1)+2)+3)+((4+5)+6))", "(0+((((1+2)+3)+4)+(5+6)))"}));
    }
}

BOOST_AUTO_TEST_CASE(all_ranks_have_the_same_bits_of_the_total) {
    for (std::size_t const size : {2U, 6U, 13U, 32U}) {
        for (std::size_t rank = 1; rank < size; ++rank) {
            BOOST_TEST(held(collective::scan_reduce{}, size, rank) == held(collective::scan_reduce{}, size, 0));
        }
    }
}

BOOST_AUTO_TEST_CASE(a_schedule_worked_out_by_hand) {
    // block 0: 1 is the left child of 3, and its own children are 0 and 2; block 1: 0 is the top, then 2, then 1 and 3
    auto const result = buffer::result();
    auto const prefix = buffer::prefix();
    auto const passing = buffer::scratch(0);
    std::vector<step> const of_inner_rank{
        step::send(0, 1, result, 0),
        step::receive(1, 1, prefix, 1),
        step::combine(1, prefix, result, 1, side::left),
        step::receive(4, 0, passing, 1),
        step::combine(4, passing, result, 1, side::left),
        step::send(5, 3, result, 1),
        step::combine(5, passing, prefix, 1, side::left),
        step::send(6, 1, passing, 1),
        step::receive(7, 1, prefix, 0),
    };
    BOOST_TEST((steps_of(collective::exclusive_scan{}, 2, 4, 2) == of_inner_rank));
    std::vector<step> const of_last_rank{step::receive(2, 1, prefix, 0), step::receive(5, 2, prefix, 1)};
    BOOST_TEST((steps_of(collective::exclusive_scan{}, 3, 4, 2) == of_last_rank));
    std::vector<step> const inclusive{
        step::send(0, 1, result, 0),
        step::receive_combine(1, 1, result, 1, side::left),
        step::receive(4, 0, passing, 1),
        step::combine(4, passing, result, 1, side::left),
        step::send(5, 3, result, 1),
        step::send(6, 1, passing, 1),
        step::receive_combine(7, 1, result, 0, side::left),
    };
    BOOST_TEST((steps_of(collective::inclusive_scan{}, 2, 4, 2) == inclusive));
}

BOOST_AUTO_TEST_CASE(nobody_sends_what_nobody_needs) {
    for (std::size_t size = 2; size <= 40; ++size) {
        // nothing is left of the first rank, and nothing right of the last one asks for its operand
        for (auto const& each : steps_of(collective::exclusive_scan{}, 0, size, 4)) {
            BOOST_TEST((each.what == action::send));
        }
        for (auto const& each : steps_of(collective::exclusive_scan{}, size - 1, size, 4)) {
            if (each.what == action::send) { BOOST_TEST((each.target == buffer::scratch(0))); }
            if (each.combines()) { BOOST_TEST((each.target == buffer::prefix())); }
        }
    }
}

BOOST_AUTO_TEST_CASE(a_rank_finds_its_place_among_very_many) {
    std::size_t const size = (std::size_t{1} << 40) + 3;
    std::size_t const blocks = 1'000'000'000'000;
    auto const cut = equal_segments(blocks);
    for (auto const rank : {std::size_t{0}, size / 3, size - 1}) {
        auto const steps = generate(collective::scan_reduce{}, two_tree{}, problem{rank, size, 0, cut});
        BOOST_TEST(steps.rounds() <= 3 * blocks + 4 * 41 + 1);
        auto const first = ranges::to<std::vector>(steps | ranges::views::take(3));
        BOOST_TEST(first.front().round <= 164U);
        auto const last = ranges::to<std::vector>(ranges::views::reverse(steps) | ranges::views::take(1)).front();
        BOOST_TEST(last.round < steps.rounds());
        BOOST_TEST(last.round + 164 >= steps.rounds());
        BOOST_TEST(last.blocks.begin()->first >= blocks - 2);
    }
}

BOOST_AUTO_TEST_CASE(cuts_into_the_segments_it_is_given) {
    BOOST_TEST(blocks_for(collective::exclusive_scan{}, two_tree{.segments = 12}, 4, 1) == 12U);
    BOOST_TEST(blocks_for(collective::inclusive_scan{}, two_tree{}, 4, 100 * 128 * 1024) == 100U);
}

BOOST_AUTO_TEST_SUITE_END()
