// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include <tutti/operation/annotated.hpp>
#include <tutti/operation/combine.hpp>
#include <tutti/operation/on_blocks.hpp>

BOOST_AUTO_TEST_SUITE(operation_on_blocks)

namespace {

template <class T>
struct block_sum {
    std::vector<std::size_t> lengths;
    void operator()(std::span<T const> left, std::span<T const> right, std::span<T> out) {
        lengths.push_back(out.size());
        std::transform(left.begin(), left.end(), right.begin(), out.begin(), std::plus<>{});
    }
};

BOOST_AUTO_TEST_CASE(the_type_says_that_it_takes_blocks) {
    auto op = tutti::on_blocks(block_sum<int>{});
    BOOST_TEST(tutti::operators::is_block_operator<decltype(op)>);
    BOOST_TEST((tutti::operators::operator_on<decltype(op), int>));
    BOOST_TEST(!(tutti::operators::operator_on<decltype(op), double>));
    BOOST_TEST(!(tutti::operators::operator_on<decltype(op) const, int>));
    BOOST_TEST(!(tutti::operators::element_operator_on<decltype(op), int>));
    BOOST_TEST((tutti::operators::operator_on<std::reference_wrapper<decltype(op)>, int>));
    BOOST_TEST(!(tutti::operators::is_commutative_v<decltype(op), int>));
    BOOST_TEST(!(tutti::operators::has_identity_v<decltype(op), int>));
}

BOOST_AUTO_TEST_CASE(generic_lambdas_are_called_with_spans_only) {
    // An expression on anything else than spans would be a hard error in the body.
    auto op = tutti::on_blocks([](auto left, auto right, auto out) {
        for (std::size_t i = 0; i != out.size(); ++i) { out[i] = left[i] + right[i]; }
    });
    std::vector<double> const left{1, 2, 3};
    std::vector<double> right{10, 20, 30};
    tutti::operators::combine(op, left.data(), right.data(), right.data(), right.size());
    BOOST_TEST(right == (std::vector<double>{11, 22, 33}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_block_is_combined_by_one_call_and_an_empty_one_by_none) {
    block_sum<int> f;
    auto op = tutti::commutative(tutti::on_blocks(std::ref(f)));
    std::vector<int> left(100);
    std::iota(left.begin(), left.end(), 0);
    std::vector<int> const right(100, 1000);
    tutti::operators::combine(op, left.data(), right.data(), left.data(), left.size());
    tutti::operators::combine(op, left.data(), right.data(), left.data(), 0);
    BOOST_TEST(f.lengths == std::vector<std::size_t>{100}, boost::test_tools::per_element());
    BOOST_TEST(left.front() == 1000);
    BOOST_TEST(left.back() == 1099);
}

BOOST_AUTO_TEST_CASE(raw_memory_holds_copies_of_left_before_the_call) {
    std::vector<std::string> const left{"a", "a string that is too long for its own object", ""};
    std::vector<std::string> const right{"1", "2", "3"};
    auto op = tutti::on_blocks([&](std::span<std::string const> l, std::span<std::string const> r,
                                   std::span<std::string> out) {
        BOOST_TEST(std::equal(out.begin(), out.end(), left.begin()));
        for (std::size_t i = 0; i != out.size(); ++i) { out[i] = l[i] + r[i]; }
    });
    std::allocator<std::string> memory;
    auto* const raw = memory.allocate(3);
    tutti::operators::combine_into_raw(op, left.data(), right.data(), raw, 3);
    BOOST_TEST(raw[0] == "a1");
    BOOST_TEST(raw[1] == left[1] + "2");
    BOOST_TEST(raw[2] == "3");
    std::destroy_n(raw, 3);
    memory.deallocate(raw, 3);
}

/// left · 3 + inout, element by element: the operands cannot change places. Counts what it is called for.
struct three_times_left_plus {
    std::vector<std::size_t> lengths;
    void operator()(std::span<int const> left, std::span<int> inout) {
        lengths.push_back(inout.size());
        std::transform(left.begin(), left.end(), inout.begin(), inout.begin(), [](int a, int b) { return 3 * a + b; });
    }
};

constexpr std::size_t n = 5000;
std::vector<int> const sevens(n, 7);
std::vector<int> const fives(n, 5);
std::vector<int> const expected(n, 26);

}  // namespace

BOOST_AUTO_TEST_CASE(the_type_of_into_says_that_it_takes_blocks) {
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
    tutti::operators::combine(op, sevens.data(), fives.data(), out.data(), n);
    BOOST_TEST(out == expected, boost::test_tools::per_element());
    out = fives;
    tutti::operators::combine(op, sevens.data(), out.data(), out.data(), n);
    BOOST_TEST(out == expected, boost::test_tools::per_element());
    BOOST_TEST(f.lengths == (std::vector<std::size_t>{n, n}), boost::test_tools::per_element());
    out = sevens;
    tutti::operators::combine(op, out.data(), fives.data(), out.data(), n);
    BOOST_TEST(out == expected, boost::test_tools::per_element());
    std::vector<int> const four_times(n, 28);
    out = sevens;
    tutti::operators::combine(op, out.data(), out.data(), out.data(), n);
    BOOST_TEST(out == four_times, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(operands_change_places_where_they_may) {
    std::vector<std::size_t> lengths;
    auto op = tutti::commutative(tutti::into([&](std::span<int const> in, std::span<int> inout) {
        lengths.push_back(inout.size());
        std::transform(in.begin(), in.end(), inout.begin(), inout.begin(), std::plus<>{});
    }));
    std::vector<int> out = sevens;
    tutti::operators::combine(op, out.data(), fives.data(), out.data(), n);
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
