// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/canonical_tree.hpp>
#include <support/ranks.hpp>
#include <support/wild_numbers.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include <tutti/collective/execute.hpp>
#include <tutti/collective/sequence.hpp>
#include <tutti/operation/annotated.hpp>

// program: shared memory
BOOST_AUTO_TEST_SUITE(collective_sequence)

using support::bits_of;
using support::check;

namespace {

/// Where the part of each rank begins: evenly, all on the last rank, every other rank empty, or at odd places.
std::vector<std::vector<std::size_t>> distributions(std::size_t n, std::size_t ranks) {
    std::vector<std::vector<std::size_t>> all(4);
    for (std::size_t rank = 0; rank != ranks; ++rank) {
        all[0].push_back(rank * n / ranks);
        all[1].push_back(0);
        all[2].push_back((rank + 1) / 2 * n / ((ranks + 1) / 2));
        all[3].push_back(std::min(n, rank * rank * 7 + rank));
    }
    for (auto& each : all) {
        each.front() = 0;
        each.push_back(n);
        for (auto& begin : each) { begin = std::min(begin, n); }
    }
    return all;
}

template <class T>
std::vector<T> part(std::vector<T> const& all, std::vector<std::size_t> const& begins, std::size_t rank) {
    return {all.begin() + static_cast<std::ptrdiff_t>(begins[rank]),
            all.begin() + static_cast<std::ptrdiff_t>(begins[rank + 1])};
}

/// All four calls give what one process gives, by `same`.
template <class T>
void check_sequences(auto& world, std::vector<T> const& all, auto const& op, auto same) {
    auto const ranks = static_cast<std::size_t>(support::size_of(world));
    auto const rank = static_cast<std::size_t>(support::rank_of(world));
    auto const total = tutti::reduce_sequence(all, op);
    for (auto const& begins : distributions(all.size(), ranks)) {
        auto const mine = part(all, begins, rank);
        check(same(tutti::all_reduce_sequence(world, mine, op), *total), "the total depends on the ranks");
        int const root = support::size_of(world) / 2;
        auto const on_root = tutti::reduce_sequence(world, mine, op, root);
        check(on_root.has_value() == (support::rank_of(world) == root), "the result is on another rank");
        if (on_root) { check(same(*on_root, *total), "the root's total depends on the ranks"); }
        auto inclusive = mine;
        tutti::inclusive_scan_sequence(world, mine, inclusive, op);
        auto exclusive = mine;
        tutti::exclusive_scan_sequence(world, mine, exclusive, op);
        for (std::size_t i = 0; i < mine.size(); i += i < 20 ? 1 : 61) {
            auto const at = begins[rank] + i;
            check(same(inclusive[i], support::canonical(all, 0, at + 1, op)), "a prefix depends on the ranks");
            if (at == 0) { continue; }
            check(same(exclusive[i], support::canonical(all, 0, at, op)), "an exclusive prefix depends on the ranks");
        }
        tutti::inclusive_scan_sequence(world, exclusive = mine, exclusive, op);
        check(std::equal(exclusive.begin(), exclusive.end(), inclusive.begin(), same), "in place it is another one");
    }
}

auto const same_bits = [](double a, double b) { return bits_of(a) == bits_of(b); };

using matrix = std::array<double, 4>;

auto const product = [](matrix const& a, matrix const& b) {
    return matrix{a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3], a[2] * b[0] + a[3] * b[2],
                  a[2] * b[1] + a[3] * b[3]};
};

}  // namespace

BOOST_AUTO_TEST_CASE_ON_RANKS(numbers_have_the_bits_of_one_process) {
    for (std::size_t const n : {1U, 2U, 13U, 1024U, 5001U}) {
        check_sequences(world, support::wild_numbers(n), std::plus<>{}, same_bits);
    }
}

BOOST_AUTO_TEST_CASE_ON_RANKS(matrices_keep_their_order) {
    std::vector<matrix> all;
    for (auto const x : support::wild_numbers(130)) { all.push_back({1, x / 1e300, 1e-3, 0.5}); }
    check_sequences(world, all, product, [](matrix const& a, matrix const& b) {
        return std::equal(a.begin(), a.end(), b.begin(), same_bits);
    });
}

