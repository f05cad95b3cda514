// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <complex>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include <tutti/generators.hpp>
#include <tutti/text.hpp>
#include <tutti/threads.hpp>

namespace mine {

struct Point {};
template <class T>
struct Box {};

}  // namespace mine

namespace {

struct Hidden {};

template <class T>
std::string name() {
    return tutti::text::public_name(tutti::text::type_name<T>());
}
template <class T>
std::string name(T const& /*of*/) {
    return name<T>();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(text)

BOOST_AUTO_TEST_CASE(types_have_their_names) {
    BOOST_TEST(tutti::text::type_name<int>() == "int");
    BOOST_TEST(tutti::text::type_name<std::plus<double>>() == "std::plus<double>");
    BOOST_TEST(tutti::text::type_name<double[3]>().starts_with("double"));
}

BOOST_AUTO_TEST_CASE(sentences_have_the_names_that_users_write_by_all_compilers) {
    BOOST_TEST(name<double>() == "double");
    BOOST_TEST(name<std::size_t>() == "unsigned long");
    BOOST_TEST(name<unsigned long long>() == "unsigned long long");
    BOOST_TEST(name<long long>() == "long long");
    BOOST_TEST(name<short>() == "short");
    BOOST_TEST(name<unsigned short>() == "unsigned short");
    BOOST_TEST(name<std::plus<>>() == "std::plus");
    BOOST_TEST(name<std::plus<int>>() == "std::plus<int>");
    BOOST_TEST(name<std::string>() == "std::string");
    BOOST_TEST(name<std::vector<std::vector<std::string>>>() == "std::vector<std::vector<std::string>>");
    BOOST_TEST(name<std::complex<float>>() == "std::complex<float>");
    BOOST_TEST(name<mine::Point>() == "mine::Point");
    BOOST_TEST(name<mine::Box<unsigned long>>() == "mine::Box<unsigned long>");
    BOOST_TEST(name<mine::Box<Hidden>>() == "mine::Box<Hidden>");
    BOOST_TEST(name([](int a, int) { return a; }) == "a lambda");
}

BOOST_AUTO_TEST_CASE(names_of_the_library_are_its_public_ones) {
    BOOST_TEST(name<tutti::ring>() == "tutti::ring");
    BOOST_TEST(name<tutti::hierarchical>() == "tutti::hierarchical");
    BOOST_TEST(name<tutti::multi_lane>() == "tutti::multi_lane");
    BOOST_TEST(name<tutti::automatic>() == "tutti::automatic");
    BOOST_TEST(name<tutti::reproducible>() == "tutti::reproducible");
    BOOST_TEST(name<tutti::minimum<>>() == "tutti::minimum");
    BOOST_TEST(name<tutti::arg_minimum<>>() == "tutti::arg_minimum");
    BOOST_TEST(name(tutti::commutative(std::plus<>{})) == "tutti::commutative<std::plus>");
    BOOST_TEST(name(tutti::with_identity(std::plus<>{}, 0)) == "tutti::with_identity<std::plus, int>");
    BOOST_TEST(name(tutti::each(std::plus<>{}, tutti::maximum<>{})) == "tutti::each<std::plus, tutti::maximum>");
    BOOST_TEST(name(tutti::then(tutti::ring{}, tutti::reverse(tutti::ring{}))) ==
               "tutti::then<tutti::ring, tutti::reverse<tutti::ring>>");
}

BOOST_AUTO_TEST_CASE(one_is_singular) {
    BOOST_TEST(tutti::text::joined({{0, "element"}, ", ", {1, "element"}, ", ", {2, "element"}, ", ", {-1, "rank"}}) ==
               "0 elements, 1 element, 2 elements, -1 ranks");
}

BOOST_AUTO_TEST_CASE(calls_are_named_as_users_write_them) {
    auto const said = [](auto call) {
        try {
            tutti::threads::run(2, call);
        } catch (tutti::threads::mismatch const& wrong) { return std::string{wrong.what()}; }
        return std::string{};
    };
    BOOST_TEST(said([](auto& world) {
                   std::vector<double> x(1000);
                   if (world.rank() == 0) { tutti::all_reduce(world, tutti::inplace(x), std::plus<>{}); }
                   if (world.rank() == 1) { tutti::all_reduce(world, tutti::inplace(x), std::plus<>{}, tutti::ring{}); }
               }) == "tutti: mismatched collectives: call 1: all_reduce of 1000 double with std::plus on rank 0 meets "
                     "all_reduce by tutti::ring of 1000 double with std::plus on rank 1; make the same calls on all "
                     "ranks");
    BOOST_TEST(said([](auto& world) {
                   if (world.rank() == 0) { tutti::barrier(world); }
               }) == "tutti: mismatched collectives: rank 1 returned after 0 collective calls, rank 0 made 1, next "
                     "barrier; make the same calls on all ranks");
}

BOOST_AUTO_TEST_SUITE_END()
