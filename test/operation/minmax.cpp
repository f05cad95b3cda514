// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <limits>
#include <string>

#include <tutti/operation/minmax.hpp>

BOOST_AUTO_TEST_SUITE(operation_minmax)

namespace {

BOOST_AUTO_TEST_CASE(they_choose_by_less) {
    BOOST_TEST(tutti::minimum<>{}(3, 5) == 3);
    BOOST_TEST(tutti::minimum<>{}(5, 3) == 3);
    BOOST_TEST(tutti::maximum<>{}(3, 5) == 5);
    BOOST_TEST(tutti::maximum<>{}(5, 3) == 5);
    BOOST_TEST(tutti::minimum<double>{}(-1.5, 2) == -1.5);
    BOOST_TEST(tutti::maximum<double>{}(-1.5, 2) == 2.0);
    BOOST_TEST(tutti::minimum<>{}(std::string{"b"}, std::string{"a"}) == "a");
    BOOST_TEST(tutti::maximum<std::string>{}("b", "a") == "b");
}

struct tagged {
    int key;
    char tag;
    friend bool operator<(tagged a, tagged b) { return a.key < b.key; }
};

BOOST_AUTO_TEST_CASE(of_equivalent_elements_the_left_stays) {
    BOOST_TEST(tutti::minimum<>{}(tagged{1, 'l'}, tagged{1, 'r'}).tag == 'l');
    BOOST_TEST(tutti::maximum<>{}(tagged{1, 'l'}, tagged{1, 'r'}).tag == 'l');
    BOOST_TEST(tutti::minimum<tagged>{}(tagged{1, 'l'}, tagged{1, 'r'}).tag == 'l');
    BOOST_TEST(tutti::maximum<tagged>{}(tagged{1, 'l'}, tagged{1, 'r'}).tag == 'l');
}

BOOST_AUTO_TEST_CASE(they_commute_on_arithmetic_types_only) {
    BOOST_TEST((tutti::operators::is_commutative_v<tutti::minimum<>, int>));
    BOOST_TEST((tutti::operators::is_commutative_v<tutti::minimum<double>, double>));
    BOOST_TEST((tutti::operators::is_commutative_v<tutti::maximum<>, float>));
    BOOST_TEST((tutti::operators::is_commutative_v<tutti::maximum<long>, long>));
    BOOST_TEST(!(tutti::operators::is_commutative_v<tutti::minimum<>, tagged>));
    BOOST_TEST(!(tutti::operators::is_commutative_v<tutti::maximum<tagged>, tagged>));
}

template <class T>
void identities() {
    using limits = std::numeric_limits<T>;
    for (T const element : {limits::lowest(), T{0}, T{1}, limits::max()}) {
        T const low = tutti::operators::identity_of<T>(tutti::minimum<>{});
        T const high = tutti::operators::identity_of<T>(tutti::maximum<T>{});
        BOOST_TEST(tutti::minimum<>{}(low, element) == element);
        BOOST_TEST(tutti::minimum<>{}(element, low) == element);
        BOOST_TEST(tutti::maximum<>{}(high, element) == element);
        BOOST_TEST(tutti::maximum<>{}(element, high) == element);
    }
}

BOOST_AUTO_TEST_CASE(identities_are_neutral) {
    identities<int>();
    identities<unsigned char>();
    identities<long long>();
    identities<float>();
    identities<double>();
    constexpr double infinity = std::numeric_limits<double>::infinity();
    BOOST_TEST(tutti::operators::identity_of<double>(tutti::minimum<>{}) == infinity);
    BOOST_TEST(tutti::operators::identity_of<double>(tutti::maximum<>{}) == -infinity);
    BOOST_TEST(!(tutti::operators::has_identity_v<tutti::minimum<>, tagged>));
    BOOST_TEST(!(tutti::operators::has_identity_v<tutti::maximum<>, std::string>));
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
