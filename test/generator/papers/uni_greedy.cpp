// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <limits>
#include <random>
#include <stdexcept>
#include <string>

#include <laws/schedule_laws.hpp>
#include <support/in_order_search.hpp>
#include <support/left_shifted.hpp>
#include <tutti/analysis/simulate.hpp>
#include <tutti/generator/papers/uni_greedy.hpp>

BOOST_AUTO_TEST_SUITE(generator_papers_uni_greedy)

using namespace tutti;
using namespace tutti::generators;

namespace {

using numbers = std::vector<std::size_t>;

partition equal_segments(std::size_t blocks) { return partition::equal(blocks, blocks); }

/// "segment: sender->receiver @start, ..."
std::string text(std::vector<uni_greedy::transfer> const& all) {
    std::string result;
    for (auto const& each : all) {
        result += (result.empty() ? "" : ", ") + std::to_string(each.segment) + ": " + std::to_string(each.sender) +
                  "->" + std::to_string(each.receiver) + " @" + std::to_string(each.start);
    }
    return result;
}

}  // namespace

BOOST_AUTO_TEST_CASE(reduces_to_any_root) {
    laws::check_schedules(collective::reduce{}, uni_greedy{});
    laws::check_schedules(collective::reduce{}, uni_greedy{.tcomm = 2, .tcomp = 1}, {2, 5, 8, 13});
    laws::check_schedules(collective::reduce{}, uni_greedy{.tcomm = 2, .arrivals = {9, 0, 4, 4, 0}}, {5});
    laws::check_schedules(collective::reduce{}, uni_greedy{.alpha = 3, .beta = 2, .gamma = 1}, {2, 5, 8, 13});
}

BOOST_AUTO_TEST_CASE(every_rank_but_the_root_sends_every_block_once) {
    for (std::size_t size : {1U, 2U, 9U, 16U}) {
        cost::check(collective::reduce{}, uni_greedy{}, size, size / 2, partition::equal(20, 4),
                    cost::messages == 4 * (size - 1), cost::volume == 20 * (size - 1),
                    cost::combines == 20 * (size - 1), cost::max_messages_sent == (size == 1 ? 0U : 4U),
                    cost::rounds_used == cost::rounds);
    }
}

BOOST_AUTO_TEST_CASE(makespans_for_equal_segments_are_those_published) {
    struct row { std::size_t size, tcomm, tcomp; numbers makespans; };
    numbers const segments{1, 2, 3, 5, 8, 16};
    for (auto const& [size, tcomm, tcomp, makespans] : std::vector<row>{
        {2, 1, 0, {1, 2, 3, 5, 8, 16}},
        {3, 1, 0, {2, 4, 6, 10, 16, 32}},
        {4, 1, 0, {2, 4, 6, 10, 16, 32}},
        {5, 1, 0, {3, 5, 7, 11, 17, 33}},
        {7, 1, 0, {3, 5, 7, 11, 17, 33}},
        {8, 1, 0, {3, 5, 7, 11, 17, 33}},
        {12, 1, 0, {4, 6, 9, 13, 19, 35}},
        {15, 1, 0, {4, 7, 9, 14, 20, 36}},
        {16, 1, 0, {4, 7, 9, 14, 20, 36}},
        {24, 1, 0, {5, 8, 10, 15, 23, 39}},
        {32, 1, 0, {5, 8, 11, 16, 23, 42}},
        {64, 1, 0, {6, 9, 12, 18, 25, 45}},
        {100, 1, 0, {7, 10, 13, 19, 26, 46}},
        {2, 2, 1, {3, 6, 9, 15, 24, 48}},
        {3, 2, 1, {6, 11, 16, 26, 41, 81}},
        {4, 2, 1, {6, 11, 16, 26, 41, 81}},
        {5, 2, 1, {9, 14, 19, 29, 44, 84}},
        {7, 2, 1, {9, 15, 21, 33, 50, 90}},
        {8, 2, 1, {9, 15, 21, 33, 50, 90}},
        {12, 2, 1, {12, 18, 25, 37, 55, 102}},
        {15, 2, 1, {12, 20, 26, 39, 57, 105}},
        {16, 2, 1, {12, 20, 26, 39, 57, 105}},
        {24, 2, 1, {15, 23, 29, 42, 62, 110}},
        {32, 2, 1, {15, 23, 31, 44, 63, 114}},
        {64, 2, 1, {18, 26, 34, 50, 69, 121}},
        {100, 2, 1, {21, 29, 37, 53, 72, 124}},
         }) {
        for (std::size_t i = 0; i < segments.size(); ++i) {
            uni_greedy const costs{.tcomm = tcomm, .tcomp = tcomp};
            BOOST_TEST(makespan(costs, size, equal_segments(segments[i])) == makespans[i]);
        }
    }
}

