// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <random>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include <tutti/dynamic_array.hpp>

BOOST_AUTO_TEST_SUITE(dynamic_array)

using tutti::dynamic_array;

namespace {

using numbers = dynamic_array<std::size_t>;

/// Counts those that live, and throws when the fifth is copied.
struct counted {
    using relocates_as_bytes = void;

    counted() { ++alive; }
    counted(counted const&) {
        if (alive == 5) { throw std::runtime_error{"fifth"}; }
        ++alive;
    }
    counted(counted&&) noexcept { ++alive; }
    counted& operator=(counted const&) = default;
    counted& operator=(counted&&) noexcept = default;
    ~counted() { --alive; }

    static inline int alive = 0;
};

}  // namespace

BOOST_AUTO_TEST_CASE(grows_and_shrinks) {
    numbers all;
    BOOST_TEST(all.empty());
    for (std::size_t i = 0; i != 1000; ++i) { all.push_back(i); }
    for (std::size_t i = 0; i != 1000; ++i) { BOOST_TEST(all[i] == i); }
    all.pop_back();
    BOOST_TEST(all.size() == 999U);
    BOOST_TEST((all.front() == 0U && all.back() == 998U));
    all.resize(3);
    all.resize(5);
    all.resize(6, 7);
    BOOST_TEST((all == numbers{0, 1, 2, 0, 0, 7}));
    BOOST_TEST(std::span{std::as_const(all)}.size() == 6U);
    all.clear();
    BOOST_TEST((all == numbers{}));
    BOOST_TEST(all.capacity() >= 1000U);
}

BOOST_AUTO_TEST_CASE(an_element_of_its_own_may_be_appended) {
    numbers all{1, 2};
    for (int i = 0; i != 100; ++i) { all.push_back(all.front()); }
    BOOST_TEST(all.back() == 1U);
}

BOOST_AUTO_TEST_CASE(copies_are_independent_and_moves_leave_nothing) {
    numbers all{1, 2, 3};
    auto copy = all;
    copy[0] = 9;
    BOOST_TEST((all == numbers{1, 2, 3}));
    auto const moved = std::move(all);
    BOOST_TEST((moved == numbers{1, 2, 3}));
    BOOST_TEST(all.empty());  // NOLINT: documented to be empty
    all = copy;
    BOOST_TEST((all == numbers{9, 2, 3}));
    BOOST_TEST((all != numbers{9, 2}));
}

BOOST_AUTO_TEST_CASE(elements_are_put_in_and_taken_out) {
    numbers all{0, 1, 2, 3, 4, 5};
    all.erase(all.begin() + 1, all.begin() + 3);
    BOOST_TEST((all == numbers{0, 3, 4, 5}));
    all.erase(all.begin());
    all.insert(all.begin() + 1, 8);
    all.insert(all.begin(), 7);
    all.insert(all.end(), 9);
    BOOST_TEST((all == numbers{7, 3, 8, 4, 5, 9}));
    all.erase_if([](std::size_t each) { return each > 6; });
    BOOST_TEST((all == numbers{3, 4, 5}));
    all.append(all.end(), all.end());
    BOOST_TEST(all.size() == 3U);
}

BOOST_AUTO_TEST_CASE(what_owns_memory_is_destroyed_once) {
    {
        dynamic_array<counted> all(3);
        all.push_back({});
        BOOST_TEST(counted::alive == 4);
        auto const moved = std::move(all);
        BOOST_TEST(counted::alive == 4);
        BOOST_CHECK_THROW(dynamic_array<counted>{moved}, std::runtime_error);
        BOOST_TEST(counted::alive == 4);
    }
    BOOST_TEST(counted::alive == 0);
    dynamic_array<numbers> nested;
    for (std::size_t i = 0; i != 100; ++i) { nested.push_back({i, i}); }
    nested.erase_if([](numbers const& each) { return each[0] != 42; });
    BOOST_TEST((nested == dynamic_array<numbers>{{42, 42}}));
}

BOOST_AUTO_TEST_CASE(sorts_and_leaves_equal_elements_in_order) {
    std::mt19937 random{1};
    for (std::size_t size = 0; size != 50; ++size) {
        std::vector<std::pair<unsigned, std::size_t>> all;
        for (std::size_t i = 0; i != size; ++i) { all.emplace_back(random() % 10, i); }
        auto expected = all;
        std::sort(expected.begin(), expected.end());
        tutti::container::insertion_sort(all.data(), all.data() + all.size(),
                              [](auto const& a, auto const& b) { return a.first < b.first; });
        BOOST_TEST((all == expected));
    }
}

BOOST_AUTO_TEST_SUITE_END()
