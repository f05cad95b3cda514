#!/bin/sh
# Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#
# fast_math.sh COMPILER [INCLUDE_DIRECTORY]: sums without order and dot products have the same bits whatever the compiler
# may do to additions of floating point, and however the program rounds, and flushes denormals.
set -eu
export LC_ALL=C

compiler=${1:?usage: fast_math.sh COMPILER [INCLUDE_DIRECTORY]}
include=${2:-$(dirname "$0")/../../include}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat > "$work/sums.cpp" << 'SOURCE'
#include <cfenv>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <span>
#include <string>
#include <vector>
#include <tutti/sequences.hpp>
#if defined __SSE2__
#include <xmmintrin.h>
void flush(bool now) { _mm_setcsr(now ? _mm_getcsr() | 0x8040 : _mm_getcsr() & ~0x8040U); }
#else
void flush(bool) {}
#endif

template <class T>
std::string hexadecimal(T const& value) {
    unsigned char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    std::string result;
    for (auto const each : bytes) {
        char digits[3];
        std::snprintf(digits, sizeof digits, "%02x", each);
        result += digits;
    }
    return result + ' ';
}

std::string found;

template <class Sum, class T>
void show(std::vector<T> const& all) {
    Sum sum, one_by_one;
    sum += all;
    for (auto const& each : all) { one_by_one += each; }
    found += hexadecimal(sum) + (sum == one_by_one ? "" : "other bits one by one ") + hexadecimal(sum.value()) + '\n';
}

template <class T>
void show_all(std::vector<T> const& all) {
    show<tutti::binned_sum<T>>(all);
    show<tutti::exact_sum<T>>(all);
    std::vector<std::complex<T>> turned(all.size());
    std::memcpy(static_cast<void*>(turned.data()), all.data(), all.size() / 2 * sizeof turned[0]);
    tutti::binned_sum<T> parts[2];
    tutti::unordered::add<tutti::binned_sum>(turned, parts);
    tutti::binned_sum<double> dot;
    tutti::unordered::add_products(std::span<T const>{all}, std::span<T const>{all}, dot);
    found += hexadecimal(parts) + hexadecimal(dot) + hexadecimal(tutti::unordered::rounded<T>(dot)) + '\n';
}

template <class T>
T of_bits(tutti::fixed_point::bits_of<T> bits) {
    T result;
    std::memcpy(&result, &bits, sizeof result);
    return result;
}

/// Numbers of about these exponents, as they are stored.
template <class T>
std::vector<T> numbers(unsigned first, unsigned exponents) {
    using bits = tutti::fixed_point::bits_of<T>;
    constexpr auto fraction = tutti::fixed_point::digits<T> - 1;
    std::uint64_t state = 88172645463325252;
    std::vector<T> result;
    for (int i = 0; i != 10007; ++i) {
        state ^= state << 13, state ^= state >> 7, state ^= state << 17;
        auto const sign = static_cast<bits>(state >> 63) << (sizeof(T) * 8 - 1);
        auto const exponent = static_cast<bits>(first + state / 4096 % exponents) << fraction;
        result.push_back(of_bits<T>(sign | exponent | static_cast<bits>(state >> 8 & ((bits{1} << fraction) - 1))));
    }
    return result;
}

int main() {
    auto const one = numbers<double>(1000, 60), two = numbers<double>(0, 2), three = numbers<double>(480, 90);
    auto const four = numbers<float>(90, 60), five = numbers<float>(0, 3), six = numbers<float>(30, 60);
    std::vector<double> infinite(500, 1.0), wide(4096);
    infinite[77] = of_bits<double>(0x7ff0'0000'0000'0000);
    auto undefined = infinite;
    undefined[78] = of_bits<double>(0xfff0'0000'0000'0000);
    for (std::size_t i = 0; i != wide.size(); ++i) { wide[i] = of_bits<double>((i % 2046 << 52) + i); }
    std::string expected;
    for (int const mode : {FE_TONEAREST, FE_UPWARD, FE_TOWARDZERO}) {
        for (bool const flushed : {false, true}) {
            std::fesetround(mode);
            flush(flushed);
            found.clear();
            for (auto const& all : {one, two, three, infinite, undefined, wide}) { show_all(all); }
            for (auto const& all : {four, five, six}) { show_all(all); }
            flush(false);
            std::fesetround(FE_TONEAREST);
            if (expected.empty()) { expected = found; }
            if (found != expected) { std::printf("other bits in mode %d, flushed: %d\n", mode, flushed); }
        }
    }
    std::fputs(expected.c_str(), stdout);
}
SOURCE

status=0
for flags in "-O0" "-O2" "-O3" "-O2 -ffast-math" "-O3 -ffast-math -funroll-loops" "-O2 -fno-math-errno -ffinite-math-only" \
    "-O2 -fassociative-math -fno-signed-zeros -fno-trapping-math" "-O2 -frounding-math" "-Ofast" \
    "-O3 -funsafe-math-optimizations"; do
    # shellcheck disable=SC2086
    $compiler -std=c++20 $flags -w "-I$include" "$work/sums.cpp" -o "$work/sums"
    "$work/sums" > "$work/bits"
    [ -f "$work/due" ] || cp "$work/bits" "$work/due"
    if grep 'other bits' "$work/bits"; then status=1; fi
    if ! cmp -s "$work/bits" "$work/due"; then
        echo "$flags changes the bits of a sum:"
        diff "$work/due" "$work/bits" | cut -c 1-200
        status=1
    fi
done

exit $status
