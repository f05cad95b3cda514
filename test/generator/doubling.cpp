// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <algorithm>
#include <bit>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <laws/scan_laws.hpp>
#include <laws/schedule_laws.hpp>
#include <support/scan_counts.hpp>
#include <tutti/generator/doubling.hpp>

BOOST_AUTO_TEST_SUITE(generator_doubling)

using namespace tutti;
using namespace tutti::analysis;
using namespace tutti::generators;
using namespace tutti::schedules;
using namespace scans;
using boost::test_tools::per_element;
using support::log2_up;

namespace {

constexpr collective::all_reduce total;
constexpr std::size_t one_more = 64;  // rounds than the least, for any size here

using counts = std::vector<std::size_t>;

std::string text(bit_word word) {
    std::string bits;
    for (std::size_t round = 0; round < word.rounds; ++round) { bits += word[round] ? '1' : '0'; }
    return bits;
}

/// Messages that `rank` sends in each round.
template <class Collective>
counts parts(Collective which, std::size_t rank, std::size_t size) {
    auto const cut = partition::equal(1, 1);
    auto const all = generate(which, doubling{}, problem{rank, size, 0, cut});
    counts result(all.rounds(), 0);
    for (step const& each : all) { result[each.round] += each.what == action::send ? 1 : 0; }
    return result;
}

std::size_t ones_of(std::size_t size) { return static_cast<std::size_t>(std::popcount(size - 1)); }

std::vector<std::size_t> distances(bit_word word) {
    std::vector<std::size_t> all;
    for (std::size_t round = 0; round < word.rounds; ++round) { all.push_back(word.distance(round)); }
    return all;
}

}  // namespace

BOOST_AUTO_TEST_CASE(gives_prefixes_in_rank_order) {
    for (auto const& each : {doubling{}, doubling{.rounds = one_more}}) {
        laws::check_cuts_and_lengths(exclusive, each);
    }
}

BOOST_AUTO_TEST_CASE(gives_inclusive_prefixes_in_rank_order) { laws::check_cuts_and_lengths(inclusive, doubling{}); }
BOOST_AUTO_TEST_CASE(gives_prefixes_and_total_in_rank_order) { laws::check_cuts_and_lengths(both, doubling{}); }
BOOST_AUTO_TEST_CASE(gives_every_rank_the_total) { laws::check_cuts_and_lengths(total, doubling{}); }

BOOST_AUTO_TEST_CASE(words_and_combines_of_exclusive_scans_are_those_published) {
    struct row { std::size_t size; std::string word; std::size_t combines; };
    for (auto const& [size, word, combines] : std::vector<row>{
             {2, "1", 0},       {3, "10", 1},      {4, "11", 2},      {5, "100", 2},     {6, "110", 3},
             {7, "110", 3},     {8, "111", 4},     {9, "1000", 3},    {10, "1100", 4},   {13, "1100", 4},
             {14, "1110", 5},   {15, "1110", 5},   {16, "1111", 6},   {17, "10000", 4},  {18, "11000", 5},
             {25, "11000", 5},  {26, "11100", 6},  {29, "11100", 6},  {33, "100000", 5}, {34, "110000", 6},
             {49, "110000", 6}, {64, "111111", 10}, {100, "1110000", 8}, {128, "1111111", 12},
             {1000, "1111110000", 14}, {1152, "11000000000", 11}}) {
        BOOST_TEST(text(word_of(doubling{}, size)) == word);
        auto const all = combines_of(exclusive, doubling{}, size);
        BOOST_TEST(*std::max_element(all.begin(), all.end()) <= combines);
    }
    BOOST_TEST(text(word_of(doubling{.rounds = 1}, 100)) == "1110000");
    BOOST_TEST(text(word_of(doubling{.rounds = 7}, 100)) == "1110000");
    BOOST_TEST(text(word_of(doubling{.rounds = 8}, 100)) == "10000000");
    BOOST_TEST(text(word_of(doubling{.rounds = 9}, 100)) == "10000000");
    BOOST_TEST(word_of(doubling{.rounds = 8}, 1).rounds == 0U);
}

