// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <tutti/operation/combine.hpp>

BOOST_AUTO_TEST_SUITE(operation_combine)

namespace {

// Two numbers of no vector's size, so that chunks have odd lengths.
struct three_bytes {
    std::array<std::uint8_t, 3> bytes{};
    three_bytes() = default;
    explicit three_bytes(std::size_t i) { bytes.fill(static_cast<std::uint8_t>(i)); }
    friend three_bytes operator+(three_bytes const& a, three_bytes const& b) {
        return three_bytes{static_cast<std::size_t>(a.bytes[0] + b.bytes[2])};
    }
    friend bool operator==(three_bytes const&, three_bytes const&) = default;
};

struct large {
    std::array<long, 9> words{};
    large() = default;
    explicit large(std::size_t i) { words.fill(static_cast<long>(i)); }
    friend large operator+(large const& a, large const& b) {
        large sum;
        for (std::size_t i = 0; i != sum.words.size(); ++i) { sum.words[i] = a.words[i] + b.words[i]; }
        return sum;
    }
    friend bool operator==(large const&, large const&) = default;
};

template <class T>
T element(std::size_t i) {
    if constexpr (std::is_same_v<T, std::string>) {
        return std::string(i % 40, 'x') + std::to_string(i);
    } else if constexpr (std::is_same_v<T, std::complex<double>>) {
        return {static_cast<double>(i), 1};
    } else {
        return static_cast<T>(i);
    }
}

template <class T>
std::vector<T> elements(std::size_t n, std::size_t from) {
    std::vector<T> result;
    for (std::size_t i = 0; i != n; ++i) { result.push_back(element<T>(from + 3 * i)); }
    return result;
}

using types = std::tuple<float, double, int, std::int8_t, std::uint16_t, std::int64_t, long double,
                         std::complex<double>, three_bytes, large, std::string>;
using small_types = std::tuple<float, int, std::int8_t>;
using some_types = std::tuple<int, double, std::string>;

// No operator of these commutes by accident: 2a + b, in a type's own arithmetic.
struct twice_left_plus_right {
    template <class T>
    T operator()(T const& left, T const& right) const {
        return static_cast<T>(static_cast<T>(left + left) + right);
    }
};

BOOST_AUTO_TEST_CASE_TEMPLATE(all_sizes_and_all_aliases, T, types) {
    twice_left_plus_right op;
    for (std::size_t n = 0; n < 300; n += n < 100 ? 1 : 37) {
        auto const left = elements<T>(n, 1);
        auto const right = elements<T>(n, 2);
        std::vector<T> expected;
        std::vector<T> squared;
        for (std::size_t i = 0; i != n; ++i) {
            expected.push_back(op(left[i], right[i]));
            squared.push_back(op(left[i], left[i]));
        }
        // One element more than is combined, which must stay as it is.
        auto const guarded = [](std::vector<T> v) { return v.push_back(element<T>(77)), v; };

        auto out = guarded(std::vector<T>(n));
        tutti::operators::combine(op, left.data(), right.data(), out.data(), n);
        BOOST_TEST((out == guarded(expected)), "apart, n = " << n);

        auto onto_left = guarded(left);
        tutti::operators::combine(op, onto_left.data(), right.data(), onto_left.data(), n);
        BOOST_TEST((onto_left == guarded(expected)), "onto left, n = " << n);

        auto onto_right = guarded(right);
        tutti::operators::combine(op, left.data(), onto_right.data(), onto_right.data(), n);
        BOOST_TEST((onto_right == guarded(expected)), "onto right, n = " << n);

        out = guarded(std::vector<T>(n));
        tutti::operators::combine(op, left.data(), left.data(), out.data(), n);
        BOOST_TEST((out == guarded(squared)), "with itself, n = " << n);

        auto onto_both = guarded(left);
        tutti::operators::combine(op, onto_both.data(), onto_both.data(), onto_both.data(), n);
        BOOST_TEST((onto_both == guarded(squared)), "onto both, n = " << n);

        std::allocator<T> memory;
        T* const raw = memory.allocate(n);
        tutti::operators::combine_into_raw(op, left.data(), right.data(), raw, n);
        BOOST_TEST(std::equal(raw, raw + n, expected.begin()), "into raw memory, n = " << n);
        std::destroy_n(raw, n);
        memory.deallocate(raw, n);
    }
}

BOOST_AUTO_TEST_CASE(adjacent_blocks_do_not_disturb_each_other) {
    std::vector<int> memory(300);
    for (std::size_t i = 0; i != 100; ++i) {
        memory[i] = static_cast<int>(i);
        memory[200 + i] = 1000;
    }
    std::plus<> op;
    tutti::operators::combine(op, &memory[0], &memory[200], &memory[100], 100);
    for (std::size_t i = 0; i != 100; ++i) {
        BOOST_TEST(memory[i] == static_cast<int>(i));
        BOOST_TEST(memory[100 + i] == static_cast<int>(1000 + i));
        BOOST_TEST(memory[200 + i] == 1000);
    }
}

template <class T>
struct recorder {
    std::vector<std::pair<T, T>> seen;
    T operator()(T const& left, T const& right) {
        seen.emplace_back(left, right);
        return static_cast<T>(seen.size());
    }
};

BOOST_AUTO_TEST_CASE_TEMPLATE(each_element_once_and_in_order, T, small_types) {
    for (std::size_t n : {0U, 1U, 15U, 16U, 17U, 31U, 32U, 33U, 100U}) {
        recorder<T> op;
        auto const left = elements<T>(n, 0);
        auto right = elements<T>(n, 1);
        auto const expected = right;
        tutti::operators::combine(op, left.data(), right.data(), right.data(), n);
        BOOST_TEST_REQUIRE(op.seen.size() == n);
        for (std::size_t i = 0; i != n; ++i) {
            BOOST_TEST((op.seen[i] == std::pair{left[i], expected[i]}));
            BOOST_TEST(right[i] == static_cast<T>(i + 1));
        }
    }
}

BOOST_AUTO_TEST_CASE(state_that_an_optimiser_could_move_is_kept_in_step) {
    // No call but arithmetic on the functor's own state, which has the element's type.
    struct running {
        int state = 0;
        int operator()(int left, int right) { return state += left * right; }
    } op;
    std::vector<int> values(100, 2);
    std::vector<int> const right(100, 3);
    tutti::operators::combine(op, values.data(), right.data(), values.data(), values.size());
    for (std::size_t i = 0; i != values.size(); ++i) { BOOST_TEST(values[i] == static_cast<int>(6 * (i + 1))); }
    BOOST_TEST(op.state == 600);
}

BOOST_AUTO_TEST_CASE(operators_may_return_references_and_other_types) {
    auto choose = [](std::string const& a, std::string const& b) -> std::string const& { return a < b ? b : a; };
    std::vector<std::string> left{"apple", "pear", "a string that is too long for its own object"};
    std::vector<std::string> const right{"banana", "fig", "a"};
    auto const expected = std::vector<std::string>{"banana", "pear", left[2]};
    tutti::operators::combine(choose, left.data(), right.data(), left.data(), left.size());
    BOOST_TEST(left == expected, boost::test_tools::per_element());

    auto wide = [](short a, short b) { return a + b; };
    std::vector<short> sum(40, 1);
    std::vector<short> const ones(40, 1);
    tutti::operators::combine(wide, sum.data(), ones.data(), sum.data(), sum.size());
    BOOST_TEST(sum == std::vector<short>(40, 2), boost::test_tools::per_element());

    auto words = [](std::string const& a, std::string const& b) { return a < b ? "less" : "not less"; };
    tutti::operators::combine(words, right.data(), right.data(), left.data(), left.size());
    BOOST_TEST(left == std::vector<std::string>(3, "not less"), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(maps_are_merged) {
    using histogram = std::map<std::string, int>;
    auto merge = [](histogram a, histogram const& b) {
        for (auto const& [word, count] : b) { a[word] += count; }
        return a;
    };
    std::vector<histogram> left{{{"a", 1}}, {}};
    std::vector<histogram> const right{{{"a", 2}, {"b", 3}}, {{"c", 4}}};
    tutti::operators::combine(merge, left.data(), right.data(), left.data(), left.size());
    BOOST_TEST((left[0] == histogram{{"a", 3}, {"b", 3}}));
    BOOST_TEST((left[1] == histogram{{"c", 4}}));
}

// Counts its objects, has no default constructor, and says how results arrive.
struct counted {
    static inline int alive = 0;
    static inline int copies = 0;
    std::string value;
    explicit counted(std::string v) : value{std::move(v)} { ++alive; }
    counted(counted const& other) : value{other.value} { ++alive, ++copies; }
    counted(counted&& other) noexcept : value{std::move(other.value)} { ++alive; }
    counted& operator=(counted const& other) { return ++copies, value = other.value, *this; }
    counted& operator=(counted&& other) noexcept { return value = std::move(other.value), *this; }
    ~counted() { --alive; }
    friend counted operator+(counted const& a, counted const& b) { return counted{a.value + b.value}; }
};

BOOST_AUTO_TEST_CASE(results_are_moved_never_copied) {
    {
        std::vector<counted> left;
        std::vector<counted> right;
        for (int i = 0; i != 20; ++i) {
            left.emplace_back("l");
            right.emplace_back(std::to_string(i));
        }
        counted::copies = 0;
        std::plus<> op;
        std::allocator<counted> memory;
        counted* const raw = memory.allocate(20);
        tutti::operators::combine_into_raw(op, left.data(), right.data(), raw, 20);
        tutti::operators::combine(op, left.data(), right.data(), left.data(), 20);
        BOOST_TEST(counted::copies == 0);
        BOOST_TEST(counted::alive == 60);
        BOOST_TEST(left[19].value == "l19");
        BOOST_TEST(raw[19].value == "l19");
        std::destroy_n(raw, 20);
        memory.deallocate(raw, 20);
    }
    BOOST_TEST(counted::alive == 0);
}

template <class Op>
struct failing {
    Op op;
    std::size_t calls_left;
    template <class T>
    T operator()(T const& a, T const& b) {
        if (calls_left == 0) { throw std::runtime_error{"no more"}; }
        --calls_left;
        return op(a, b);
    }
};

BOOST_AUTO_TEST_CASE_TEMPLATE(what_was_combined_before_a_throw_stays, T, some_types) {
    auto const left = elements<T>(50, 1);
    auto const right = elements<T>(50, 2);
    for (std::size_t const good : {0U, 1U, 16U, 40U, 49U}) {
        failing<std::plus<>> op{{}, good};
        auto out = left;
        BOOST_CHECK_THROW(tutti::operators::combine(op, out.data(), right.data(), out.data(), out.size()),
                          std::runtime_error);
        for (std::size_t i = 0; i != out.size(); ++i) {
            BOOST_TEST(out[i] == (i < good ? left[i] + right[i] : left[i]));
        }
    }
}

BOOST_AUTO_TEST_CASE(a_throw_leaves_raw_memory_raw) {
    {
        std::vector<counted> const left(10, counted{"l"});
        failing<std::plus<>> op{{}, 7};
        std::allocator<counted> memory;
        counted* const raw = memory.allocate(10);
        BOOST_CHECK_THROW(tutti::operators::combine_into_raw(op, left.data(), left.data(), raw, 10),
                          std::runtime_error);
        BOOST_TEST(counted::alive == 10);
        memory.deallocate(raw, 10);
    }
    BOOST_TEST(counted::alive == 0);
}

// Trivially copyable, but nothing can be assigned to it: raw memory is the only place for results.
struct constant {
    int const value;
};

BOOST_AUTO_TEST_CASE(elements_without_assignment_go_into_raw_memory) {
    std::array<constant, 2> const left{{{1}, {2}}};
    std::allocator<constant> memory;
    constant* const raw = memory.allocate(2);
    auto op = [](constant a, constant b) { return constant{10 * a.value + b.value}; };
    tutti::operators::combine_into_raw(op, left.data(), left.data(), raw, 2);
    BOOST_TEST(raw[0].value == 11);
    BOOST_TEST(raw[1].value == 22);
    memory.deallocate(raw, 2);
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
