// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <string>
#include <vector>

#include <range/v3/range/conversion.hpp>

#include <laws/schedule_laws.hpp>
#include <tutti/analysis/simulate.hpp>
#include <tutti/combinator/reverse.hpp>
#include <tutti/combinator/then.hpp>
#include <tutti/generator/two_tree.hpp>

BOOST_AUTO_TEST_SUITE(generator_two_tree_reduce)

using namespace tutti;
using namespace tutti::generators;

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
                auto const cost =
                    verify(collective::reduce{}, two_tree{}, size, root, partition::equal(3 * blocks, blocks));
                BOOST_TEST(cost.ok, cost.reason);
                BOOST_TEST(cost.rounds <= blocks + 2 * levels);
                BOOST_TEST(cost.rounds_used == cost.rounds);
                BOOST_TEST(cost.messages == (size - 1) * blocks);
                BOOST_TEST(cost.volume == 3 * (size - 1) * blocks);
                BOOST_TEST(cost.combines == cost.volume);
                BOOST_TEST(cost.max_messages_sent == blocks);
                BOOST_TEST(cost.max_messages_received <= blocks + 1);
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
                    verify(collective::reduce{}, two_tree{}, size, root, partition::equal(blocks, blocks));
                BOOST_TEST(cost.ok, cost.reason);
                BOOST_TEST(cost.rounds_used == cost.rounds);
                BOOST_TEST(cost.combines == (size - 1) * blocks);
                bool const gives_away = cost.messages == size * blocks;
                BOOST_TEST((gives_away || cost.messages == (size - 1) * blocks));
                BOOST_TEST(gives_away == (cost.rounds < binary_tree_position(0, size, root).rounds + 2 * (blocks - 1)));
                BOOST_TEST(cost.max_messages_received <= (gives_away ? (3 * blocks + 3) / 2 : 2 * blocks));
                BOOST_TEST(cost.max_messages_sent == blocks);
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

BOOST_AUTO_TEST_SUITE_END()
