// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <array>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <type_traits>

#include <tutti/operation/annotated.hpp>
#include <tutti/operation/on_blocks.hpp>

BOOST_AUTO_TEST_SUITE(operation_annotated_with_identity)

namespace {

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

BOOST_AUTO_TEST_CASE(the_functor_is_copied_unless_by_reference) {
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
