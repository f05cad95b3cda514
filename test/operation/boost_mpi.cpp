// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <array>
#include <functional>
#include <limits>
#include <string>

#include <boost/mpl/bool.hpp>

#include <tutti/operation/boost_mpi.hpp>

namespace {

struct declared_commutative {
    int operator()(int left, int right) const { return left ^ right; }
};

struct unknown {
    int operator()(int left, int right) const { return left - right; }
};

}  // namespace

namespace boost::mpi {

template <>
struct is_commutative<declared_commutative, int> : mpl::true_ {};

}  // namespace boost::mpi

BOOST_AUTO_TEST_SUITE(operation_boost_mpi)

BOOST_AUTO_TEST_CASE(what_boost_mpi_knows_of_an_operator_is_known) {
    BOOST_TEST((tutti::operators::is_commutative_v<declared_commutative, int>));
    BOOST_TEST((tutti::operators::is_commutative_v<declared_commutative const&, int>));
    BOOST_TEST((tutti::operators::is_commutative_v<std::reference_wrapper<declared_commutative>, int>));
    BOOST_TEST((!tutti::operators::is_commutative_v<declared_commutative, long>));
    BOOST_TEST((!tutti::operators::is_commutative_v<unknown, int>));
    BOOST_TEST((!tutti::operators::has_identity_v<declared_commutative, int>));
    BOOST_TEST((tutti::operators::is_commutative_v<std::plus<int>, int>));
}

BOOST_AUTO_TEST_CASE(boost_mpis_functors_commute_on_arithmetic_types) {
    BOOST_TEST((tutti::operators::is_commutative_v<boost::mpi::maximum<double>, double>));
    BOOST_TEST((tutti::operators::is_commutative_v<boost::mpi::minimum<int>, int>));
    BOOST_TEST((tutti::operators::is_commutative_v<boost::mpi::bitwise_and<unsigned>, unsigned>));
    BOOST_TEST((tutti::operators::is_commutative_v<boost::mpi::bitwise_or<unsigned>, unsigned>));
    BOOST_TEST((tutti::operators::is_commutative_v<boost::mpi::bitwise_xor<unsigned>, unsigned>));
    BOOST_TEST((tutti::operators::is_commutative_v<boost::mpi::logical_xor<bool>, bool>));
    BOOST_TEST((!tutti::operators::is_commutative_v<boost::mpi::maximum<std::string>, std::string>));
}

namespace {

template <class Op, class T, std::size_t size>
void check_identity(std::array<T, size> const& values) {
    static_assert(tutti::operators::has_identity_v<Op, T>);
    constexpr auto neutral = tutti::operators::identity_of<T>(Op{});
    for (auto const& value : values) {
        BOOST_TEST(Op{}(neutral, value) == value);
        BOOST_TEST(Op{}(value, neutral) == value);
    }
}

template <class T>
constexpr std::array extremes{std::numeric_limits<T>::lowest(), T{0}, T{1}, std::numeric_limits<T>::max()};

}  // namespace

BOOST_AUTO_TEST_CASE(identities_leave_every_value_as_it_is) {
    check_identity<boost::mpi::maximum<int>>(extremes<int>);
    check_identity<boost::mpi::minimum<int>>(extremes<int>);
    constexpr auto infinity = std::numeric_limits<double>::infinity();
    check_identity<boost::mpi::maximum<double>>(std::array{-infinity, -1e308, 0.0, infinity});
    check_identity<boost::mpi::minimum<double>>(std::array{-infinity, -1e308, 0.0, infinity});
    check_identity<boost::mpi::bitwise_and<int>>(extremes<int>);
    check_identity<boost::mpi::bitwise_or<unsigned char>>(extremes<unsigned char>);
    check_identity<boost::mpi::bitwise_xor<long>>(extremes<long>);
    check_identity<boost::mpi::logical_xor<bool>>(std::array{false, true});
    BOOST_TEST((!tutti::operators::has_identity_v<boost::mpi::logical_xor<int>, int>));
    BOOST_TEST((!tutti::operators::has_identity_v<boost::mpi::maximum<std::string>, std::string>));
}

BOOST_AUTO_TEST_SUITE_END()
