// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/ranks.hpp>
#include <support/unusual_elements.hpp>

#include <string>
#include <utility>

#include <tutti/collective/all_reduce.hpp>
#include <tutti/collective/broadcast.hpp>
#include <tutti/collective/execute.hpp>
#include <tutti/collective/reduce.hpp>
#include <tutti/generator/all.hpp>
#include <tutti/operation/annotated.hpp>

BOOST_AUTO_TEST_SUITE(collective_elements)

using support::check_equal;
using support::digits;
using support::interval;
using support::long_text;

BOOST_AUTO_TEST_CASE(elements_without_default_constructor) {
    support::on_ranks([](auto& world) {
        int const rank = support::rank_of(world);
        int const size = support::size_of(world);
        auto const join = [](interval const& a, interval const& b) { return support::join(a, b); };
        auto const result = tutti::all_reduce(world, interval{rank, rank}, join);
        support::check(result == interval{0, size - 1}, "all_reduce of one interval");
        for (int root = 0; root != size; ++root) {
            std::vector<interval> in(40, interval{rank, rank});
            std::vector<interval> out(40, interval{-1, -1});
            tutti::reduce(world, in, out, join, root, tutti::pipeline{.segments = 7});
            auto const expected = rank == root ? interval{0, size - 1} : interval{-1, -1};
            support::check(out == std::vector<interval>(40, expected), "reduce of many intervals");
            tutti::broadcast(world, in, root);
            support::check(in == std::vector<interval>(40, interval{root, root}), "broadcast of intervals");
        }
    });
}

BOOST_AUTO_TEST_CASE(pairs) {
    support::on_ranks([](auto& world) {
        using located = std::pair<double, int>;
        int const rank = support::rank_of(world);
        located const mine{static_cast<double>((rank * 5) % 7), rank};
        auto const least =
            tutti::all_reduce(world, mine, [](located const& a, located const& b) { return std::min(a, b); });
        check_equal(least.first, 0.0, "least value");
        check_equal(least.second, 0, "where it is");
    });
}

#if !defined(TUTTI_TEST_OVER_MPI)

BOOST_AUTO_TEST_CASE(a_string_is_one_value) {
    support::on_ranks([](auto& world) {
        int const rank = support::rank_of(world);
        int const size = support::size_of(world);
        check_equal(tutti::all_reduce(world, digits(rank, rank + 1), std::plus<>{}), digits(0, size), "all_reduce");
        std::vector<std::string> const in{digits(rank, rank + 1), "", std::string(long_text, 'x'),
                                          digits(rank, rank + 1)};
        for (int root = 0; root != size; ++root) {
            std::vector<std::string> out(4, "untouched");
            tutti::reduce(world, in, out, std::plus<>{}, root, tutti::binary_tree{.segments = 3});
            auto const long_result = std::string(long_text * static_cast<std::size_t>(size), 'x');
            auto const expected = rank == root
                                      ? std::vector<std::string>{digits(0, size), "", long_result, digits(0, size)}
                                      : std::vector<std::string>(4, "untouched");
            support::check(out == expected, "reduce of strings");
            auto both =
                std::vector<std::string>{std::to_string(rank), std::string(long_text, static_cast<char>('a' + rank))};
            tutti::broadcast(world, both, root);
            support::check(both == std::vector<std::string>{std::to_string(root),
                                                            std::string(long_text, static_cast<char>('a' + root))},
                           "broadcast of strings");
        }
    });
}

BOOST_AUTO_TEST_CASE(maps_are_merged) {
    support::on_ranks([](auto& world) {
        using counts = support::word_counts;
        int const rank = support::rank_of(world);
        int const size = support::size_of(world);
        counts mine{{"all", 1}, {std::to_string(rank), rank}};
        support::merged_counts const merge;
        counts expected{{"all", size}};
        for (int r = 0; r != size; ++r) { expected[std::to_string(r)] = r; }
        support::check(tutti::all_reduce(world, mine, merge) == expected, "all_reduce");
        support::check(tutti::all_reduce(world, mine, tutti::commutative(merge), tutti::ring{}) == expected, "ring");
        tutti::all_reduce(world, tutti::inplace(mine), merge,
                          tutti::then(tutti::binomial{}, tutti::reverse(tutti::binomial{})));
        support::check(mine == expected, "in place");
    });
}

#endif

BOOST_AUTO_TEST_SUITE_END()
