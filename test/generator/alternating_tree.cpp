// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <cstddef>

#include <laws/schedule_laws.hpp>
#include <support/scan_counts.hpp>
#include <tutti/generator/alternating_tree.hpp>
#include <tutti/generator/pipeline.hpp>

BOOST_AUTO_TEST_SUITE(generator_alternating_tree)

using namespace tutti;

namespace {

constexpr collective::reduce reduce;
constexpr collective::all_reduce all_reduce;

}  // namespace

BOOST_AUTO_TEST_CASE(keeps_the_laws) {
    laws::check_schedules(reduce, alternating_tree{});
    laws::check_schedules(all_reduce, alternating_tree{});
    laws::check_lengths(reduce, alternating_tree{.segments = 5});
    laws::check_lengths(all_reduce, alternating_tree{.segments = 5});
}

BOOST_AUTO_TEST_CASE(gives_a_broadcast) {
    laws::check_schedules(collective::broadcast{}, reverse(alternating_tree{}), {1, 2, 3, 7, 8, 13});
}

BOOST_AUTO_TEST_CASE(every_term_is_the_canonical_tree) {
    for (std::size_t p = 1; p <= 64; ++p) {
        for (auto const root : laws::roots<collective::reduce>(p)) {
            auto const verdict = verify(reduce, alternating_tree{}, p, root % p, partition::equal(9, 9));
            BOOST_TEST(verdict.reason == "");
            BOOST_TEST((verdict.canonical && verdict.one_term));
        }
        auto const verdict = verify(all_reduce, alternating_tree{}, p, 0, partition::equal(9, 9));
        BOOST_TEST(verdict.reason == "");
        BOOST_TEST((verdict.canonical && verdict.one_term));
    }
    BOOST_TEST(verify(reduce, alternating_tree{}, 7, 3, partition::equal(3, 3)).term == "(((0+1)+(2+3))+((4+5)+6))");
}

BOOST_AUTO_TEST_CASE(every_rank_sends_receives_and_combines_a_vector) {
    for (std::size_t p = 2; p <= 33; ++p) {
        auto const levels = support::log2_up(p);
        auto const segments = 2 * (std::size_t{1} << levels);
        auto const cut = partition::equal(segments, segments);
        for (auto const root : {std::size_t{0}, p / 2, p - 1}) {
            cost::check(reduce, alternating_tree{}, p, root, cut, cost::rounds == segments + levels,
                        cost::rounds_used == cost::rounds, cost::messages == p * segments,
                        cost::max_volume_sent == segments, cost::max_volume_received == segments,
                        cost::max_combines == segments);
        }
        cost::check(all_reduce, alternating_tree{}, p, 0, cut, cost::rounds == segments + 2 * levels - 1,
                    cost::rounds_used == cost::rounds, cost::messages == 2 * (p - 1) * segments,
                    cost::max_volume_sent < 2 * segments, cost::max_volume_received < 2 * segments,
                    cost::max_combines < segments);
    }
}

BOOST_AUTO_TEST_CASE(few_segments_meet_at_no_rank_more_often_than_there_are_levels) {
    for (std::size_t p = 2; p <= 33; ++p) {
        for (std::size_t segments = 1; segments != 9; ++segments) {
            auto const cost = verify(reduce, alternating_tree{}, p, 0, partition::equal(segments, segments));
            BOOST_TEST(cost.max_combines <= segments + support::log2_up(p) - 1);
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
