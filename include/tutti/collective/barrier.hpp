// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <functional>

#include <tutti/collective/all_reduce.hpp>

namespace tutti {

/// Returns on no rank before it was called on every rank.
/// Errors: the communicator's.
/// Cost: an all_reduce of one byte.
template <world World>
void barrier(World const& world) {
    unsigned char const here = 1;
    static_cast<void>(all_reduce(world, here, std::bit_and<>{}));
}

}  // namespace tutti
