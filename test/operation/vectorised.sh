#!/bin/sh
# Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#
# vectorised.sh COMPILER [INCLUDE_DIRECTORY]: tutti::operators::combine must become vector instructions, at -O2 as at -O3.
# Each function below is named after the instruction that it (or what it calls) must contain.
set -eu
export LC_ALL=C

compiler=${1:?usage: vectorised.sh COMPILER [INCLUDE_DIRECTORY]}
include=${2:-$(dirname "$0")/../../include}
case $(uname -m) in x86_64|amd64) ;; *) echo "skipped: not an x86-64 machine"; exit 77 ;; esac
command -v objdump > /dev/null || { echo "skipped: no objdump"; exit 77; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat > "$work/kernels.cpp" << 'SOURCE'
#include <cstddef>
#include <functional>
#include <tutti/operation/annotated.hpp>
#include <tutti/operation/combine.hpp>
#include <tutti/operation/minmax.hpp>

template <class T>
struct shifted {
    T offset;
    T operator()(T a, T b) const { return a + b + offset; }
};

// A type for each function: no two functions share an instantiation in which an instruction could be found.
template <int>
struct sum : std::plus<> {};

#define KERNEL(name, T, Op) \
    extern "C" void name(Op& op, T const* left, T const* right, T* out, std::size_t n) { \
        tutti::operators::combine(op, left, right, out, n); \
    }
KERNEL(plus_addps, float, std::plus<>)
KERNEL(plus_addpd, double, std::plus<>)
KERNEL(plus_paddd, int, std::plus<>)
KERNEL(typed_addpd, double, std::plus<double>)
KERNEL(shifted_addps, float, shifted<float>)
KERNEL(shifted_addpd, double, shifted<double>)
KERNEL(shifted_paddd, int, shifted<int>)
KERNEL(minimum_minps, float, tutti::minimum<>)
KERNEL(minimum_minpd, double, tutti::minimum<>)
KERNEL(minimum_pcmpgtd, int, tutti::minimum<>)
KERNEL(maximum_maxps, float, tutti::maximum<float>)
KERNEL(maximum_maxpd, double, tutti::maximum<double>)
KERNEL(maximum_pcmpgtd, int, tutti::maximum<int>)
KERNEL(annotated_addpd, double, tutti::operators::commutative_operator<sum<0>>)
KERNEL(referenced_addpd, double, tutti::operators::commutative_operator<std::reference_wrapper<sum<1>>>)

extern "C" void lambda_addps(float const* left, float const* right, float* out, std::size_t n) {
    auto op = [](auto a, auto b) { return a + b; };
    tutti::operators::combine(op, left, right, out, n);
}
extern "C" void capture_addpd(double& offset, double const* left, double const* right, double* out, std::size_t n) {
    auto op = [&offset](auto a, auto b) { return a + b + offset; };
    tutti::operators::combine(op, left, right, out, n);
}
extern "C" void in_place_addps(float const* left, float* right, std::size_t n) {
    sum<2> op;
    tutti::operators::combine(op, left, right, right, n);
}
extern "C" void raw_paddd(int const* left, int const* right, int* raw, std::size_t n) {
    sum<3> op;
    tutti::operators::combine_into_raw(op, left, right, raw, n);
}
// Each way in which the blocks may lie, by itself.
#define WAY(name, left_is_out, right_is_out, number) \
    extern "C" void name(sum<number>& op, double const* left, double const* right, double* out, std::size_t n) { \
        tutti::kernel::combine_small<left_is_out, right_is_out>(op, left, right, out, n); \
    }
WAY(apart_addpd, false, false, 4)
WAY(onto_left_addpd, true, false, 5)
WAY(onto_right_addpd, false, true, 6)
WAY(onto_both_addpd, true, true, 7)

// The counterexample, where each result needs the one before: it cannot be vectorised, and must not seem to be.
struct running {
    double state;
    double operator()(double a, double b) { return state = state * a + b; }
};
KERNEL(never_mulpd, double, running)
SOURCE

failures=0
for level in -O2 -O3; do
    # Unquoted: the compiler may come with a launcher or options.
    $compiler -std=c++20 $level -march=x86-64 -I"$include" -c "$work/kernels.cpp" -o "$work/kernels.o"
    objdump -dr --no-show-raw-insn "$work/kernels.o" | awk -v level="$level" '
        /^[0-9a-f]+ <.*>:$/ {
            name = substr($2, 2, length($2) - 3)
            if (name ~ /^[a-z_]+_(v?p?(add|min|max|mul|cmpgt)[pds]+)$/) { wanted[name] = 1 }
            next
        }
        # Calls of functions that were not inlined, and jumps to functions that were folded for being equal.
        $2 ~ /^R_X86_64_(PLT32|PC32)$/ { goes_to($3) }
        $2 ~ /^(call|jmp)/ && $NF ~ /^<[^+]*>$/ { goes_to(substr($NF, 2, length($NF) - 2)) }
        $1 ~ /^[0-9a-f]+:$/ { instruction = $2; sub(/^v/, "", instruction); has[name, instruction] = 1 }
        function goes_to(f) {
            sub(/-0x[0-9a-f]+$/, "", f)
            calls[name, ++count[name]] = f
        }
        function found(f, what, depth,    i) {
            if ((f, what) in has) { return 1 }
            for (i = 1; depth > 0 && i <= count[f]; ++i) { if (found(calls[f, i], what, depth - 1)) { return 1 } }
            return 0
        }
        END {
            for (f in wanted) {
                ++functions
                what = f
                sub(/^.*_/, "", what)
                if (found(f, what, 3) == (f ~ /^never_/)) {
                    print level ": " f (f ~ /^never_/ ? " has " : " has no ") what
                    failed = 1
                }
            }
            if (functions != 24) { print level ": expected 24 functions, found " functions + 0; failed = 1 }
            exit failed
        }' || failures=$((failures + 1))
done
if [ "$failures" -ne 0 ]; then echo "not vectorised: $compiler"; exit 1; fi
echo "vectorised at -O2 and -O3: $compiler"
