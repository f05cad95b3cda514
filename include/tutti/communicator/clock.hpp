// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tutti/communicator.hpp>

namespace tutti::messaging {

/// Whether the clock stands still while a rank computes, because time is simulated.
template <communicator C>
[[nodiscard]] bool is_simulated() {
    auto const begun = C::now();
    for (int i = 0; i < 1000; ++i) {
        if (C::now() != begun) { return false; }
    }
    return true;
}

}  // namespace tutti::messaging
