// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <optional>

#include <tutti/partition.hpp>

namespace tutti {

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

}  // namespace tutti
