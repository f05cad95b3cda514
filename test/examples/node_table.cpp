// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
//
// The table in include/tutti/generator/README.md of algorithms on nodes, row by row: what it says is what the schedules
// do.
#include <algorithm>
#include <bit>
#include <cstddef>

#include <laws/cost_laws.hpp>
#include <tutti/analysis/verify.hpp>
#include <tutti/combinator/reverse.hpp>
#include <tutti/generator/all.hpp>

BOOST_AUTO_TEST_SUITE(examples_node_table)

using namespace tutti;
using namespace tutti::schedules;

namespace {

std::size_t log2_up(std::size_t n) { return static_cast<std::size_t>(std::bit_width(n - 1)); }
double number(std::size_t n) { return static_cast<double>(n); }

/// A row of the table for N nodes of w ranks: rounds, and how often a rank sends a whole vector to other nodes at most.
struct row {
    std::size_t inside;
    std::size_t across;
    double sent;
};

/// What the rank that sends most sends to other nodes.
template <class Collective, class Generator>
std::size_t sent_to_other_nodes(Collective which, Generator const& generator, std::size_t size, std::size_t width,
                                std::size_t root, partition const& cut) {
    std::size_t most = 0;
    for (std::size_t rank = 0; rank < size; ++rank) {
        std::size_t sent = 0;
        for (step const& each : generate(which, generator, problem{rank, size, root, cut})) {
            if (each.what != action::send || each.peer / width == rank / width) { continue; }
            for (auto const& range : each.blocks) { sent += cut.size(range.first, range.last); }
        }
        most = std::max(most, sent);
    }
    return most;
}

/// Compares `make(map)` with `at_most(N, w)`; some numbers must reach the rounds.
template <class Collective, class Make, class AtMost>
void check(Collective which, Make make, AtMost at_most) {
    bool reached = false;
    for (std::size_t width : {1U, 2U, 3U, 4U, 8U}) {
        for (std::size_t count = 1; count <= 9; ++count) {
            auto const size = count * width;
            if (size == 1) { continue; }
            auto const generator = make(node_map::of_width(width));
            auto const blocks = blocks_for(which, generator, size, std::size_t{1} << 26);
            auto const cut = partition::equal(blocks * 4, blocks);
            auto const root = collective::is_rooted<Collective> ? size / 2 : 0;
            auto const cost = verify(which, generator, size, root, cut);
            row const stated = at_most(count, width);
            auto const sent = number(sent_to_other_nodes(which, generator, size, width, root, cut));
            BOOST_TEST_CONTEXT(name_of(which, generator) << ", " << count << " nodes of " << width << " ranks") {
                cost::check(cost, cost::rounds <= stated.inside + stated.across);
                BOOST_TEST(sent <= stated.sent * number(cut.elements()) + 1e-9);
            }
            reached = reached || cost.rounds == stated.inside + stated.across;
        }
    }
    BOOST_TEST(reached, Collective::name << " never takes the rounds that are stated");
}

auto const through_leaders = [](node_map const& nodes) { return hierarchical{.nodes = nodes}; };
auto const in_lanes = [](node_map const& nodes) { return multi_lane{.nodes = nodes}; };
auto const back = [](auto make) { return [make](node_map const& nodes) { return reverse(make(nodes)); }; };

/// 2 K - 1, or nothing for one node.
std::size_t there_and_back(std::size_t n) { return std::max<std::size_t>(2 * log2_up(n), 1) - 1; }

}  // namespace

BOOST_AUTO_TEST_CASE(rows_of_hierarchical) {
    check(collective::reduce{}, through_leaders, [](auto n, auto w) { return row{log2_up(w), log2_up(n), 1}; });
    check(collective::broadcast{}, back(through_leaders), [](auto n, auto w) {
        return row{log2_up(w), log2_up(n), number(log2_up(n))};
    });
    check(collective::all_reduce{}, through_leaders, [](auto n, auto w) {
        return row{2 * log2_up(w), log2_up(n) + (std::has_single_bit(n) ? 0 : 1), number(log2_up(n))};
    });
    auto const scan = [](auto n, auto w) { return row{2 * log2_up(w), log2_up(n), number(log2_up(n))}; };
    check(collective::exclusive_scan{}, through_leaders, scan);
    check(collective::inclusive_scan{}, through_leaders, scan);
}

BOOST_AUTO_TEST_CASE(rows_of_multi_lane) {
    auto const rooted = [](double sent) {
        return [sent](auto n, auto w) { return row{2 * log2_up(w), 2 * log2_up(n), sent / number(w)}; };
    };
    check(collective::reduce{}, in_lanes, rooted(1.5));
    check(collective::broadcast{}, back(in_lanes), rooted(2.5));
    check(collective::all_reduce{}, in_lanes, [](auto n, auto w) {
        return row{2 * log2_up(w), there_and_back(n), 2 / number(w)};
    });
    auto const parts = [](double sent) {
        return [sent](auto n, auto w) { return row{log2_up(w), log2_up(n), sent * number(n - 1) / number(n * w)}; };
    };
    check(collective::reduce_scatter{}, in_lanes, parts(1));
    check(collective::all_gather{}, back(in_lanes), parts(1.5));
    auto const scan = [](auto n, auto w) {
        return row{log2_up(w) + there_and_back(w) + log2_up(w), there_and_back(n), 2 / number(w)};
    };
    check(collective::exclusive_scan{}, in_lanes, scan);
    check(collective::inclusive_scan{}, in_lanes, scan);
}

BOOST_AUTO_TEST_SUITE_END()
