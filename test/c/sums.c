/* Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
 *
 * Sums without order: the same bits whoever holds which numbers, and those of one rank alone; exact sums against sums
 * of whole numbers. */
#include <support/check.h>

#include <math.h>

#include <tutti/tutti.h>
#if defined __SSE2__
#include <xmmintrin.h>
#endif

#define W MPI_COMM_WORLD

enum { n = 5003 };

static int same(double a, double b) { return memcmp(&a, &b, sizeof a) == 0; }

static uint64_t random_state = 88172645463325252u;
static uint64_t random_bits(void) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    return random_state ^= random_state << 17;
}

/* Numbers of very different sizes, which cancel each other out in part. */
static void fill(double* x) {
    for (int i = 0; i != n; ++i) {
        uint64_t const bits = random_bits();
        x[i] = ldexp((double)(int64_t)(bits >> 12) - 2251799813685248.0, (int)(bits % 300) - 200);
    }
    x[7] = 1e40, x[8] = -1e40, x[9] = 5e-324, x[10] = -0.0;
}

/* From now on this rank takes denormals for zeros, or no longer, as a program does that is linked with -ffast-math. */
static void flush(int now) {
#if defined __SSE2__
    _mm_setcsr(now ? _mm_getcsr() | 0x8040 : _mm_getcsr() & ~0x8040u);
#else
    (void)now;
#endif
}

/* Every rank gives the same denormals; ranks of odd numbers flush. */
static void sum_denormals(void) {
    static float x[n], times[n];
    static double y[n], times_of_doubles[n];
    float sum, exact, dot;
    double sum_of_doubles, dot_of_doubles, due_dot = 0;
    tutti_binned_sum_float due;
    tutti_binned_sum due_of_doubles, products;
    memset(&due, 0, sizeof due), memset(&products, 0, sizeof products);
    memset(&due_of_doubles, 0, sizeof due_of_doubles);
    for (int i = 0; i != n; ++i) {
        uint32_t const bits = (uint32_t)(random_bits() >> 58);
        memcpy(x + i, &bits, sizeof bits);
        y[i] = ldexp(1.0, -1074) * bits;
        times_of_doubles[i] = times[i] = (float)(i % 3);
    }
    for (int r = 0; r != size; ++r) {
        tutti_binned_sum_float_add(&due, x, n);
        tutti_binned_sum_add(&due_of_doubles, y, n);
        for (int i = 0; i != n; ++i) {
            double const product = (double)x[i] * times_of_doubles[i];
            tutti_binned_sum_add(&products, &product, 1);
        }
    }
    check(tutti_dot_without_order(W, y, times_of_doubles, n, &due_dot) == 0 && due_dot > 0, "a dot product");
    flush(rank % 2 == 1);
    int const failed = tutti_sum_without_order_float(W, x, n, &sum) |
                       tutti_exact_sum_without_order_float(W, x, n, &exact) |
                       tutti_sum_without_order(W, y, n, &sum_of_doubles) |
                       tutti_dot_without_order_float(W, x, times, n, &dot) |
                       tutti_dot_without_order(W, y, times_of_doubles, n, &dot_of_doubles);
    flush(0);
    float const due_sum = tutti_binned_sum_float_value(&due), due_product = (float)tutti_binned_sum_value(&products);
    check(!failed && sum > 0 && memcmp(&sum, &due_sum, sizeof sum) == 0, "a sum of denormal floats");
    check(memcmp(&exact, &due_sum, sizeof exact) == 0, "an exact sum of denormal floats");
    check(same(sum_of_doubles, tutti_binned_sum_value(&due_of_doubles)), "a sum of denormals");
    check(dot_of_doubles > 0 && memcmp(&dot, &due_product, sizeof dot) == 0, "a dot product of denormal floats");
    check(same(dot_of_doubles, due_dot), "a dot product of denormals");
}

