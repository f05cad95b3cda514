// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <vector>

#include <tutti/analysis/symbolic.hpp>
#include <tutti/partition.hpp>

namespace tutti::symbolic {

/// Watches a run and counts what every rank sends, receives and combines.
class traffic {
public:
    struct counts {
        std::size_t messages_sent = 0;
        std::size_t messages_received = 0;
        std::size_t volume_sent = 0;      ///< elements
        std::size_t volume_received = 0;  ///< elements
        std::size_t combines = 0;         ///< elements
    };

    traffic(std::size_t size, partition const& cut) : cut_{cut}, ranks_(size) {}

    void reached(event const&) const {}

    void delivered(event const& sent, event const& received) {
        std::size_t elements = 0;
        for (auto const& range : sent.what.blocks) { elements += cut_.size(range.first, range.last); }
        ++ranks_[sent.rank].messages_sent;
        ++ranks_[received.rank].messages_received;
        ranks_[sent.rank].volume_sent += elements;
        ranks_[received.rank].volume_received += elements;
    }

    void combined(event const& at, std::size_t elements) { ranks_[at.rank].combines += elements; }

    [[nodiscard]] std::vector<counts> const& per_rank() const { return ranks_; }

private:
    partition const& cut_;
    std::vector<counts> ranks_;
};

}  // namespace tutti::symbolic
