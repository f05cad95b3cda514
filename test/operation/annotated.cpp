// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include <tutti/operation/annotated.hpp>
#include <tutti/operation/on_blocks.hpp>

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

int multiply_modulo(int a, int b) { return a * b % 7; }

BOOST_AUTO_TEST_CASE(the_caller_is_believed) {
    auto const op = tutti::commutative([](int a, int b) { return a * b % 7; });
    BOOST_TEST((tutti::operators::is_commutative_v<decltype(op), int>));
    BOOST_TEST((tutti::operators::is_commutative_v<std::reference_wrapper<decltype(op)>, int>));
    BOOST_TEST((tutti::operators::operator_on<decltype(op), int>));
    BOOST_TEST(op(5, 6) == 2);
    BOOST_TEST(tutti::commutative(multiply_modulo)(5, 6) == 2);
}

BOOST_AUTO_TEST_CASE(the_functor_is_copied_unless_by_reference) {
    int copies_count = 0;
    auto counting = [count = 0, &copies_count](int a, int b) mutable {
        copies_count = ++count;
        return a + b;
    };
    auto copy = tutti::commutative(counting);
    copy(1, 2);
    copy(1, 2);
    BOOST_TEST(copies_count == 2);
    counting(1, 2);
    BOOST_TEST(copies_count == 1);
    auto const reference = tutti::commutative(std::ref(counting));
    reference(1, 2);
    BOOST_TEST(copies_count == 2);
    counting(1, 2);
    BOOST_TEST(copies_count == 3);
    BOOST_TEST((tutti::operators::is_commutative_v<decltype(reference), int>));
}

BOOST_AUTO_TEST_CASE(constness_reaches_the_functor) {
    auto mutating = tutti::commutative([count = 0](int a, int b) mutable { return ++count, a + b; });
    BOOST_TEST((tutti::operators::operator_on<decltype(mutating), int>));
    BOOST_TEST(!(tutti::operators::operator_on<decltype(mutating) const, int>));
    struct either {
        char operator()(int, int) { return 'm'; }
        char operator()(int, int) const { return 'c'; }
    };
    auto op = tutti::commutative(either{});
    BOOST_TEST(op(1, 2) == 'm');
    BOOST_TEST(std::as_const(op)(1, 2) == 'c');
}

BOOST_AUTO_TEST_CASE(the_identity_shines_through) {
    BOOST_TEST(tutti::operators::identity_of<int>(tutti::commutative(std::multiplies<>{})) == 1);
    BOOST_TEST(!(tutti::operators::has_identity_v<decltype(tutti::commutative(std::minus<>{})), int>));
    BOOST_TEST(!(tutti::operators::has_identity_v<decltype(tutti::commutative(std::plus<>{})), std::string>));
}

BOOST_AUTO_TEST_CASE(commutativity_costs_no_memory) {
    BOOST_TEST(sizeof(tutti::commutative(std::plus<>{})) == sizeof(std::plus<>));
}

BOOST_AUTO_TEST_CASE(the_given_value_is_the_identity) {
    auto const op = tutti::with_identity([](int a, int b) { return a * b % 7; }, 1);
    BOOST_TEST((tutti::operators::has_identity_v<decltype(op), int>));
    BOOST_TEST(tutti::operators::identity_of<int>(op) == 1);
    BOOST_TEST(op(5, 6) == 2);
    BOOST_TEST((tutti::operators::operator_on<decltype(op), int>));
}

BOOST_AUTO_TEST_CASE(the_value_converts_to_the_element) {
    auto const concatenate = tutti::with_identity(std::plus<>{}, "");
    BOOST_TEST(tutti::operators::identity_of<std::string>(concatenate) == "");
    auto const sum = tutti::with_identity(std::plus<>{}, 0);
    static_assert(std::is_same_v<decltype(tutti::operators::identity_of<double>(sum)), double>);
    BOOST_TEST(tutti::operators::identity_of<double>(sum) == 0.0);
}

BOOST_AUTO_TEST_CASE(it_overrides_what_is_known) {
    BOOST_TEST(tutti::operators::identity_of<int>(tutti::with_identity(std::plus<>{}, 42)) == 42);
    BOOST_TEST(tutti::operators::identity_of<int>(tutti::with_identity(tutti::with_identity(std::plus<>{}, 1), 2)) ==
               2);
}

BOOST_AUTO_TEST_CASE(commutativity_shines_through) {
    BOOST_TEST((tutti::operators::is_commutative_v<decltype(tutti::with_identity(std::plus<>{}, 0)), int>));
    BOOST_TEST(!(tutti::operators::is_commutative_v<decltype(tutti::with_identity(std::minus<>{}, 0)), int>));
    BOOST_TEST(!(tutti::operators::is_commutative_v<decltype(tutti::with_identity(std::plus<>{}, "")), std::string>));
}

BOOST_AUTO_TEST_CASE(a_functor_with_an_identity_is_copied_unless_by_reference) {
    auto counting = [count = 0](int, int) mutable { return ++count; };
    auto copy = tutti::with_identity(counting, 0);
    BOOST_TEST(copy(0, 0) == 1);
    BOOST_TEST(copy(0, 0) == 2);
    auto const reference = tutti::with_identity(std::ref(counting), 0);
    BOOST_TEST(reference(0, 0) == 1);
    BOOST_TEST(counting(0, 0) == 2);
}

template <bool Commutes, class Op>
void nested(Op const& op) {
    BOOST_TEST((tutti::operators::is_commutative_v<Op, int> == Commutes));
    BOOST_TEST(tutti::operators::identity_of<int>(op) == 9);
    BOOST_TEST((tutti::operators::operator_on<Op, int>));
    BOOST_TEST((tutti::operators::is_block_operator<Op>));
    BOOST_TEST(!(tutti::operators::element_operator_on<Op, int>));
    std::array<int, 2> const left{1, 2};
    std::array<int, 2> const right{10, 20};
    std::array<int, 2> out{};
    op(std::span<int const>{left}, std::span<int const>{right}, std::span<int>{out});
    BOOST_TEST(out[0] == 11);
    BOOST_TEST(out[1] == 22);
}

BOOST_AUTO_TEST_CASE(annotations_nest_in_any_order) {
    auto const f = [](std::span<int const> left, std::span<int const> right, std::span<int> out) {
        for (std::size_t i = 0; i != out.size(); ++i) { out[i] = left[i] + right[i]; }
    };
    using tutti::commutative;
    using tutti::on_blocks;
    using tutti::with_identity;
    nested<true>(commutative(with_identity(on_blocks(f), 9)));
    nested<true>(commutative(on_blocks(with_identity(f, 9))));
    nested<true>(with_identity(commutative(on_blocks(f)), 9));
    nested<true>(with_identity(on_blocks(commutative(f)), 9));
    nested<true>(on_blocks(commutative(with_identity(f, 9))));
    nested<true>(on_blocks(with_identity(commutative(f), 9)));
    nested<false>(on_blocks(with_identity(f, 9)));
    nested<false>(with_identity(on_blocks(f), 9));
    nested<true>(with_identity(on_blocks(commutative(std::ref(f))), 9));
    auto const named = commutative(on_blocks(with_identity(f, 9)));
    nested<true>(std::ref(named));
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