BOOST_AUTO_TEST_CASE(exclusive_scans_cost_what_is_stated) {
    constexpr std::size_t elements = 3;
    for (std::size_t size = 1; size <= 64; ++size) {
        for (std::size_t const rounds : {std::size_t{0}, one_more}) {
            auto const word = word_of(doubling{.rounds = rounds}, size);
            auto const cost = verify(exclusive, doubling{.rounds = rounds}, size, 0, partition::equal(elements, 1));
            BOOST_TEST(cost.rounds == (size == 1 ? 0 : log2_up(size) + (rounds == 0 ? 0 : 1)));
            BOOST_TEST(cost.max_messages_sent <= cost.rounds);
            if (size < 3) { continue; }
            auto const most = word.rounds + word.ones() - 2;
            BOOST_TEST(cost.max_combines <= elements * most);
            // a rank that receives in all rounds and sends its own operand in all rounds with a one does them all
            auto const last_one = word.distance(word.ones() - 1);
            if (word.run(word.rounds - 1) + 1 + last_one < size) { BOOST_TEST(cost.max_combines == elements * most); }
            if (rounds != 0) { BOOST_TEST(cost.max_combines <= elements * log2_up(size)); }

            std::size_t messages = 0;
            for (std::size_t round = 0; round < word.rounds; ++round) {
                auto const receivers = size - word.distance(round);
                messages += word.distance(round) < size ? receivers - (word[round] ? 0 : 1) : 0;
            }
            cost::check(cost, cost::messages == messages, cost::volume == elements * messages);
        }
    }
}

BOOST_AUTO_TEST_CASE(a_rank_combines_only_what_it_sends_or_keeps) {
    BOOST_TEST(combines_of(exclusive, doubling{}, 8) == (counts{0, 1, 3, 3, 3, 3, 2, 2}), per_element());
}

BOOST_AUTO_TEST_CASE(inclusive_scans_cost_what_is_stated) {
    for (std::size_t size = 1; size <= 64; ++size) {
        cost::check(inclusive, doubling{}, size, 0, partition::equal(3, 1), cost::rounds == log2_up(size),
                    cost::rounds_used == cost::rounds, cost::max_messages_sent == log2_up(size),
                    cost::max_volume_sent == 3 * log2_up(size), cost::max_combines == 3 * log2_up(size));
    }
}

BOOST_AUTO_TEST_CASE(parts_of_messages_are_those_published) {
    struct row { std::size_t size, first, last; counts parts; };
    for (auto const& [size, first, last, expected] : std::vector<row>{
             {5, 0, 1, {1, 1, 1}},        {5, 1, 2, {1, 1, 2}},        {5, 2, 5, {1, 1, 1}},
             {6, 0, 2, {1, 1, 2}},        {6, 2, 6, {1, 1, 1}},        {7, 0, 1, {1, 2, 1}},
             {7, 1, 3, {1, 1, 2}},        {7, 3, 7, {1, 1, 1}},        {12, 0, 2, {1, 1, 2, 2}},
             {12, 2, 5, {1, 1, 1, 2}},    {12, 5, 12, {1, 1, 1, 1}}}) {
        for (auto rank = first; rank < last; ++rank) {
            BOOST_TEST_CONTEXT("p = " << size << ", rank " << rank) {
                BOOST_TEST(parts(both, rank, size) == expected, per_element());
            }
        }
    }
    auto const sends = sends_of(both, doubling{}, 36);
    BOOST_TEST(std::accumulate(sends.begin(), sends.end(), std::size_t{0}) == 245U);
}

BOOST_AUTO_TEST_CASE(combines_of_scan_reduce_are_those_published) {
    for (auto const& [size, combines] :
         std::vector<std::pair<std::size_t, std::size_t>>{{5, 4}, {6, 5}, {7, 5}, {12, 7}, {36, 9}}) {
        BOOST_TEST(verify(both, doubling{}, size, 0, partition::equal(1, 1)).max_combines <= combines);
    }
    for (std::size_t size = 2; size <= 64; ++size) {
        cost::check(both, doubling{}, size, 0, partition::equal(3, 1), cost::rounds == log2_up(size),
                    cost::rounds_used == cost::rounds, cost::max_combines <= 3 * (log2_up(size) + ones_of(size)),
                    cost::max_volume_sent <= 3 * 2 * log2_up(size));
    }
}

