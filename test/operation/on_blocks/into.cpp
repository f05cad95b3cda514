// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <tutti/operation/annotated.hpp>
#include <tutti/operation/combine.hpp>
#include <tutti/operation/on_blocks.hpp>

BOOST_AUTO_TEST_SUITE(operation_on_blocks_into)

namespace {

/// left · 3 + inout, element by element: the operands cannot change places. Counts what it is called for.
struct three_times_left_plus {
    std::vector<std::size_t> lengths;
    void operator()(std::span<int const> left, std::span<int> inout) {
        lengths.push_back(inout.size());
        std::transform(left.begin(), left.end(), inout.begin(), inout.begin(), [](int a, int b) { return 3 * a + b; });
    }
};

constexpr std::size_t n = 5000;
std::vector<int> const left(n, 7);
std::vector<int> const right(n, 5);
std::vector<int> const expected(n, 26);

}  // namespace

BOOST_AUTO_TEST_CASE(the_type_says_that_it_takes_blocks) {
    auto op = tutti::into(three_times_left_plus{});
    BOOST_TEST(tutti::operators::is_block_operator<decltype(op)>);
    BOOST_TEST((tutti::operators::operator_on<decltype(op), int>));
    BOOST_TEST(!(tutti::operators::operator_on<decltype(op), double>));
    BOOST_TEST(!(tutti::operators::operator_on<decltype(op) const, int>));
    BOOST_TEST(!(tutti::operators::is_commutative_v<decltype(op), int>));
    BOOST_TEST((tutti::operators::is_commutative_v<decltype(tutti::commutative(op)), int>));
    BOOST_TEST(!(tutti::operators::has_identity_v<decltype(op), int>));
    BOOST_TEST((tutti::operators::has_identity_v<decltype(tutti::with_identity(op, 0)), int>));
}

BOOST_AUTO_TEST_CASE(the_result_goes_anywhere) {
    three_times_left_plus f;
    auto op = tutti::into(std::ref(f));
    std::vector<int> out(n);
    tutti::operators::combine(op, left.data(), right.data(), out.data(), n);
    BOOST_TEST(out == expected, boost::test_tools::per_element());
    out = right;
    tutti::operators::combine(op, left.data(), out.data(), out.data(), n);
    BOOST_TEST(out == expected, boost::test_tools::per_element());
    BOOST_TEST(f.lengths == (std::vector<std::size_t>{n, n}), boost::test_tools::per_element());
    out = left;
    tutti::operators::combine(op, out.data(), right.data(), out.data(), n);
    BOOST_TEST(out == expected, boost::test_tools::per_element());
    std::vector<int> const four_times(n, 28);
    out = left;
    tutti::operators::combine(op, out.data(), out.data(), out.data(), n);
    BOOST_TEST(out == four_times, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(operands_change_places_where_they_may) {
    std::vector<std::size_t> lengths;
    auto op = tutti::commutative(tutti::into([&](std::span<int const> in, std::span<int> inout) {
        lengths.push_back(inout.size());
        std::transform(in.begin(), in.end(), inout.begin(), inout.begin(), std::plus<>{});
    }));
    std::vector<int> out = left;
    tutti::operators::combine(op, out.data(), right.data(), out.data(), n);
    BOOST_TEST(out == std::vector<int>(n, 12), boost::test_tools::per_element());
    BOOST_TEST(lengths == std::vector<std::size_t>{n}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(elements_of_any_type) {
    auto op = tutti::into([](std::span<std::string const> in, std::span<std::string> inout) {
        for (std::size_t i = 0; i != in.size(); ++i) { inout[i] = in[i] + inout[i]; }
    });
    std::vector<std::string> const a{"a", "b"};
    std::vector<std::string> const b{"x", "y"};
    std::vector<std::string> out = a;
    tutti::operators::combine(op, out.data(), b.data(), out.data(), out.size());
    BOOST_TEST(out == (std::vector<std::string>{"ax", "by"}), boost::test_tools::per_element());
    tutti::operators::combine(op, a.data(), b.data(), out.data(), out.size());
    BOOST_TEST(out == (std::vector<std::string>{"ax", "by"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(large_elements) {
    using large = std::array<int, 2000>;
    auto op = tutti::into([](std::span<large const> in, std::span<large> inout) {
        for (std::size_t i = 0; i != in.size(); ++i) { inout[i][0] = 10 * in[i][0] + inout[i][0]; }
    });
    std::vector<large> const a(2, large{1});
    std::vector<large> out(2, large{2});
    tutti::operators::combine(op, out.data(), a.data(), out.data(), 2);
    BOOST_TEST(out[0][0] == 21);
    BOOST_TEST(out[1][0] == 21);
}

BOOST_AUTO_TEST_SUITE_END()
