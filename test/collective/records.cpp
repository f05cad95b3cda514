// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/ranks.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include <tutti/collective/records.hpp>
#include <tutti/collectives.hpp>
#include <tutti/generator/all.hpp>

BOOST_AUTO_TEST_SUITE(collective_records)

using support::check;
using support::check_equal;

namespace {

/// Elements of `extent` bytes: an affine map x -> a x + b modulo 251 in its first two bytes, and what stays.
struct maps {
    std::size_t extent;
    std::size_t calls = 0;

    static void compose(void* state, void const* in, void* inout, std::size_t n) {
        auto& self = *static_cast<maps*>(state);
        ++self.calls;
        auto const* left = static_cast<unsigned char const*>(in);
        auto* right = static_cast<unsigned char*>(inout);
        for (; n != 0; --n, left += self.extent, right += self.extent) {
            auto const a = left[0] * right[0] % 251;
            auto const b = (left[0] * right[1] + left[1]) % 251;
            right[0] = static_cast<unsigned char>(a);
            right[1] = static_cast<unsigned char>(b);
        }
    }

    static void add(void* state, void const* in, void* inout, std::size_t n) {
        auto& self = *static_cast<maps*>(state);
        auto const* left = static_cast<unsigned char const*>(in);
        auto* right = static_cast<unsigned char*>(inout);
        for (std::size_t i = 0; i != n; ++i) {
            for (std::size_t j = 0; j != 2; ++j) {
                auto& sum = right[i * self.extent + j];
                sum = static_cast<unsigned char>(sum + left[i * self.extent + j]);
            }
        }
    }

