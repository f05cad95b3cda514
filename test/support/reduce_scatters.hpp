// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include <tutti/analysis/schedules_of.hpp>
#include <tutti/analysis/verify.hpp>
#include <tutti/generator/named.hpp>

/// What is published of reduce_scatters, read from schedules.
namespace support {

[[nodiscard]] inline tutti::partition one_block_each(std::size_t size, std::size_t elements = 1) {
    return tutti::partition::equal(size * elements, size);
}

/// The counts of the published table of six ranks.
[[nodiscard]] inline tutti::partition uneven_six() {
    return tutti::partition::of_sizes(std::vector<std::size_t>{2, 5, 1, 9, 0, 1});
}

/// The operands of block b on rank b from left to right, "1230", for at most ten ranks.
template <class Generator>
[[nodiscard]] std::vector<std::string> operand_orders(Generator const& generator, std::size_t size) {
    std::vector<std::string> orders;
    for (std::size_t rank = 0; rank < size; ++rank) {
        auto text = tutti::analysis::bracketings(tutti::collective::reduce_scatter{}, generator, size, 0,
                                                 one_block_each(size), rank)[rank];
        text.erase(std::remove_if(text.begin(), text.end(), [](char c) { return c < '0' || c > '9'; }), text.end());
        orders.push_back(text);
    }
    return orders;
}

/// Per rank.
struct message_counts {
    std::vector<std::size_t> sends;
    std::vector<std::size_t> elements_sent;
    std::vector<std::size_t> elements_received;
};

template <class Collective, class Generator>
[[nodiscard]] message_counts count_messages(Collective which, Generator const& generator, std::size_t size,
                                            std::size_t root, tutti::partition const& cut) {
    message_counts counts{std::vector<std::size_t>(size), std::vector<std::size_t>(size),
                          std::vector<std::size_t>(size)};
    for (std::size_t rank = 0; rank < size; ++rank) {
        for (tutti::step const& each : generate(which, generator, tutti::problem{rank, size, root, cut})) {
            if (!each.communicates()) { continue; }
            std::size_t elements = 0;
            for (auto const& range : each.blocks) { elements += cut.size(range.first, range.last); }
            counts.sends[rank] += each.receives() ? 0 : 1;
            (each.receives() ? counts.elements_received : counts.elements_sent)[rank] += elements;
        }
    }
    return counts;
}

}  // namespace support
