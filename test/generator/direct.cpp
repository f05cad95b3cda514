// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <algorithm>
#include <bit>
#include <numeric>
#include <vector>

#include <laws/scan_laws.hpp>
#include <laws/schedule_laws.hpp>
#include <support/scan_counts.hpp>
#include <tutti/generator/direct.hpp>

BOOST_AUTO_TEST_SUITE(generator_direct)

using namespace tutti;
using namespace tutti::analysis;
using namespace tutti::generators;
using namespace tutti::schedules;
using namespace scans;
using boost::test_tools::per_element;
using support::log2_up;

namespace {

using counts = std::vector<std::size_t>;

/// Whether the value of the rank's group is of use after `round`, by its definition: to a partner above, or to one
/// below to which it is of use in turn.
bool is_needed(std::size_t rank, std::size_t round, std::size_t size) {
    for (auto later = round + 1; later < log2_up(size); ++later) {
        auto const peer = rank ^ (std::size_t{1} << later);
        if (peer < size && (rank < peer || is_needed(peer, later, size))) { return true; }
    }
    return false;
}

}  // namespace

BOOST_AUTO_TEST_CASE(gives_prefixes_in_rank_order) { laws::check_cuts_and_lengths(exclusive, direct{}); }
BOOST_AUTO_TEST_CASE(gives_inclusive_prefixes_in_rank_order) { laws::check_cuts_and_lengths(inclusive, direct{}); }
BOOST_AUTO_TEST_CASE(gives_prefixes_and_total_in_rank_order) { laws::check_cuts_and_lengths(both, direct{}); }

