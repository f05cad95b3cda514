// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <chrono>
#include <cstdint>

#include <tutti/communicator.hpp>

namespace tutti::messaging {

/// This rank's clock, in ns.
template <communicator C>
[[nodiscard]] std::int64_t now() {
    if constexpr (tells_time<C>) {
        return C::now();
    } else {
        return std::chrono::nanoseconds{std::chrono::steady_clock::now().time_since_epoch()}.count();
    }
}

/// Whether the clock stands still while a rank computes, because time is simulated.
template <communicator C>
[[nodiscard]] bool is_simulated() {
    auto const begun = now<C>();
    for (int i = 0; i < 1000; ++i) {
        if (now<C>() != begun) { return false; }
    }
    return true;
}

}  // namespace tutti::messaging