BOOST_AUTO_TEST_CASE(makespans_for_unequal_segments_are_those_published) {
    struct row { std::size_t size, alpha, beta, gamma; numbers sizes; std::size_t makespan; };
    for (auto const& [size, alpha, beta, gamma, sizes, expected] : std::vector<row>{
        {200, 25, 1, 1, {18, 17, 16, 4, 20, 8, 19}, 1336},
        {48, 17, 3, 1, {10}, 342},
        {12, 3, 2, 1, {10, 17, 9, 16}, 450},
        {64, 15, 2, 3, {15, 17, 8, 8, 16, 20, 13, 13}, 1901},
        {48, 6, 2, 1, {18, 7, 17, 9, 8, 2, 18}, 881},
        {200, 22, 1, 3, {6}, 368},
        {16, 2, 3, 1, {20, 14}, 444},
        {8, 6, 2, 1, {1, 9, 5, 6, 1, 11, 8, 20, 15}, 674},
        {16, 12, 1, 3, {15, 2, 6, 6}, 452},
        {12, 22, 3, 3, {15, 19, 5, 9, 14, 14, 13, 12}, 1766},
        {16, 23, 3, 0, {11}, 224},
        {100, 19, 1, 0, {7, 2, 20, 20, 7, 20, 12, 12, 15}, 928},
         }) {
        uni_greedy const costs{.alpha = alpha, .beta = beta, .gamma = gamma};
        BOOST_TEST(makespan(costs, size, partition::of_sizes(sizes)) == expected);
    }
}

BOOST_AUTO_TEST_CASE(makespans_for_arrival_times_are_those_published) {
    struct row { std::size_t segments, tcomm, tcomp; numbers arrivals; std::size_t makespan; };
    for (auto const& [segments, tcomm, tcomp, arrivals, expected] : std::vector<row>{
        {3, 4, 1, {14, 17, 27, 18, 0, 21, 24}, 57},
        {4, 4, 0, {13, 3, 21, 29, 11, 25, 24}, 61},
        {5, 4, 0, {14, 19, 0}, 55},
        {2, 4, 1, {0, 24, 22, 9, 18, 9, 3, 7}, 44},
        {5, 5, 3, {23, 8, 24, 7, 9, 20, 13, 0}, 108},
        {6, 3, 0, {13, 9}, 31},
        {5, 4, 0, {17, 17, 27, 12, 22, 11, 7, 26}, 67},
        {6, 1, 1, {15, 3, 1, 19}, 36},
         }) {
        uni_greedy const greedy{.tcomm = tcomm, .tcomp = tcomp, .arrivals = arrivals};
        BOOST_TEST(makespan(greedy, arrivals.size(), equal_segments(segments)) == expected);
        auto const costs = cost_model::per_block(static_cast<double>(tcomm), static_cast<double>(tcomp),
                                                 ports::unidirectional);
        std::vector<double> const times(arrivals.begin(), arrivals.end());
        auto const line =
            simulate(collective::reduce{}, greedy, times.size(), 0, equal_segments(segments), costs, times);
        BOOST_TEST(line.makespan() == static_cast<double>(expected));
    }
}

BOOST_AUTO_TEST_CASE(canonical_schedules_are_those_published) {
    struct row { std::size_t size, segments, tcomm, tcomp, root; std::string schedule; };
    for (auto const& [size, segments, tcomm, tcomp, root, expected] : std::vector<row>{
        {3, 2, 1, 1, 0,
         "0: 1->0 @0, 0: 2->0 @2, 1: 1->2 @3, 1: 2->0 @5"},
        {5, 3, 2, 1, 0,
         "0: 1->0 @0, 0: 2->3 @0, 0: 4->0 @3, 0: 3->0 @6, "
         "1: 1->2 @2, 1: 4->2 @5, 1: 3->2 @8, 1: 2->0 @11, "
         "2: 1->4 @7, 2: 3->4 @10, 2: 2->4 @13, 2: 4->0 @16"},
        {5, 3, 2, 1, 3,
         "0: 0->1 @0, 0: 2->3 @0, 0: 4->1 @3, 0: 1->3 @6, "
         "1: 0->2 @2, 1: 4->2 @5, 1: 1->2 @8, 1: 2->3 @11, "
         "2: 0->4 @7, 2: 1->4 @10, 2: 2->4 @13, 2: 4->3 @16"},
         }) {
        uni_greedy const costs{.tcomm = tcomm, .tcomp = tcomp};
        BOOST_TEST(text(transfers_of(costs, size, root, equal_segments(segments))) == expected);
    }
}

BOOST_AUTO_TEST_CASE(schedules_take_the_time_that_was_planned) {
    for (std::size_t size : {1U, 2U, 7U, 24U}) {
        for (std::size_t segments : {1U, 3U, 8U}) {
            uni_greedy const costs{.tcomm = 2, .tcomp = 1};
            auto const planned = makespan(costs, size, equal_segments(segments));
            BOOST_TEST(test::left_shifted(costs, size, segments, 2, 1) == planned);
        }
    }
}

