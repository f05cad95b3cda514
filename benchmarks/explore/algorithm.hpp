// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <memory>

#include <tutti/analysis/cost_model.hpp>
#include <tutti/analysis/from_file.hpp>
#include <tutti/analysis/schedule_table.hpp>
#include <tutti/analysis/timeline.hpp>
#include <tutti/analysis/verify.hpp>
#include <tutti/cost/call_parameters.hpp>
#include <tutti/partition.hpp>
#include <tutti/selection/predicted_cost.hpp>

#include "parameters.hpp"

namespace tutti::explore {

using analysis::schedule_table;
using analysis::tabulated;

/// A generator for one collective, its type forgotten.
class algorithm {
public:
    algorithm() = default;
    algorithm(algorithm const&) = delete;
    algorithm& operator=(algorithm const&) = delete;
    virtual ~algorithm() = default;

    std::string name;         ///< as users type it
    std::string composition;  ///< of which generators it is made
    facts stated;

    [[nodiscard]] virtual std::vector<parameter> parameters() = 0;
    [[nodiscard]] virtual std::size_t transfers_at_once() const = 0;
    [[nodiscard]] virtual std::size_t blocks_for(std::size_t size, std::size_t bytes) const = 0;

    /// Throws `usage_error` if it grows too large.
    [[nodiscard]] virtual schedule_table record(std::size_t size, std::size_t root, partition const& cut) const = 0;
};

/// What `automatic` stands for, and why.
struct choice {
    std::unique_ptr<algorithm> chosen;
    std::string_view why;
};

/// What `automatic` chooses from, and why it chooses as it does.
struct prospects {
    std::vector<selection::predicted_cost> all;
    std::string_view why;
};

/// A collective, the algorithms for it and what can be found out about their schedules.
struct family {
    std::string_view collective;
    bool rooted;
    bool combines;
    bool divides;  ///< every rank owns a part of the vector
    choice (*choose)(call_parameters const&);
    prospects (*expect)(call_parameters const&, bool commutes);
    analysis::verification (*verify)(schedule_table const&);
    /// Of every algorithm for the same collective and blocks.
    double (*lower_bound)(schedule_table const&, cost_model const&);
    std::string (*json)(schedule_table const&, analysis::timeline const&);
    facts const& (*proved)(analysis::from_file const&);
    std::vector<std::unique_ptr<algorithm>> algorithms;
};

/// Compiled apart for each collective, since generators take long: CMakeLists.txt lists them.
template <class Collective>
[[nodiscard]] family family_of();

}  // namespace tutti::explore
