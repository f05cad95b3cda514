// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/ranks.hpp>

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include <tutti/collective/accumulate_in.hpp>
#include <tutti/collective/all_gather.hpp>
#include <tutti/collective/all_reduce.hpp>
#include <tutti/collective/execute.hpp>
#include <tutti/collective/reduce.hpp>
#include <tutti/collective/reduce_scatter.hpp>
#include <tutti/collective/scan.hpp>
#include <tutti/collective/scan_reduce.hpp>
#include <tutti/execution/packed_messages.hpp>
#include <tutti/generator/linear.hpp>
#include <tutti/operation/minmax.hpp>

BOOST_AUTO_TEST_SUITE(collective_accumulate_in)

using support::check;
using support::check_equal;

namespace {

auto const in_double = tutti::accumulate_in<double>(std::plus<>{});

/// Of 16 bits, as those of neural networks: the upper half of a float.
struct half {
    std::uint16_t bits;
    half() = default;
    explicit half(float x) : bits{static_cast<std::uint16_t>((std::bit_cast<std::uint32_t>(x) + 0x8000U) >> 16U)} {}
    explicit operator float() const { return std::bit_cast<float>(std::uint32_t{bits} << 16U); }
};

}  // namespace

BOOST_AUTO_TEST_CASE_ON_RANKS(a_rank_does_not_round_what_it_combines) {
    int const rank = support::rank_of(world), size = support::size_of(world);
    // 1, and on all other ranks a quarter of its last place
    std::vector<float> const in(5, rank == 0 ? 1.0F : 0x1p-25F);
    std::vector<float> out(5, -1);
    tutti::reduce(world, in, out, in_double, 0, tutti::linear{});
    auto const due = static_cast<float>(1 + 0x1p-25 * (size - 1));
    check(rank != 0 || out[4] == due, "the root has rounded in between");
    check(rank == 0 || out[4] == -1, "another rank was given a result");
    tutti::reduce(world, in, out, std::plus<>{}, 0, tutti::linear{});
    check(rank != 0 || out[4] == 1 || size == 1, "float alone does it as well");
}

BOOST_AUTO_TEST_CASE_ON_RANKS(all_ranks_have_the_same_bits) {
    int const rank = support::rank_of(world), size = support::size_of(world);
    for (std::size_t const n : {1U, 7U, 1000U}) {
        std::vector<float> in(n), out(n), total(n), all(n * static_cast<std::size_t>(size));
        double due = 0;
        for (std::size_t i = 0; i != n; ++i) { in[i] = 1.0F / static_cast<float>(1 + rank + static_cast<int>(i)); }
        for (int r = 0; r != size; ++r) { due += 1.0F / static_cast<float>(1 + r); }
        auto const check_out = [&] {
            tutti::all_gather(world, out, all);
            for (std::size_t i = 0; i != all.size(); ++i) { check_equal(all[i], out[i % n], "another rank"); }
            check(std::abs(out[0] - due) < 1e-6 * due, "another sum");
        };
        tutti::all_reduce(world, in, out, in_double);
        check_out();
        tutti::scan_reduce(world, in, total, out, in_double);
        check_out();
        tutti::scan_reduce(world, tutti::inplace(total = in), out, in_double);
        check_out();
        tutti::all_reduce(world, tutti::inplace(out = in), in_double);
        check_out();
    }
}

BOOST_AUTO_TEST_CASE_ON_RANKS(every_reduction_takes_it) {
    int const rank = support::rank_of(world), size = support::size_of(world);
    std::vector<float> const in(3, static_cast<float>(rank));
    std::vector<float> out(3), total(3);
    tutti::inclusive_scan(world, in, out, in_double);
    check_equal(out[2], static_cast<float>(rank * (rank + 1) / 2), "inclusive_scan");
    tutti::exclusive_scan(world, in, out, in_double);
    check_equal(out[2], static_cast<float>(rank * (rank - 1) / 2), "exclusive_scan");
    tutti::scan_reduce(world, in, out, total, in_double);
    check_equal(total[0], static_cast<float>(size * (size - 1) / 2), "scan_reduce");
    std::vector<std::size_t> const counts(static_cast<std::size_t>(size), 2);
    std::vector<float> const whole(2 * static_cast<std::size_t>(size), 1.5F);
    std::vector<float> part(2);
    tutti::reduce_scatter(world, whole, part, counts, in_double);
    check_equal(part[1], 1.5F * static_cast<float>(size), "reduce_scatter");
    check_equal(tutti::all_reduce(world, 0.5F, in_double), 0.5F * static_cast<float>(size), "a single value");
    auto const greatest = tutti::accumulate_in<double>(tutti::maximum<>{});
    check_equal(tutti::all_reduce(world, static_cast<float>(rank), greatest), static_cast<float>(size - 1), "maximum");

    int calls = 0;
    auto counting = [&calls](float a, float b) { return ++calls, a + b; };
    std::vector<half> const halves(4, half{1.0F});
    std::vector<half> sums(4);
    tutti::all_reduce(world, halves, sums, tutti::accumulate_in<float>(std::ref(counting)));
    check_equal(static_cast<float>(sums[3]), static_cast<float>(size), "sums of a class of 16 bits");
    check(size != 2 || calls == (rank == 0 ? 4 : 0), "the caller's operator");
}

BOOST_AUTO_TEST_SUITE_END()
