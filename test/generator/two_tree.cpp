// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
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
#include <tutti/analysis/simulate.hpp>
#include <tutti/combinator/reverse.hpp>
#include <tutti/combinator/then.hpp>
#include <tutti/generator/two_tree.hpp>

BOOST_AUTO_TEST_SUITE(generator_two_tree)

using namespace tutti;
using namespace tutti::generators;
using namespace tutti::analysis;
using namespace tutti::schedules;

namespace {

std::size_t rounds(std::size_t size, std::size_t root, std::size_t blocks) {
    auto const cut = partition::equal(blocks, blocks);
    return generate(collective::reduce{}, two_tree{}, problem{0, size, root, cut}).rounds();
}

std::vector<std::size_t> roots_inside(std::size_t size) {
    std::vector<std::size_t> roots;
    for (std::size_t root = 1; root + 1 < size; root += size < 20 || root < 3 || root + 4 > size ? 1 : 3) {
        roots.push_back(root);
    }
    return roots;
}

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
            cost::check(cost, cost::messages <= (with_total ? 3 : 2) * (size - 1) * blocks,
                        cost::max_messages_sent <= (with_total ? 3 : 2) * blocks + 2,
                        cost::max_messages_received <= (with_total ? 3 : 2) * blocks + 2);
            auto const inner = (blocks + 1) / 2;
            BOOST_TEST(cost.max_combines <= 3 * (inclusive ? 3 * inner + blocks / 2 + 1 : 4 * inner));
        }
    }
}

}  // namespace

BOOST_AUTO_TEST_CASE(reduces_in_rank_order_to_any_root) { laws::check_schedules(collective::reduce{}, two_tree{}); }

BOOST_AUTO_TEST_CASE(broadcasts_from_any_root) {
    laws::check_schedules(collective::broadcast{}, reverse(two_tree{}));
    laws::check_schedules(collective::all_reduce{}, then(two_tree{}, reverse(two_tree{})));
}

