// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <algorithm>
#include <cstddef>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <laws/schedule_laws.hpp>
#include <tutti/analysis/verify.hpp>
#include <tutti/selection/canonical.hpp>
#include <tutti/selection/plan_program.hpp>

BOOST_AUTO_TEST_SUITE(selection_canonical)

using namespace tutti;
using namespace tutti::generators;
using namespace tutti::selection;

namespace {

constexpr std::size_t most_ranks = 64;

/// One for every number of halvings and segments that may be chosen, and for nodes that are subtrees, and are not.
std::vector<call_parameters> situations(std::size_t size) {
    std::vector<call_parameters> all;
    for (std::size_t const bytes : {8U, 20'000U, 1U << 24U}) {
        for (std::size_t const width : {1U, 3U, 4U, 64U}) {
            call_parameters now{.size = size, .bytes = bytes};
            now.nodes = node_map::of_width(width);
            all.push_back(now);
        }
    }
    return all;
}

std::vector<std::size_t> roots_of(std::size_t size, bool rooted) {
    if (!rooted) { return {0}; }
    std::vector<std::size_t> all;
    for (std::size_t root = 0; root != size; ++root) {
        if (laws::thorough || size <= 9 || root == 0 || root + 1 == size || root == size / 2 + 1) {
            all.push_back(root);
        }
    }
    return all;
}

/// Proves that all that may be chosen is canonical; gives the names of what may be.
template <class Collective>
std::set<std::string> check(Collective which) {
    std::set<std::string> names;
    for (std::size_t size = 1; size <= most_ranks; ++size) {
        if (!laws::thorough && size > 9 && size % 4 > 1) { continue; }
        std::vector<any_generator<Collective>> proved;
        for (auto const& now : situations(size)) {
            auto const among = selection::canonical(which, now);
            for (auto const& each : among.candidates()) {
                auto const& candidate = each.generator;
                bool known = false;
                for (auto const& before : proved) { known = known || before == candidate; }
                if (known) { continue; }
                proved.push_back(candidate);
                names.insert(candidate.name());
                auto const blocks = candidate.blocks(size, now.bytes);
                auto const most = std::min(blocks, 2 * size);
                auto const cut = partition::equal(most + 1, collective::divides<Collective> ? size : most);
                for (auto const root : roots_of(size, collective::is_rooted<Collective>)) {
                    auto const verdict = verify(which, candidate, size, root, cut);
                    if (verdict && verdict.canonical && verdict.one_term) { continue; }
                    BOOST_ERROR(candidate.name() << ", " << size << " ranks, root " << root << ": " << verdict.reason
                                                 << ' ' << verdict.term);
                    return names;
                }
            }
        }
    }
    return names;
}

bool has(std::set<std::string> const& names, std::string const& name) { return names.count(name) != 0; }

}  // namespace

BOOST_AUTO_TEST_CASE(every_candidate_gives_the_canonical_tree) {
    auto const reduces = check(collective::reduce{});
    BOOST_TEST((has(reduces, "unfolded_multiplying") && has(reduces, "butterfly") && has(reduces, "binary_blocks")));
    BOOST_TEST((has(reduces, "alternating_tree") && has(reduces, "hierarchical") && has(reduces, "multi_lane")));
    auto const all_reduces = check(collective::all_reduce{});
    BOOST_TEST((has(all_reduces, "split") && has(all_reduces, "binary_blocks") && has(all_reduces, "hierarchical")));
    auto const scatters = check(collective::reduce_scatter{});
    BOOST_TEST((has(scatters, "split") && has(scatters, "binary_blocks") && has(scatters, "multi_lane")));
    BOOST_TEST((has(all_reduces, "alternating_tree") && has(all_reduces, "unfolded_multiplying")));
    auto const scans = check(collective::inclusive_scan{});
    BOOST_TEST((has(scans, "unfolded_multiplying") && has(scans, "transposed_scan")));
    check(collective::exclusive_scan{});
    check(collective::scan_reduce{});
}

BOOST_AUTO_TEST_CASE(one_tree_for_all_collectives) {
    for (std::size_t size = 1; size <= 17; ++size) {
        auto const cut = partition::equal(size, size);
        auto const total = verify(collective::reduce{}, binomial{}, size, size / 2, cut).term;
        BOOST_TEST(verify(collective::all_reduce{}, binary_blocks{}, size, 0, cut).term == total);
        BOOST_TEST(verify(collective::reduce_scatter{}, binary_blocks{}, size, 0, cut).term == total);
        BOOST_TEST(verify(collective::inclusive_scan{}, direct{}, size, 0, cut).term == total);
        BOOST_TEST(verify(collective::scan_reduce{}, scan_and_broadcast<>{}, size, 0, cut).term == total);
    }
}

BOOST_AUTO_TEST_CASE(what_folds_and_which_nodes_are_subtrees) {
    for (std::size_t const size : {1U, 2U, 3U, 4U, 6U, 7U, 8U, 12U, 14U, 15U, 16U, 24U, 48U, 63U}) {
        BOOST_TEST(selection::folds_canonically(size));
    }
    for (std::size_t const size : {5U, 9U, 10U, 11U, 13U, 17U, 33U, 40U}) {
        BOOST_TEST(!selection::folds_canonically(size));
    }
    using selection::nodes_are_subtrees;
    BOOST_TEST(nodes_are_subtrees(node_map::of_width(4), 10));
    BOOST_TEST(!nodes_are_subtrees(node_map::of_width(3), 10));
    BOOST_TEST(nodes_are_subtrees(node_map{{0, 0, 1, 1, 2}}, 5));
    BOOST_TEST(!nodes_are_subtrees(node_map{{0, 1, 0, 1}}, 4));
    BOOST_TEST(!nodes_are_subtrees(node_map{{0, 0, 1, 1, 1, 1}}, 6));
}

BOOST_AUTO_TEST_CASE(names_of_collectives_lead_to_what_chooses_for_them) {
    for (auto const name : collective::names) {
        bool const combines = name == "reduce" || name == "all_reduce" || name == "inclusive_scan" ||
                              name == "exclusive_scan" || name == "scan_reduce" || name == "reduce_scatter";
        selection::call_kind const kind{.collective = name};
        std::unique_ptr<held_algorithm> const held{hold_reproducible<void>({.kind = &kind}, nullptr)};
        BOOST_TEST((held != nullptr) == combines);
    }
}

BOOST_AUTO_TEST_SUITE_END()