BOOST_AUTO_TEST_CASE(only_values_of_use_are_sent) {
    for (std::size_t size = 1; size <= 70; ++size) {
        for (std::size_t rank = 0; rank < size; ++rank) {
            for (std::size_t round = 0; round < log2_up(size); ++round) {
                direct_round const now{rank, size, round};
                auto const peer = rank ^ (std::size_t{1} << round);
                BOOST_TEST(now.peer == peer);
                BOOST_TEST(now.is_above == (rank > peer));
                BOOST_TEST(now.updates == is_needed(rank, round, size));
                BOOST_TEST(now.sends == (peer < size && (rank < peer || is_needed(peer, round, size))));
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(sends_by_rank_are_those_published) {
    for (auto const& [size, sends] : std::vector<std::pair<std::size_t, counts>>{
             {5, {3, 2, 2, 1, 0}}, {7, {3, 3, 3, 2, 2, 1, 0}}, {8, {3, 3, 3, 3, 2, 2, 1, 0}}}) {
        BOOST_TEST(sends_of(exclusive, direct{}, size) == sends, per_element());
        BOOST_TEST(sends_of(inclusive, direct{}, size) == sends, per_element());
    }
}

BOOST_AUTO_TEST_CASE(scans_cost_what_is_stated) {
    constexpr std::size_t elements = 3;
    auto const cut = partition::equal(elements, 1);
    for (std::size_t size = 1; size <= 64; ++size) {
        counts sends;
        counts for_exclusive;
        counts for_inclusive;
        for (std::size_t rank = 0; rank < size; ++rank) {
            auto const after = log2_up(size - rank);
            auto const for_others = std::max<std::size_t>(after, 1) - 1;
            auto const lower = static_cast<std::size_t>(std::popcount(rank));
            auto const shared = std::min<std::size_t>(static_cast<std::size_t>(std::countr_one(rank)), for_others);
            sends.push_back(after);
            for_exclusive.push_back(for_others + (rank == 0 ? 0 : lower - 1));
            for_inclusive.push_back(for_others + lower - shared);
        }
        auto const check = [&](auto which, counts const& combines) {
            BOOST_TEST(sends_of(which, direct{}, size) == sends, per_element());
            BOOST_TEST(combines_of(which, direct{}, size) == combines, per_element());
            cost::check(which, direct{}, size, 0, cut, cost::rounds == log2_up(size), cost::rounds_used == cost::rounds,
                        cost::max_messages_sent == log2_up(size), cost::max_messages_received <= log2_up(size),
                        cost::max_volume_sent == elements * log2_up(size),
                        cost::volume == elements * std::accumulate(sends.begin(), sends.end(), std::size_t{0}),
                        cost::max_combines == elements * *std::max_element(combines.begin(), combines.end()),
                        cost::max_combines <= elements * 2 * log2_up(size));
        };
        check(exclusive, for_exclusive);
        check(inclusive, for_inclusive);
    }
}

BOOST_AUTO_TEST_CASE(scan_reduce_folds_pairs_of_neighbours) {
    constexpr std::size_t elements = 16;
    // rank 0 hands prefix and total down in two messages
    BOOST_TEST(sends_of(both, direct{}, 5) == (counts{4, 1, 2, 2, 2}), per_element());
    counts volumes = sends_of(both, direct{}, 5);
    for (auto& each : volumes) { each *= elements; }
    BOOST_TEST(volumes == (counts{64, 16, 32, 32, 32}), per_element());

    for (std::size_t size = 1; size <= 64; ++size) {
        auto const levels = static_cast<std::size_t>(std::bit_width(size)) - 1;
        auto const groups = std::bit_floor(size);
        std::size_t const folded = size == groups ? 0 : 1;
        auto const cost =
            cost::check(both, direct{}, size, 0, partition::equal(elements, 1), cost::rounds == levels + 2 * folded,
                        cost::rounds_used == cost::rounds, cost::messages == groups * levels + 3 * (size - groups),
                        cost::max_volume_sent == elements * (levels + 2 * folded));
        // each round of the last group combines prefix and total, but its first prefix is just received
        auto const last = 2 * std::max<std::size_t>(levels, 1) - 1 - (levels == 0 ? 1U : 0U);
        if (folded == 0) { BOOST_TEST(cost.max_combines == elements * last); }
        BOOST_TEST(cost.max_combines <= elements * (last + 2 * folded));
    }
}

BOOST_AUTO_TEST_CASE(scan_reduce_sends_once_a_round_unless_a_pair_is_told_prefix_and_total) {
    for (std::size_t size = 2; size <= 40; ++size) {
        auto const cut = partition::equal(1, 1);
        for (std::size_t rank = 0; rank < size; ++rank) {
            auto const all = generate(both, direct{}, problem{rank, size, 0, cut});
            std::vector<std::size_t> sends(all.rounds(), 0);
            for (step const& each : all) { sends[each.round] += each.what == action::send ? 1 : 0; }
            for (std::size_t round = 0; round < all.rounds(); ++round) {
                bool const tells =
                    round + 1 == all.rounds() && power_of_two_fold{size}.is_paired(rank) && rank % 2 == 0;
                BOOST_TEST(sends[round] <= (tells ? 2U : 1U));
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(strings_are_concatenated_from_left_to_right) { laws::check_concatenation(direct{}, 5); }

BOOST_AUTO_TEST_CASE(groups_are_aligned) {
    auto const cut = partition::equal(1, 1);
    auto const prefix = [&](std::size_t rank) { return bracketings(exclusive, direct{}, 8, 0, cut, rank).front(); };
    BOOST_TEST(prefix(7) == "(((0+1)+(2+3))+((4+5)+6))");
    BOOST_TEST(prefix(6) == "(((0+1)+(2+3))+(4+5))");
    auto const total = [&](std::size_t rank) { return bracketings(both, direct{}, 6, 0, cut, rank).front(); };
    for (std::size_t rank = 0; rank < 6; ++rank) { BOOST_TEST(total(rank) == "(((0+1)+(2+3))+(4+5))"); }
}

BOOST_AUTO_TEST_CASE(inclusive_keeps_its_group_apart_only_where_they_differ) {
    auto const cut = partition::equal(1, 1);
    for (step const& each : generate(inclusive, direct{}, problem{15, 32, 0, cut})) {
        BOOST_TEST((each.target == buffer::result()));
    }
}

BOOST_AUTO_TEST_SUITE_END()
