// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>

namespace tutti {

/// The ranks first, ..., first + size - 1 cut into parts of neighbours whose sizes differ by at most one, smaller parts
/// first. Requires 1 <= parts <= size.
struct near_equal_parts {
    std::size_t first;
    std::size_t size;
    std::size_t parts;

    [[nodiscard]] constexpr std::size_t size_of(std::size_t part) const {
        return size / parts + (part < smaller() ? 0 : 1);
    }
    [[nodiscard]] constexpr std::size_t begin(std::size_t part) const {
        return first + part * (size / parts) + (part > smaller() ? part - smaller() : 0);
    }
    /// The part that `rank`, which is one of them, is in.
    [[nodiscard]] constexpr std::size_t part_of(std::size_t rank) const {
        auto const in_smaller = smaller() * (size / parts);
        auto const place = rank - first;
        return place < in_smaller ? place / (size / parts) : smaller() + (place - in_smaller) / (size / parts + 1);
    }

    friend bool operator==(near_equal_parts const&, near_equal_parts const&) = default;

private:
    [[nodiscard]] constexpr std::size_t smaller() const { return parts - size % parts; }
};

}  // namespace tutti
