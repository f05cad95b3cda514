// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <array>
#include <cstddef>
#include <functional>
#include <span>

#include <tutti/operation/annotated.hpp>
#include <tutti/operation/byte_operator.hpp>
#include <tutti/operation/on_blocks.hpp>

BOOST_AUTO_TEST_SUITE(operation_byte_operator)

using tutti::operators::byte_operator;

namespace {

using numbers = std::array<int, 5>;

std::span<std::byte const> in(numbers const& all) { return std::as_bytes(std::span{all}); }
std::span<std::byte> out(numbers& all) { return std::as_writable_bytes(std::span{all}); }

int difference(int const& a, int const& b) { return a - b; }

}  // namespace

BOOST_AUTO_TEST_CASE(it_applies_the_caller_s_own_object) {
    int calls = 0;
    auto op = [&calls, offset = 100](int a, int b) mutable {
        ++calls;
        return a - b + offset++;
    };
    auto const on_bytes = byte_operator::of<int>(op);
    numbers result{};
    on_bytes(in({10, 20, 30, 40, 50}), in({1, 2, 3, 4, 5}), out(result));
    BOOST_TEST(result == (numbers{109, 119, 129, 139, 149}), boost::test_tools::per_element());
    BOOST_TEST(calls == 5);
    BOOST_TEST(op(0, 0) == 105);  // its state is there
}

BOOST_AUTO_TEST_CASE(the_result_may_be_an_operand) {
    std::minus<> op;
    auto const on_bytes = byte_operator::of<int>(op);
    numbers both{9, 8, 7, 6, 5};
    on_bytes(in(both), in({1, 1, 1, 1, 1}), out(both));
    BOOST_TEST(both == (numbers{8, 7, 6, 5, 4}), boost::test_tools::per_element());
    on_bytes(in({1, 1, 1, 1, 1}), in(both), out(both));
    BOOST_TEST(both == (numbers{-7, -6, -5, -4, -3}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(functions_and_block_operators_are_operators) {
    numbers result{};
    byte_operator::of<int>(difference)(in({3, 3, 3, 3, 3}), in({1, 2, 3, 4, 5}), out(result));
    BOOST_TEST(result == (numbers{2, 1, 0, -1, -2}), boost::test_tools::per_element());
    auto blocks = tutti::on_blocks([](std::span<int const> a, std::span<int const>, std::span<int> c) {
        for (std::size_t i = 0; i != a.size(); ++i) { c[i] = a[a.size() - 1 - i]; }
    });
    byte_operator::of<int>(blocks)(in({1, 2, 3, 4, 5}), in({}), out(result));
    BOOST_TEST(result == (numbers{5, 4, 3, 2, 1}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(it_knows_the_identity_if_the_operator_does) {
    numbers all{1, 2, 3, 4, 5};
    std::multiplies<> product;
    auto const known = byte_operator::of<int>(product);
    BOOST_TEST(known.has_identity());
    known.fill(out(all).data(), sizeof(int) * 3);
    BOOST_TEST(all == (numbers{1, 1, 1, 4, 5}), boost::test_tools::per_element());
    auto given = tutti::with_identity(difference, 7);
    byte_operator::of<int>(given).fill(out(all).data(), sizeof(all));
    BOOST_TEST(all == (numbers{7, 7, 7, 7, 7}), boost::test_tools::per_element());
    std::minus<> none;
    BOOST_TEST(!byte_operator::of<int>(none).has_identity());
    BOOST_TEST(!byte_operator{}.has_identity());
}

BOOST_AUTO_TEST_SUITE_END()
