// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <type_traits>

#include <tutti/operation.hpp>

/// Numbers of floating point as whole multiples of the least positive one, and sums of them without rounding. All of it
/// is integer arithmetic: neither rounding mode, flushing of denormals nor -ffast-math makes a difference.
namespace tutti::fixed_point {

template <class T>
concept binary_number =
    (std::is_same_v<T, float> || std::is_same_v<T, double>) && std::numeric_limits<T>::is_iec559;

template <binary_number T>
using bits_of = std::conditional_t<std::is_same_v<T, float>, std::uint32_t, std::uint64_t>;

/// Bits of a T's mantissa, the first one included, which is not stored.
template <binary_number T>
inline constexpr int digits = std::numeric_limits<T>::digits;

/// The exponent of the least positive T, a denormal.
template <binary_number T>
inline constexpr int least_exponent = std::numeric_limits<T>::min_exponent - digits<T>;

/// Every finite T is less than 2^(least_exponent + width).
template <binary_number T>
inline constexpr int width = std::numeric_limits<T>::max_exponent - least_exponent<T>;

enum class kind : unsigned char { finite, infinity, minus_infinity, not_a_number };

/// x = mantissa 2^(least_exponent + shift), if it is finite.
struct decomposed {
    std::int64_t mantissa;
    int shift;
    kind is;
};

template <binary_number T>
[[nodiscard]] inline decomposed decompose(T const& x) {
    auto const bits = std::bit_cast<bits_of<T>>(x);
    constexpr auto fraction_bits = digits<T> - 1;
    constexpr auto sign = bits_of<T>{1} << (sizeof(T) * 8 - 1);
    constexpr int no_number = static_cast<int>((sign - 1) >> fraction_bits);
    auto const exponent = static_cast<int>((bits & (sign - 1)) >> fraction_bits);
    auto const fraction = static_cast<std::int64_t>(bits & ((bits_of<T>{1} << fraction_bits) - 1));
    bool const negative = (bits & sign) != 0;
    if (exponent == no_number) {
        return {0, 0, fraction != 0 ? kind::not_a_number : negative ? kind::minus_infinity : kind::infinity};
    }
    // without branches, which would be guessed wrong for every other number
    auto const is_normal = static_cast<int>(exponent != 0);
    auto const magnitude = fraction | static_cast<std::int64_t>(is_normal) << fraction_bits;
    auto const sign_mask = -static_cast<std::int64_t>(negative);
    return {(magnitude ^ sign_mask) - sign_mask, exponent - is_normal, kind::finite};
}

template <binary_number T>
[[nodiscard]] inline T value_of(kind special) {
    // by bits: -ffinite-math-only knows neither
    constexpr auto infinity = ((bits_of<T>{1} << (sizeof(T) * 8 - digits<T>)) - 1) << (digits<T> - 1);
    switch (special) {
    case kind::infinity: return std::bit_cast<T>(infinity);
    case kind::minus_infinity: return std::bit_cast<T>(infinity | bits_of<T>{1} << (sizeof(T) * 8 - 1));
    case kind::not_a_number: return std::bit_cast<T>(infinity | bits_of<T>{1} << (digits<T> - 2));
    case kind::finite: break;
    }
    return T{0};
}

/// What a sum with both is: no number as soon as there is none, or infinities of both signs.
[[nodiscard]] constexpr kind sum(kind left, kind right) {
    if (left == kind::finite || left == right) { return right; }
    return right == kind::finite ? left : kind::not_a_number;
}

/// A whole number of 64 · limbs bits in two's complement, the lowest limb first. Sums that leave the range wrap.
template <std::size_t limbs>
struct integer {
    std::array<std::uint64_t, limbs> limb{};

    /// Adds value · 2^shift.
    void add(std::int64_t value, std::size_t shift) {
        auto const at = shift / 64;
        auto const by = shift % 64;
        auto const low = static_cast<std::uint64_t>(value) << by;
        auto const high = static_cast<std::uint64_t>(by == 0 ? value >> 63 : value >> (64 - by));
        std::uint64_t const rest = value < 0 ? ~std::uint64_t{0} : 0;
        bool carry = add_at(at, low, false);
        if (at + 1 < limbs) { carry = add_at(at + 1, high, carry); }
        for (auto i = at + 2; i < limbs && (carry || rest != 0); ++i) {
            if (carry && rest != 0) { return; }  // + 2^64 - 1 + 1: nothing changes from here on
            carry = add_at(i, rest, carry);
        }
    }

