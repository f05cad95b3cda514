// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/ranks.hpp>
#include <support/wild_numbers.hpp>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <span>
#include <stdexcept>
#include <vector>

#include <tutti/collective/execute.hpp>
#include <tutti/collective/reduce.hpp>
#include <tutti/collective/scan.hpp>
#include <tutti/collective/sum_without_order.hpp>

BOOST_AUTO_TEST_SUITE(collective_sum_without_order)

using support::bits_of;
using support::check;
using support::check_equal;

namespace {

/// What a rank holds of n places that are dealt out in four ways: in a row, all by the last one, cyclically, at random.
std::vector<std::size_t> places_of(int rank, int size, std::size_t n, int way) {
    std::vector<std::size_t> result;
    std::mt19937_64 random{7};
    auto const ranks = static_cast<std::size_t>(size);
    for (std::size_t i = 0; i != n; ++i) {
        auto const any = random() % ranks;
        auto const of = way == 0 ? i * ranks / n : way == 1 ? ranks - 1 : way == 2 ? i % ranks : any;
        if (of == static_cast<std::size_t>(rank)) { result.push_back(way == 3 ? n - 1 - i : i); }
    }
    return result;
}

template <class T>
std::vector<T> taken(std::vector<T> const& all, std::vector<std::size_t> const& places) {
    std::vector<T> result;
    for (auto const i : places) { result.push_back(all[i]); }
    return result;
}

}  // namespace

BOOST_AUTO_TEST_CASE(bits_are_those_of_one_process) {
    auto const all = support::wild_numbers(3001);
    std::vector<float> floats;
    std::vector<std::complex<double>> complex;
    for (std::size_t i = 0; i != all.size(); ++i) {
        floats.push_back(static_cast<float>(i % 7 == 0 ? 1e8 : 1.0 / (1.0 + static_cast<double>(i))));
        complex.push_back({all[i], 1.0 / (1.0 + static_cast<double>(i))});
    }
    tutti::binned_sum<double> binned;
    tutti::exact_sum<double> exact;
    tutti::binned_sum<float> of_floats;
    binned += all;
    exact += all;
    of_floats += floats;
    std::vector<double> dots;
    support::on_ranks([&](auto& world) {
        int const rank = support::rank_of(world);
        int const size = support::size_of(world);
        for (int way = 0; way != 4; ++way) {
            auto const mine = places_of(rank, size, all.size(), way);
            auto const x = taken(all, mine);
            auto const f = taken(floats, mine);
            auto const z = taken(complex, mine);
            check(bits_of(tutti::sum_without_order(world, x)) == bits_of(binned.value()), "the sum");
            check(bits_of(tutti::exact_sum_without_order(world, x)) == bits_of(exact.value()), "the exact sum");
            check_equal(tutti::sum_without_order(world, f), of_floats.value(), "the sum of floats");
            auto const [first, second, none] = tutti::sum_without_order(world, x, x, std::span<double const>{});
            check(bits_of(first) == bits_of(binned.value()) && first == second && none == 0, "three sums");
            auto const [one, two] = tutti::exact_sum_without_order(world, x, x);
            check(bits_of(one) == bits_of(exact.value()) && one == two, "two exact sums");
            auto const parts = tutti::sum_without_order(world, z);
            check(bits_of(parts.real()) == bits_of(binned.value()) && parts.imag() > 0, "a complex sum");
            auto const dot = tutti::dot_without_order(world, f, f);
            static_assert(std::is_same_v<decltype(dot), float const>);
            tutti::binned_sum<double> squares;
            for (auto const each : floats) { squares += static_cast<double>(each) * each; }
            check_equal(dot, static_cast<float>(squares.value()), "the dot product");
        }
        check_equal(tutti::sum_without_order(world, 0.5), size * 0.5, "a single number of each rank");
    });
}

