// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <algorithm>
#include <cstddef>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include <range/v3/algorithm/equal.hpp>
#include <range/v3/range/conversion.hpp>

#include <laws/schedule_laws.hpp>
#include <support/late_ranks.hpp>
#include <support/ring_loops.hpp>
#include <tutti/analysis/simulate.hpp>
#include <tutti/combinator/relabel.hpp>
#include <tutti/generator/ring.hpp>
#include <tutti/generator/ring_of_starts.hpp>

BOOST_AUTO_TEST_SUITE(generator_ring_of_starts)

using namespace tutti;
using namespace tutti::analysis;
using namespace tutti::generators;
using namespace tutti::schedules;

namespace {

using numbers = std::vector<std::size_t>;

template <class Generator>
verification verdict_of(Generator const& generator, std::size_t size, partition const& cut) {
    return verify(collective::all_reduce{}, generator, size, 0, cut);
}

numbers plain(std::size_t size) {
    numbers starts;
    for (std::size_t rank = 0; rank < size; ++rank) { starts.push_back(rank); }
    return starts;
}

constexpr std::size_t blocks = 12;

std::vector<step> steps_of(ring_position const& self) {
    std::vector<step> result;
    for (std::size_t i = 0; i < self.steps(); ++i) { result.push_back(self.step_at(i, blocks)); }
    return result;
}

template <class Steps>
std::vector<step> without_rounds(Steps const& steps) {
    std::vector<step> result;
    for (step each : steps) {
        each.round = 0;
        result.push_back(each);
    }
    return result;
}

step sends(std::size_t round, std::size_t to, std::size_t segment) {
    return step::send(round, to, buffer::result(), block_range{3 * segment, 3 * segment + 3});
}
step combines(std::size_t round, std::size_t from, std::size_t segment) {
    return step::receive_combine(round, from, buffer::result(), block_range{3 * segment, 3 * segment + 3}, side::left);
}
step overwrites(std::size_t round, std::size_t from, std::size_t segment) {
    return step::receive(round, from, buffer::result(), block_range{3 * segment, 3 * segment + 3});
}

}  // namespace

BOOST_AUTO_TEST_CASE(gives_every_rank_the_same_result) {
    std::mt19937 random{7};
    for (std::size_t size = 1; size <= 24; ++size) {
        for (int trial = 0; trial < 6; ++trial) {
            ring_of_starts const any{random_starts(size, size + random() % (2 * size), random)};
            laws::check_schedules(collective::all_reduce{}, any, {size});
            laws::check_lengths(collective::all_reduce{}, any, {size});
        }
        ring_of_starts const few{numbers(size, random() % size)};
        laws::check_schedules(collective::all_reduce{}, few, {size});
        laws::check_schedules(collective::all_reduce{}, ring_of_starts{numbers(size, 0)}, {size});
    }
}

BOOST_AUTO_TEST_CASE(every_rank_does_what_segments_that_it_and_others_start_leave) {
    std::mt19937 random{8};
    for (int trial = 0; trial < 200; ++trial) {
        auto const size = 2 + random() % 23;
        auto const segments = size + random() % size;
        ring_of_starts const any{random_starts(size, segments, random)};
        auto const cut = partition::equal(segments, segments);
        auto const cost = verdict_of(any, size, cut);
        cost::check(cost, cost::rounds_used == cost::rounds, cost::volume == segments * 2 * (size - 1),
                    cost::combines == segments * (size - 1));
        auto const started = [&](std::size_t rank) {
            rank %= size;
            return rank == 0 ? any.starts[0] + 1 : any.starts[rank] - any.starts[rank - 1];
        };
        for (std::size_t rank = 0; rank < size; ++rank) {
            std::size_t sends = 0;
            std::size_t receives = 0;
            for (auto const& each : generate(collective::all_reduce{}, any, problem{rank, size, 0, cut})) {
                ++(each.receives() ? receives : sends);
            }
            BOOST_TEST(sends == 2 * segments - started(rank + 1) - started(rank + 2));
            BOOST_TEST(receives == 2 * segments - started(rank) - started(rank + 1));
        }
    }
}

