// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tutti/generator/all_reduce/recursive_doubling.hpp>
#include <tutti/generator/by_collective.hpp>
#include <tutti/generator/reduce/binomial.hpp>
#include <tutti/generator/scan/direct.hpp>
#include <tutti/generator/scan/doubling.hpp>
#include <tutti/problem.hpp>

namespace tutti {

struct choice_of_fewest_rounds {
    static constexpr binomial of(collective::reduce) { return {}; }
    static constexpr recursive_doubling of(collective::all_reduce) { return {}; }
    static constexpr doubling of(collective::inclusive_scan) { return {}; }
    static constexpr doubling of(collective::exclusive_scan) { return {}; }
    static constexpr direct of(collective::scan_reduce) { return {}; }
};

/// For short vectors: whole vectors in the fewest rounds, operands in rank order, and the same bits on all ranks.
using fewest_rounds = by_collective<choice_of_fewest_rounds>;

}  // namespace tutti