BOOST_AUTO_TEST_CASE(takes_n_plus_2k_rounds_and_a_message_a_rank_and_block_for_a_root_at_an_end) {
    for (std::size_t size = 2; size <= 130; ++size) {
        auto const levels = static_cast<std::size_t>(std::bit_width(size - 1));
        for (std::size_t blocks : {1U, 2U, 8U, 17U}) {
            for (auto const root : {std::size_t{0}, size - 1}) {
                cost::check(collective::reduce{}, two_tree{}, size, root, partition::equal(3 * blocks, blocks),
                            cost::rounds <= blocks + 2 * levels, cost::rounds_used == cost::rounds,
                            cost::messages == (size - 1) * blocks, cost::volume == 3 * (size - 1) * blocks,
                            cost::combines == cost::volume, cost::max_messages_sent == blocks,
                            cost::max_messages_received <= blocks + 1);
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(takes_at_most_one_round_more_than_published) {
    struct row {
        std::size_t size;
        std::vector<std::size_t> rounds;
    };
    std::vector<std::size_t> const blocks{1, 2, 8, 17};
    for (auto const& [size, published] : std::vector<row>{{2, {2, 2, 8, 18}},
                                                          {5, {5, 5, 11, 21}},
                                                          {8, {6, 6, 12, 22}},
                                                          {9, {7, 7, 13, 23}},
                                                          {16, {8, 8, 14, 24}},
                                                          {33, {11, 11, 17, 27}},
                                                          {64, {12, 12, 18, 28}},
                                                          {100, {13, 14, 20, 29}},
                                                          {130, {15, 16, 22, 31}}}) {
        for (std::size_t i = 0; i < blocks.size(); ++i) { BOOST_TEST(rounds(size, 0, blocks[i]) <= published[i] + 1); }
    }
}

BOOST_AUTO_TEST_CASE(a_root_inside_takes_three_rounds_for_two_of_many_blocks) {
    for (std::size_t size = 3; size <= 66; ++size) {
        for (std::size_t blocks : {1U, 2U, 17U, 32U}) {
            for (auto const root : roots_inside(size)) {
                auto const cost =
                    cost::check(collective::reduce{}, two_tree{}, size, root, partition::equal(blocks, blocks),
                                cost::rounds_used == cost::rounds, cost::combines == (size - 1) * blocks);
                bool const gives_away = cost.messages == size * blocks;
                BOOST_TEST((gives_away || cost.messages == (size - 1) * blocks));
                BOOST_TEST(gives_away == (cost.rounds < binary_tree_position(0, size, root).rounds + 2 * (blocks - 1)));
                cost::check(cost, cost::max_messages_received <= (gives_away ? (3 * blocks + 3) / 2 : 2 * blocks),
                            cost::max_messages_sent == blocks);
            }
        }
    }
    for (std::size_t size = 3; size <= 300; ++size) {
        auto const levels = static_cast<std::size_t>(std::bit_width(size - 1));
        for (std::size_t blocks : {1U, 7U, 20U, 301U}) {
            for (auto const root : roots_inside(size)) {
                auto const taken = rounds(size, root, blocks);
                BOOST_TEST(taken <= 2 * blocks + 2 * levels - 4);
                BOOST_TEST(taken <= 3 * (blocks / 2) + 3 * levels);
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(keeps_its_rounds_when_a_rank_sends_and_receives_at_once) {
    for (std::size_t size : {2U, 3U, 6U, 13U, 32U}) {
        for (std::size_t blocks : {1U, 6U, 25U}) {
            for (auto const root : {std::size_t{0}, size / 2, size - 1}) {
                auto const line = simulate(collective::reduce{}, two_tree{}, size, root,
                                           partition::equal(blocks, blocks), cost_model::per_block(3, 2));
                BOOST_TEST(line.makespan() <= 5.0 * static_cast<double>(rounds(size, root, blocks)));
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(a_root_inside_gives_its_operand_to_a_neighbour_and_gets_the_result) {
    auto const cut = partition::equal(40, 40);
    std::size_t sent = 0;
    std::size_t received = 0;
    for (auto const& each : generate(collective::reduce{}, two_tree{}, problem{3, 8, 3, cut})) {
        sent += each.what == action::send ? 1 : 0;
        received += each.what == action::receive ? 1 : 0;
        if (each.what == action::send) { BOOST_TEST((each.peer == 2 || each.peer == 4)); }
    }
    BOOST_TEST(sent == 40U);
    BOOST_TEST(received == 40U);
}

BOOST_AUTO_TEST_CASE(two_messages_a_tree_enter_and_leave_a_switch_that_joins_a_power_of_two_of_ranks) {
    for (std::size_t size = 2; size <= 130; ++size) {
        for (auto const root : {std::size_t{0}, size - 1}) {
            for (std::size_t joined = 2; joined < size; joined *= 2) {
                std::vector<std::size_t> leave(size / joined + 1);
                std::vector<std::size_t> enter(size / joined + 1);
                for (std::size_t rank = 0; rank < size; ++rank) {
                    auto const cut = partition::equal(2, 2);
                    for (auto const& each :
                         generate(collective::reduce{}, two_tree{}, problem{rank, size, root, cut})) {
                        if (each.what != action::send || each.peer / joined == rank / joined) { continue; }
                        ++leave[rank / joined];
                        ++enter[each.peer / joined];
                    }
                }
                BOOST_TEST(std::ranges::max(leave) <= 4U);
                BOOST_TEST(std::ranges::max(enter) <= 4U);
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(a_rank_finds_its_place_among_very_many) {
    std::size_t const size = std::size_t{1} << 40;
    auto const cut = partition::equal(1000, 1000);
    for (auto const root : {std::size_t{0}, std::size_t{12'345'678'901}}) {
        auto const steps =
            ranges::to<std::vector>(generate(collective::reduce{}, two_tree{}, problem{size - 1, size, root, cut}));
        BOOST_TEST(steps.size() >= 1000U);
        BOOST_TEST(steps.size() <= 2500U);
    }
}

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

BOOST_AUTO_TEST_CASE(in_scans_a_rank_finds_its_place_among_very_many) {
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