BOOST_AUTO_TEST_CASE(no_reduction_in_order_is_shorter) {
    struct costs { numbers transfer, combine; };
    for (std::size_t size = 2; size <= 4; ++size) {
        for (auto const& [transfer, combine] : std::vector<costs>{{{1}, {0}},
                                                                  {{2, 2}, {1, 1}},
                                                                  {{1, 1, 1}, {0, 0, 0}},
                                                                  {{2, 2, 2}, {1, 1, 1}},
                                                                  {{1, 1, 1}, {3, 3, 3}},
                                                                  {{4, 2, 3}, {3, 1, 2}},
                                                                  {{1, 5, 2}, {1, 5, 2}}}) {
            numbers const at_once(size, 0);
            uni_greedy_progress progress{size, 0};
            for (std::size_t i = 0; i < transfer.size(); ++i) {
                progress.reduce_segment(transfer[i], combine[i], [](auto...) {});
            }
            test::in_order_search search{transfer, combine};
            BOOST_TEST(!search.ends_before(progress.makespan(), at_once));
            BOOST_TEST(search.ends_before(progress.makespan() + 1, at_once));
        }
    }
}

BOOST_AUTO_TEST_CASE(no_reduction_in_order_is_shorter_when_ranks_arrive_at_different_times) {
    std::mt19937 random{7};
    for (int trial = 0; trial < 40; ++trial) {
        numbers arrivals(4);
        for (auto& each : arrivals) { each = random() % 12; }
        numbers const transfer(2, 1 + random() % 3);
        numbers const combine(2, random() % 3);
        uni_greedy const costs{.tcomm = transfer[0], .tcomp = combine[0], .arrivals = arrivals};
        auto const planned = makespan(costs, 4, equal_segments(2));
        test::in_order_search search{transfer, combine};
        BOOST_TEST(!search.ends_before(planned, arrivals));
        BOOST_TEST(search.ends_before(planned + 1, arrivals));
    }
}

BOOST_AUTO_TEST_CASE(a_copy_of_the_progress_continues_on_its_own) {
    auto const nothing = [](auto...) {};
    uni_greedy_progress common{8, 3};
    common.reduce_segment(4, 2, nothing);
    auto longer = common;
    longer.reduce_segment(3, 1, nothing);
    common.reduce_segment(6, 0, nothing);
    uni_greedy_progress fresh{8, 3};
    fresh.reduce_segment(4, 2, nothing);
    fresh.reduce_segment(6, 0, nothing);
    BOOST_TEST(common.makespan() == fresh.makespan());
    BOOST_TEST(longer.makespan() != fresh.makespan());
}

BOOST_AUTO_TEST_CASE(blocks_without_elements_take_no_time) {
    uni_greedy const costs{.tcomm = 2, .tcomp = 1};
    BOOST_TEST(makespan(costs, 5, partition::of_sizes(numbers{0, 4, 0, 1})) == makespan(costs, 5, equal_segments(2)));
}

BOOST_AUTO_TEST_CASE(wants_an_arrival_time_of_every_rank) {
    numbers const two{1, 2};
    BOOST_CHECK_THROW(static_cast<void>(makespan(uni_greedy{.arrivals = two}, 3, equal_segments(1))),
                      std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(refuses_costs_that_do_not_add_up) {
    auto const large = std::numeric_limits<std::size_t>::max() / 8;
    BOOST_TEST(makespan(uni_greedy{.tcomm = large, .tcomp = 1}, 2, equal_segments(1)) == large + 1);
    auto const arrived = numbers{large, 0};
    BOOST_TEST(makespan(uni_greedy{.arrivals = arrived}, 2, equal_segments(1)) == large + 1);
    auto const says = [](std::invalid_argument const& error) {
        return std::string{error.what()} ==
               "tutti: the costs of uni_greedy are too large to add up; divide all of them by the same number";
    };
    for (auto const& costs : {uni_greedy{.tcomm = large}, uni_greedy{.tcomp = large}, uni_greedy{.alpha = large},
                              uni_greedy{.beta = large}, uni_greedy{.gamma = large}}) {
        auto const cut = partition::equal(30, 3);
        BOOST_CHECK_EXCEPTION(static_cast<void>(generate(collective::reduce{}, costs, {0, 2, 0, cut})),
                              std::invalid_argument, says);
        BOOST_CHECK_EXCEPTION(static_cast<void>(makespan(costs, 2, cut)), std::invalid_argument, says);
    }
    auto const late = numbers{0, std::numeric_limits<std::size_t>::max()};
    BOOST_CHECK_EXCEPTION(static_cast<void>(makespan(uni_greedy{.arrivals = late}, 2, equal_segments(1))),
                          std::invalid_argument, says);
}

BOOST_AUTO_TEST_SUITE_END()
