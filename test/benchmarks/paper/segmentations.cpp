// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <tutti/generator/papers/uni_greedy.hpp>

#include "../../../benchmarks/paper/segmentations.hpp"

BOOST_AUTO_TEST_SUITE(benchmarks_paper_segmentations)

using namespace tutti;
using namespace tutti::generators;
using namespace tutti::paper;

namespace {

segmentations search(std::size_t size, std::size_t elements, std::size_t alpha, std::size_t gamma) {
    return search_segmentations(
        size, elements,
        cost_model::linear(static_cast<double>(alpha), 1, static_cast<double>(gamma), ports::unidirectional));
}

/// "(1,2) (3)"
std::string text(std::vector<std::vector<std::size_t>> const& all) {
    std::string result;
    for (auto const& each : all) {
        result += result.empty() ? "(" : " (";
        for (std::size_t i = 0; i < each.size(); ++i) { result += (i == 0 ? "" : ",") + std::to_string(each[i]); }
        result += ')';
    }
    return result;
}

/// The best of s = ⌈10/q⌉ only, as in the publication.
double published_equal_time(segmentations const& found) {
    auto best = found.equal_times[0];
    for (std::size_t const segment : {2U, 3U, 4U, 5U, 10U}) { best = std::min(best, found.equal_times[segment - 1]); }
    return best;
}

}  // namespace

BOOST_AUTO_TEST_CASE(unequal_segmentations_are_those_published) {
    struct row {
        std::size_t size, alpha, gamma;
        double equal, published_equal, best, ratio;
        std::string optimal;
    };
    for (auto const& row : std::vector<row>{
         {6, 1, 1, 51, 51, 49, 1.0408, "(2,3,2,2,1) (2,4,2,2) (3,2,2,2,1) (3,4,2,1) (3,5,2) (4,2,2,2) (5,3,2)"},
         {8, 0, 1, 37, 37, 35, 1.0571, "(2,1,1,1,1,1,1,1,1)"},
         {12, 0, 1, 44, 44, 41, 1.0732, "(2,2,1,1,1,1,1,1)"},
         {12, 3, 1, 78, 78, 77, 1.0130, "(4,5,1)"},
         {16, 1, 1, 63, 63, 62, 1.0161, "(3,2,2,2,1)"},
         {24, 3, 1, 94, 94, 93, 1.0108, "(4,3,3) (5,4,1)"},
         {32, 1, 0, 46, 46, 45, 1.0222, "(3,3,2,2)"},
         {32, 2, 1, 86, 86, 85, 1.0118, "(3,3,2,2) (4,3,3) (5,2,2,1)"},
         {48, 1, 0, 51, 51, 49, 1.0408, "(3,2,3,2) (4,2,2,2)"},
         {48, 2, 0, 62, 62, 61, 1.0164, "(5,3,2)"},
         {48, 3, 1, 108, 108, 107, 1.0093, "(3,2,3,2) (3,3,2,2) (3,4,3) (4,3,3)"},
         {64, 1, 1, 81, 81, 79, 1.0253, "(2,2,1,1,1,1,1,1) (2,2,2,1,1,1,1) (2,2,2,1,2,1) (2,2,2,2,1,1) (3,2,2,2,1)"},
         {64, 3, 1, 109, 109, 108, 1.0093, "(3,3,2,2)"},
         {96, 1, 1, 85, 85, 84, 1.0119, "(2,2,1,1,1,1,1,1) (2,2,2,1,1,1,1) (2,2,2,2,1,1)"},
         {96, 3, 1, 119, 119, 118, 1.0085, "(3,3,2,2)"},
         {192, 1, 0, 60, 60, 59, 1.0169, "(2,2,2,2,1,1)"},
         {256, 1, 1, 93, 93, 92, 1.0109, "(2,1,1,1,1,1,1,1,1) (2,1,2,1,1,1,1,1)"},
         {256, 2, 1, 118, 118, 117, 1.0085, "(2,1,2,2,1,1,1) (2,1,2,2,2,1) (2,2,2,3,1) (3,2,3,2)"},
         {256, 3, 1, 137, 137, 134, 1.0224, "(3,2,3,2)"},
         {256, 5, 1, 169, 170, 165, 1.0303, "(5,3,2)"},
         {384, 3, 1, 143, 143, 141, 1.0142, "(2,3,3,2) (3,2,3,2)"},
         {512, 2, 0, 86, 86, 84, 1.0238, "(4,3,3)"},
         {512, 3, 1, 146, 146, 145, 1.0069, "(2,3,3,2) (3,2,3,2)"},
         {512, 5, 1, 183, 183, 180, 1.0167, "(4,3,3)"},
         {512, 7, 1, 212, 213, 211, 1.0095, "(4,3,3)"},
         {768, 1, 1, 102, 102, 101, 1.0099, "(2,1,1,1,1,1,1,1,1)"},
         {768, 3, 0, 108, 108, 106, 1.0189, "(4,3,3)"},
         {768, 4, 0, 124, 124, 122, 1.0164, "(4,3,3)"},
         {768, 5, 1, 195, 195, 189, 1.0317, "(4,3,3)"},
         {768, 7, 1, 228, 228, 222, 1.0270, "(4,3,3)"},
         {1024, 3, 0, 109, 109, 108, 1.0093, "(4,3,3)"},
         }) {
        auto const found = search(row.size, 10, row.alpha, row.gamma);
        BOOST_TEST(found.best_equal_time() == row.equal);
        BOOST_TEST(published_equal_time(found) == row.published_equal);
        BOOST_TEST(found.best_time == row.best);
        BOOST_TEST(std::abs(row.published_equal / found.best_time - row.ratio) <= 0.00005001);
        BOOST_TEST(text(found.optimal) == row.optimal);
        BOOST_TEST(found.unequal_is_better());
    }
}