BOOST_AUTO_TEST_CASE(a_message_of_two_parts_goes_to_one_rank) {
    auto const cut = partition::equal(1, 1);
    for (std::size_t size = 2; size <= 40; ++size) {
        auto const word = bit_word::exactly(size - 1);
        for (std::size_t rank = 0; rank < size; ++rank) {
            for (step const& each : generate(both, doubling{}, problem{rank, size, 0, cut})) {
                if (!each.communicates()) { continue; }
                auto const distance = each.receives() ? size - word.distance(each.round) : word.distance(each.round);
                BOOST_TEST(each.peer == (rank + distance) % size);
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(all_reduce_costs_what_is_stated) {
    for (std::size_t size = 2; size <= 64; ++size) {
        auto const cost = verify(total, doubling{}, size, 0, partition::equal(3, 1));
        BOOST_TEST(cost.rounds == log2_up(size));
        BOOST_TEST(cost.messages == size * cost.rounds);
        BOOST_TEST(cost.max_volume_sent == 3 * cost.rounds);
        BOOST_TEST(cost.combines == 3 * size * (log2_up(size) - 1 + ones_of(size)));
        BOOST_TEST(cost.max_combines * size == cost.combines);
    }
    static_assert(facts_of<collective::all_reduce, doubling>.requires_commutative);
    static_assert(!facts_of<collective::all_reduce, doubling>.identical_on_all_ranks);
}

BOOST_AUTO_TEST_CASE(strings_are_concatenated_from_left_to_right) {
    laws::check_concatenation(doubling{}, 5);
    laws::check_concatenation(doubling{.rounds = 4}, 5);
}

BOOST_AUTO_TEST_CASE(runs_double) {
    auto const cut = partition::equal(1, 1);
    BOOST_TEST(bracketings(exclusive, doubling{}, 7, 0, cut, 6).front() == "(((0+1)+2)+((3+4)+5))");
    BOOST_TEST(bracketings(inclusive, doubling{}, 7, 0, cut, 6).front() == "((0+(1+2))+((3+4)+(5+6)))");
}

BOOST_AUTO_TEST_CASE(very_many_ranks_take_few_steps) {
    auto const cut = partition::equal(1, 1);
    auto const size = std::size_t{1} << 40;
    for (auto const rank : {std::size_t{0}, size / 2, size - 1}) {
        BOOST_TEST(generate(exclusive, doubling{}, problem{rank, size, 0, cut}).rounds() == 40U);
        std::size_t steps = 0;
        for (step const& each : generate(both, doubling{}, problem{rank, size, 0, cut})) {
            steps += each.peer < size ? 1 : 0;
        }
        BOOST_TEST(steps <= 6U * 40U);
    }
}

BOOST_AUTO_TEST_CASE(a_bit_b_makes_a_run_of_c_ranks_one_of_2c_plus_b) {
    for (std::size_t run = 1; run <= 300; ++run) {
        auto const word = bit_word::exactly(run);
        std::size_t ranks = 0;
        for (std::size_t round = 0; round < word.rounds; ++round) {
            BOOST_TEST(word.run(round) == ranks);
            BOOST_TEST(word.distance(round) == ranks + (word[round] ? 1U : 0U));
            ranks = 2 * ranks + (word[round] ? 1U : 0U);
        }
        BOOST_TEST(ranks == run);
        BOOST_TEST(word[0]);
    }
    BOOST_TEST(bit_word::exactly(0).rounds == 0U);
}

BOOST_AUTO_TEST_CASE(distances_of_exact_runs) {
    auto const of = [](std::size_t size) { return distances(bit_word::exactly(size - 1)); };
    BOOST_TEST(of(5) == (std::vector<std::size_t>{1, 1, 2}), boost::test_tools::per_element());
    BOOST_TEST(of(6) == (std::vector<std::size_t>{1, 1, 3}), boost::test_tools::per_element());
    BOOST_TEST(of(7) == (std::vector<std::size_t>{1, 2, 3}), boost::test_tools::per_element());
    BOOST_TEST(of(12) == (std::vector<std::size_t>{1, 1, 3, 6}), boost::test_tools::per_element());
    BOOST_TEST(of(36) == (std::vector<std::size_t>{1, 1, 2, 4, 9, 18}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(the_cheapest_word_has_fewest_ones_of_all_that_reach_far_enough) {
    for (std::size_t run = 1; run <= 130; ++run) {
        for (auto length = static_cast<std::size_t>(std::bit_width(run)); length <= 9; ++length) {
            auto const word = bit_word::cheapest(run, length);
            auto fewest = length;
            for (auto bits = run; bits < std::size_t{1} << length; ++bits) {
                fewest = std::min(fewest, bit_word{bits, length}.ones());
            }
            BOOST_TEST(word.bits >= run);
            BOOST_TEST(word.ones() == fewest);
            BOOST_TEST(text(word) == std::string(fewest, '1') + std::string(length - fewest, '0'));
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
