// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>

#include <tutti/collective.hpp>
#include <tutti/partition.hpp>
#include <tutti/schedule.hpp>

namespace tutti {

/// What a generator is asked for: the part of one rank in a collective of `size` ranks on a vector that is
/// cut into `blocks`. `root` is 0 where the collective has none.
struct problem {
    std::size_t rank;
    std::size_t size;
    std::size_t root;
    partition const& blocks;
};

}  // namespace tutti
