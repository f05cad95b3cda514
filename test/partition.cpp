// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include <tutti/partition.hpp>

BOOST_AUTO_TEST_SUITE(partition)

using tutti::partition;

namespace {

using numbers = std::vector<std::size_t>;

numbers sizes_of(partition const& cut) {
    numbers all;
    for (std::size_t block = 0; block < cut.blocks(); ++block) { all.push_back(cut.size(block)); }
    return all;
}

/// Blocks follow one another, from the first element to the last.
void check_covers(partition const& cut, std::size_t elements) {
    BOOST_TEST(cut.elements() == elements);
    BOOST_TEST(cut.offset(0) == 0U);
    BOOST_TEST(cut.offset(cut.blocks()) == elements);
    std::size_t offset = 0;
    for (std::size_t block = 0; block < cut.blocks(); ++block) {
        BOOST_TEST(cut.offset(block) == offset);
        offset += cut.size(block);
        BOOST_TEST(cut.size(0, block + 1) == offset);
    }
    BOOST_TEST(offset == elements);
}

}  // namespace

BOOST_AUTO_TEST_CASE(equal_blocks_differ_by_one_element_at_most) {
    for (std::size_t elements = 0; elements <= 20; ++elements) {
        for (std::size_t blocks = 1; blocks <= 25; ++blocks) {
            auto const cut = partition::equal(elements, blocks);
            check_covers(cut, elements);
            BOOST_TEST(cut.blocks() == blocks);
            auto const sizes = sizes_of(cut);
            auto const [least, most] = std::minmax_element(sizes.begin(), sizes.end());
            BOOST_TEST(*most - *least <= 1U);
            for (std::size_t block = 0; block < blocks; ++block) {
                BOOST_TEST(cut.offset(block) == block * elements / blocks);
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(equal_cuts_of_huge_vectors_do_not_overflow) {
    constexpr auto huge = std::numeric_limits<std::size_t>::max() - 1;
    auto const cut = partition::equal(huge, 1'000'000);
    BOOST_TEST(cut.offset(1'000'000) == huge);
    BOOST_TEST(cut.offset(500'000) == huge / 2);
}

BOOST_AUTO_TEST_CASE(the_last_segment_may_be_shorter) {
    BOOST_TEST(sizes_of(partition::by_segment(10, 4)) == (numbers{4, 4, 2}), boost::test_tools::per_element());
    BOOST_TEST(sizes_of(partition::by_segment(8, 4)) == (numbers{4, 4}), boost::test_tools::per_element());
    BOOST_TEST(sizes_of(partition::by_segment(3, 4)) == (numbers{3}), boost::test_tools::per_element());
    BOOST_TEST(partition::by_segment(0, 4).blocks() == 0U);
    for (std::size_t elements = 0; elements <= 20; ++elements) {
        for (std::size_t segment = 1; segment <= 22; ++segment) {
            check_covers(partition::by_segment(elements, segment), elements);
        }
    }
}

BOOST_AUTO_TEST_CASE(explicit_sizes_are_kept) {
    numbers const sizes{3, 0, 0, 5, 1, 0};
    auto const cut = partition::of_sizes(sizes);
    check_covers(cut, 9);
    BOOST_TEST(sizes_of(cut) == sizes, boost::test_tools::per_element());
    BOOST_TEST(cut.size(1, 4) == 5U);
    BOOST_TEST(partition::of_sizes(numbers{}).blocks() == 0U);
    BOOST_TEST(partition::of_sizes(numbers{}).elements() == 0U);
    BOOST_TEST(partition::of_sizes(std::vector<int>{2, 1}).elements() == 3U);
}

BOOST_AUTO_TEST_CASE(equal_cuts_are_equal) {
    BOOST_TEST((partition::equal(7, 3) == partition::equal(7, 3)));
    BOOST_TEST((partition::equal(7, 3) != partition::equal(7, 4)));
    BOOST_TEST((partition::by_segment(7, 3) != partition::by_segment(8, 3)));
    BOOST_TEST((partition::of_sizes(numbers{1, 2}) != partition::of_sizes(numbers{2, 1})));
}

BOOST_AUTO_TEST_CASE(cuts_that_cannot_be_are_refused) {
    auto const is = [](std::string const& sentence) {
        return [sentence](std::invalid_argument const& error) { return error.what() == sentence; };
    };
    BOOST_CHECK_EXCEPTION(static_cast<void>(partition::equal(1, 0)), std::invalid_argument,
                          is("tutti: a partition of a vector that is not empty needs at least one block"));
    BOOST_CHECK_EXCEPTION(static_cast<void>(partition::by_segment(1, 0)), std::invalid_argument,
                          is("tutti: a segment holds at least one element"));
    BOOST_TEST(partition::equal(0, 0).offset(0) == 0U);
    std::size_t const most = std::numeric_limits<std::size_t>::max();
    auto const overflows = [](std::invalid_argument const& error) {
        std::string const text = error.what();
        return text.starts_with("tutti: ") && text.find("overflow") != std::string::npos;
    };
    BOOST_CHECK_EXCEPTION(static_cast<void>(partition::equal(most, most / 2 - 1)), std::invalid_argument, overflows);
    BOOST_TEST(partition::equal(most, std::size_t{1} << 31).offset(std::size_t{1} << 31) == most);
    BOOST_CHECK_THROW(static_cast<void>(partition::of_sizes(numbers{most, 1})), std::invalid_argument);
    BOOST_CHECK_THROW(static_cast<void>(partition::of_sizes(numbers{1, 2, most - 2, 0})), std::invalid_argument);
    BOOST_CHECK_THROW(static_cast<void>(partition::of_sizes(std::vector<int>{2, -1})), std::invalid_argument);
    BOOST_TEST(partition::of_sizes(numbers{most, 0}).elements() == most);
}

BOOST_AUTO_TEST_SUITE_END()
