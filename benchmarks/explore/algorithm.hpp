// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <tutti/analysis/cost_model.hpp>
#include <tutti/analysis/timeline.hpp>
#include <tutti/analysis/verify.hpp>
#include <tutti/generator.hpp>
#include <tutti/partition.hpp>
#include <tutti/selection/candidates.hpp>
#include <tutti/selection/predicted_cost.hpp>

#include "parameters.hpp"
#include "recording.hpp"

namespace tutti::explore {

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

    /// The recording refers to `cut`. Throws `refusal` if it grows too large.
    [[nodiscard]] virtual recording record(std::size_t size, std::size_t root, partition const& cut) const = 0;
    [[nodiscard]] virtual verification verify(recording const& all) const = 0;
    /// Of every algorithm for the same collective and blocks.
    [[nodiscard]] virtual double lower_bound(recording const& all, cost_model const& costs) const = 0;
    [[nodiscard]] virtual std::string json(recording const& all, timeline const& line) const = 0;
};

/// What `automatic` stands for, and why.
struct choice {
    std::unique_ptr<algorithm> chosen;
    std::string_view why;
};

/// What `automatic` chooses from, and why it chooses as it does.
struct prospects {
    std::vector<predicted_cost> all;
    std::string_view why;
};

/// A collective and the algorithms for it.
struct family {
    std::string_view collective;
    bool rooted;
    bool combines;
    bool divides;  ///< every rank owns a part of the vector
    std::vector<std::unique_ptr<algorithm>> algorithms;
    std::function<choice(call_parameters const&)> choose;  ///< empty if tutti makes no choice
    std::function<prospects(call_parameters const&, bool commutes)> expect;  ///< the same
};

}  // namespace tutti::explore
