// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
//
// The tables in include/tutti/generator/README.md of scans, reduce-scatters and what is made of them, row by row: what
// they say is what the verifier counts.
#include <algorithm>
#include <bit>
#include <cstddef>

#include <laws/cost_laws.hpp>
#include <tutti/analysis/verify.hpp>
#include <tutti/combinator/reverse.hpp>
#include <tutti/combinator/then.hpp>
#include <tutti/generator/all.hpp>

BOOST_AUTO_TEST_SUITE(examples_scan_table)

using namespace tutti;

namespace {

constexpr std::size_t most_ranks = 36;
constexpr std::size_t long_vector = std::size_t{1} << 22;  // bytes

/// ⌈log2 n⌉ and ⌊log2 n⌋
std::size_t log2_up(std::size_t n) { return static_cast<std::size_t>(std::bit_width(n - 1)); }
std::size_t log2_down(std::size_t n) { return static_cast<std::size_t>(std::bit_width(n)) - 1; }

/// ⌈log_k n⌉
std::size_t log_up(std::size_t k, std::size_t n) {
    std::size_t result = 0;
    for (std::size_t reached = 1; reached < n; reached *= k) { ++result; }
    return result;
}

/// A row of the tables, for p ranks and q blocks: rounds, and how often a whole vector is sent and combined at most.
struct row {
    std::size_t rounds;
    double sent;
    double combined;
};

/// Verifies `generator` for p = 2 ... and compares with `at_most(p, q)`, which some size must reach in every column.
template <class Collective, class Generator, class AtMost>
void check(Collective which, Generator const& generator, AtMost at_most) {
    bool reached = false;
    for (std::size_t p = 2; p <= most_ranks; ++p) {
        auto const q = blocks_for(which, generator, p, long_vector);
        constexpr std::size_t each = 1000;  // elements of a block: enough for a mesh to save volume rather than rounds
        auto const cost = verify(which, generator, p, 0, partition::equal(each * q, q));
        row const stated = at_most(p, q);
        auto const whole = static_cast<double>(each * q);
        constexpr double rounding = 1e-9;
        BOOST_TEST_CONTEXT(name_of(which, generator) << " on " << p << " ranks, " << q << " blocks") {
            cost::check(cost, cost::rounds <= stated.rounds);
            BOOST_TEST(static_cast<double>(cost.max_volume_sent) <= stated.sent * whole + rounding);
            BOOST_TEST(static_cast<double>(cost.max_combines) <= stated.combined * whole + rounding);
        }
        reached = reached || cost.rounds == stated.rounds;
    }
    BOOST_TEST(reached, name_of(which, generator) << " never takes the rounds that are stated");
}

double number(std::size_t n) { return static_cast<double>(n); }

/// (n - 1)/n
double all_but_one_of(std::size_t n) { return number(n - 1) / number(n); }

}  // namespace

BOOST_AUTO_TEST_CASE(scans) {
    auto const check_both = [](auto const& generator, auto inclusive, auto exclusive) {
        check(collective::inclusive_scan{}, generator, inclusive);
        check(collective::exclusive_scan{}, generator, exclusive);
    };
    check_both(
        doubling{}, [](auto p, auto) { return row{log2_up(p), number(log2_up(p)), number(log2_up(p))}; },
        [](auto p, auto) { return row{log2_up(p), number(log2_up(p)), number(2 * log2_up(p) - 2)}; });
    auto const direct_row = [](auto p, auto) {
        return row{log2_up(p), number(log2_up(p)), number(2 * log2_up(p) - 1)};
    };
    check_both(direct{}, direct_row, direct_row);
    for (std::size_t const k : {2U, 4U, 5U}) {
        auto const row_of_parts = [k](auto p, auto) {
            return row{log_up(k, p), number(k * log_up(k, p)), number(k * log_up(k, p))};
        };
        check_both(recursive_multiplying{.radix = k}, row_of_parts, row_of_parts);
        check(collective::scan_reduce{}, recursive_multiplying{.radix = k}, row_of_parts);
    }
    check_both(
        split{}, [](auto p, auto) { return row{2 * log2_up(p) - 1, 2, 3}; },
        [](auto p, auto) { return row{2 * log2_up(p) - 1, 2, 2}; });
    auto const two_tree_row = [](auto p, auto q) { return row{2 * q + 4 * log2_up(p) - 4, 2, 2}; };
    check_both(two_tree{.segments = 8}, two_tree_row, two_tree_row);
    auto const linear_row = [](auto p, auto q) { return row{p + q - 2, 1, 1}; };
    check_both(linear{.segments = 9}, linear_row, linear_row);
}

