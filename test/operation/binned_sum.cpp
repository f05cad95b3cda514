// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <bit>
#include <cfenv>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <list>
#include <random>
#include <span>
#include <type_traits>
#include <vector>

#include <tutti/operation/binned_sum.hpp>
#include <tutti/operation/exact_sum.hpp>

BOOST_AUTO_TEST_SUITE(operation_binned_sum)

namespace {

using tutti::binned_sum;
using tutti::exact_sum;
namespace fixed_point = tutti::fixed_point;

static_assert(sizeof(binned_sum<double>) == 6 * sizeof(double));
static_assert(sizeof(binned_sum<float>) == 6 * sizeof(float));
static_assert(std::is_trivially_copyable_v<binned_sum<double>>);
static_assert(tutti::operators::is_commutative_v<std::plus<>, binned_sum<double>>);
static_assert(tutti::operators::is_commutative_v<std::plus<binned_sum<float>>, binned_sum<float>>);
static_assert(tutti::operators::has_identity_v<std::plus<>, binned_sum<double>>);

template <class T>
bool same(T a, T b) {
    return std::bit_cast<fixed_point::bits_of<T>>(a) == std::bit_cast<fixed_point::bits_of<T>>(b);
}

/// Numbers of five kinds: alike, any bits, denormals and the next above, few bits of many sizes, near overflow.
template <class T>
std::vector<T> numbers(std::mt19937_64& random, int kind, std::size_t n) {
    using bits = fixed_point::bits_of<T>;
    std::vector<T> result(n);
    for (auto& x : result) {
        auto const some = random();
        switch (kind) {
        case 0: x = static_cast<T>(std::uniform_real_distribution<double>{-1, 1}(random)); break;
        case 1:
            do { x = std::bit_cast<T>(static_cast<bits>(random())); } while (!std::isfinite(x));
            break;
        case 2:
            x = std::bit_cast<T>(static_cast<bits>(some & ((bits{1} << (fixed_point::digits<T> + 2)) - 1)));
            x = some >> 63 != 0 ? -x : x;
            break;
        case 3:
            x = static_cast<T>(std::ldexp(static_cast<double>(some % 7) - 3, static_cast<int>(some / 7 % 120) - 60));
            break;
        default:
            x = some % 3 == 0   ? std::numeric_limits<T>::max()
                : some % 3 == 1 ? std::numeric_limits<T>::lowest()
                                : static_cast<T>(1 / static_cast<double>(some % 1000 + 1));
        }
    }
    return result;
}

template <class T>
binned_sum<T> sum_of(std::vector<T> const& all) {
    binned_sum<T> result;
    result += all;
    return result;
}

template <class T>
void check_numbers(std::mt19937_64& random, int kind, std::size_t n) {
    auto all = numbers<T>(random, kind, n);
    auto const whole = sum_of(all);
    binned_sum<T> one_by_one, in_a_list, in_parts;
    for (T const x : all) { one_by_one += x; }
    in_a_list += std::list<T>(all.begin(), all.end());
    BOOST_TEST((whole == one_by_one && whole == in_a_list));

    std::shuffle(all.begin(), all.end(), random);
    for (std::size_t first = 0; first != n;) {
        auto const count = std::min<std::size_t>(n - first, 1 + random() % 3000);
        binned_sum<T> part;
        part += std::span<T const>{all}.subspan(first, count);
        in_parts = random() % 2 == 0 ? in_parts + part : part + in_parts;
        first += count;
    }
    BOOST_TEST((whole == in_parts));

    exact_sum<T> exact;
    exact += all;
    T largest = 0;
    for (T const x : all) { largest = std::max(largest, std::abs(x)); }
    auto const value = whole.value();
    auto const due = exact.value();
    if (!std::isfinite(due) || !std::isfinite(value)) {
        BOOST_TEST((same(value, due)));
        return;
    }
    auto const bound = std::ldexp(static_cast<long double>(largest), sizeof(T) == 8 ? -80 : -40) * n;
    auto const last_place = std::nextafter(due, std::numeric_limits<T>::infinity()) - due;
    BOOST_TEST((std::abs(static_cast<long double>(value) - due) <= bound + last_place));
}

BOOST_AUTO_TEST_CASE(the_multiset_decides) {
    std::mt19937_64 random{1};
    for (int i = 0; i != 60; ++i) {
        for (int kind = 0; kind != 5; ++kind) {
            check_numbers<double>(random, kind, random() % 7000);
            check_numbers<float>(random, kind, random() % 7000);
        }
    }
}

BOOST_AUTO_TEST_CASE(a_thousand_permutations_have_the_same_bits) {
    std::mt19937_64 random{2};
    std::vector<double> all{1e300, -1e300, 5e-324, -5e-324, 0.0, -0.0, 1e16, 1.0, -1e16, 1e-300, 3.0};
    auto const more = numbers<double>(random, 3, 500);
    all.insert(all.end(), more.begin(), more.end());
    auto const whole = sum_of(all);
    for (int i = 0; i != 1000; ++i) {
        std::shuffle(all.begin(), all.end(), random);
        if (!(sum_of(all) == whole)) { BOOST_FAIL("permutation " << i << " has other bits"); }
    }
    BOOST_TEST(true);
}

BOOST_AUTO_TEST_CASE(zeros_and_what_is_not_finite) {
    auto const infinity = std::numeric_limits<double>::infinity();
    auto const no_number = -std::numeric_limits<double>::quiet_NaN();
    BOOST_TEST(same(binned_sum<double>{}.value(), 0.0));
    BOOST_TEST(same(sum_of<double>({-0.0, -0.0}).value(), 0.0));
    BOOST_TEST(same(sum_of<double>({1.5, -1.5}).value(), 0.0));
    BOOST_TEST(sum_of<double>({1, infinity, 2}).value() == infinity);
    BOOST_TEST(sum_of<double>({-infinity, 2}).value() == -infinity);
    BOOST_TEST(same(sum_of<double>({infinity, -infinity}).value(), std::numeric_limits<double>::quiet_NaN()));
    BOOST_TEST(same(sum_of<double>({1, no_number, infinity}).value(), std::numeric_limits<double>::quiet_NaN()));
    BOOST_TEST((sum_of<double>({infinity, 1}) == sum_of<double>({3, 4, infinity})));
    std::vector<double> many(5000, 1.0);
    many[4000] = no_number;
    BOOST_TEST(std::isnan(sum_of(many).value()));
    many[4000] = infinity;
    BOOST_TEST((sum_of(many).value() == infinity));
    BOOST_TEST((sum_of(many) + sum_of<double>({-infinity}) == sum_of<double>({no_number})));
}

BOOST_AUTO_TEST_CASE(sums_that_leave_the_range_come_back) {
    auto const most = std::numeric_limits<double>::max();
    BOOST_TEST(sum_of<double>({most, most}).value() == std::numeric_limits<double>::infinity());
    BOOST_TEST(sum_of<double>({most, most, -most}).value() == most);
    auto const most_float = std::numeric_limits<float>::max();
    BOOST_TEST(sum_of<float>({most_float, most_float, -most_float}).value() == most_float);
    auto const least = std::numeric_limits<double>::denorm_min();
    BOOST_TEST(sum_of<double>({least, least, least}).value() == 3 * least);
}

BOOST_AUTO_TEST_CASE(the_rounding_mode_makes_no_difference) {
    std::mt19937_64 random{3};
    auto const all = numbers<double>(random, 0, 5000);
    auto const whole = sum_of(all);
    for (int const mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
        std::fesetround(mode);
        auto const other = sum_of(all);
        auto const value = other.value();
        std::fesetround(FE_TONEAREST);
        BOOST_TEST((other == whole));
        BOOST_TEST(same(value, whole.value()));
    }
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