BOOST_AUTO_TEST_CASE(is_the_ring_where_every_rank_starts_one_segment) {
    for (std::size_t size : {1U, 2U, 3U, 8U, 13U}) {
        for (auto const& cut : laws::cuts) {
            for (std::size_t rank = 0; rank < size; ++rank) {
                problem const at{rank, size, 0, cut};
                laws::check_same(collective::all_reduce{}, ring_of_starts{plain(size)}, ring{}, at);
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(goes_through_the_ranks_in_any_order) {
    std::mt19937 random{13};
    for (std::size_t size = 1; size <= 16; ++size) {
        auto order = plain(size);
        std::shuffle(order.begin(), order.end(), random);
        ring_of_starts const any{random_starts(size, 2 * size, random)};
        auto const cut = partition::equal(3 * size, 3 * size);
        for (std::size_t rank = 0; rank < size; ++rank) {
            problem const at{rank, size, 0, cut};
            auto const one = ring_through(order, any.starts, at);
            auto const other = generate(collective::all_reduce{}, relabel(ordering{order}, any), at);
            BOOST_TEST(ranges::equal(one, other));
            BOOST_TEST(one.rounds() == other.rounds());
        }
    }
}

BOOST_AUTO_TEST_CASE(as_many_segments_as_there_are_ranks_go_in_lock_step) {
    std::mt19937 random{9};
    for (int trial = 0; trial < 200; ++trial) {
        auto const size = 2 + random() % 20;
        ring_of_starts const any{random_starts(size, size, random)};
        auto const cut = partition::equal(size, size);
        auto const line = simulate(collective::all_reduce{}, any, size, 0, cut, cost_model::unit());
        BOOST_TEST(line.makespan() == static_cast<double>(verdict_of(any, size, cut).rounds));
        for (std::size_t rank = 0; rank < size; ++rank) {
            numbers received(4 * size, 0);
            numbers sent(4 * size, 0);
            for (auto const& each : generate(collective::all_reduce{}, any, problem{rank, size, 0, cut})) {
                ++(each.receives() ? received : sent)[each.round];
            }
            BOOST_TEST(*std::max_element(received.begin(), received.end()) == 1U);
            BOOST_TEST(*std::max_element(sent.begin(), sent.end()) == 1U);
        }
    }
}

BOOST_AUTO_TEST_CASE(segments_are_combined_from_where_they_start) {
    auto const texts =
        bracketings(collective::all_reduce{}, ring_of_starts{{2, 2, 2, 3}}, 4, 0, partition::equal(4, 4), 1);
    BOOST_TEST(texts == (std::vector<std::string>{"(((0+1)+2)+3)", "(((0+1)+2)+3)", "(((0+1)+2)+3)", "(((3+0)+1)+2)"}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(needs_no_more_than_the_window_of_sends_for_any_number_of_segments) {
    std::mt19937 random{11};
    for (std::size_t size : {2U, 3U, 5U}) {
        auto const ahead = send_window * size;
        for (std::size_t const segments : {ahead - 1, ahead, ahead + 1, ahead + 300}) {
            auto const cut = partition::equal(segments, segments);
            auto const least = segments > ahead ? segments - ahead : 1;  // that rank 0 starts
            numbers starts(size, segments - 1);
            BOOST_TEST(verdict_of(ring_of_starts{starts}, size, cut).reason == "");
            starts.front() = least - 1;
            BOOST_TEST(verdict_of(ring_of_starts{starts}, size, cut).reason == "");
            for (int trial = 0; trial < 10; ++trial) {
                for (std::size_t rank = 0; rank + 1 < size; ++rank) {
                    starts[rank] = least - 1 + random() % (segments - least);
                }
                std::sort(starts.begin(), starts.end());
                BOOST_TEST(verdict_of(ring_of_starts{starts}, size, cut).reason == "");
            }
            if (segments <= ahead) { continue; }
            starts.front() = least - 2;
            problem const at{0, size, 0, cut};
            if (least > 1) {
                BOOST_CHECK_THROW(static_cast<void>(generate(collective::all_reduce{}, ring_of_starts{starts}, at)),
                                  std::invalid_argument);
            }
        }
    }
}

// the last one to arrive sends its part of all segments over one link, and of the last one p-2 hops are to go
BOOST_AUTO_TEST_CASE(no_starts_make_up_for_the_last_arrival) {
    std::mt19937 random{12};
    for (int trial = 0; trial < 500; ++trial) {
        auto const size = 2 + random() % 12;
        auto const segments = size + random() % size;
        auto arrivals = late_ranks::random_arrivals(size, random);
        std::sort(arrivals.begin(), arrivals.end());
        auto const end =
            late_ranks::latest(late_ranks::finish(ring_of_starts{random_starts(size, segments, random)}, arrivals));
        BOOST_TEST(end >= arrivals.back() + static_cast<double>(segments + size - 2));
    }
}

// a position's segments come back in the order in which the next one starts to send, not in its own
BOOST_AUTO_TEST_CASE(a_ring_that_distributes_in_another_order_is_found_out) {
    using mistake = ring_loops::mistake;
    std::mt19937 random{10};
    for (int trial = 0; trial < 300; ++trial) {
        auto const size = 3 + random() % 14;
        auto const starts = random_starts(size, size, random);
        auto const cut = partition::equal(size, size);
        BOOST_TEST(verdict_of(ring_loops{starts}, size, cut).reason == "");
        auto const own = verdict_of(ring_loops{starts, mistake::distributes_from_own_start}, size, cut);
        BOOST_TEST(own.ok == (starts == plain(size)));
        BOOST_TEST(!verdict_of(ring_loops{starts, mistake::waits_for_wrong_segment}, size, cut).ok);
    }
    for (std::size_t size = 2; size <= 16; ++size) {
        auto const cut = partition::equal(size, size);
        BOOST_TEST(verdict_of(ring_loops{plain(size), mistake::distributes_from_own_start}, size, cut).reason == "");
    }
}

BOOST_AUTO_TEST_CASE(refuses_what_are_no_starts) {
    std::vector<ring_of_starts> const wrong{{numbers{}}, {{0, 1}}, {{0, 1, 2, 3}}, {{1, 0, 2}}, {{0, 1, 1}}};
    laws::check_refusals(collective::all_reduce{}, wrong, {0, 3, 0, partition::equal(3, 3)});
}

BOOST_AUTO_TEST_CASE(wants_a_block_for_every_segment) {
    BOOST_TEST(blocks_for(ring_of_starts{{3, 3, 7}}, 3, 8) == 8U);
    static_assert(facts_of<collective::all_reduce, ring_of_starts>.requires_commutative);
    static_assert(!facts_of<collective::all_reduce, ring_of_starts>.one_ported);
}

// 4 segments and 4 positions, of which 0 starts three segments and 3 the last one
BOOST_AUTO_TEST_CASE(receives_only_what_others_start_and_sends_only_what_others_lack) {
    ring_position const last{.before = 2,
                             .next = 0,
                             .size = 4,
                             .segments = 4,
                             .first = 3,
                             .started = 1,
                             .started_by_next = 3,
                             .started_by_second = 0,
                             .first_round = 2};
    BOOST_TEST(last.sends() == 5U);
    BOOST_TEST(last.receives() == 4U);
    BOOST_TEST((steps_of(last) == std::vector<step>{sends(2, 0, 3), combines(2, 2, 2), sends(3, 0, 2),
                                                    combines(3, 2, 1), sends(4, 0, 1), combines(4, 2, 0),
                                                    sends(5, 0, 0), overwrites(5, 2, 3), sends(6, 0, 3)}));
    ring_position const first{.before = 3,
                              .next = 1,
                              .size = 4,
                              .segments = 4,
                              .first = 2,
                              .started = 3,
                              .started_by_next = 0,
                              .started_by_second = 0};
    BOOST_TEST(first.sends() == 8U);
    BOOST_TEST(first.receives() == 5U);
    BOOST_TEST((steps_of(first) == std::vector<step>{sends(0, 1, 2), sends(1, 1, 1), sends(2, 1, 0), combines(2, 3, 3),
                                                     sends(3, 1, 3), overwrites(3, 3, 2), sends(4, 1, 2),
                                                     overwrites(4, 3, 1), sends(5, 1, 1), overwrites(5, 3, 0),
                                                     sends(6, 1, 0), overwrites(6, 3, 3), sends(7, 1, 3)}));
}

BOOST_AUTO_TEST_CASE(takes_segments_back_early_if_it_must) {
    ring_position self{.before = 1,
                       .next = 1,
                       .size = 2,
                       .segments = 4,
                       .first = 3,
                       .started = 4,
                       .started_by_next = 0,
                       .started_by_second = 4};
    auto const late =
        std::vector<step>{sends(0, 1, 3),      sends(1, 1, 2),      sends(2, 1, 1),      sends(3, 1, 0),
                          overwrites(3, 1, 3), overwrites(4, 1, 2), overwrites(5, 1, 1), overwrites(6, 1, 0)};
    BOOST_TEST((steps_of(self) == late));
    self.early = 2;
    BOOST_TEST((steps_of(self) == std::vector<step>{sends(0, 1, 3), sends(1, 1, 2), overwrites(1, 1, 3), sends(2, 1, 1),
                                                    overwrites(2, 1, 2), sends(3, 1, 0), overwrites(3, 1, 1),
                                                    overwrites(4, 1, 0)}));
}

BOOST_AUTO_TEST_CASE(one_position_has_nothing_to_do) {
    ring_position const alone{.before = 0,
                              .next = 0,
                              .size = 1,
                              .segments = 5,
                              .first = 4,
                              .started = 5,
                              .started_by_next = 5,
                              .started_by_second = 5};
    BOOST_TEST(alone.steps() == 0U);
}

BOOST_AUTO_TEST_CASE(does_in_one_loop_what_takes_two) {
    std::mt19937 random{3};
    std::size_t different = 0;
    for (int trial = 0; trial < 400; ++trial) {
        auto const size = 1 + random() % 16;
        auto const starts = random_starts(size, size + random() % (2 * size), random);
        auto const cut = partition::equal(1 + random() % 40, 1 + random() % 40);
        for (std::size_t rank = 0; rank < size; ++rank) {
            problem const at{rank, size, 0, cut};
            auto const one = without_rounds(generate(collective::all_reduce{}, ring_of_starts{starts}, at));
            auto const two = without_rounds(generate(collective::all_reduce{}, ring_loops{starts}, at));
            different += one == two ? 0U : 1U;
        }
    }
    BOOST_TEST(different == 0U);
}

BOOST_AUTO_TEST_SUITE_END()
