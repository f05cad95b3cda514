// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <tutti/problem.hpp>

#include "promise.hpp"

namespace tutti::generation {

/// What was read of a schedule.
struct reading {
    std::size_t steps = 0;
    std::size_t blocks = 0;  ///< that the steps name, all together
};

/// A generator for one collective, its type forgotten.
struct subject {
    std::string_view collective;
    std::string name;
    promise made;
    bool waits_for_root;  ///< an all_reduce that looks at each block of the root's steps, on every rank
    bool (*supports)(std::size_t size);
    std::function<std::size_t(std::size_t size, std::size_t bytes)> blocks_for;
    std::function<reading(problem const&)> generate;  ///< the whole schedule of a rank
};

/// One of each family of collectives, in a file of its own.
void append_reductions(std::vector<subject>& to);
void append_scans(std::vector<subject>& to);
void append_reduce_scatters(std::vector<subject>& to);
void append_scatters(std::vector<subject>& to);
void append_all_reductions(std::vector<subject>& to);

/// Every generator that the explorer knows.
[[nodiscard]] std::vector<subject> all_subjects();

}  // namespace tutti::generation
