// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace tutti {

/// What a message between two ranks costs, in whole nanoseconds, so that all ranks that know the same compute the same.
struct link_costs {
    std::int64_t latency = 1;  ///< α: until a message of no length is there
    std::int64_t gap = 1;      ///< between messages of no length that follow one another to one rank
    std::int64_t per_kib = 0;  ///< β + γ: to send 1024 bytes and combine them

    /// α + (β + γ) `bytes`: from when a message is sent until it is combined. At least 1.
    [[nodiscard]] constexpr std::int64_t transfer(std::size_t bytes) const {
        return std::max<std::int64_t>(1, latency + by_length(bytes));
    }

    /// The part of `transfer` that a message keeps the next one waiting. At least 1.
    [[nodiscard]] constexpr std::int64_t interval(std::size_t bytes) const {
        return std::max<std::int64_t>(1, gap + by_length(bytes));
    }

    friend constexpr bool operator==(link_costs const&, link_costs const&) = default;

private:
    [[nodiscard]] constexpr std::int64_t by_length(std::size_t bytes) const {
        auto const kib = static_cast<std::int64_t>(bytes / 1024);
        auto const rest = static_cast<std::int64_t>(bytes % 1024);
        return kib * per_kib + rest * per_kib / 1024;
    }
};

}  // namespace tutti
