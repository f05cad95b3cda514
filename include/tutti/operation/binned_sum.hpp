// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <ranges>
#include <span>
#include <type_traits>

#include <tutti/operation/fixed_point.hpp>

namespace tutti {

namespace fixed_point {

__extension__ typedef __int128 int128;

/// The bins of a `binned_sum`. Bin j counts multiples of 2^(least_exponent + bits · j). The top bin of x is the lowest
/// one with |x| < 2^(bits - 1) of its multiples; a bin holds x rounded to one of its multiples, halves away from zero,
/// the bin below what is left, and so on for three bins. Bins above the top bin of x would hold 0: so what is in a bin
/// does not depend on how large other numbers are.
template <binary_number T>
struct bins {
    using sum_of_parts = std::conditional_t<std::is_same_v<T, float>, std::int64_t, int128>;
    static constexpr int bits = std::is_same_v<T, float> ? 20 : 40;

    [[nodiscard]] static int top_of(std::int64_t mantissa, int shift) {
        auto const magnitude = static_cast<std::uint64_t>(mantissa < 0 ? -mantissa : mantissa);
        return (shift + static_cast<int>(std::bit_width(magnitude))) / bits;
    }

    /// The parts of a number in the bins top, top - 1 and top - 2.
    [[nodiscard]] static std::array<std::int64_t, 3> parts_of(std::int64_t mantissa, int shift, int top) {
        std::array<std::int64_t, 3> result{};
        for (int i = 0; i != 3 && mantissa != 0; ++i) {
            int const dropped = bits * (top - i) - shift;
            auto& part = result[static_cast<std::size_t>(i)];
            if (dropped <= 0) {
                part = mantissa * (std::int64_t{1} << -dropped);
                mantissa = 0;
            } else if (dropped < 62) {
                auto const magnitude = mantissa < 0 ? -mantissa : mantissa;
                part = (magnitude + (std::int64_t{1} << (dropped - 1))) >> dropped;
                part = mantissa < 0 ? -part : part;
                mantissa -= part * (std::int64_t{1} << dropped);
            }
        }
        return result;
    }
};

/// The same parts of many numbers by additions of floating point: x + M - M, where the last bit of M counts multiples
/// of a bin, is x rounded to one of them, and M + x counts these. Setting the last bit of x rounds halves away from
/// zero.
namespace by_additions {

typedef double pair __attribute__((vector_size(16)));
typedef std::int64_t pair_of_bits __attribute__((vector_size(16)));

/// Numbers whose parts are summed up at once: they fit into the first cache, and are at most 2^11, so that M keeps its
/// exponent.
inline constexpr std::size_t block = 2048;
/// For fewer numbers than these the other way is shorter.
inline constexpr std::size_t fewest = 128;

/// The bins that doubles can count in: M is no infinity, and no sum in the lowest of three bins is a denormal double.
inline constexpr int fraction_bits = std::numeric_limits<double>::digits - 1;
template <binary_number T>
inline constexpr int
    last_top = (std::numeric_limits<double>::max_exponent - 2 - fraction_bits - least_exponent<T>) / bins<T>::bits;
template <binary_number T>
inline constexpr int
    first_top = (std::numeric_limits<double>::min_exponent - least_exponent<T> + bins<T>::bits) / bins<T>::bits + 2;

[[nodiscard, gnu::always_inline]] inline pair_of_bits as_bits(pair x) { return std::bit_cast<pair_of_bits>(x); }
[[nodiscard, gnu::always_inline]] inline pair as_numbers(pair_of_bits x) { return std::bit_cast<pair>(x); }

[[nodiscard, gnu::always_inline]] inline pair load(double const* x) { return pair{x[0], x[1]}; }
[[nodiscard, gnu::always_inline]] inline pair load(float const* x) {
    return pair{static_cast<double>(x[0]), static_cast<double>(x[1])};
}

/// While it lives, this thread rounds to the nearest, does not flush denormals, and nothing traps. Programs may have
/// chosen otherwise, each thread for itself: those that are linked with -ffast-math do.
class usual_arithmetic {
public:
    usual_arithmetic() {
#if defined __SSE2__
        asm volatile("stmxcsr %0" : "=m"(chosen_) : : "memory");
        changes_ = (chosen_ & ~raised) != usual;
#elif defined __aarch64__
        asm volatile("mrs %0, fpcr" : "=r"(chosen_) : : "memory");
        changes_ = chosen_ != usual;
#endif
        if (changes_) { set(usual); }
    }
    usual_arithmetic(usual_arithmetic const&) = delete;
    usual_arithmetic& operator=(usual_arithmetic const&) = delete;
    ~usual_arithmetic() {
        if (changes_) { set(chosen_); }
    }

private:
#if defined __SSE2__
    using word = std::uint32_t;
    static constexpr word raised = 0x3f, usual = 0x1f80;  // all exceptions masked
    static void set(word to) { asm volatile("ldmxcsr %0" : : "m"(to) : "memory"); }
#else
    using word = std::uint64_t;
    static constexpr word usual = 0;
    static void set([[maybe_unused]] word to) {
#if defined __aarch64__
        asm volatile("msr fpcr, %0" : : "r"(to) : "memory");
#endif
    }
#endif
    word chosen_ = 0;
    bool changes_ = false;
};

/// Hides where x comes from, so that sums are computed as they are written, with -ffast-math too. Elsewhere it would
/// take copies of registers, 9 instructions of 100.
[[gnu::always_inline]] inline void hide([[maybe_unused]] pair& x) {
#if defined __FAST_MATH__ || defined __ASSOCIATIVE_MATH__
#if defined __SSE2__
    asm("" : "+x"(x));
#elif defined __aarch64__
    asm("" : "+w"(x));
#endif
#endif
}

/// The number of the largest magnitude, or any if there is a NaN.
template <binary_number T>
[[nodiscard, gnu::noinline]] T largest(T const* x, std::size_t n) {
    constexpr pair_of_bits magnitude = {0x7fff'ffff'ffff'ffff, 0x7fff'ffff'ffff'ffff};
    pair first{}, second{};
    for (std::size_t i = 0; i + 4 <= n; i += 4) {
        auto const a = by_additions::as_numbers(by_additions::as_bits(by_additions::load(x + i)) & magnitude);
        auto const b = by_additions::as_numbers(by_additions::as_bits(by_additions::load(x + i + 2)) & magnitude);
        first = a > first ? a : first;
        second = b > second ? b : second;
    }
    first = first > second ? first : second;
    return static_cast<T>(first[0] > first[1] ? first[0] : first[1]);
}

/// 1.5 · 2^52 multiples of the bins `top`, `top` - 1 and `top` - 2, as bits.
template <binary_number T>
[[nodiscard]] std::array<std::uint64_t, 3> begin_of_bins(int top) {
    std::array<std::uint64_t, 3> begin{};
    for (int i = 0; i != 3; ++i) {
        auto const exponent = least_exponent<T> + bins<T>::bits * (top - i) + fraction_bits;
        begin[static_cast<std::size_t>(i)] = static_cast<std::uint64_t>(exponent + 1023) << fraction_bits |
                                             std::uint64_t{1} << (fraction_bits - 1);
    }
    return begin;
}

/// Adds the parts of n numbers, n a multiple of 4 and at most `block`, whose top bins are `top` or lower.
/// Result: false, and nothing is added, where there is a NaN among them.
template <binary_number T>
[[gnu::noinline]] bool add_parts(T const* x, std::size_t n, int top, std::array<std::int64_t, 3>& parts) {
    constexpr pair_of_bits last_bit = {1, 1};
    auto const begin = by_additions::begin_of_bins<T>(top);
    auto const both = [](std::uint64_t bits) {
        auto const m = std::bit_cast<double>(bits);
        return pair{m, m};
    };
    pair top_a = both(begin[0]), middle_a = both(begin[1]), low_a = both(begin[2]);
    pair top_b = top_a, middle_b = middle_a, low_b = low_a;
    auto const add_to = [&](pair& sum, pair rest) __attribute__((always_inline)) {
        auto const before = sum;
        sum = before + as_numbers(as_bits(rest) | last_bit);
        hide(sum);
        auto part = sum - before;
        hide(part);
        return rest - part;
    };
    auto const add = [&](pair number, pair& high, pair& middle, pair& low) __attribute__((always_inline)) {
        static_cast<void>(add_to(low, add_to(middle, add_to(high, number))));
    };
    for (std::size_t i = 0; i + 4 <= n; i += 4) {
        add(by_additions::load(x + i), top_a, middle_a, low_a);
        add(by_additions::load(x + i + 2), top_b, middle_b, low_b);
    }
    std::array<std::array<pair, 2>, 3> const ends{{{top_a, top_b}, {middle_a, middle_b}, {low_a, low_b}}};
    std::array<std::int64_t, 3> found{};
    for (std::size_t i = 0; i != 3; ++i) {
        for (auto const& end : ends[i]) {
            auto const bits = as_bits(end);
            for (int lane = 0; lane != 2; ++lane) {
                auto const here = static_cast<std::uint64_t>(bits[lane]);
                if (here >> fraction_bits != begin[i] >> fraction_bits) { return false; }
                found[i] += static_cast<std::int64_t>(here - begin[i]);
            }
        }
    }
    for (std::size_t i = 0; i != 3; ++i) { parts[i] += found[i]; }
    return true;
}

/// Whether additions do here and now what they have to: not on processors for which nothing is known above, where the
/// compiler was allowed to simplify them, or the program rounds or flushes as it likes.
template <binary_number T>
[[nodiscard]] bool work() {
    constexpr T one = 1;
    constexpr T little = one / (1 << 18);
    std::array<T, 4> const numbers{one + little, -one - little / 2, little * little * 3, -little * little};
    int const volatile hidden = (-least_exponent<T> + 1) / bins<T>::bits;  // so that no copy of the code is tested
    int const top = hidden;
    std::array<std::int64_t, 3> expected{}, found{};
    for (auto const x : numbers) {
        auto const number = fixed_point::decompose(x);
        auto const parts = bins<T>::parts_of(number.mantissa, number.shift, top);
        for (std::size_t i = 0; i != 3; ++i) { expected[i] += parts[i]; }
    }
    T const volatile least = std::numeric_limits<T>::denorm_min();
    bool const is_kept = std::is_same_v<T, double> || static_cast<double>(least) != 0;
    return is_kept && by_additions::add_parts(numbers.data(), numbers.size(), top, found) && found == expected;
}

}  // namespace by_additions

}  // namespace fixed_point

/// A sum of numbers in 6 words of T's size: the three highest bins of their parts, each of 40 bits for double and of 20
/// for float. It is an element for every collective, with std::plus<>, which is exact, commutative and associative on
/// it.
/// Requires: T is float or double; fewer than 2^38 numbers of float.
/// Result: `value()`; |value() - Σ x_i| ≤ n 2^-80 max |x_i| (float: n 2^-40 max |x_i|), plus half a unit in the last
/// place of the result; an infinity if the sum is out of range. -0.0 counts as 0, denormals count, a sum of 0 is +0.0.
/// Infinities of one sign give that infinity; of both signs, or with any NaN, the quiet NaN without a sign.
/// Order: bits, also of the accumulator, depend on the multiset of numbers alone: not on rounding mode, flushing of
/// denormals or -ffast-math, on any rank or thread. For speed it uses floating-point additions, in the default modes of
/// the thread; if a test shows that they do not round correctly, it uses integers.
/// Cost: 7 additions for each number of a contiguous range, and a search for the largest; about 10 ns for a single
/// number.
/// Source: [demmel15], [ahrens16].
template <fixed_point::binary_number T>
class binned_sum {
    using bins = fixed_point::bins<T>;
    using kind = fixed_point::kind;
    using sum_of_parts = typename bins::sum_of_parts;

public:
    binned_sum() = default;

