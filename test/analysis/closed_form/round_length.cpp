// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <vector>

#include <tutti/analysis/closed_form.hpp>

BOOST_AUTO_TEST_SUITE(analysis_closed_form_round_length)

using namespace tutti;
using namespace tutti::analysis;

namespace {

// α = 100, 10 and 3 for each block and element sent, 5 and 2 for each combined
constexpr cost_model costs{100, 10, 3, 5, 2};

}  // namespace

BOOST_AUTO_TEST_CASE(of_one_segment) {
    round_length const length{4, costs};
    BOOST_TEST(length.transfer == 100 + 10 + 4 * 3);
    BOOST_TEST(length.combine == 5 + 4 * 2);
    BOOST_TEST(length.whole() == length.transfer + length.combine);
}

BOOST_AUTO_TEST_CASE(of_a_whole_vector_every_block_counts_that_holds_something) {
    round_length const length{partition::of_sizes(std::vector<std::size_t>{3, 0, 4, 0}), costs};
    BOOST_TEST(length.transfer == 100 + 2 * 10 + 7 * 3);
    BOOST_TEST(length.combine == 2 * 5 + 7 * 2);
}

BOOST_AUTO_TEST_CASE(one_block_is_one_segment) {
    round_length const whole{partition::equal(9, 1), costs};
    round_length const segment{9, costs};
    BOOST_TEST(whole.transfer == segment.transfer);
    BOOST_TEST(whole.combine == segment.combine);
}

BOOST_AUTO_TEST_SUITE_END()