    integer& operator+=(integer const& other) {
        bool carry = false;
        for (std::size_t i = 0; i != limbs; ++i) { carry = add_at(i, other.limb[i], carry); }
        return *this;
    }

    [[nodiscard]] bool is_negative() const { return (limb[limbs - 1] >> 63) != 0; }

    friend bool operator==(integer const&, integer const&) = default;

    /// The T next to this · 2^(least_exponent + shift), the even one of two; an infinity where it is out of range;
    /// +0 for 0.
    template <binary_number T>
    [[nodiscard]] T rounded(int shift) const {
        auto const magnitude = absolute();
        int const length = magnitude.bit_width();
        if (length == 0) { return T{0}; }
        // the last bit of the result stands for 2^(least_exponent + last)
        int const last = length + shift > digits<T> ? length + shift - digits<T> : 0;
        int const dropped = last - shift;
        std::uint64_t mantissa = magnitude.bits_from(dropped);
        if (dropped > 0 && magnitude.bit(dropped - 1) && ((mantissa & 1) != 0 || magnitude.any_below(dropped - 1))) {
            ++mantissa;
        }
        // the first bit of a mantissa adds 1 to the exponent that is stored, and so does one of rounding up
        auto bits = (static_cast<std::uint64_t>(last) << (digits<T> - 1)) + mantissa;
        auto const infinity = std::uint64_t{std::bit_cast<bits_of<T>>(fixed_point::value_of<T>(kind::infinity))};
        if (last > width<T> || bits > infinity) { bits = infinity; }
        auto const sign = static_cast<bits_of<T>>(bits_of<T>{is_negative()} << (sizeof(T) * 8 - 1));
        return std::bit_cast<T>(static_cast<bits_of<T>>(static_cast<bits_of<T>>(bits) | sign));
    }

private:
    bool add_at(std::size_t i, std::uint64_t value, bool carry) {
        auto const before = limb[i] + value;
        auto const after = before + (carry ? 1 : 0);
        bool const overflows = before < value || after < before;
        limb[i] = after;
        return overflows;
    }

    [[nodiscard]] integer absolute() const {
        if (!is_negative()) { return *this; }
        integer result;
        bool carry = true;
        for (std::size_t i = 0; i != limbs; ++i) { carry = result.add_at(i, ~limb[i], carry); }
        return result;
    }

    [[nodiscard]] int bit_width() const {
        for (auto i = limbs; i-- != 0;) {
            if (limb[i] != 0) { return static_cast<int>(64 * i) + static_cast<int>(std::bit_width(limb[i])); }
        }
        return 0;
    }

    /// The lowest 64 bits of this / 2^from, where `from` may be negative.
    [[nodiscard]] std::uint64_t bits_from(int from) const {
        if (from < 0) { return limb[0] << -from; }
        auto const at = static_cast<std::size_t>(from) / 64;
        auto const by = static_cast<std::size_t>(from) % 64;
        std::uint64_t result = at < limbs ? limb[at] >> by : 0;
        if (by != 0 && at + 1 < limbs) { result |= limb[at + 1] << (64 - by); }
        return result;
    }

    [[nodiscard]] bool bit(int at) const { return (bits_from(at) & 1) != 0; }

    [[nodiscard]] bool any_below(int end) const {
        auto const whole = static_cast<std::size_t>(end) / 64;
        for (std::size_t i = 0; i != whole; ++i) {
            if (limb[i] != 0) { return true; }
        }
        auto const rest = static_cast<std::size_t>(end) % 64;
        return rest != 0 && (limb[whole] << (64 - rest)) != 0;
    }
};

/// Whether S is a sum whose + is exact, commutative and associative, and whose default is the sum of no numbers.
template <class S>
inline constexpr bool adds_exactly = false;

template <class U, class S>
concept exact_addition = adds_exactly<S> && functors::in_elements<U, S>;

}  // namespace tutti::fixed_point

namespace tutti {

template <class U, class S>
    requires fixed_point::exact_addition<U, S>
struct is_commutative<std::plus<U>, S> : std::true_type {
};

template <class U, class S>
    requires fixed_point::exact_addition<U, S>
struct identity<std::plus<U>, S> {
    static constexpr bool known = true;
    static S value(std::plus<U> const&) { return {}; }
};

}  // namespace tutti