BOOST_AUTO_TEST_CASE(prefixes_with_totals) {
    collective::scan_reduce const which;
    check(which, direct{}, [](auto p, auto) {
        auto const rounds = log2_down(p) + (std::has_single_bit(p) ? 0U : 2U);
        return row{rounds, number(rounds), number(2 * log2_down(p))};
    });
    check(which, doubling{},
          [](auto p, auto) { return row{log2_up(p), number(2 * log2_up(p) - 1), number(2 * log2_up(p))}; });
    check(which, split{}, [](auto p, auto) { return row{2 * log2_up(p) - 1, 3, 3}; });
    check(which, two_tree{.segments = 8}, [](auto p, auto q) { return row{3 * q + 4 * log2_up(p) - 4, 3, 2}; });
    check(which, linear{.segments = 9}, [](auto p, auto q) { return row{2 * (p + q) - 5, 2, 1}; });
}

BOOST_AUTO_TEST_CASE(reduce_scatters) {
    collective::reduce_scatter const which;
    auto const least = [](auto p, auto) { return row{log2_up(p), all_but_one_of(p), all_but_one_of(p)}; };
    auto const ring_row = [](auto p, auto) { return row{p - 1, all_but_one_of(p), all_but_one_of(p)}; };
    check(which, circulant{}, least);
    for (std::size_t const k : {2U, 4U, 5U}) {
        check(which, ported_circulant{.ports = k - 1},
              [k](auto p, auto) { return row{log_up(k, p), all_but_one_of(p), all_but_one_of(p)}; });
    }
    check(which, split{}, [](auto p, auto) { return row{log2_up(p), all_but_one_of(p), 1.25}; });
    check(which, ordered{}, [](auto p, auto) { return row{log2_up(p), 1.5 * all_but_one_of(p), 1}; });
    check(which, bucket{}, ring_row);
    check(which, bucket{.segments = 4},
          [](auto p, auto) { return row{4 * (p - 1), all_but_one_of(p), all_but_one_of(p)}; });
    check(which, pairwise{}, ring_row);
    check(which, mesh{}, ring_row);
    check(which, ordered_mesh{}, ring_row);
    check(which, short_vector{}, [](auto p, auto) { return row{2 * log2_up(p), 1.5, number(log2_up(p))}; });
    check(which, round_optimal{.segments = 4}, [](auto p, auto) {
        return row{log2_up(p) + 3, all_but_one_of(p), all_but_one_of(p)};
    });
    check(collective::all_gather{}, reverse(circulant{}),
          [](auto p, auto) { return row{log2_up(p), all_but_one_of(p), 0}; });
}

BOOST_AUTO_TEST_CASE(all_reduces) {
    collective::all_reduce const which;
    check(which, split{}, [](auto p, auto) { return row{2 * log2_up(p) - 1, 2, 1}; });
    check(which, butterfly{}, [](auto p, auto) {
        auto const fold = std::has_single_bit(p) ? 0U : 1U;
        auto const groups = all_but_one_of(std::bit_floor(p));
        return row{2 * log2_down(p) + 2 * fold, 2 * groups + fold, groups + fold};
    });
    check(which, then(circulant{}, reverse(circulant{})),
          [](auto p, auto) { return row{2 * log2_up(p), 2 * all_but_one_of(p), all_but_one_of(p)}; });
    for (std::size_t const k : {2U, 4U, 5U}) {
        ported_circulant const ported{.ports = k - 1};
        check(which, then(ported, reverse(ported)),
              [k](auto p, auto) { return row{2 * log_up(k, p), 2 * all_but_one_of(p), all_but_one_of(p)}; });
        check(which, recursive_multiplying{.radix = k}, [k](auto p, auto) {
            return row{log_up(k, p), number(k * log_up(k, p)), number((k - 1) * log_up(k, p))};
        });
    }
    check(which, ordered{}, [](auto p, auto) { return row{2 * log2_up(p), 2.5 * all_but_one_of(p), 1}; });
    check(which, doubling{}, [](auto p, auto) {
        return row{log2_up(p), number(log2_up(p)), number(2 * log2_up(p) - 1)};
    });
}

BOOST_AUTO_TEST_CASE(scatters) {
    collective::scatter const which;
    check(which, linear{}, [](auto p, auto) { return row{p - 1, all_but_one_of(p), 0}; });
    check(which, binomial{}, [](auto p, auto) { return row{log2_up(p), all_but_one_of(p), 0}; });
}

BOOST_AUTO_TEST_SUITE_END()