    [[nodiscard]] tutti::run_time_operator composition() { return {compose, this, false}; }
    [[nodiscard]] tutti::run_time_operator sum() { return {add, this, true}; }
};

using bytes = std::vector<unsigned char>;

/// The operand of a rank.
bytes operand(int rank, std::size_t n, std::size_t extent) {
    bytes result(n * extent, 99);
    for (std::size_t i = 0; i != n; ++i) {
        result[i * extent] = static_cast<unsigned char>(2 + (i + static_cast<std::size_t>(rank)) % 100);
        result[i * extent + 1] = static_cast<unsigned char>((3 * i + 7 * static_cast<std::size_t>(rank)) % 250);
    }
    return result;
}

/// in(first) ⊕ … ⊕ in(last - 1)
bytes combined(tutti::run_time_operator op, int first, int last, std::size_t n, std::size_t extent) {
    auto result = operand(last - 1, n, extent);
    for (int rank = last - 1; rank-- > first && n != 0;) {
        op.combine(op.state, operand(rank, n, extent).data(), result.data(), n);
    }
    return result;
}

auto of(bytes& x, std::size_t extent) { return tutti::records{x.data(), x.size() / extent, extent}; }
auto of(bytes const& x, std::size_t extent) { return tutti::records{x.data(), x.size() / extent, extent}; }

bytes part(bytes const& whole, std::vector<std::size_t> const& counts, std::size_t rank, std::size_t extent) {
    auto const first =
        std::accumulate(counts.begin(), counts.begin() + static_cast<std::ptrdiff_t>(rank), 0UL) * extent;
    return {whole.begin() + static_cast<std::ptrdiff_t>(first),
            whole.begin() + static_cast<std::ptrdiff_t>(first + counts[rank] * extent)};
}

bytes beginning_with(bytes const& whole, bytes const& first) {
    auto result = whole;
    std::copy(first.begin(), first.end(), result.begin());
    return result;
}

void check_combining(auto& world, tutti::run_time_operator op, std::size_t n, std::size_t extent) {
    auto const what = std::to_string(n) + " records of " + std::to_string(extent) + " bytes";
    int const rank = support::rank_of(world);
    int const size = support::size_of(world);
    int const root = size / 2;
    auto const in = operand(rank, n, extent);
    auto const all = combined(op, 0, size, n, extent);
    auto const upto = combined(op, 0, rank + 1, n, extent);
    bytes const untouched(in.size(), 77);
    auto const before = rank == 0 ? untouched : combined(op, 0, rank, n, extent);

    auto out = untouched;
    tutti::all_reduce(world, of(in, extent), of(out, extent), op);
    check(out == all, "all_reduce of " + what);
    out = in;
    tutti::all_reduce(world, tutti::inplace(of(out, extent)), op);
    check(out == all, "all_reduce in place of " + what);
    out = untouched;
    tutti::reduce(world, of(in, extent), of(out, extent), op, root);
    check(out == (rank == root ? all : untouched), "reduce of " + what);
    if (rank == root) {
        out = in;
        tutti::reduce(world, tutti::inplace(of(out, extent)), op, root);
        check(out == all, "reduce in place of " + what);
    } else {
        tutti::reduce(world, of(in, extent), op, root);
    }
    tutti::inclusive_scan(world, of(in, extent), of(out, extent), op);
    check(out == upto, "inclusive_scan of " + what);
    out = untouched;
    tutti::exclusive_scan(world, of(in, extent), of(out, extent), op);
    check(out == before, "exclusive_scan of " + what);
    out = untouched;
    auto total = untouched;
    tutti::scan_reduce(world, of(in, extent), of(out, extent), of(total, extent), std::ref(op));
    check(out == before && total == all, "scan_reduce of " + what);

    std::vector<std::size_t> counts(static_cast<std::size_t>(size), 0);
    for (std::size_t i = 0; i != n; ++i) { ++counts[i * i % counts.size()]; }
    auto const own = part(all, counts, static_cast<std::size_t>(rank), extent);
    bytes mine(own.size());
    tutti::reduce_scatter(world, of(in, extent), of(mine, extent), counts, op);
    check(mine == own, "reduce_scatter of " + what);
    out = in;
    tutti::reduce_scatter(world, tutti::inplace(of(out, extent)), counts, op);
    check(out == beginning_with(in, own), "reduce_scatter in place of " + what);
    check(in == operand(rank, n, extent), "the input was written");

    auto plan = tutti::plan::all_reduce(world, of(in, extent), of(out, extent), op);
    for (int run = 0; run != 2; ++run) {
        out = untouched;
        plan.start();
        plan.wait();
        check(out == all, "a plan of " + what);
    }
    out = untouched;
    auto pending = tutti::async::inclusive_scan(world, of(in, extent), of(out, extent), op);
    pending.wait();
    check(out == upto, "a nonblocking call with " + what);
}

void check_moving(auto& world, std::size_t n, std::size_t extent) {
    auto const what = std::to_string(n) + " records of " + std::to_string(extent) + " bytes";
    auto const rank = static_cast<std::size_t>(support::rank_of(world));
    auto const size = static_cast<std::size_t>(support::size_of(world));
    int const root = static_cast<int>(size / 2);
    bool const is_root = support::rank_of(world) == root;
    auto const source = operand(root, n, extent);
    bytes x = is_root ? source : bytes(source.size());
    tutti::broadcast(world, of(x, extent), root);
    check(x == source, "broadcast of " + what);

    std::vector<std::size_t> counts(size, 0);
    for (std::size_t i = 0; i != n; ++i) { ++counts[i * i % size]; }
    auto const own = part(source, counts, rank, extent);
    bytes whole(source.size());
    tutti::all_gather(world, of(own, extent), of(whole, extent), counts);
    check(whole == source, "all_gather of " + what);
    bytes gathered(is_root ? source.size() : 0);
    tutti::gather(world, of(own, extent), of(gathered, extent), counts, root);
    check(!is_root || gathered == source, "gather of " + what);
    bytes mine(own.size());
    tutti::scatter(world, of(source, extent), of(mine, extent), counts, root);
    check(mine == own, "scatter of " + what);

    whole.assign(n * extent * size, 0);
    tutti::all_gather(world, of(source, extent), of(whole, extent));
    for (std::size_t r = 0; r != size; ++r) {
        check(std::equal(source.begin(), source.end(), whole.begin() + static_cast<std::ptrdiff_t>(r * source.size())),
              "all_gather of equal parts of " + what);
    }
}

}  // namespace

BOOST_AUTO_TEST_CASE_ON_RANKS(every_collective_of_elements_of_any_extent) {
    for (std::size_t const extent : std::vector<std::size_t>{2, 3, 16, 24, 5000}) {
        for (std::size_t const n : std::vector<std::size_t>{0, 1, 2, 9, 1001}) {
            maps state{extent};
            check_combining(world, state.composition(), n, extent);
            check_combining(world, state.sum(), n, extent);
            check_moving(world, n, extent);
        }
    }
}

