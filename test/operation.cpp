// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <complex>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <type_traits>

#include <tutti/operation.hpp>

namespace {

struct big {};  // a user's number

// A trait of somebody else's, false unless specialised, and the glue that makes tutti believe it.
template <class Op, class T>
struct elsewhere : std::false_type {};

struct known_elsewhere {
    int operator()(int a, int b) const { return a ^ b; }
};

template <class T>
struct elsewhere<known_elsewhere, T> : std::true_type {};
template <>
struct elsewhere<std::plus<>, big> : std::true_type {};
template <>
struct elsewhere<std::plus<int>, int> : std::true_type {};  // which tutti knows as well

struct told {
    int operator()(int a, int b) const { return a * b % 7; }
};

}  // namespace

template <class Op, class T>
    requires(elsewhere<Op, T>::value)
struct tutti::is_commutative<Op, T> : std::true_type {};

template <>
struct tutti::is_commutative<told, int> : std::true_type {};

template <>
struct tutti::identity<told, int> {
    static constexpr bool known = true;
    static int value(told const&) { return 1; }
};

BOOST_AUTO_TEST_SUITE(operation)

namespace {

using tutti::operators::is_commutative_v;

template <template <class> class F>
constexpr bool commutes_on_integers = is_commutative_v<F<void>, int> && is_commutative_v<F<int>, int> &&
                                      is_commutative_v<F<std::uint8_t>, std::uint8_t> &&
                                      is_commutative_v<F<void>, bool>;

BOOST_AUTO_TEST_CASE(standard_functors_commute_on_arithmetic_types) {
    BOOST_TEST(commutes_on_integers<std::plus>);
    BOOST_TEST(commutes_on_integers<std::multiplies>);
    BOOST_TEST(commutes_on_integers<std::bit_and>);
    BOOST_TEST(commutes_on_integers<std::bit_or>);
    BOOST_TEST(commutes_on_integers<std::bit_xor>);
    BOOST_TEST(commutes_on_integers<std::logical_and>);
    BOOST_TEST(commutes_on_integers<std::logical_or>);
    BOOST_TEST((is_commutative_v<std::plus<>, double>));
    BOOST_TEST((is_commutative_v<std::multiplies<float>, float>));
    BOOST_TEST((is_commutative_v<std::plus<>, std::complex<double>>));
    BOOST_TEST((is_commutative_v<std::multiplies<std::complex<float>>, std::complex<float>>));
}

BOOST_AUTO_TEST_CASE(nothing_else_commutes) {
    auto const lambda = [](int a, int b) { return a + b; };
    BOOST_TEST(!(is_commutative_v<std::minus<>, int>));
    BOOST_TEST(!(is_commutative_v<std::divides<double>, double>));
    BOOST_TEST(!(is_commutative_v<std::plus<>, std::string>));
    BOOST_TEST(!(is_commutative_v<std::plus<std::string>, std::string>));
    BOOST_TEST(!(is_commutative_v<std::multiplies<>, big>));
    BOOST_TEST(!(is_commutative_v<std::plus<big>, big>));
    BOOST_TEST(!(is_commutative_v<std::plus<big>, int>));
    BOOST_TEST(!(is_commutative_v<decltype(lambda), int>));
    BOOST_TEST(!(is_commutative_v<int (*)(int, int), int>));
}

BOOST_AUTO_TEST_CASE(others_add_what_they_know) {
    BOOST_TEST((is_commutative_v<known_elsewhere, int>));
    BOOST_TEST((is_commutative_v<std::plus<>, big>));
    BOOST_TEST((is_commutative_v<std::plus<int>, int>));
    BOOST_TEST((is_commutative_v<told, int>));
    BOOST_TEST(!(is_commutative_v<told, long>));
}

BOOST_AUTO_TEST_CASE(references_and_qualifiers_do_not_matter) {
    BOOST_TEST((is_commutative_v<std::plus<> const&, int>));
    BOOST_TEST((is_commutative_v<std::reference_wrapper<std::plus<>>, int>));
    BOOST_TEST((is_commutative_v<std::reference_wrapper<known_elsewhere const>, int>));
    BOOST_TEST(!(is_commutative_v<std::reference_wrapper<std::minus<>>, int>));
    std::multiplies<> product;
    BOOST_TEST(tutti::operators::identity_of<int>(std::ref(product)) == 1);
    BOOST_TEST(tutti::operators::identity_of<int>(std::cref(product)) == 1);
}

template <class T, class Op>
void is_neutral(Op op, T element) {
    static_assert(tutti::operators::has_identity_v<Op, T>);
    T const e = tutti::operators::identity_of<T>(op);
    BOOST_TEST((static_cast<T>(op(e, element)) == element));
    BOOST_TEST((static_cast<T>(op(element, e)) == element));
}

BOOST_AUTO_TEST_CASE(identities_are_neutral) {
    is_neutral<int>(std::plus<>{}, -7);
    is_neutral<double>(std::plus<double>{}, 2.5);
    is_neutral<std::complex<double>>(std::plus<>{}, {1, 2});
    is_neutral<long>(std::multiplies<>{}, -7);
    is_neutral<std::complex<float>>(std::multiplies<>{}, {1, 2});
    is_neutral<std::uint8_t>(std::bit_and<>{}, 0xA5);
    is_neutral<std::int64_t>(std::bit_and<>{}, -6);
    is_neutral<std::uint64_t>(std::bit_and<std::uint64_t>{}, 0xFEDC'BA98'7654'3210U);
    is_neutral<bool>(std::bit_and<>{}, true);
    is_neutral<bool>(std::bit_and<>{}, false);
    is_neutral<unsigned>(std::bit_or<>{}, 0xA5U);
    is_neutral<int>(std::bit_xor<>{}, -3);
    is_neutral<bool>(std::logical_and<>{}, true);
    is_neutral<bool>(std::logical_and<>{}, false);
    is_neutral<bool>(std::logical_or<bool>{}, true);
    is_neutral<bool>(std::logical_or<>{}, false);
    BOOST_TEST(tutti::operators::identity_of<int>(told{}) == 1);
}

BOOST_AUTO_TEST_CASE(unknown_identities_are_not_guessed) {
    BOOST_TEST(!(tutti::operators::has_identity_v<std::minus<>, int>));
    BOOST_TEST(!(tutti::operators::has_identity_v<std::plus<>, std::string>));
    BOOST_TEST(!(tutti::operators::has_identity_v<std::plus<int>, double>));  // 0 + 2.5 would be 2
    BOOST_TEST(!(tutti::operators::has_identity_v<std::bit_and<>, double>));
    BOOST_TEST(!(tutti::operators::has_identity_v<told, long>));
}

BOOST_AUTO_TEST_CASE(the_concept_accepts_what_can_be_applied) {
    auto const generic = [](auto const& a, auto const& b) { return a + b; };
    auto counting = [count = 0](int a, int b) mutable { return ++count, a + b; };
    BOOST_TEST((tutti::operators::operator_on<decltype(generic), int>));
    BOOST_TEST((tutti::operators::operator_on<decltype(generic), std::string>));
    BOOST_TEST((tutti::operators::operator_on<decltype(counting), int>));
    BOOST_TEST(!(tutti::operators::operator_on<decltype(counting) const, int>));
    BOOST_TEST((tutti::operators::operator_on<int (*)(int, int), int>));
    BOOST_TEST((tutti::operators::operator_on<int(int, int), int>));
    BOOST_TEST((tutti::operators::operator_on<std::reference_wrapper<decltype(counting)>, int>));
    BOOST_TEST((tutti::operators::operator_on<std::less<>, int>));
    BOOST_TEST(!(tutti::operators::operator_on<std::less<>, std::string>));  // bool is no string
    BOOST_TEST(!(tutti::operators::operator_on<std::plus<int>, std::string>));
    BOOST_TEST(!(tutti::operators::operator_on<int, int>));
}

BOOST_AUTO_TEST_CASE(blocks_are_only_for_operators_that_say_so) {
    auto const f = [](std::span<int const>, std::span<int const>, std::span<int>) {};
    BOOST_TEST(!(tutti::operators::operator_on<decltype(f), int>));
    BOOST_TEST(!tutti::operators::is_block_operator<decltype(f)>);
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
