// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/ranks.hpp>

#include <string>
#include <utility>

#include <support/operands.hpp>
#include <support/unusual_elements.hpp>
#include <tutti/collective/all_gather.hpp>
#include <tutti/collective/all_reduce.hpp>
#include <tutti/collective/broadcast.hpp>
#include <tutti/collective/execute.hpp>
#include <tutti/collective/gather.hpp>
#include <tutti/collective/reduce.hpp>
#include <tutti/collective/reduce_scatter.hpp>
#include <tutti/collective/scan.hpp>
#include <tutti/collective/scan_reduce.hpp>
#include <tutti/collective/scatter.hpp>
#include <tutti/generator/all.hpp>
#include <tutti/operation/annotated.hpp>

BOOST_AUTO_TEST_SUITE(collective_elements)

using support::check;
using support::check_equal;
using support::digits;
using support::interval;
using support::join;
using support::long_text;
using support::part_of;
using support::part_size;

BOOST_AUTO_TEST_CASE_ON_EACH_RANK(elements_without_default_constructor) {
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
}

BOOST_AUTO_TEST_CASE_ON_EACH_RANK(pairs) {
    using located = std::pair<double, int>;
    located const mine{static_cast<double>((rank * 5) % 7), rank};
    auto const least =
        tutti::all_reduce(world, mine, [](located const& a, located const& b) { return std::min(a, b); });
    check_equal(least.first, 0.0, "least value");
    check_equal(least.second, 0, "where it is");
}

#if !defined(TUTTI_TEST_OVER_MPI)

BOOST_AUTO_TEST_CASE_ON_EACH_RANK(a_string_is_one_value) {
    check_equal(tutti::all_reduce(world, digits(rank, rank + 1), std::plus<>{}), digits(0, size), "all_reduce");
    std::vector<std::string> const in{digits(rank, rank + 1), "", std::string(long_text, 'x'), digits(rank, rank + 1)};
    for (int root = 0; root != size; ++root) {
        std::vector<std::string> out(4, "untouched");
        tutti::reduce(world, in, out, std::plus<>{}, root, tutti::binary_tree{.segments = 3});
        auto const long_result = std::string(long_text * static_cast<std::size_t>(size), 'x');
        auto const expected = rank == root ? std::vector<std::string>{digits(0, size), "", long_result, digits(0, size)}
                                           : std::vector<std::string>(4, "untouched");
        support::check(out == expected, "reduce of strings");
        auto both =
            std::vector<std::string>{std::to_string(rank), std::string(long_text, static_cast<char>('a' + rank))};
        tutti::broadcast(world, both, root);
        support::check(both == std::vector<std::string>{std::to_string(root),
                                                        std::string(long_text, static_cast<char>('a' + root))},
                       "broadcast of strings");
    }
}

BOOST_AUTO_TEST_CASE_ON_EACH_RANK(maps_are_merged) {
    using counts = support::word_counts;
    counts mine{{"all", 1}, {std::to_string(rank), rank}};
    support::merged_counts const merge;
    counts expected{{"all", size}};
    for (int r = 0; r != size; ++r) { expected[std::to_string(r)] = r; }
    support::check(tutti::all_reduce(world, mine, merge) == expected, "all_reduce");
    support::check(tutti::all_reduce(world, mine, tutti::commutative(merge), tutti::ring{}) == expected, "ring");
    tutti::all_reduce(world, tutti::inplace(mine), merge,
                      tutti::then(tutti::binomial{}, tutti::reverse(tutti::binomial{})));
    support::check(mine == expected, "in place");
}

#endif

BOOST_AUTO_TEST_CASE_ON_EACH_RANK(parts_of_elements_without_default_constructor) {
    interval const nothing{-1, -1};
    interval const mine{rank, rank};
    check(tutti::inclusive_scan(world, mine, join) == interval{0, rank}, "inclusive_scan");
    auto before = nothing;
    auto all = nothing;
    tutti::scan_reduce(world, mine, before, all, join);
    check(before == (rank == 0 ? nothing : interval{0, rank - 1}), "prefix");
    check(all == interval{0, size - 1}, "total");
    auto const counts = support::uneven(size, 40);
    std::vector<interval> part(part_size(counts, rank), nothing);
    tutti::reduce_scatter(world, std::vector<interval>(40, mine), part, counts, join);
    check(part == std::vector<interval>(part.size(), {0, size - 1}), "reduce_scatter");
    std::vector<interval> whole(40, nothing);
    tutti::all_gather(world, part, whole, counts);
    check(whole == std::vector<interval>(40, {0, size - 1}), "all_gather");
    std::vector<interval> one_each(static_cast<std::size_t>(size), nothing);
    tutti::all_gather(world, mine, one_each);
    check(one_each.back() == interval{size - 1, size - 1}, "all_gather of one each");
}

