// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <concepts>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include <tutti/operation/annotated.hpp>

BOOST_AUTO_TEST_SUITE(operation_annotated)

namespace {

using tutti::operators::annotated_operator;

struct empty_left : annotated_operator<std::plus<>> {};
struct with_member : annotated_operator<std::plus<>> {
    int more;
};

BOOST_AUTO_TEST_CASE(it_is_applied_as_the_operator_itself) {
    annotated_operator<std::minus<>> const difference{};
    BOOST_TEST(difference(5, 3) == 2);
    static_assert(difference(5, 3) == 2);
    BOOST_TEST((with_member{{}, 9}(std::string{"a"}, "b")) == "ab");
}

BOOST_AUTO_TEST_CASE(results_and_operands_keep_their_category) {
    auto const first = [](int& a, int const&) -> int& { return a; };
    annotated_operator<decltype(first)> const op{first};
    int a = 1;
    op(a, 2) = 7;
    BOOST_TEST(a == 7);
    auto const joined = [](std::unique_ptr<int> left, std::unique_ptr<int> right) {
        *left += *right;
        return left;
    };
    annotated_operator<decltype(joined)> const join{joined};
    BOOST_TEST(*join(std::make_unique<int>(3), std::make_unique<int>(4)) == 7);
    static_assert(!std::invocable<decltype(join)&, std::unique_ptr<int>&, std::unique_ptr<int>&>);
}

BOOST_AUTO_TEST_CASE(it_can_be_called_where_the_operator_can) {
    auto const counting = [count = 0](int, int) mutable { return ++count; };
    annotated_operator<std::remove_const_t<decltype(counting)>> op{counting};
    BOOST_TEST(op(0, 0) == 1);
    BOOST_TEST(op(0, 0) == 2);
    static_assert(!std::invocable<decltype(op) const&, int, int>);
    static_assert(!std::invocable<decltype(op)&, int>);
    static_assert(!std::invocable<decltype(op)&, std::string, int>);
}

BOOST_AUTO_TEST_CASE(members_may_be_functions) {
    struct amount {
        int value;
        [[nodiscard]] int plus(amount const& other) const { return value + other.value; }
    };
    annotated_operator<decltype(&amount::plus)> const op{&amount::plus};
    BOOST_TEST(op(amount{3}, amount{4}) == 7);
}

BOOST_AUTO_TEST_CASE(it_costs_no_memory) {
    BOOST_TEST(sizeof(empty_left) == 1U);
    BOOST_TEST(sizeof(with_member) == sizeof(int));
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
