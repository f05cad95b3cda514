// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/ranks.hpp>
#include <support/throwing.hpp>

#include <functional>

#include <tutti/collective/reduce_scatter.hpp>
#include <tutti/collective/scan.hpp>
#include <tutti/collective/scan_reduce.hpp>
#include <tutti/generator/all.hpp>
#include <tutti/operation/annotated.hpp>

BOOST_AUTO_TEST_SUITE(collective_operator_throws_parts)

using support::check_throwing_on_each_rank;
using support::picky_sum;

// Ranks need not miss what another one failed to compute: only those after it do.
BOOST_AUTO_TEST_CASE(one_rank_throws_in_a_scan) {
    support::on_ranks([](auto& world) {
        auto const scan = [&](int calls, auto const& algorithm) {
            check_throwing_on_each_rank(world, 20, calls, [&](picky_sum& op, auto& out) {
                tutti::inclusive_scan(world, tutti::inplace(out), std::ref(op), algorithm);
            });
        };
        auto const scan_reduce = [&](int calls, auto const& algorithm) {
            check_throwing_on_each_rank(world, 20, calls, [&](picky_sum& op, auto& out) {
                auto const in = out;
                std::vector<int> total(20);
                tutti::scan_reduce(world, in, out, total, std::ref(op), algorithm);
            });
        };
        scan(0, tutti::direct{});
        scan(5, tutti::two_tree{.segments = 5});
        scan_reduce(5, tutti::direct{});
        scan_reduce(0, tutti::two_tree{.segments = 5});
    });
}

BOOST_AUTO_TEST_CASE(one_rank_throws_in_a_reduce_scatter) {
    support::on_ranks([](auto& world) {
        auto const check_with = [&](int calls, auto const& algorithm) {
            check_throwing_on_each_rank(world, 20, calls, [&](picky_sum& op, auto& both) {
                std::vector<int> counts(static_cast<std::size_t>(support::size_of(world)));
                counts.front() = 5;
                counts.back() += 15;
                tutti::reduce_scatter(world, tutti::inplace(both), counts, tutti::commutative(std::ref(op)), algorithm);
            });
        };
        check_with(5, tutti::bucket{});
        check_with(0, tutti::ordered{});
    });
}

BOOST_AUTO_TEST_SUITE_END()
