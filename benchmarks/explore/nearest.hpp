// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

namespace tutti::explore {

/// Letters to insert, remove or replace to turn `a` into `b`.
[[nodiscard]] inline std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        auto diagonal = row[0]++;
        for (std::size_t j = 0; j < b.size(); ++j) {
            auto const replaced = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
        }
    }
    return row.back();
}

/// The one of `known` that `typed` was most likely meant to be; `typed` itself if none is near.
[[nodiscard]] inline std::string nearest(std::string const& typed, std::vector<std::string> const& known) {
    auto best = typed;
    auto least = typed.size() / 2 + 1;
    for (auto const& name : known) {
        auto const far = distance(typed, name);
        if (far < least) {
            least = far;
            best = name;
        }
    }
    return best;
}

}  // namespace tutti::explore
