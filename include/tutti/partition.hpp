// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <numeric>
#include <ranges>
#include <stdexcept>
#include <utility>

#include <tutti/dynamic_array.hpp>

namespace tutti {

/// Which elements of a vector each block holds: block b is the elements [offset(b), offset(b + 1)).
///
/// Blocks follow one another without gaps and may be empty. Equal cuts and cuts by segment size are two
/// numbers whatever the count of blocks; explicit sizes are stored.
class partition {
public:
    /// `blocks` blocks whose sizes differ by at most one: block b starts at floor(b * elements / blocks).
    static partition equal(std::size_t elements, std::size_t blocks) {
        if (blocks == 0 && elements != 0) {
            throw std::invalid_argument{"tutti: a partition of a vector that is not empty needs at least one block"};
        }
        return {elements, blocks, 0};
    }

    /// Segments of `segment` elements, the last one possibly shorter.
    static partition by_segment(std::size_t elements, std::size_t segment) {
        if (segment == 0) { throw std::invalid_argument{"tutti: a segment holds at least one element"}; }
        return {elements, elements / segment + (elements % segment != 0 ? 1 : 0), segment};
    }

    /// One block per entry of `sizes`: explicit segments, or the elements that belong to each rank.
    template <std::ranges::input_range Sizes>
    static partition of_sizes(Sizes&& sizes) {
        partition result{0, 0, 0};
        result.offsets_.push_back(0);
        for (auto const size : sizes) {
            result.offsets_.push_back(result.offsets_.back() + static_cast<std::size_t>(size));
        }
        result.elements_ = result.offsets_.back();
        result.blocks_ = result.offsets_.size() - 1;
        return result;
    }

    [[nodiscard]] std::size_t blocks() const noexcept { return blocks_; }
    [[nodiscard]] std::size_t elements() const noexcept { return elements_; }

    /// First element of `block`; `offset(blocks())` is the number of elements.
    [[nodiscard, gnu::noinline]] std::size_t offset(std::size_t block) const noexcept {
        if (!offsets_.empty()) { return offsets_[block]; }
        if (segment_ != 0) { return block < blocks_ ? block * segment_ : elements_; }
        if (blocks_ == 0) { return 0; }
        // floor(b * elements / blocks) without the product that could overflow
        return block * (elements_ / blocks_) + block * (elements_ % blocks_) / blocks_;
    }

    [[nodiscard]] std::size_t size(std::size_t block) const noexcept { return offset(block + 1) - offset(block); }

    /// Elements in the half-open range of blocks [first, last).
    [[nodiscard]] std::size_t size(std::size_t first, std::size_t last) const noexcept {
        return offset(last) - offset(first);
    }

    friend bool operator==(partition const&, partition const&) = default;

private:
    partition(std::size_t elements, std::size_t blocks, std::size_t segment)
        : elements_{elements}, blocks_{blocks}, segment_{segment} {}

    std::size_t elements_;
    std::size_t blocks_;
    std::size_t segment_;               // 0: an equal cut, or explicit offsets
    dynamic_array<std::size_t> offsets_;  // empty: computed
};

}  // namespace tutti