BOOST_AUTO_TEST_CASE(unequal_segments_are_better_in_61_of_986_experiments) {
    std::vector<std::size_t> alphas;
    for (std::size_t unit : {1U, 10U, 100U}) {
        for (std::size_t i = unit == 1 ? 0 : 2; i <= 10; ++i) { alphas.push_back(i * unit); }
    }
    std::vector<std::size_t> sizes;
    for (std::size_t size = 4; size <= 1024; size *= 2) { sizes.push_back(size); }
    for (std::size_t size = 6; size <= 768; size *= 2) { sizes.push_back(size); }

    std::size_t experiments = 0;
    std::size_t better = 0;
    std::size_t missed = 0;   // by s = ⌈10/q⌉
    std::size_t largest_alpha = 0;
    auto most = 0.0;
    auto sum = 0.0;
    auto published_sum = 0.0;
    for (auto const size : sizes) {
        for (auto const alpha : alphas) {
            for (std::size_t const gamma : {0U, 1U}) {
                auto const found = search(size, 10, alpha, gamma);
                ++experiments;
                missed += found.best_equal_time() < published_equal_time(found);
                if (!found.unequal_is_better()) { continue; }
                ++better;
                largest_alpha = std::max(largest_alpha, alpha);
                most = std::max(most, published_equal_time(found) / found.best_time);
                sum += found.best_equal_time() / found.best_time;
                published_sum += published_equal_time(found) / found.best_time;
            }
        }
    }
    BOOST_TEST(experiments == 986U);
    BOOST_TEST(better == 61U);
    BOOST_TEST(missed == 78U);
    BOOST_TEST(largest_alpha == 8U);
    BOOST_TEST(std::abs(most - 1.0732) <= 0.00005001);
    BOOST_TEST(std::abs(published_sum / 61 - 1.0202) <= 0.00005001);
    BOOST_TEST(std::abs(sum / 61 - 1.0179) <= 0.00005001);
}

BOOST_AUTO_TEST_CASE(no_segmentation_is_left_out) {
    for (std::size_t size : {1U, 2U, 3U, 7U, 20U}) {
        for (std::size_t elements : {1U, 2U, 7U}) {
            for (std::size_t alpha : {0U, 1U, 5U}) {
                uni_greedy const costs{.alpha = alpha, .beta = 1, .gamma = 1};
                std::vector<std::vector<std::size_t>> optimal;
                auto best = makespan(costs, size, partition::equal(elements, 1));
                // bit i: a segment ends behind element i
                for (std::size_t ends = std::size_t{1} << (elements - 1); ends-- > 0;) {
                    std::vector<std::size_t> cut{1};
                    for (std::size_t i = 0; i + 1 < elements; ++i) {
                        if (ends >> (elements - 2 - i) & 1) {
                            cut.push_back(1);
                        } else {
                            ++cut.back();
                        }
                    }
                    auto const time = makespan(costs, size, partition::of_sizes(cut));
                    if (time < best) { optimal.clear(); }
                    best = std::min(best, time);
                    if (time == best) { optimal.push_back(cut); }
                }
                auto const found = search(size, elements, alpha, 1);
                BOOST_TEST(found.best_time == static_cast<double>(best));
                BOOST_TEST(text(found.optimal) == text(optimal));
                for (std::size_t segment = 1; segment <= elements; ++segment) {
                    BOOST_TEST(found.equal_times[segment - 1] ==
                               static_cast<double>(makespan(costs, size, partition::by_segment(elements, segment))));
                }
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(nothing_is_cut_into_nothing) {
    auto const found = search(8, 0, 1, 1);
    BOOST_TEST(found.best_time == 0);
    BOOST_TEST(found.equal_times.empty());
    BOOST_TEST(found.optimal.empty());
}

BOOST_AUTO_TEST_SUITE_END()
