// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <vector>

#include <tutti/analysis/segments.hpp>

BOOST_AUTO_TEST_SUITE(analysis_segments)

using namespace tutti;
using namespace tutti::analysis;

BOOST_AUTO_TEST_CASE(equal_blocks_are_counted) {
    BOOST_TEST((equal_segments_of(partition::equal(12, 4)) == equal_segments{4, 3}));
    BOOST_TEST((equal_segments_of(partition::by_segment(12, 5)) == std::nullopt));
    BOOST_TEST((equal_segments_of(partition::equal(13, 4)) == std::nullopt));
}

BOOST_AUTO_TEST_CASE(empty_blocks_do_not_count) {
    auto const sizes = std::vector<std::size_t>{0, 3, 0, 3, 0};
    BOOST_TEST((equal_segments_of(partition::of_sizes(sizes)) == equal_segments{2, 3}));
    BOOST_TEST((equal_segments_of(partition::equal(0, 7)) == equal_segments{}));
    BOOST_TEST((equal_segments_of(partition::equal(0, 0)) == equal_segments{}));
}

BOOST_AUTO_TEST_CASE(no_better_pair_is_left_out) {
    for (std::size_t elements = 1; elements <= 300; ++elements) {
        for (double const latency : {0.0, 1.0, 7.0, 300.0}) {
            auto const time = [&](std::size_t segment, std::size_t segments) {
                return (latency + static_cast<double>(segment)) * static_cast<double>(segments + 6);
            };
            segment_choice expected{elements, 1, time(elements, 1)};
            for (auto segment = elements; segment-- > 1;) {
                auto const segments = (elements + segment - 1) / segment;
                auto const one = time(segment, segments);
                if (one < expected.time) { expected = {segment, segments, one}; }
            }
            BOOST_REQUIRE((best_segments(elements, time) == expected));
        }
    }
}

BOOST_AUTO_TEST_CASE(few_pairs_are_looked_at) {
    std::size_t looks = 0;
    auto const best = best_segments(1'000'000, [&](std::size_t, std::size_t) {
        ++looks;
        return 1.0;
    });
    BOOST_TEST((best == segment_choice{1'000'000, 1, 1.0}));
    BOOST_TEST(looks <= 2000U);
    BOOST_TEST((best_segments(0, [](auto, auto) { return 1.0; }) == segment_choice{}));
}

BOOST_AUTO_TEST_SUITE_END()
