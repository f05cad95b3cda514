// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tutti/generator/all.hpp>
#include <tutti/selection/algorithm.hpp>

namespace support {

/// Calls `test(algorithm)` with each algorithm for scans.
template <class Test>
void for_each_scan_algorithm(Test test) {
    test(tutti::automatic{});
    test(tutti::direct{});
    test(tutti::doubling{});
    test(tutti::linear{});
    test(tutti::split{});
    test(tutti::two_tree{.segments = 5});
}

}  // namespace support
