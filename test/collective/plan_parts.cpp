// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/ranks.hpp>

#include <support/operands.hpp>
#include <tutti/collective/all_gather.hpp>
#include <tutti/collective/barrier.hpp>
#include <tutti/collective/explain.hpp>
#include <tutti/collective/gather.hpp>
#include <tutti/collective/reduce_scatter.hpp>
#include <tutti/collective/scan.hpp>
#include <tutti/collective/scan_reduce.hpp>
#include <tutti/collective/scatter.hpp>

BOOST_AUTO_TEST_SUITE(collective_plan_parts)

using support::check_equal;
using support::concatenated;
using support::division;
using support::operands;
using support::part_of;
using support::part_size;
using support::sums;
using support::sums_before;

namespace {

std::plus<> plus;

division const& uneven_of(int size) {
    static std::vector<division> const all = [] {
        std::vector<division> made;
        for (int ranks = 1; ranks != 9; ++ranks) { made.push_back(support::uneven(ranks, 90)); }
        return made;
    }();
    return all[static_cast<std::size_t>(size - 1)];
}

}  // namespace

BOOST_AUTO_TEST_CASE_ON_EACH_RANK(plans_run_many_times_on_the_same_memory) {
    int const last = size - 1;
    auto const& counts = uneven_of(size);
    auto const whole = concatenated(counts, operands);
    std::vector<int> in(90), part(part_size(counts, rank)), all(90), at_root(rank == last ? 90 : 0), back(part);
    auto scatter_sums = tutti::plan::reduce_scatter(world, in, part, counts, plus);
    auto gather_all = tutti::plan::all_gather(world, part, all, counts);
    auto gather_last = tutti::plan::gather(world, part, at_root, counts, last);
    auto scatter_back = tutti::plan::scatter(world, at_root, back, counts, last);
    for (int round = 1; round != 6; ++round) {
        in.assign(90, round * rank);
        auto const expected = std::vector<int>(90, round * size * last / 2);
        scatter_sums.start();
        scatter_sums.wait();
        check_equal(part, part_of(expected, counts, rank), "reduce_scatter");
        gather_all.start();
        gather_last.start();
        gather_last.wait();
        while (!gather_all.test()) {}
        check_equal(all, expected, "all_gather");
        if (rank == last) { check_equal(at_root, expected, "gather"); }
        scatter_back.start();
        scatter_back.wait();
        check_equal(back, part, "scatter");
        for (auto* const each : {&all, &at_root, &back}) { each->assign(each->size(), -1); }
    }
}

// A plan of counts that are gone when it runs.
BOOST_AUTO_TEST_CASE_ON_EACH_RANK(a_plan_remembers_its_counts) {
    std::vector<int> in = operands(rank, 90);
    std::vector<int> out(part_size(uneven_of(size), rank));
    auto const plan = [&] {
        auto counts = uneven_of(size);
        auto made = tutti::plan::reduce_scatter(world, in, out, counts, plus);
        counts.assign(counts.size(), 1'000'000);
        return made;
    };
    auto sum = plan();
    sum.start();
    sum.wait();
    check_equal(out, part_of(sums(size, 90), uneven_of(size), rank), "reduce_scatter");
    auto const said = sum.explain();
    support::check(said.starts_with("reduce_scatter of 90 elements of 4 bytes"), said);
}

BOOST_AUTO_TEST_CASE_ON_EACH_RANK(plans_in_place) {
    auto const& counts = uneven_of(size);
    auto const whole = concatenated(counts, operands);
    auto const mine = part_of(whole, counts, rank);
    auto sum = operands(rank, 90);
    auto all = concatenated(counts,
                            [&](int r, std::size_t n) { return r == rank ? operands(r, n) : std::vector<int>(n, -1); });
    auto gathered = rank == 0 ? all : mine;
    auto scattered = rank == 0 ? whole : std::vector<int>(mine.size(), -1);
    auto first = tutti::async::reduce_scatter(world, tutti::inplace(sum), counts, plus);
    auto second = tutti::async::all_gather(world, tutti::inplace(all), counts);
    auto third = tutti::async::gather(world, tutti::inplace(gathered), counts, 0);
    auto fourth = tutti::async::scatter(world, tutti::inplace(scattered), counts, 0);
    tutti::barrier(world);
    fourth.wait();
    third.wait();
    second.wait();
    first.wait();
    sum.resize(mine.size());
    check_equal(sum, part_of(sums(size, 90), counts, rank), "reduce_scatter");
    check_equal(all, whole, "all_gather");
    check_equal(gathered, rank == 0 ? whole : mine, "gather");
    check_equal(scattered, rank == 0 ? whole : mine, "scatter");
}

