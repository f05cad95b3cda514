// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <list>
#include <random>
#include <span>
#include <type_traits>
#include <vector>

#include <tutti/operation/exact_sum.hpp>

BOOST_AUTO_TEST_SUITE(operation_exact_sum)

namespace {

using tutti::exact_sum;
__extension__ typedef __int128 wide;

static_assert(sizeof(exact_sum<double>) == 35 * 8 && sizeof(exact_sum<float>) == 7 * 8);
static_assert(std::is_trivially_copyable_v<exact_sum<double>>);
static_assert(tutti::operators::is_commutative_v<std::plus<>, exact_sum<double>>);
static_assert(tutti::operators::has_identity_v<std::plus<>, exact_sum<float>>);

template <class T>
exact_sum<T> sum_of(std::vector<T> const& all) {
    exact_sum<T> result;
    result += all;
    return result;
}

template <class T>
bool same(T a, T b) {
    return std::bit_cast<tutti::fixed_point::bits_of<T>>(a) == std::bit_cast<tutti::fixed_point::bits_of<T>>(b);
}

/// The number next to `whole` 2^exponent, the even one of two: the compiler's own conversion rounds to a multiple of the
/// last place of normal numbers.
double rounded(wide whole, int exponent) { return std::ldexp(static_cast<double>(whole), exponent); }

BOOST_AUTO_TEST_CASE(a_sum_is_that_of_whole_numbers) {
    std::mt19937_64 random{1};
    for (int i = 0; i != 2000; ++i) {
        auto const n = random() % 300;
        int const exponent = static_cast<int>(random() % 1500) - 900;
        wide whole = 0;
        std::vector<double> all;
        for (std::size_t j = 0; j != n; ++j) {
            auto const mantissa = static_cast<std::int64_t>(random() >> 11) - (std::int64_t{1} << 52);
            int const shift = static_cast<int>(random() % 60);
            whole += static_cast<wide>(mantissa) * (std::int64_t{1} << shift);
            all.push_back(std::ldexp(static_cast<double>(mantissa), exponent + shift));
        }
        auto const sum = sum_of(all);
        if (!same(sum.value(), rounded(whole, exponent))) {
            BOOST_FAIL(sum.value() << " instead of " << rounded(whole, exponent));
        }
        std::shuffle(all.begin(), all.end(), random);
        exact_sum<double> parts, in_a_list;
        for (std::size_t first = 0; first != n;) {
            auto const count = std::min<std::size_t>(n - first, 1 + random() % 100);
            exact_sum<double> part;
            part += std::span<double const>{all}.subspan(first, count);
            parts = part + parts;
            first += count;
        }
        in_a_list += std::list<double>(all.begin(), all.end());
        if (!(parts == sum && in_a_list == sum)) { BOOST_FAIL("other bits in another order"); }
    }
    BOOST_TEST(true);
}

BOOST_AUTO_TEST_CASE(halves_are_rounded_to_even) {
    double const one = 1, half = std::ldexp(1, -53), tiny = 5e-324;
    BOOST_TEST(sum_of<double>({one, half}).value() == one);
    BOOST_TEST(sum_of<double>({one, half, tiny}).value() == one + 2 * half);
    BOOST_TEST(sum_of<double>({one, half, -tiny}).value() == one);
    BOOST_TEST(sum_of<double>({one + 2 * half, half}).value() == one + 4 * half);
    BOOST_TEST(sum_of<double>({-one, -half, -tiny}).value() == -one - 2 * half);
    BOOST_TEST(sum_of<float>({1.0F, std::ldexp(1.0F, -24)}).value() == 1.0F);
    BOOST_TEST(sum_of<float>({1.0F, std::ldexp(1.0F, -24), 1e-45F}).value() == 1.0F + std::ldexp(1.0F, -23));
    // from the largest denormal to the least normal number, and beyond the largest
    BOOST_TEST(same(sum_of<double>({std::ldexp(1, -1022), -tiny}).value(), std::ldexp(1, -1022) - tiny));
    BOOST_TEST(same(sum_of<double>({std::ldexp(1, -1022) - tiny, tiny}).value(), std::ldexp(1, -1022)));
    auto const most = std::numeric_limits<double>::max();
    auto const half_a_place = std::ldexp(1, 970);
    BOOST_TEST(sum_of<double>({most, half_a_place, -tiny}).value() == most);
    BOOST_TEST(sum_of<double>({most, half_a_place}).value() == std::numeric_limits<double>::infinity());
}

BOOST_AUTO_TEST_CASE(large_ones_cancel) {
    std::vector<double> all(3000, 1e308);
    std::vector<double> const others(3000, -1e308);
    all.insert(all.end(), others.begin(), others.end());
    all.push_back(5e-324);
    BOOST_TEST(same(sum_of(all).value(), 5e-324));
    std::shuffle(all.begin(), all.end(), std::mt19937_64{5});
    BOOST_TEST(same(sum_of(all).value(), 5e-324));
    BOOST_TEST(sum_of(std::vector<float>(100'000, 1e38F)).value() == std::numeric_limits<float>::infinity());
}

BOOST_AUTO_TEST_CASE(zeros_and_what_is_not_finite) {
    auto const infinity = std::numeric_limits<double>::infinity();
    auto const no_number = std::numeric_limits<double>::quiet_NaN();
    BOOST_TEST(same(sum_of<double>({}).value(), 0.0));
    BOOST_TEST(same(sum_of<double>({-0.0, -0.0}).value(), 0.0));
    std::vector<double> many(100, 1.0);
    many[50] = -infinity;
    BOOST_TEST(sum_of(many).value() == -infinity);
    many[60] = infinity;
    BOOST_TEST(same(sum_of(many).value(), no_number));
    BOOST_TEST(same((sum_of<double>({infinity}) + sum_of<double>({-infinity})).value(), no_number));
    BOOST_TEST(same(sum_of<double>({-no_number, infinity}).value(), no_number));
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
