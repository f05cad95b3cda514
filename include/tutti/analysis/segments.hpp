// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <optional>

#include <tutti/partition.hpp>

namespace tutti::analysis {

/// A cut into `count` segments of `elements` elements each: the cuts that closed forms speak of.
struct equal_segments {
    std::size_t count = 0;
    std::size_t elements = 0;
    friend bool operator==(equal_segments const&, equal_segments const&) = default;
};

/// `cut` without its empty blocks, which take no part in a schedule, if all others are equally long.
[[nodiscard]] inline std::optional<equal_segments> equal_segments_of(partition const& cut) {
    equal_segments result;
    for (std::size_t block = 0; block < cut.blocks(); ++block) {
        auto const elements = cut.size(block);
        if (elements == 0) { continue; }
        if (result.count != 0 && elements != result.elements) { return std::nullopt; }
        result.elements = elements;
        ++result.count;
    }
    return result;
}

/// A vector in `segments` segments of `segment` elements, the last one possibly shorter, and how long that takes.
struct segment_choice {
    std::size_t segment = 0;
    std::size_t segments = 0;
    double time = 0;
    friend bool operator==(segment_choice const&, segment_choice const&) = default;
};

/// The least time(segment, segments) over all segments = 1 .. elements that are ⌈elements/segments⌉ long; of equals
/// the one with the longest segments.
/// Requires that for one length fewer segments are never worse: then only O(√elements) pairs are left.
template <class Time>
[[nodiscard]] segment_choice best_segments(std::size_t elements, Time time) {
    if (elements == 0) { return {}; }
    segment_choice best{elements, 1, time(elements, std::size_t{1})};
    for (auto segment = elements; segment > 1;) {
        // the fewest segments that are shorter, and how short they can be
        auto const segments = (elements - 1) / (segment - 1) + 1;
        segment = (elements - 1) / segments + 1;
        if (auto const one = time(segment, segments); one < best.time) { best = {segment, segments, one}; }
    }
    return best;
}

}  // namespace tutti::analysis
