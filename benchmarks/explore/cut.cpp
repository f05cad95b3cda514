// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include "cut.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "refusal.hpp"
#include "words.hpp"

namespace tutti::explore {

namespace {

/// What the program keeps for every block, it keeps for that many at most.
constexpr std::size_t most_blocks = 10'000'000;

[[nodiscard]] partition of_sizes(options const& wanted, std::vector<std::size_t> const& sizes,
                                 std::string const& name) {
    auto const cut = partition::of_sizes(sizes);
    if (wanted.elements && *wanted.elements != cut.elements()) {
        throw refusal{name + " sum to " + std::to_string(cut.elements()) + " elements, not to the " +
                      std::to_string(*wanted.elements) + " of --elements"};
    }
    return cut;
}

void check_options(options const& wanted, family const& of) {
    std::vector<std::string> given;
    if (wanted.blocks) { given.emplace_back("--blocks"); }
    if (wanted.segment) { given.emplace_back("--segment"); }
    if (wanted.sizes) { given.emplace_back("--sizes"); }
    if (wanted.counts) { given.emplace_back("--counts"); }
    if (given.size() > 1) { throw refusal{given[0] + " and " + given[1] + " both cut the vector; give one of them"}; }
    if (wanted.segment && !wanted.elements) { throw refusal{"--segment needs the number of --elements too"}; }
    if (wanted.blocks == 0U && wanted.elements.value_or(0) != 0) {
        throw refusal{"--blocks 0 cannot hold " + counted(*wanted.elements, "element") + "; give at least one block"};
    }
    if (!wanted.counts) { return; }
    if (!of.divides) {
        throw refusal{"--counts is for collectives in which every rank owns a part of the vector, and " +
                      std::string{of.collective} + " is none; --sizes cuts it"};
    }
    if (wanted.counts->size() != *wanted.size) {
        throw refusal{"--counts names " + counted(wanted.counts->size(), "number") + " for " +
                      counted(*wanted.size, "rank")};
    }
}

[[nodiscard]] partition chosen_cut(options const& wanted, family const& of, algorithm const& chosen) {
    if (wanted.counts) { return of_sizes(wanted, *wanted.counts, "--counts"); }
    if (wanted.sizes) { return of_sizes(wanted, *wanted.sizes, "--sizes"); }
    if (wanted.segment) { return partition::by_segment(*wanted.elements, *wanted.segment); }
    if (wanted.blocks) { return partition::equal(wanted.elements.value_or(*wanted.blocks), *wanted.blocks); }

    constexpr std::size_t element_bytes = 8;
    std::size_t const least = of.divides ? *wanted.size : 1;
    auto const blocks = std::max(least, chosen.blocks_for(*wanted.size, wanted.elements.value_or(0) * element_bytes));
    if (!wanted.elements) { return partition::equal(blocks, blocks); }
    // as the collectives themselves do it: no block is empty, unless it belongs to a rank
    auto const most = std::max({least, *wanted.elements, std::size_t{1}});
    return partition::equal(*wanted.elements, std::min(blocks, most));
}

}  // namespace

partition cut_of(options const& wanted, family const& of, algorithm const& chosen) {
    check_options(wanted, of);
    auto cut = chosen_cut(wanted, of, chosen);
    if (cut.blocks() > most_blocks) {
        throw refusal{std::to_string(cut.blocks()) + " blocks are too many; ask for " + std::to_string(most_blocks) +
                      " at most"};
    }
    return cut;
}

}  // namespace tutti::explore