    binned_sum& operator+=(T const& x) {
        add_numbers({&x, 1});
        return *this;
    }

    template <std::ranges::input_range Range>
        requires std::is_same_v<std::ranges::range_value_t<Range>, T>
    binned_sum& operator+=(Range&& all) {
        if constexpr (std::ranges::contiguous_range<Range>) {
            add_vector({std::ranges::data(all), static_cast<std::size_t>(std::ranges::size(all))});
        } else {
            for (T const x : all) { *this += x; }
        }
        return *this;
    }

    binned_sum& operator+=(binned_sum const& other) {
        auto mine = read();
        auto theirs = other.read();
        mine.special = fixed_point::sum(mine.special, theirs.special);
        mine.raise(theirs.top);
        theirs.raise(mine.top);
        mine.add(theirs.bin);
        write(mine);
        return *this;
    }
    [[nodiscard]] friend binned_sum operator+(binned_sum left, binned_sum const& right) { return left += right; }
    friend bool operator==(binned_sum const&, binned_sum const&) = default;

    [[nodiscard]] T value() const {
        auto const state = read();
        if (!state.is_finite()) { return fixed_point::value_of<T>(state.special); }
        if (state.top == none) { return T{0}; }
        fixed_point::integer<4> sum;
        for (std::size_t i = 0; i != 3; ++i) {
            auto const shift = static_cast<std::size_t>(bins::bits) * (2 - i);
            auto const low = static_cast<std::uint64_t>(state.bin[i]);
            sum.add(static_cast<std::int64_t>(low & 0xffff'ffffU), shift);
            sum.add(static_cast<std::int64_t>(state.bin[i] >> 32), shift + 32);
        }
        return sum.template rounded<T>(bins::bits * (state.top - 2));
    }

private:
    static constexpr int none = -1;           // no number but zeros
    static constexpr int tag_bits = 6;        // of the first word: 0, the top bin + 1, or what is not finite
    static constexpr unsigned first_special = 61;
    static constexpr std::size_t words = sizeof(sum_of_parts) / sizeof(std::uint64_t);

    struct content {
        std::array<sum_of_parts, 3> bin{};
        int top = none;
        kind special = kind::finite;

        [[nodiscard]] bool is_finite() const { return special == kind::finite; }

        /// Makes room for numbers of a higher bin: the lowest ones go.
        void raise(int to) {
            if (top == none) { top = to; }
            for (; top < to; ++top) { bin = {0, bin[0], bin[1]}; }
        }
        template <class Part>
        void add(std::array<Part, 3> const& parts) {
            for (std::size_t i = 0; i != 3; ++i) { bin[i] += parts[i]; }
        }
    };

    [[nodiscard]] content read() const {
        content result;
        auto const tag = static_cast<unsigned>(word_[0] & ((1U << tag_bits) - 1));
        if (tag >= first_special) {
            result.special = static_cast<kind>(tag - first_special + 1);
        } else if (tag != 0) {
            result.top = static_cast<int>(tag) - 1;
            for (std::size_t i = 0; i != 3; ++i) { result.bin[i] = std::bit_cast<sum_of_parts>(words_of(i)); }
            result.bin[0] >>= tag_bits;
        }
        return result;
    }

    void write(content const& from) {
        word_ = {};
        if (!from.is_finite()) { word_[0] = first_special + static_cast<std::uint64_t>(from.special) - 1; }
        if (!from.is_finite() || from.top == none) { return; }
        auto bin = from.bin;
        bin[0] = bin[0] * (1 << tag_bits) + (from.top + 1);
        for (std::size_t i = 0; i != 3; ++i) {
            auto const of_bin = std::bit_cast<std::array<std::uint64_t, words>>(bin[i]);
            for (std::size_t j = 0; j != words; ++j) { word_[words * i + j] = of_bin[j]; }
        }
    }

    [[nodiscard]] std::array<std::uint64_t, words> words_of(std::size_t i) const {
        std::array<std::uint64_t, words> result;
        for (std::size_t j = 0; j != words; ++j) { result[j] = word_[words * i + j]; }
        return result;
    }

    void add_vector(std::span<T const> all) {
        namespace fast = fixed_point::by_additions;
        if (all.size() < fast::fewest) { return add_numbers(all); }
        fast::usual_arithmetic const here;
        bool const by_additions = fast::work<T>();
        while (!all.empty()) {
            auto n = all.size() < fast::block ? all.size() : fast::block;
            if (n >= 4) { n -= n % 4; }
            auto const now = all.first(n);
            if (!by_additions || n < 4 || !add_block(now)) { add_numbers(now); }
            all = all.subspan(n);
        }
    }

    void add_numbers(std::span<T const> all) {
        auto state = read();
        for (T const x : all) {
            auto const number = fixed_point::decompose(x);
            if (number.is != kind::finite) [[unlikely]] {
                state.special = fixed_point::sum(state.special, number.is);
            } else if (number.mantissa != 0) {
                state.raise(bins::top_of(number.mantissa, number.shift));
                state.add(bins::parts_of(number.mantissa, number.shift, state.top));
            }
        }
        write(state);
    }

    [[nodiscard]] bool add_block(std::span<T const> all) {
        namespace fast = fixed_point::by_additions;
        auto const number = fixed_point::decompose(fast::largest(all.data(), all.size()));
        if (number.is != kind::finite) { return false; }
        auto state = read();
        if (!state.is_finite()) { return false; }
        state.raise(number.mantissa == 0 ? state.top : bins::top_of(number.mantissa, number.shift));
        if (state.top < fast::first_top<T> || state.top > fast::last_top<T>) { return false; }
        std::array<std::int64_t, 3> parts{};
        if (!fast::add_parts(all.data(), all.size(), state.top, parts)) { return false; }
        state.add(parts);
        write(state);
        return true;
    }

    std::array<std::uint64_t, 3 * words> word_{};
};

namespace fixed_point {

template <class T>
inline constexpr bool adds_exactly<binned_sum<T>> = true;

}  // namespace fixed_point

}  // namespace tutti