BOOST_AUTO_TEST_CASE_ON_RANKS(long_vectors_are_cut_between_elements) {
    maps state{24};
    check_combining(world, state.composition(), 30'011, 24);
    check_combining(world, state.sum(), 30'011, 24);
    check_moving(world, 30'011, 24);
}

BOOST_AUTO_TEST_CASE_ON_EACH_RANK(elements_of_a_type_with_an_operator_of_run_time) {
    std::vector<double> in(1000, rank + 1);
    std::vector<double> out(in.size());
    auto const add = [](void*, void const* left, void* inout, std::size_t n) {
        auto* const sum = static_cast<double*>(inout);
        for (std::size_t i = 0; i != n; ++i) { sum[i] += static_cast<double const*>(left)[i]; }
    };
    std::vector<double> const sums(in.size(), size * (size + 1) / 2);
    for (bool const commutes : {false, true}) {
        tutti::run_time_operator const op{add, nullptr, commutes};
        tutti::all_reduce(world, in, out, op);
        check(out == sums, "all_reduce");
        tutti::all_reduce(world, in, out, op, tutti::recursive_doubling{});
        check(out == sums, "all_reduce by name");
    }
}

BOOST_AUTO_TEST_CASE_ON_RANKS(named_algorithms_are_held_against_what_the_operator_says) {
    maps state{4};
    auto const in = operand(support::rank_of(world), 100, 4);
    bytes out(in.size());
    auto const sum = combined(state.sum(), 0, support::size_of(world), 100, 4);
    tutti::all_reduce(world, of(in, 4), of(out, 4), state.sum(), tutti::ring{});
    check(out == sum, "ring");
    auto const said = support::message_of<std::invalid_argument>(
        [&] { tutti::all_reduce(world, of(in, 4), of(out, 4), state.composition(), tutti::ring{}); });
    check_equal(said, "tutti: ring changes the order of operands, and the operator does not commute; name another "
                      "algorithm, or none", "ring");
    tutti::all_reduce(world, of(in, 4), of(out, 4), state.sum());
    check(out == sum, "the communicator is of use afterwards");
}

/// An affine map of so many records that are good for nothing unless all of them come at once.
struct whole_maps : maps {
    std::size_t whole;
    bool is_cut = false;

    static void compose_all(void* state, void const* in, void* inout, std::size_t n) {
        auto& self = *static_cast<whole_maps*>(state);
        self.is_cut = self.is_cut || n != self.whole;
        compose(static_cast<maps*>(&self), in, inout, n);
    }
};

BOOST_AUTO_TEST_CASE_ON_EACH_RANK(vectors_of_indivisible_operators_stay_whole) {
    for (std::size_t const n : {3UL, 5000UL, 400000UL}) {
        for (bool const commutes : {false, true}) {
            whole_maps state{{2}, n};
            tutti::run_time_operator const op{whole_maps::compose_all, &state, commutes, true};
            maps each{2};
            auto const in = operand(rank, n, 2);
            bytes out(in.size());
            tutti::all_reduce(world, of(in, 2), of(out, 2), op);
            // with an order of its own the values may be others
            check(commutes || out == combined(each.composition(), 0, size, n, 2), "all_reduce");
            tutti::inclusive_scan(world, of(in, 2), of(out, 2), op);
            check(commutes || out == combined(each.composition(), 0, rank + 1, n, 2), "inclusive_scan");
            tutti::reduce(world, of(in, 2), of(out, 2), op, size - 1);
            check(!state.is_cut, "the operator was given a part of " + std::to_string(n) + " records");
        }
    }
}

BOOST_AUTO_TEST_CASE_ON_RANKS(records_that_cannot_be) {
    maps state{4};
    bytes in(12);
    bytes out(12);
    auto said = support::message_of<std::invalid_argument>([&] {
        tutti::all_reduce(world, tutti::records{in.data(), 3, 4}, tutti::records{out.data(), 3, 3}, state.sum());
    });
    check_equal(said, "tutti: all_reduce: records of 4 and of 3 bytes in one call; give all one extent", "two extents");
    said = support::message_of<std::invalid_argument>([&] {
        tutti::broadcast(world, tutti::records{in.data(), 3, 0}, 0);
    });
    check_equal(said, "tutti: broadcast: records of 0 bytes; give their extent", "no extent");
    said = support::message_of<std::invalid_argument>(
        [&] { tutti::all_reduce(world, of(in, 4), tutti::records{out.data(), 2, 4}, state.sum()); });
    check_equal(said, "tutti: all_reduce: in has 3 elements, but out has room for 2; give both the same number", "two sizes");
}

BOOST_AUTO_TEST_SUITE_END()
