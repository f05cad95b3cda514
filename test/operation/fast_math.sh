#!/bin/sh
# Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#
# fast_math.sh COMPILER [INCLUDE_DIRECTORY]: sums without order have the same bits whatever the compiler may do to additions
# of floating point, and a dot product, which would not, is refused.
set -eu
export LC_ALL=C

compiler=${1:?usage: fast_math.sh COMPILER [INCLUDE_DIRECTORY]}
include=${2:-$(dirname "$0")/../../include}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat > "$work/sums.cpp" << 'SOURCE'
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>
#include <tutti/operation/binned_sum.hpp>
#include <tutti/operation/exact_sum.hpp>

template <class Sum, class T>
void show(std::vector<T> const& all) {
    Sum sum;
    sum += all;
    unsigned char bytes[sizeof sum];
    std::memcpy(bytes, &sum, sizeof sum);
    for (auto const each : bytes) { std::printf("%02x", each); }
    T const value = sum.value();
    std::memcpy(bytes, &value, sizeof value);
    for (unsigned i = 0; i != sizeof value; ++i) { std::printf(" %02x", bytes[i]); }
    std::puts("");
}

int main() {
    std::uint64_t state = 88172645463325252;
    std::vector<double> all;
    std::vector<float> narrow;
    for (int i = 0; i != 10007; ++i) {
        state ^= state << 13, state ^= state >> 7, state ^= state << 17;
        auto const bits = (state & 0x800f'ffff'ffff'ffff) | (1000 + state % 60) << 52;
        double x;
        std::memcpy(&x, &bits, sizeof x);
        all.push_back(x);
        narrow.push_back(static_cast<float>(i % 1000 - 500) * 0x1p-10F);
    }
    show<tutti::binned_sum<double>>(all);
    show<tutti::exact_sum<double>>(all);
    show<tutti::binned_sum<float>>(narrow);
    std::uint64_t const denormal = 12345, infinite = 0x7ff0'0000'0000'0000, negative_infinite = 0xfff0'0000'0000'0000;
    double x, y, z;
    std::memcpy(&x, &denormal, sizeof x), std::memcpy(&y, &infinite, sizeof y);
    std::memcpy(&z, &negative_infinite, sizeof z);
    show<tutti::binned_sum<double>>(std::vector<double>(500, x));
    all[77] = y;
    show<tutti::binned_sum<double>>(all);
    all[78] = z;
    show<tutti::binned_sum<double>>(all);
    show<tutti::exact_sum<double>>(all);
}
SOURCE

status=0
for flags in "-O0" "-O2" "-O3" "-O2 -ffast-math" "-O3 -ffast-math -funroll-loops" "-O2 -fno-math-errno -ffinite-math-only" \
    "-O2 -fassociative-math -fno-signed-zeros -fno-trapping-math" "-O2 -frounding-math"; do
    # shellcheck disable=SC2086
    $compiler -std=c++20 $flags -w "-I$include" "$work/sums.cpp" -o "$work/sums"
    "$work/sums" > "$work/bits"
    [ -f "$work/due" ] || cp "$work/bits" "$work/due"
    if ! cmp -s "$work/bits" "$work/due"; then
        echo "$flags changes the bits of a sum:"
        diff "$work/due" "$work/bits" | cut -c 1-200
        status=1
    fi
done

cat > "$work/dot.cpp" << 'SOURCE'
#include <vector>
#include <tutti/sequences.hpp>
#include <tutti/threads.hpp>
double dot(tutti::threads::communicator& world, std::vector<double> const& x) {
    return tutti::dot_without_order(world, x, x);
}
SOURCE
$compiler -std=c++20 -fsyntax-only -w "-I$include" "$work/dot.cpp"
if $compiler -std=c++20 -ffast-math -fsyntax-only -w "-I$include" "$work/dot.cpp" 2> "$work/report" ||
    ! grep -q 'tutti: dot_without_order needs products as they are written; compile this file without -ffast-math' "$work/report"; then
    echo "a dot product is compiled with -ffast-math, or refused for another reason:"
    head -5 "$work/report"
    status=1
fi
exit $status
