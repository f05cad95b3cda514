// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <random>
#include <stdexcept>
#include <vector>

#include <support/erased_generator.hpp>
#include <support/left_shifted.hpp>
#include <tutti/analysis/predict.hpp>
#include <tutti/generator/linear.hpp>
#include <tutti/generator/papers/uni_greedy.hpp>
#include <tutti/generator/ring.hpp>

BOOST_AUTO_TEST_SUITE(analysis_predict)

using namespace tutti;
using namespace tutti::analysis;
using namespace tutti::generators;

namespace {

auto const eight = partition::equal(8, 8);

constexpr collective::reduce reduce{};

/// The best of every segment size, by `time(cut)`; of equals the longest.
template <class Time>
segment_choice best_of_all(std::size_t elements, Time time) {
    segment_choice best{};
    for (auto segment = elements; segment != 0; --segment) {
        auto const cut = partition::by_segment(elements, segment);
        if (auto const one = time(cut); best.segments == 0 || one < best.time) { best = {segment, cut.blocks(), one}; }
    }
    return best;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_closed_form_is_used_where_there_is_one) {
    auto const found = predict(collective::reduce{}, bi_greedy{}, 16, 3, partition::equal(5, 5),
                               cost_model::per_block(2, 1));
    BOOST_TEST(found.closed_form);
    BOOST_TEST(found.time == 24);
    BOOST_TEST(found.lower_bound > 0);
    BOOST_TEST(found.lower_bound <= found.time);
}

BOOST_AUTO_TEST_CASE(otherwise_it_is_simulated) {
    // an incomplete tree, left-shifted
    auto const costs = cost_model::per_block(2, 1, ports::unidirectional);
    auto const found = predict(binary_tree{}, 16, eight, costs);
    BOOST_TEST(!found.closed_form);
    BOOST_TEST(found.time == 74);
    BOOST_TEST(found.time == test::left_shifted(binary_tree{}, 16, 8, 2, 1));
}

BOOST_AUTO_TEST_CASE(the_short_forms_are_reductions_to_rank_0) {
    auto const costs = cost_model::linear(3, 1, 1);
    for (auto const elements : {12U, 13U}) {
        auto const four = partition::equal(elements, 4);
        auto const time = predict(collective::reduce{}, pipeline{}, 5, 0, four, costs).time;
        BOOST_TEST(predict(collective::reduce{}, pipeline{}, 5, four, costs).time == time);
        BOOST_TEST(predict(pipeline{}, 5, four, costs).time == time);
        BOOST_TEST(predict(collective::reduce{}, pipeline{}, 5, 2, four, costs).time != time);
    }
}

BOOST_AUTO_TEST_CASE(other_collectives_are_simulated) {
    auto const found = predict(collective::all_reduce{}, ring{}, 8, eight, cost_model::linear(10, 1, 0));
    BOOST_TEST(!found.closed_form);
    BOOST_TEST(found.time == 14 * 11);
    BOOST_TEST(found.lower_bound <= found.time);
}

BOOST_AUTO_TEST_CASE(the_root_is_a_rank) {
    auto const costs = cost_model::unit();
    BOOST_CHECK_THROW(static_cast<void>(predict(collective::reduce{}, binomial{}, 4, 4, eight, costs)),
                      std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(uni_greedy_segments_are_those_published) {
    struct row {
        std::size_t size, elements;
        double time;
        std::size_t segment;
    };
    auto const costs = cost_model::linear(10, 1, 0, ports::unidirectional);
    for (auto const& [size, elements, time, segment] : std::vector<row>{
             {8, 128, 369, 43},       {8, 1024, 2345, 147},   {8, 8192, 17204, 410},    {16, 128, 468, 34},
             {16, 1024, 2664, 79},    {16, 8192, 18044, 205}, {64, 16, 156, 16},        {64, 64, 367, 25},
             {64, 256, 1036, 38},     {64, 512, 1824, 58},    {64, 1024, 3296, 69},     {64, 4096, 11240, 57},
             {64, 16384, 38620, 118}, {256, 128, 726, 27},    {256, 1024, 3564, 58},    {256, 8192, 23132, 164},
             {1024, 128, 808, 23},    {1024, 1024, 3773, 45}, {1024, 8192, 23673, 139},
         }) {
        auto const found = optimal_segments(uni_greedy{}, size, elements, costs);
        BOOST_TEST(found.time == time);
        BOOST_TEST(found.segment == segment);
        BOOST_TEST(found.segments == (elements + segment - 1) / segment);
    }
}

BOOST_AUTO_TEST_CASE(no_size_of_uni_greedy_segments_is_left_out) {
    uni_greedy const greedy{.alpha = 4, .beta = 2, .gamma = 1};
    auto const costs = cost_model::linear(4, 2, 1, ports::unidirectional);
    for (std::size_t size : {1U, 2U, 3U, 6U, 12U, 37U}) {
        for (std::size_t elements : {1U, 10U, 61U}) {
            auto const expected = best_of_all(
                elements, [&](partition const& cut) { return static_cast<double>(makespan(greedy, size, cut)); });
            BOOST_TEST((optimal_segments(uni_greedy{}, size, elements, costs) == expected));
        }
    }
}

BOOST_AUTO_TEST_CASE(more_than_the_limit_is_not_computed_to_the_end) {
    auto const costs = cost_model::linear(10, 1, 0, ports::unidirectional);
    BOOST_TEST(*uni_greedy_time(64, 64, 25, costs) == 367);
    BOOST_TEST(*uni_greedy_time(64, 64, 25, costs, 367) == 367);
    BOOST_TEST(!uni_greedy_time(64, 64, 25, costs, 366));
}

BOOST_AUTO_TEST_CASE(formulas_give_the_best_of_all_sizes) {
    for (auto const model : {ports::unidirectional, ports::bidirectional}) {
        auto const costs = cost_model::linear(9, 1, 1, model);
        for (std::size_t size : {2U, 3U, 7U, 15U}) {
            auto const check = [&](auto const& generator) {
                for (std::size_t elements : {1U, 60U}) {
                    // the last segment in full
                    auto const expected = best_of_all(elements, [&](partition const& cut) {
                        auto const full = partition::equal(cut.blocks() * cut.size(0), cut.blocks());
                        return predict(generator, size, full, costs).time;
                    });
                    auto const found = optimal_segments(generator, size, elements, costs);
                    BOOST_TEST((found == expected), name_of(reduce, generator) << ", " << size << " ranks");
                    auto const cut = partition::by_segment(elements, found.segment);
                    BOOST_TEST(predict(generator, size, cut, costs).time <= found.time);
                }
            };
            check(pipeline{});
            check(binary_tree{});
            if (model == ports::bidirectional) {
                check(bi_greedy{});
                check(round_optimal{});
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(one_message_is_best_for_what_sends_the_whole_vector) {
    auto const costs = cost_model::linear(3, 1, 1);
    BOOST_TEST((optimal_segments(binomial{}, 12, 50, costs) == segment_choice{50, 1, 4 * 103}));
    BOOST_TEST((optimal_segments(linear{}, 12, 50, costs) == segment_choice{50, 1, 11 * 103}));
    BOOST_TEST((optimal_segments(linear{}, 12, 0, costs) == segment_choice{}));
}

BOOST_AUTO_TEST_CASE(others_are_tried_in_growing_numbers_of_segments) {
    auto const costs = cost_model::linear(9, 1, 1, ports::overlapped);
    auto const found = optimal_segments(pipeline{}, 9, 120, costs);
    auto const best = best_of_all(120, [&](partition const& cut) { return predict(pipeline{}, 9, cut, costs).time; });
    BOOST_TEST(found.time == predict(pipeline{}, 9, partition::by_segment(120, found.segment), costs).time);
    BOOST_TEST(found.time >= best.time);
    BOOST_TEST(found.time <= 1.05 * best.time);
}

BOOST_AUTO_TEST_CASE(the_makespan_is_that_of_the_reduction_after_every_segment) {
    std::mt19937 random{11};
    for (std::size_t size = 1; size <= 40; ++size) {
        uni_greedy_progress expected{size, 0};
        uni_greedy_times before{size};
        uni_greedy_times after{1};
        for (int segment = 0; segment < 8; ++segment) {
            auto const transfer = random() % 6;
            auto const combine = random() % 4;
            expected.reduce_segment(transfer, combine, [](auto...) {});
            after.follow(before, static_cast<double>(transfer), static_cast<double>(combine));
            BOOST_REQUIRE(after.makespan() == static_cast<double>(expected.makespan()));
            std::swap(before, after);
        }
    }
}

BOOST_AUTO_TEST_CASE(what_came_before_stays) {
    uni_greedy_times const start{15};
    uni_greedy_times first{15};
    first.follow(start, 2, 1);
    uni_greedy_times second{15};
    second.follow(first, 2, 1);
    BOOST_TEST(start.makespan() == 0);
    BOOST_TEST(first.makespan() == 12);
    BOOST_TEST(second.makespan() == 20);
    second.follow(first, 2, 1);
    BOOST_TEST(second.makespan() == 20);
}

BOOST_AUTO_TEST_SUITE_END()