BOOST_AUTO_TEST_CASE_ON_RANKS(products_are_not_rounded) {
    // x y - x y, each on a rank of its own, leaves what rounding would have cut off
    double const x = 1 + 0x1p-30, tiny = 0x1p-60;
    std::vector<double> a, b;
    if (support::rank_of(world) == 0) { a = {x, 1}, b = {x, -1}; }
    if (support::rank_of(world) == support::size_of(world) - 1) { a.push_back(-0x1p-29), b.push_back(1); }
    check(bits_of(tutti::dot_without_order(world, a, b)) == bits_of(tiny), "what was rounded off is lost");
}

BOOST_AUTO_TEST_CASE_ON_EACH_RANK(sums_are_elements_of_any_collective) {
    std::vector<tutti::binned_sum<double>> in(3), out(3);
    in[1] += rank + 1.0;
    tutti::inclusive_scan(world, in, out, std::plus<>{});
    check(out[1].value() == (rank + 1) * (rank + 2) / 2.0 && out[0].value() == 0, "a scan of sums");
    tutti::exact_sum<float> single;
    single += 0.5F;
    auto const before = tutti::exclusive_scan(world, single, std::plus<>{});
    check(before.value() == static_cast<float>(rank) / 2, "an exclusive scan");
    auto const all = tutti::reduce(world, single, std::plus<>{}, 0);
    check(rank != 0 || all->value() == static_cast<float>(size) / 2, "a reduce");
}

#if !defined(TUTTI_TEST_OVER_MPI) && !defined(TUTTI_TEST_OVER_BOOST_MPI) && !defined(TUTTI_TEST_OVER_SHARED_MEMORY)

BOOST_AUTO_TEST_CASE(vectors_of_different_lengths_leave_no_rank_waiting) {
    auto const wrong = [](auto& world) {
        std::vector<double> const x(4), y(world.rank() == 1 ? 3 : 4);
        static_cast<void>(tutti::dot_without_order(world, x, y));
    };
    BOOST_CHECK_THROW(tutti::threads::run(3, wrong), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(a_field_on_up_to_16_ranks_in_two_dimensions) {
    constexpr std::size_t rows = 500, columns = 400;
    std::vector<double> field(rows * columns);
    std::mt19937_64 random{11};
    std::int64_t whole = 0;
    for (std::size_t i = 0; i != field.size(); ++i) {
        auto const number = static_cast<std::int64_t>(random() % 2'000'001) - 1'000'000;
        whole += i % 1000 < 2 ? 0 : number;
        field[i] = i % 1000 == 0 ? 1e300 : i % 1000 == 1 ? -1e300 : static_cast<double>(number) * 0x1p-1074;
    }
    double const due = static_cast<double>(whole) * 0x1p-1074;
    tutti::binned_sum<double> alone;
    alone += field;
    for (int size = 1; size <= 16; ++size) {
        tutti::threads::run(size, [&](auto& world) {
            // the ranks are a grid, as near to a square as their number allows
            int across = 1;
            for (int i = 1; i * i <= size; ++i) { across = size % i == 0 ? i : across; }
            int const down = size / across;
            auto const row = static_cast<std::size_t>(world.rank() / across);
            auto const column = static_cast<std::size_t>(world.rank() % across);
            std::vector<double> mine;
            for (auto i = row * rows / static_cast<std::size_t>(down);
                 i != (row + 1) * rows / static_cast<std::size_t>(down); ++i) {
                for (auto j = column * columns / static_cast<std::size_t>(across);
                     j != (column + 1) * columns / static_cast<std::size_t>(across); ++j) {
                    mine.push_back(field[i * columns + j]);
                }
            }
            std::shuffle(mine.begin(), mine.end(), std::mt19937_64{static_cast<std::size_t>(size)});
            check(bits_of(tutti::exact_sum_without_order(world, mine)) == bits_of(due), "the exact sum");
            check(bits_of(tutti::sum_without_order(world, mine)) == bits_of(alone.value()), "the sum");
        });
    }
    BOOST_TEST(true);
}

#endif

BOOST_AUTO_TEST_SUITE_END()
