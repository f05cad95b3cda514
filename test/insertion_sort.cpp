// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <random>
#include <utility>
#include <vector>

#include <tutti/insertion_sort.hpp>

BOOST_AUTO_TEST_SUITE(insertion_sort)

BOOST_AUTO_TEST_CASE(sorts_and_leaves_equal_elements_in_order) {
    std::mt19937 random{1};
    for (std::size_t size = 0; size != 50; ++size) {
        std::vector<std::pair<unsigned, std::size_t>> all;
        for (std::size_t i = 0; i != size; ++i) { all.emplace_back(random() % 10, i); }
        auto expected = all;
        std::sort(expected.begin(), expected.end());
        tutti::insertion_sort(all.data(), all.data() + all.size(),
                              [](auto const& a, auto const& b) { return a.first < b.first; });
        BOOST_TEST((all == expected));
    }
}

BOOST_AUTO_TEST_SUITE_END()