#if !defined(TUTTI_TEST_OVER_MPI)

namespace {

/// One short, one empty, one long.
std::vector<std::string> texts(int first, int last) {
    return {digits(first, last), "", std::string(long_text * static_cast<std::size_t>(last - first), 'x')};
}

std::plus<> concatenate;

}  // namespace

BOOST_AUTO_TEST_CASE_ON_EACH_RANK(scans_of_strings) {
    auto const in = texts(rank, rank + 1);
    auto const before = rank == 0 ? std::vector<std::string>(3) : texts(0, rank);
    auto const check_scans = [&](auto const& algorithm) {
        std::vector<std::string> out(3);
        tutti::inclusive_scan(world, in, out, concatenate, algorithm);
        check(out == texts(0, rank + 1), "inclusive_scan");
        out.assign(3, "");
        tutti::exclusive_scan(world, in, out, concatenate, algorithm);
        check(out == before, "exclusive_scan");
        auto both = in;
        tutti::scan_reduce(world, tutti::inplace(both), out, concatenate, algorithm);
        check(both == (rank == 0 ? in : before), "prefix");
        check(out == texts(0, size), "total");
    };
    check_scans(tutti::automatic{});
    check_scans(tutti::two_tree{.segments = 3});
    check_equal(tutti::exclusive_scan(world, digits(rank, rank + 1), tutti::with_identity(concatenate, std::string{})),
                digits(0, rank), "a string is one value");
}

BOOST_AUTO_TEST_CASE_ON_EACH_RANK(parts_of_strings) {
    auto const counts = support::uneven(size, 12);
    std::vector<std::string> in;
    std::vector<std::string> sums;
    for (int i = 0; i != 4; ++i) {
        for (auto const& text : texts(rank, rank + 1)) { in.push_back(text + std::to_string(i)); }
        for (std::size_t kind = 0; kind != 3; ++kind) {
            std::string sum;
            for (int r = 0; r != size; ++r) { sum += texts(r, r + 1)[kind] + std::to_string(i); }
            sums.push_back(sum);
        }
    }
    auto const mine = part_of(sums, counts, rank);
    std::vector<std::string> part(mine.size());
    tutti::reduce_scatter(world, in, part, counts, concatenate);
    check(part == mine, "reduce_scatter");
    auto both = in;
    tutti::reduce_scatter(world, tutti::inplace(both), counts, concatenate, tutti::ordered{});
    auto expected = in;
    std::copy(mine.begin(), mine.end(), expected.begin());
    check(both == expected, "reduce_scatter in place");
    std::vector<std::string> whole(12);
    tutti::all_gather(world, part, whole, counts);
    check(whole == sums, "all_gather");
    for (int root = 0; root != size; ++root) {
        std::vector<std::string> at_root(rank == root ? 12 : 0);
        tutti::gather(world, part, at_root, counts, root);
        check(at_root == (rank == root ? sums : std::vector<std::string>{}), "gather");
        std::vector<std::string> back(mine.size(), "untouched");
        tutti::scatter(world, at_root, back, counts, root);
        check(back == mine, "scatter");
    }
    std::vector<std::string> names;
    tutti::all_gather(world, digits(rank, rank + 2), names);
    check_equal(names.size(), static_cast<std::size_t>(size), "names");
    check_equal(names.back(), digits(size - 1, size + 1), "a string is one value");
}

BOOST_AUTO_TEST_CASE_ON_EACH_RANK(maps) {
    using counts = support::word_counts;
    counts const mine{{"all", 1}, {std::to_string(rank), rank}};
    support::merged_counts const merge;
    counts merged{{"all", rank + 1}};
    for (int r = 0; r <= rank; ++r) { merged[std::to_string(r)] = r; }
    check(tutti::inclusive_scan(world, mine, merge) == merged, "inclusive_scan");
    std::vector<counts> gathered;
    tutti::gather(world, mine, gathered, 0);
    check(gathered.size() == (rank == 0 ? static_cast<std::size_t>(size) : 0), "gather");
    if (rank == 0) { check(gathered.back().contains(std::to_string(size - 1)), "gather"); }
    counts back;
    tutti::scatter(world, gathered, back, 0);
    check(back == mine, "scatter");
}

#endif

BOOST_AUTO_TEST_SUITE_END()
