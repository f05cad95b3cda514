// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <vector>

#include <tutti/analysis/equal_segments.hpp>

BOOST_AUTO_TEST_SUITE(analysis_equal_segments)

using namespace tutti;

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

BOOST_AUTO_TEST_SUITE_END()
