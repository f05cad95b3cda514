// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <bit>
#include <cstddef>
#include <numeric>
#include <string>
#include <vector>

#include <laws/schedule_laws.hpp>
#include <support/reduce_scatters.hpp>
#include <tutti/analysis/verify.hpp>
#include <tutti/combinator/reverse.hpp>
#include <tutti/combinator/then.hpp>
#include <tutti/generator/circulant.hpp>
#include <tutti/generator/papers/ordered.hpp>

BOOST_AUTO_TEST_SUITE(generator_papers_ordered)

using namespace tutti;
using namespace tutti::generators;
using namespace tutti::schedules;

namespace {

/// Distances that leave in each round, "1,4 2 3".
std::string distances(std::size_t size) {
    std::string text;
    for (auto const& round : leaving_parts(halving_skips{size})) {
        text += text.empty() ? "" : " ";
        for (std::size_t i = 0; i < round.size(); ++i) {
            text += (i == 0 ? "" : ",") + std::to_string(round[i].distance);
        }
    }
    return text;
}

/// Pieces of parts that a rank sends in each round.
std::vector<std::size_t> pieces(std::size_t rank, std::size_t size) {
    auto const cut = support::one_block_each(size);
    auto const steps = generate(collective::reduce_scatter{}, ordered{}, problem{rank, size, 0, cut});
    std::vector<std::size_t> result(steps.rounds());
    for (step const& each : steps) {
        if (each.what != action::send) { continue; }
        for (auto const& range : each.blocks) { result[each.round] += range.last - range.first; }
    }
    return result;
}

using counts = std::vector<std::size_t>;

void check_pieces(std::size_t size, std::vector<counts> const& of_first_ranks, counts const& of_others) {
    for (std::size_t rank = 0; rank < size; ++rank) {
        BOOST_TEST_CONTEXT("rank " << rank << " of " << size) {
            BOOST_TEST(pieces(rank, size) == (rank < of_first_ranks.size() ? of_first_ranks[rank] : of_others),
                       boost::test_tools::per_element());
        }
    }
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_rank_gets_its_part_in_order) {
    laws::check_schedules(collective::reduce_scatter{}, ordered{});
    laws::check_schedules(collective::all_gather{}, reverse(ordered{}));
    laws::check_schedules(collective::all_reduce{}, then(ordered{}, reverse(circulant{})));
    laws::check_lengths(collective::reduce_scatter{}, ordered{});
    laws::check_lengths(collective::all_gather{}, reverse(ordered{}));
    static_assert(!facts_of<collective::reduce_scatter, ordered>.requires_commutative);
    static_assert(!facts_of<collective::reduce_scatter, ordered>.one_ported);
}

BOOST_AUTO_TEST_CASE(parts_leave_in_the_round_of_their_last_skip) {
    BOOST_TEST(distances(2) == "1");
    BOOST_TEST(distances(5) == "1,4 2 3");
    BOOST_TEST(distances(6) == "1,4 2,5 3");
    BOOST_TEST(distances(7) == "1,3,5 2,6 4");
    BOOST_TEST(distances(9) == "1,4,6 2,7 3,8 5");
    BOOST_TEST(distances(12) == "1,4,7,10 2,5,8,11 3,9 6");
}

BOOST_AUTO_TEST_CASE(parts_that_cross_the_seam_are_sent_in_two_pieces) {
    check_pieces(5, {{2, 1, 2}}, {2, 1, 1});
    check_pieces(6, {{2, 2, 2}, {2, 2, 2}}, {2, 2, 1});
    check_pieces(7, {{3, 3, 2}, {3, 2, 2}}, {3, 2, 1});
    check_pieces(9, {{3, 2, 3, 2}, {3, 2, 2, 2}, {3, 2, 2, 2}}, {3, 2, 2, 1});
    check_pieces(12, {{4, 4, 4, 2}, {4, 4, 4, 2}, {4, 4, 2, 2}, {4, 4, 2, 2}, {4, 4, 2, 2}}, {4, 4, 2, 1});
}

BOOST_AUTO_TEST_CASE(rounds_are_the_least_and_volume_at_most_half_more_than_that) {
    for (std::size_t size = 1; size <= 130; ++size) {
        auto const cost =
            cost::check(collective::reduce_scatter{}, ordered{}, size, 0, support::one_block_each(size, 2),
                        cost::rounds == static_cast<std::size_t>(std::bit_width(size - 1)),
                        cost::max_volume_sent <= 3 * (size - 1), cost::max_combines <= 2 * size);
        auto const of_last = pieces(size - 1, size);
        BOOST_TEST(std::accumulate(of_last.begin(), of_last.end(), std::size_t{0}) == size - 1);
        auto const of_first = pieces(0, size);
        BOOST_TEST(2 * std::accumulate(of_first.begin(), of_first.end(), std::size_t{0}) == cost.max_volume_sent);
    }
}

BOOST_AUTO_TEST_CASE(keeps_the_laws) {
    laws::check_schedules(collective::all_reduce{}, ordered{});
    laws::check_lengths(collective::all_reduce{}, ordered{});
    static_assert(!facts_of<collective::all_reduce, ordered>.requires_commutative);
    static_assert(facts_of<collective::all_reduce, ordered>.identical_on_all_ranks);
}

BOOST_AUTO_TEST_CASE(takes_the_rounds_and_the_volume_it_states) {
    for (std::size_t p = 2; p <= 64; ++p) {
        auto const cost = verify(collective::all_reduce{}, ordered{}, p, 0, partition::equal(4 * p, p));
        BOOST_TEST_CONTEXT(p << " ranks") {
            cost::check(cost, cost::rounds == 2 * static_cast<std::size_t>(std::bit_width(p - 1)));
            // reduce_scatter at most 3/2 (p - 1) parts, all_gather p - 1
            BOOST_TEST(2 * cost.max_volume_sent <= 5 * 4 * (p - 1));
            BOOST_TEST(cost.max_combines <= 4 * p);
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
