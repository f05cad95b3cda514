// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <limits>
#include <ranges>
#include <stdexcept>
#include <utility>

#include <tutti/dynamic_array.hpp>
#include <tutti/text.hpp>

namespace tutti {

/// Which elements of a vector each block holds: block b is the elements [offset(b), offset(b + 1)).
///
/// Blocks follow one another without gaps and may be empty. Equal cuts and cuts by segment size are a few
/// numbers whatever the count of blocks; explicit sizes are stored.
class partition {
public:
    /// `blocks` blocks whose sizes differ by at most one: block b starts at floor(b * elements / blocks).
    /// Errors: std::invalid_argument for elements in no block, and for so many blocks that their offsets overflow.
    [[gnu::cold]] static partition equal(std::size_t elements, std::size_t blocks) {
        if (blocks == 0 && elements != 0) {
            throw std::invalid_argument{"tutti: a partition of a vector that is not empty needs at least one block"};
        }
        if (blocks != 0 && elements % blocks > most / blocks) {
            throw std::invalid_argument{text::joined(
                {"tutti: an equal cut into ", blocks, " blocks has offsets that overflow; cut into fewer"})};
        }
        return {elements, blocks, blocks == 0 ? 0 : elements / blocks, blocks == 0 ? 0 : elements % blocks};
    }

    /// Segments of `segment` elements, the last one possibly shorter.
    static partition by_segment(std::size_t elements, std::size_t segment) {
        if (segment == 0) { throw std::invalid_argument{"tutti: a segment holds at least one element"}; }
        return {elements, elements / segment + (elements % segment != 0 ? 1 : 0), segment, 0};
    }

    /// One block per entry of `sizes`: explicit segments, or the elements that belong to each rank.
    /// Errors: std::invalid_argument for a size below 0, and for sizes whose sum overflows.
    template <std::ranges::input_range Sizes>
    [[gnu::cold]] static partition of_sizes(Sizes&& sizes) {
        partition result{0, 0, 0, 0};
        result.offsets_.push_back(0);
        for (auto const size : sizes) {
            auto const before = result.offsets_.back();
            if (std::cmp_less(size, 0) || std::cmp_greater(size, most - before)) {
                throw std::invalid_argument{
                    text::joined({"tutti: the sizes of a partition are at least 0 and have a sum below 2^",
                            std::numeric_limits<std::size_t>::digits, "; there is one of ", size, " after a sum of ",
                            before})};
            }
            result.offsets_.push_back(before + static_cast<std::size_t>(size));
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
        if (block >= blocks_) { return elements_; }
        return block * each_ + (rest_ == 0 ? 0 : block * rest_ / blocks_);
    }

    [[nodiscard]] std::size_t size(std::size_t block) const noexcept { return offset(block + 1) - offset(block); }

    /// Elements in the half-open range of blocks [first, last).
    [[nodiscard]] std::size_t size(std::size_t first, std::size_t last) const noexcept {
        return offset(last) - offset(first);
    }

    /// False where none is: of explicit sizes it is not known.
    [[nodiscard]] bool may_have_empty_blocks() const noexcept { return !offsets_.empty() || each_ == 0; }

    friend bool operator==(partition const&, partition const&) = default;

private:
    static constexpr std::size_t most = std::numeric_limits<std::size_t>::max();

    partition(std::size_t elements, std::size_t blocks, std::size_t each, std::size_t rest)
        : elements_{elements}, blocks_{blocks}, each_{each}, rest_{rest} {}

    std::size_t elements_;
    std::size_t blocks_;
    // floor(b * elements / blocks) without the product that could overflow: b * each + floor(b * rest / blocks)
    std::size_t each_;
    std::size_t rest_;
    dynamic_array<std::size_t> offsets_;  // empty: computed
};

}  // namespace tutti
