// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/operands.hpp>
#include <support/ranks.hpp>

#include <tutti/collective/barrier.hpp>
#include <tutti/collective/explain.hpp>
#include <tutti/collective/scan.hpp>
#include <tutti/collective/scan_reduce.hpp>

BOOST_AUTO_TEST_SUITE(collective_plan_scans)

using support::check_equal;
using support::operands;
using support::sums;
using support::sums_before;

namespace {

std::plus<> plus;

}  // namespace

BOOST_AUTO_TEST_CASE(plans_run_many_times_on_the_same_memory) {
    support::on_ranks([](auto& world) {
        int const rank = support::rank_of(world);
        int const size = support::size_of(world);
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
    });
}

BOOST_AUTO_TEST_CASE(nonblocking_forms_in_place) {
    support::on_ranks([](auto& world) {
        int const rank = support::rank_of(world);
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
        support::check(total == sums(support::size_of(world), n), "total");
    });
}

BOOST_AUTO_TEST_SUITE_END()
