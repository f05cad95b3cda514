// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>
#include <tuple>
#include <vector>

#include <laws/schedule_laws.hpp>
#include <support/late_ranks.hpp>
#include <tutti/generator/front_loaded_ring.hpp>
#include <tutti/generator/ring.hpp>
#include <tutti/generator/sorted_linear_tree.hpp>

BOOST_AUTO_TEST_SUITE(generator_front_loaded_ring)

using namespace tutti;
using namespace tutti::generators;
using namespace tutti::schedules;
using namespace late_ranks;

namespace {

template <class One, class Other>
void check_same(One const& one, Other const& other, std::size_t size) {
    for (auto const& cut : laws::cuts) {
        for (std::size_t rank = 0; rank < size; ++rank) {
            laws::check_same(collective::all_reduce{}, one, other, {rank, size, 0, cut});
        }
    }
}

}  // namespace

BOOST_AUTO_TEST_CASE(gives_every_rank_the_same_result) {
    laws::check_schedules(collective::all_reduce{}, front_loaded_ring{});
    laws::check_lengths(collective::all_reduce{}, front_loaded_ring{});
    std::mt19937 random{41};
    for (std::size_t size = 1; size <= 24; ++size) {
        front_loaded_ring known{.arrivals = random_arrivals(size, random)};
        laws::check_schedules(collective::all_reduce{}, known, {size});
        laws::check_lengths(collective::all_reduce{}, known, {size});
        known.sub_segments = 1 + random() % 6;
        known.started = random() % (known.sub_segments + 1);
        laws::check_schedules(collective::all_reduce{}, known, {size});
        laws::check_lengths(collective::all_reduce{}, known, {size});
    }
}

BOOST_AUTO_TEST_CASE(is_right_for_any_number_of_sub_segments) {
    for (std::size_t const size : {1U, 2U, 3U, 6U}) {
        for (std::size_t const sub_segments : {1U, 2U, 64U, 65U, 150U}) {
            for (std::size_t const started : {0U, 1U, 2U, 64U}) {
                if (started > sub_segments) { continue; }
                front_loaded_ring const known{one_late(size, 0, 9), sub_segments, started};
                auto const segments = sub_segments * size;
                auto const cut = partition::equal(segments, segments);
                auto const cost = cost::check(collective::all_reduce{}, known, size, 0, cut,
                                              cost::volume == 2 * (size - 1) * segments);
                if (size > 1 && started < 2 && sub_segments <= send_window) {
                    BOOST_TEST(cost.rounds == (started == 1 ? 2 * segments - 2 : 2 * segments + size - 3));
                }
            }
        }
    }
}

// The ring posts its receives c-1 sends earlier; what goes over each link, and in which order, is the same.
BOOST_AUTO_TEST_CASE(if_every_rank_starts_all_its_segments_it_is_the_ring_of_sub_segments) {
    auto const only = [](action what, auto const& steps) {
        std::vector<std::tuple<action, std::size_t, std::size_t>> result;
        for (auto const& each : steps) {
            if ((each.what == action::send) == (what == action::send)) {
                result.emplace_back(each.what, each.peer, each.blocks.begin()->first);
            }
        }
        return result;
    };
    for (std::size_t const size : {1U, 2U, 3U, 8U}) {
        for (std::size_t const c : {1U, 2U, 3U, 7U}) {
            for (std::size_t rank = 0; rank < size; ++rank) {
                problem const at{rank, size, 0, partition::equal(c * size, c * size)};
                auto const ours = generate(collective::all_reduce{}, ring{.sub_segments = c}, at);
                auto const theirs =
                    generate(collective::all_reduce{}, front_loaded_ring{.sub_segments = c, .started = c}, at);
                BOOST_TEST((only(action::send, ours) == only(action::send, theirs)));
                BOOST_TEST((only(action::receive, ours) == only(action::receive, theirs)));
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(its_ends_are_the_ring_and_the_sorted_linear_tree) {
    for (std::size_t const size : {1U, 2U, 5U, 9U}) {
        check_same(front_loaded_ring{.sub_segments = 1}, ring{}, size);
        auto const late = one_late(size, 0, 7);
        for (std::size_t const sub_segments : {1U, 2U, 5U}) {
            check_same(front_loaded_ring{late, sub_segments, 0}, sorted_linear_tree{late, sub_segments * size}, size);
        }
    }
}

BOOST_AUTO_TEST_CASE(of_one_late_rank_time_is_as_published) {
    for (std::size_t size = 4; size <= 10; ++size) {
        for (std::size_t const sub_segments : {1U, 2U, 3U, 4U, 6U}) {
            auto const p = static_cast<double>(size);
            auto const s = static_cast<double>(sub_segments) * p;
            for (double delay = 0; delay <= s + 2 * p; ++delay) {
                auto const arrivals = one_late(size, size / 2, delay);
                BOOST_TEST(latest(finish(front_loaded_ring{arrivals, sub_segments, 1}, arrivals)) ==
                           std::max(2 * s - 2, delay + s + p - 2));
                BOOST_TEST(latest(finish(front_loaded_ring{arrivals, sub_segments, 0}, arrivals)) ==
                           std::max(2 * s + p - 3, delay + s + p - 1));
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(if_all_arrive_at_once_the_mean_is_little_more_than_that_of_the_ring) {
    for (std::size_t size = 4; size <= 16; ++size) {
        for (std::size_t sub_segments = 1; sub_segments <= 4; ++sub_segments) {
            auto const found = finish(front_loaded_ring{.sub_segments = sub_segments}, times(size, 0.0));
            auto const mean = 2 * sub_segments * size - sub_segments - 1;
            BOOST_TEST(sum(found) == static_cast<double>(size * mean));
        }
    }
}

BOOST_AUTO_TEST_CASE(only_the_order_of_arrivals_counts) {
    check_same(front_loaded_ring{.arrivals = {4, 0, 2, 2}}, front_loaded_ring{.arrivals = {1e9, -7, 0.5, 0.5}}, 4);
}

BOOST_AUTO_TEST_CASE(refuses_what_it_cannot_do) {
    std::vector<front_loaded_ring> const wrong{{.arrivals = {0, 1}},
                                               {.arrivals = {0, 1, 2, 3}},
                                               {.arrivals = {0, std::nan(""), 0}},
                                               {.sub_segments = 0, .started = 0},
                                               {.sub_segments = 2, .started = 3},
                                               {.sub_segments = 65, .started = 65}};
    laws::check_refusals(collective::all_reduce{}, wrong, {0, 3, 0, partition::equal(3, 3)});
}

BOOST_AUTO_TEST_CASE(wants_a_block_for_every_segment) {
    BOOST_TEST(blocks_for(front_loaded_ring{}, 12, 8) == 24U);
    BOOST_TEST(blocks_for(front_loaded_ring{.sub_segments = 4}, 12, 8) == 48U);
    BOOST_TEST(name_of(collective::all_reduce{}, front_loaded_ring{}) == "front_loaded_ring");
    static_assert(facts_of<collective::all_reduce, front_loaded_ring>.requires_commutative);
}

BOOST_AUTO_TEST_SUITE_END()
