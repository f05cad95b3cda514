// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

#include <tutti/dynamic_array.hpp>
#include <tutti/partition.hpp>
#include <tutti/program/data_layout.hpp>
#include <tutti/schedule.hpp>

namespace tutti::engine {

/// The same steps on fewer, larger blocks: those that this rank's steps always use together are one. Of a million
/// blocks, one for each rank, a rank often sends and receives a few ranges; compiled, its steps cost no more than that.
class merged_blocks {
public:
    [[gnu::cold]] merged_blocks(partition const& blocks, data_layout const& where, std::span<step const> steps)
        : blocks_{blocks} {
        begins_ = {0, blocks.blocks(), where.provided.first, where.provided.last, where.required.first,
                   where.required.last};
        for (step const& each : steps) {
            for (auto const range : each.blocks) {
                begins_.push_back(range.first);
                begins_.push_back(range.last);
            }
        }
        std::sort(begins_.begin(), begins_.end());
        begins_.resize(static_cast<std::size_t>(std::unique(begins_.begin(), begins_.end()) - begins_.begin()));
    }

    [[nodiscard, gnu::cold]] partition cut() const {
        dynamic_array<std::size_t> sizes;
        for (std::size_t i = 1; i < begins_.size(); ++i) { sizes.push_back(blocks_.size(begins_[i - 1], begins_[i])); }
        return partition::of_sizes(sizes);
    }

    /// The range of merged blocks.
    [[nodiscard, gnu::cold]] block_range operator()(block_range range) const {
        return {index_of(range.first), index_of(range.last)};
    }
    [[nodiscard, gnu::cold]] step operator()(step from) const {
        block_list merged;
        for (auto const range : from.blocks) { merged.append((*this)(range)); }
        from.blocks = std::move(merged);
        return from;
    }

private:
    [[nodiscard]] std::size_t index_of(std::size_t begin) const {
        return static_cast<std::size_t>(std::lower_bound(begins_.begin(), begins_.end(), begin) - begins_.begin());
    }

    partition const& blocks_;
    dynamic_array<std::size_t> begins_;  // of merged blocks, and the end of the last one
};

}  // namespace tutti::engine
