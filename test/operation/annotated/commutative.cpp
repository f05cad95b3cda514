// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <functional>
#include <string>
#include <utility>

#include <tutti/operation/annotated.hpp>

BOOST_AUTO_TEST_SUITE(operation_annotated_commutative)

namespace {

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

BOOST_AUTO_TEST_CASE(it_costs_no_memory) {
    BOOST_TEST(sizeof(tutti::commutative(std::plus<>{})) == sizeof(std::plus<>));
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
