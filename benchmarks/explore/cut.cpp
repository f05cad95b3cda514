// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include "cut.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include <tutti/ownership.hpp>

#include "words.hpp"

namespace tutti::explore {

namespace {

/// What the program keeps for every block, it keeps for that many at most.
constexpr std::size_t most_blocks = 10'000'000;

void check_blocks(std::size_t blocks) {
    if (blocks > most_blocks) {
        throw refusal{std::to_string(blocks) + " blocks are too many; ask for " + std::to_string(most_blocks) +
                      " at most"};
    }
}

void check_elements(options const& wanted, std::size_t sum, std::string const& name) {
    if (wanted.elements && *wanted.elements != sum) {
        throw refusal{name + " sum to " + std::to_string(sum) + " elements, not to the " +
                      std::to_string(*wanted.elements) + " of --elements"};
    }
}

void check_options(options const& wanted, family const& of) {
    std::vector<std::string> given;
    if (wanted.blocks && !wanted.counts) { given.emplace_back("--blocks"); }
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
    if (wanted.blocks && (*wanted.blocks == 0 || *wanted.blocks % *wanted.size != 0)) {
        throw refusal{"--blocks " + std::to_string(*wanted.blocks) + " cannot cut the parts of " +
                      counted(*wanted.size, "rank") + " into equally many blocks; give a multiple of " +
                      std::to_string(*wanted.size)};
    }
}

/// Into how many blocks; as the collectives themselves do it, so that none is empty for want of elements.
[[nodiscard]] std::size_t blocks_of(options const& wanted, family const& of, algorithm const& chosen,
                                    std::optional<std::size_t> elements) {
    constexpr std::size_t element_bytes = 8;
    auto const blocks = chosen.blocks_for(*wanted.size, elements.value_or(0) * element_bytes);
    std::size_t const owners = of.divides ? *wanted.size : 1;
    auto const pieces = std::max<std::size_t>(blocks / owners, 1);
    return owners * (elements ? std::min(pieces, std::max<std::size_t>(*elements, 1)) : pieces);
}

[[nodiscard]] partition cut_by_counts(options const& wanted, family const& of, algorithm const& chosen) {
    auto const& counts = *wanted.counts;
    auto const elements = std::accumulate(counts.begin(), counts.end(), std::size_t{0});
    check_elements(wanted, elements, "--counts");
    auto const blocks = wanted.blocks ? *wanted.blocks : blocks_of(wanted, of, chosen, elements);
    check_blocks(blocks);
    return ownership::cut(counts, blocks / *wanted.size);
}

[[nodiscard]] partition chosen_cut(options const& wanted, family const& of, algorithm const& chosen) {
    if (wanted.counts) { return cut_by_counts(wanted, of, chosen); }
    if (wanted.sizes) {
        auto cut = partition::of_sizes(*wanted.sizes);
        check_elements(wanted, cut.elements(), "--sizes");
        return cut;
    }
    if (wanted.segment) { return partition::by_segment(*wanted.elements, *wanted.segment); }
    auto const blocks = wanted.blocks ? *wanted.blocks : blocks_of(wanted, of, chosen, wanted.elements);
    return partition::equal(wanted.elements.value_or(blocks), blocks);
}

}  // namespace

partition cut_of(options const& wanted, family const& of, algorithm const& chosen) {
    check_options(wanted, of);
    auto cut = chosen_cut(wanted, of, chosen);
    check_blocks(cut.blocks());
    return cut;
}

}  // namespace tutti::explore
