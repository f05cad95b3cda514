// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tutti/generator/all_reduce/split.hpp>
#include <tutti/generator/by_collective.hpp>
#include <tutti/generator/reduce/butterfly.hpp>
#include <tutti/generator/reduce_scatter/split.hpp>
#include <tutti/generator/scan/split.hpp>
#include <tutti/problem.hpp>

namespace tutti {

struct choice_of_least_volume {
    static constexpr butterfly of(collective::reduce) { return {}; }
    static constexpr split of(collective::all_reduce) { return {}; }
    static constexpr split of(collective::reduce_scatter) { return {}; }
    static constexpr split of(collective::inclusive_scan) { return {}; }
    static constexpr split of(collective::exclusive_scan) { return {}; }
    static constexpr split of(collective::scan_reduce) { return {}; }
};

/// For long vectors: ranks share them out, operands in rank order, and the same bits on all ranks.
using least_volume = by_collective<choice_of_least_volume>;

}  // namespace tutti