BOOST_AUTO_TEST_CASE_ON_RANKS(sequences_without_elements) {
    std::vector<double> none;
    check(tutti::all_reduce_sequence(world, none, std::plus<>{}) == 0, "no sum of nothing");
    auto const in_order = [](double a, double b) { return a + b; };
    check(tutti::all_reduce_sequence(world, none, tutti::with_identity(in_order, 7.0)) == 7, "no identity");
    check(!tutti::reduce_sequence(world, none, in_order, 0), "something out of nothing");
    tutti::inclusive_scan_sequence(world, none, none, in_order);
    tutti::exclusive_scan_sequence(world, none, none, in_order);
    bool refused = false;
    try {
        static_cast<void>(tutti::all_reduce_sequence(world, none, in_order));
    } catch (std::invalid_argument const&) { refused = true; }
    check(refused, "an unknown identity");
}

BOOST_AUTO_TEST_CASE_ON_RANKS(the_first_prefix_is_the_identity_or_left_alone) {
    std::vector<double> const one{5.0};
    std::vector<double> out{-1};
    bool const first = support::rank_of(world) == 0;
    auto const before = 5.0 * support::rank_of(world);
    tutti::exclusive_scan_sequence(world, one, out, [](double a, double b) { return a + b; });
    check(out[0] == (first ? -1 : before), "the first prefix was touched");
    tutti::exclusive_scan_sequence(world, one, out, std::plus<>{});
    check(out[0] == before, "the first prefix is no identity");
}

#if !defined(TUTTI_TEST_OVER_SHARED_MEMORY) && !defined(TUTTI_TEST_OVER_MPI)

BOOST_AUTO_TEST_CASE_ON_RANKS(strings_show_their_brackets) {
    std::vector<std::string> terms;
    for (int i = 0; i != 45; ++i) { terms.push_back(std::string(1, static_cast<char>('0' + i))); }
    check_sequences(
        world, terms, [](std::string const& a, std::string const& b) { return '(' + a + b + ')'; }, std::equal_to<>{});
}

#endif

#if !defined(TUTTI_TEST_OVER_MPI) && !defined(TUTTI_TEST_OVER_BOOST_MPI) && !defined(TUTTI_TEST_OVER_SHARED_MEMORY)

BOOST_AUTO_TEST_CASE(any_number_of_ranks_gives_the_same_bits) {
    auto const all = support::wild_numbers(20'000);
    auto const total = *tutti::reduce_sequence(all, std::plus<>{});
    BOOST_TEST(bits_of(total) == bits_of(support::canonical(all, 0, all.size(), std::plus<>{})));
    for (int ranks = 1; ranks <= 64; ranks += ranks < 9 ? 1 : 11) {
        tutti::threads::run(ranks, [&](auto& world) {
            auto const size = static_cast<std::size_t>(world.size());
            for (auto const& begins : distributions(all.size(), size)) {
                auto const mine = part(all, begins, static_cast<std::size_t>(world.rank()));
                check(same_bits(tutti::all_reduce_sequence(world, mine, std::plus<>{}), total), "other bits");
            }
        });
    }
}

BOOST_AUTO_TEST_CASE(wrong_arguments_and_exceptions_leave_no_rank_waiting) {
    BOOST_CHECK_THROW(tutti::threads::run(3,
                                          [](auto& world) {
                                              std::vector<int> in(4, 1), out(world.rank() == 1 ? 3 : 4);
                                              tutti::inclusive_scan_sequence(world, in, out, std::plus<>{});
                                          }),
                      std::invalid_argument);
    BOOST_CHECK_THROW(tutti::threads::run(3,
                                          [](auto& world) {
                                              std::vector<int> in(4, world.rank());
                                              auto const throwing = [](int a, int b) {
                                                  return a + b == 4 ? throw std::runtime_error{"no"} : a + b;
                                              };
                                              static_cast<void>(tutti::all_reduce_sequence(world, in, throwing));
                                          }),
                      std::runtime_error);
    BOOST_CHECK_THROW(tutti::threads::run(2,
                                          [](auto& world) {
                                              static_cast<void>(tutti::reduce_sequence(world, std::vector<int>(2),
                                                                                       std::plus<>{}, 2));
                                          }),
                      std::invalid_argument);
}

#endif

BOOST_AUTO_TEST_SUITE_END()
