// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/wild_numbers.hpp>
#include <support/canonical_tree.hpp>
#include <support/ranks.hpp>

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include <tutti/collective/all_reduce.hpp>
#include <tutti/collective/execute.hpp>
#include <tutti/collective/explain.hpp>
#include <tutti/collective/gather.hpp>
#include <tutti/collective/reduce.hpp>
#include <tutti/collective/reduce_scatter.hpp>
#include <tutti/collective/scan.hpp>
#include <tutti/collective/scan_reduce.hpp>
#include <tutti/execution/configure.hpp>
#include <tutti/generator/recursive_multiplying.hpp>
#include <tutti/generator/ring.hpp>
#include <tutti/cost/in_use.hpp>
#include <tutti/selection/canonical.hpp>

// program: shared memory, team
BOOST_AUTO_TEST_SUITE(collective_reproducible)

using support::bits;
using support::check;

namespace {

auto const in_order = [](double a, double b) { return a + b; };

std::vector<std::vector<double>> operands(std::size_t size, std::size_t n) {
    std::vector<std::vector<double>> all;
    for (std::size_t rank = 0; rank != size; ++rank) {
        all.push_back(support::bracket_sensitive(static_cast<int>(rank), n));
    }
    return all;
}

/// What every collective gives, with these arguments at its end, is what the definition of the tree gives.
void check_collectives(auto& world, std::size_t n, auto const& op, auto const&... algorithm) {
    auto const size = static_cast<std::size_t>(support::size_of(world));
    auto const rank = static_cast<std::size_t>(support::rank_of(world));
    auto const all = operands(size, n);
    auto const& in = all[rank];
    auto const total = bits(support::canonical_of_vectors(all, 0, size, in_order));
    std::vector<double> out(n), prefix(n);
    tutti::all_reduce(world, in, out, op, algorithm...);
    check(bits(out) == total, "all_reduce is not canonical");
    for (int root = 0; root != support::size_of(world); ++root) {
        tutti::reduce(world, in, out, op, root, algorithm...);
        if (support::rank_of(world) == root) { check(bits(out) == total, "reduce is not canonical"); }
    }
    tutti::inclusive_scan(world, in, out, op, algorithm...);
    check(bits(out) == bits(support::canonical_of_vectors(all, 0, rank + 1, in_order)), "the scan is not canonical");
    tutti::exclusive_scan(world, in, out, op, algorithm...);
    auto const before = rank == 0 ? in : support::canonical_of_vectors(all, 0, rank, in_order);
    if (rank != 0) { check(bits(out) == bits(before), "the exclusive scan is not canonical"); }
    tutti::scan_reduce(world, in, prefix, out, op, algorithm...);
    check(bits(out) == total, "the total is not canonical");
    if (rank != 0) { check(bits(prefix) == bits(before), "the prefix is not canonical"); }
    std::vector<std::size_t> counts(size, n / size);
    counts.front() += n % size;
    std::vector<double> part(counts[rank]);
    tutti::reduce_scatter(world, in, part, counts, op, algorithm...);
    auto const begin = total.begin() + static_cast<std::ptrdiff_t>(rank == 0 ? 0 : n - (size - rank) * (n / size));
    check(bits(part) == std::vector(begin, begin + static_cast<std::ptrdiff_t>(part.size())),
          "reduce_scatter is not canonical");
}

}  // namespace

BOOST_AUTO_TEST_CASE(all_collectives_combine_by_one_tree) {
    support::on_ranks_by_length({1, 100, 20'000}, [](auto& world, std::size_t n) {
        check_collectives(world, n, std::plus<>{}, tutti::reproducible{});
        check_collectives(world, n, in_order, tutti::reproducible{});
    });
}

BOOST_AUTO_TEST_CASE_ON_RANKS(a_communicator_can_be_told_once) {
    tutti::configure(world, tutti::execution{.reproducible = true});
    check_collectives(world, 100, std::plus<>{});
    auto const all = operands(static_cast<std::size_t>(support::size_of(world)), 300);
    auto const& in = all[static_cast<std::size_t>(support::rank_of(world))];
    auto const total = bits(support::canonical_of_vectors(all, 0, all.size(), in_order));
    std::vector<double> out(300);
    auto plan = tutti::plan::all_reduce(world, in, out, std::plus<>{});
    check(plan.explain().find("canonical tree") != std::string::npos, plan.explain());
    plan.start();
    plan.wait();
    check(bits(out) == total, "a plan is not canonical");
    auto pending = tutti::async::all_reduce(world, in, out, std::plus<>{});
    pending.wait();
    check(bits(out) == total, "a call that is not waited for is not canonical");
    std::vector<double> gathered(all.size());
    tutti::gather(world, in[0], gathered, 0);  // combines nothing
    tutti::configure(world, tutti::execution{});
    auto const usual = tutti::plan::all_reduce(world, in, out, std::plus<>{});
    check(usual.explain().find("expected to take the least time)") != std::string::npos, usual.explain());
}

BOOST_AUTO_TEST_CASE_ON_RANKS(neither_length_nor_machine_change_bits) {
    if (support::size_of(world) != 7) { return; }
    auto const in = support::bracket_sensitive(support::rank_of(world), 20'000);
    auto const first_of = [&](std::size_t n, auto const& algorithm) {
        std::vector<double> const some(in.begin(), in.begin() + static_cast<std::ptrdiff_t>(n));
        std::vector<double> out(n);
        tutti::all_reduce(world, some, out, std::plus<>{}, algorithm);
        out.resize(1);
        return bits(out);
    };
    tutti::machine_model slow;
    slow.between_nodes = slow.within_node = {.latency = 1, .overhead = 0.1, .gap = 0.1, .per_byte = 1e-9};
    tutti::machine_model narrow;
    narrow.between_nodes = narrow.within_node = {.latency = 1e-9, .overhead = 1e-9, .gap = 1e-9, .per_byte = 1e-3};
    std::set<std::vector<std::uint64_t>> usual, reproducible;
    for (auto const& model : {slow, narrow}) {
        tutti::use(world, model);
        for (std::size_t const n : {1U, 20'000U}) {
            usual.insert(first_of(n, tutti::automatic{}));
            reproducible.insert(first_of(n, tutti::reproducible{}));
        }
    }
    tutti::use(world, tutti::machine_model{});
    // where ranks share processors automatic may choose alike
    usual.insert(first_of(20'000, tutti::ring{}));
    usual.insert(first_of(20'000, tutti::recursive_multiplying{.radix = 2}));
    check(usual.size() > 1, "all algorithms give the same bits: a poor example");
    check(reproducible.size() == 1, "bits depend on the length or on the machine");
}

#if !defined(TUTTI_TEST_OVER_SHARED_MEMORY) && !defined(TUTTI_TEST_OVER_MPI) && !defined(TUTTI_TEST_OVER_TEAM)

BOOST_AUTO_TEST_CASE_ON_RANKS(elements_that_are_serialised_keep_their_brackets) {
    auto const bracket = [](std::string const& a, std::string const& b) { return '(' + a + b + ')'; };
    std::vector<std::string> terms;
    for (int rank = 0; rank != support::size_of(world); ++rank) { terms.push_back(std::string(1, char('a' + rank))); }
    auto const mine = terms[static_cast<std::size_t>(support::rank_of(world))];
    auto const all = tutti::all_reduce(world, mine, bracket, tutti::reproducible{});
    check(all == support::canonical(terms, 0, terms.size(), bracket), all);
}

#endif

BOOST_AUTO_TEST_SUITE_END()