int main(int argc, char** argv) {
    static double all[n], mine[n], other[n];
    static float narrow[n];
    double sum, exact, dot, sums[2];
    float sum_of_floats;
    reason_of_failure = tutti_last_error;
    begin_mpi(&argc, &argv);
    fill(all);

    tutti_binned_sum alone;
    tutti_exact_sum exactly;
    memset(&alone, 0, sizeof alone);
    memset(&exactly, 0, sizeof exactly);
    tutti_binned_sum_add(&alone, all, n);
    tutti_exact_sum_add(&exactly, all, n);
    check(tutti_binned_sum_value(&alone) != 0, "the sum of one rank");

    for (int deal = 0; deal != 8; ++deal) {
        size_t count = 0;
        for (int i = 0; i != n; ++i) { /* deals them out, the last ones first */
            int const to = deal == 0 ? 0 : (int)(random_bits() % (uint64_t)size);
            if (to == rank) { mine[count++] = all[deal % 2 == 0 ? i : n - 1 - i]; }
        }
        check(tutti_sum_without_order(W, mine, count, &sum) == 0 && same(sum, tutti_binned_sum_value(&alone)), "sum");
        check(tutti_exact_sum_without_order(W, mine, count, &exact) == 0, "exact sum");
        check(same(exact, tutti_exact_sum_value(&exactly)), "bits of the exact sum");
        check(fabs(sum - exact) <= ldexp(1e46 * n, -80), "error of the sum");

        size_t const counts[2] = {count, deal == 0 ? 0 : 1};
        double const* const of[2] = {mine, other};
        other[0] = rank + 1;
        check(tutti_sums_without_order(W, 2, of, counts, sums) == 0 && same(sums[0], sum), "the first of two sums");
        check(same(sums[1], deal == 0 ? 0 : sum_below(size + 1)), "the second of two sums");
        check(tutti_exact_sums_without_order(W, 2, of, counts, sums) == 0 && same(sums[0], exact), "two exact sums");

        /* as elements of a vector */
        tutti_binned_sum parts[2];
        memset(parts, 0, sizeof parts);
        tutti_binned_sum_add(parts + 1, mine, count);
        check(tutti_all_reduce(W, TUTTI_IN_PLACE, parts, 2, sizeof *parts, tutti_binned_sum_plus()) == 0, "elements");
        check(memcmp(parts + 1, &alone, sizeof alone) == 0 && tutti_binned_sum_value(parts) == 0, "both sums of it");
        tutti_exact_sum part;
        memset(&part, 0, sizeof part);
        tutti_exact_sum_add(&part, mine, count);
        check(tutti_all_reduce(W, TUTTI_IN_PLACE, &part, 1, sizeof part, tutti_exact_sum_plus()) == 0, "an element");
        check(memcmp(&part, &exactly, sizeof part) == 0, "an exact sum as an element");
    }

    /* whole numbers have an oracle */
    int64_t whole = 0;
    for (int r = 0; r != size; ++r) {
        for (int i = 0; i != n; ++i) {
            int64_t const number = (int64_t)((i * 7919 + r * 104729) % 1000003) - 500000;
            whole += number;
            if (r == rank) {
                mine[i] = (double)number;
                narrow[i] = (float)number;
            }
        }
    }
    check(tutti_sum_without_order(W, mine, n, &sum) == 0 && same(sum, (double)whole), "sum of whole numbers");
    check(tutti_exact_sum_without_order(W, mine, n, &sum) == 0 && same(sum, (double)whole), "exact, of whole numbers");
    check(tutti_sum_without_order_float(W, narrow, n, &sum_of_floats) == 0 && sum_of_floats == (float)whole, "floats");
    check(tutti_exact_sum_without_order_float(W, narrow, n, &sum_of_floats) == 0 && sum_of_floats == (float)whole,
          "floats, exact");
    for (int i = 0; i != n; ++i) { other[i] = i % 3 - 1; }
    whole = 0;
    for (int r = 0; r != size; ++r) {
        for (int i = 0; i != n; ++i) { whole += ((i * 7919 + r * 104729) % 1000003 - 500000) * (int64_t)(i % 3 - 1); }
    }
    check(tutti_dot_without_order(W, mine, other, n, &dot) == 0 && same(dot, (double)whole), "dot product");

    /* what is wrong */
    check(tutti_sum_without_order(W, mine, 0, &sum) == 0 && same(sum, 0), "no numbers");
    if (size == 1) {
        check(tutti_sum_without_order(W, NULL, 3, &sum) == TUTTI_INVALID_ARGUMENT, "numbers nowhere");
        check(tutti_sum_without_order(W, mine, 3, NULL) == TUTTI_INVALID_ARGUMENT, "a sum nowhere");
    }
    sum_denormals();
    return end_mpi();
}
