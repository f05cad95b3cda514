// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <span>
#include <type_traits>

#include <tutti/operation/fixed_point.hpp>

namespace tutti {

/// A sum of numbers without rounding: Σ x_i as one fixed-point number, from the least denormal up to 2^63 times the
/// largest T. It is an element for every collective, with std::plus<>, which is exact, commutative and associative on
/// it.
/// Requires: T is float or double; fewer than 2^63 numbers.
/// Result: `value()` is the T nearest to the sum, the even one of two; an infinity if it is out of range. -0.0 counts
/// as 0, and a sum of 0 is +0.0. Infinities of one sign give that infinity; of both signs, or with any NaN, the quiet
/// NaN without a sign.
/// Order: bits, also of the accumulator, depend on the multiset of numbers alone: not on rounding mode, flushing of
/// denormals or -ffast-math, since all arithmetic is on integers.
/// Cost: 35 words for double, 7 for float; about 3 ns for each number of a range, on one core.
/// Source: Kulisch's accumulator; `small_superaccumulator` of [neal15].
template <fixed_point::binary_number T>
class exact_sum {
public:
    exact_sum() = default;

    exact_sum& operator+=(T const& x) {
        auto const parts = fixed_point::decompose(x);
        if (parts.is == fixed_point::kind::finite) {
            sum_.add(parts.mantissa, static_cast<std::size_t>(parts.shift));
        } else {
            special_ = static_cast<std::uint64_t>(fixed_point::sum(special(), parts.is));
        }
        return *this;
    }

    template <std::ranges::input_range Range>
        requires std::is_same_v<std::ranges::range_value_t<Range>, T>
    exact_sum& operator+=(Range&& all) {
        if constexpr (std::ranges::contiguous_range<Range>) {
            std::span<T const> const rest{std::ranges::data(all), static_cast<std::size_t>(std::ranges::size(all))};
            for (std::size_t first = 0; first < rest.size(); first += block) {
                add_block(rest.subspan(first, rest.size() - first < block ? rest.size() - first : block));
            }
        } else {
            for (T const x : all) { *this += x; }
        }
        return *this;
    }

    exact_sum& operator+=(exact_sum const& other) {
        sum_ += other.sum_;
        special_ = static_cast<std::uint64_t>(fixed_point::sum(special(), other.special()));
        return *this;
    }
    [[nodiscard]] friend exact_sum operator+(exact_sum left, exact_sum const& right) { return left += right; }
    friend bool operator==(exact_sum const&, exact_sum const&) = default;

    [[nodiscard]] T value() const {
        return special() != fixed_point::kind::finite ? fixed_point::value_of<T>(special())
                                                      : sum_.template rounded<T>(0);
    }

private:
    static constexpr std::size_t limbs = (fixed_point::width<T> + 64 + 63) / 64;
    static constexpr std::size_t chunks = static_cast<std::size_t>(fixed_point::width<T>) / 32 + 2;
    static constexpr std::size_t block = 1024;  // numbers, whose parts in a chunk do not overflow it
    static constexpr std::size_t fewest = 32;   // for which adding the chunks pays

    [[nodiscard]] fixed_point::kind special() const { return static_cast<fixed_point::kind>(special_); }

    /// Adds a mantissa of at most 53 bits to two chunks, each of which counts multiples of 2^32 times the one before
    /// and holds more than 32 bits: carries are left for the end.
    void add_block(std::span<T const> all) {
        if (all.size() < fewest) {
            for (T const x : all) { *this += x; }
            return;
        }
        std::array<std::int64_t, chunks> chunk{};
        for (T const x : all) {
            auto const parts = fixed_point::decompose(x);
            if (parts.is != fixed_point::kind::finite) [[unlikely]] {
                *this += x;
                continue;
            }
            auto const at = static_cast<std::size_t>(parts.shift) / 32;
            auto const by = parts.shift % 32;
            auto const low = static_cast<std::uint32_t>(static_cast<std::uint64_t>(parts.mantissa) << by);
            chunk[at] += std::int64_t{low};
            chunk[at + 1] += parts.mantissa >> (32 - by);
        }
        for (std::size_t i = 0; i != chunks; ++i) {
            if (chunk[i] != 0) { sum_.add(chunk[i], 32 * i); }
        }
    }

    fixed_point::integer<limbs> sum_;
    std::uint64_t special_ = 0;
};

namespace fixed_point {

template <class T>
inline constexpr bool adds_exactly<exact_sum<T>> = true;

}  // namespace fixed_point

}  // namespace tutti