BOOST_AUTO_TEST_CASE_ON_EACH_RANK(nonblocking_forms_of_equal_parts) {
    auto const n = static_cast<std::size_t>(size);
    auto const in = operands(rank, n);
    std::vector<int> all(n), at_root(n);
    int sum = -1;
    int from_root = -1;
    auto first = tutti::async::reduce_scatter(world, in, sum, plus);
    auto second = tutti::async::all_gather(world, rank, all);
    auto third = tutti::async::gather(world, &rank, 1, at_root.data(), 0);
    auto fourth = rank == 0 ? tutti::async::scatter(world, in, from_root, 0)
                            : tutti::async::scatter(world, from_root, 0);
    first.wait();
    second.wait();
    third.wait();
    fourth.wait();
    check_equal(sum, sums(size, n)[static_cast<std::size_t>(rank)], "reduce_scatter");
    std::vector<int> ranks(n);
    for (int r = 0; r != size; ++r) { ranks[static_cast<std::size_t>(r)] = r; }
    check_equal(all, ranks, "all_gather");
    check_equal(at_root, rank == 0 ? ranks : std::vector<int>(n), "gather");
    check_equal(from_root, operands(0, n)[static_cast<std::size_t>(rank)], "scatter");
}

BOOST_AUTO_TEST_CASE_ON_EACH_RANK(plans_of_scans_run_many_times_on_the_same_memory) {
    std::vector<int> in(3), inclusive(3), exclusive(3), prefix(3), total(3);
    auto first = tutti::plan::inclusive_scan(world, in, inclusive, plus);
    auto second = tutti::plan::exclusive_scan(world, in, exclusive, plus);
    auto third = tutti::plan::scan_reduce(world, in, prefix, total, plus);
    for (int round = 1; round != 6; ++round) {
        in.assign(3, round * (rank + 1));
        int const before = round * rank * (rank + 1) / 2;
        first.start();
        second.start();
        third.start();
        tutti::barrier(world);
        while (!third.test()) {}
        second.wait();
        first.wait();
        check_equal(inclusive, std::vector<int>(3, before + in[0]), "inclusive_scan");
        check_equal(exclusive, std::vector<int>(3, before), "exclusive_scan");
        check_equal(prefix, std::vector<int>(3, before), "prefix");
        check_equal(total, std::vector<int>(3, round * size * (size + 1) / 2), "total");
        for (auto* const each : {&inclusive, &exclusive, &prefix, &total}) { each->assign(3, -1); }
    }
    auto const said = third.explain();
    support::check(said.starts_with("scan_reduce of 3 elements of 4 bytes"), said);
}

BOOST_AUTO_TEST_CASE_ON_EACH_RANK(nonblocking_forms_in_place) {
    constexpr std::size_t n = 20'000;
    auto inclusive = operands(rank, n);
    auto exclusive = inclusive;
    auto both = inclusive;
    std::vector<int> total(n);
    auto first = tutti::async::inclusive_scan(world, tutti::inplace(inclusive), plus);
    auto second = tutti::async::exclusive_scan(world, tutti::inplace(exclusive.data()), n, plus);
    auto third = tutti::async::scan_reduce(world, tutti::inplace(both), total, plus);
    third.wait();
    first.wait();
    second.wait();
    support::check(inclusive == sums(rank + 1, n), "inclusive_scan");
    support::check(exclusive == sums_before(rank, n), "exclusive_scan");
    support::check(both == sums_before(rank, n), "prefix");
    support::check(total == sums(size, n), "total");
}

BOOST_AUTO_TEST_SUITE_END()
