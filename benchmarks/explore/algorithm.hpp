// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <memory>

#include <tutti/analysis/cost_model.hpp>
#include <tutti/analysis/timeline.hpp>
#include <tutti/analysis/verify.hpp>
#include <tutti/cost/call_parameters.hpp>
#include <tutti/partition.hpp>
#include <tutti/problem.hpp>
#include <tutti/schedule.hpp>
#include <tutti/selection/predicted_cost.hpp>

#include "parameters.hpp"

namespace tutti::explore {

/// The schedules of all ranks, generated once.
struct recording {
    std::string name;
    facts stated;
    std::size_t size;
    std::size_t root;
    partition const& cut;
    std::vector<std::size_t> rounds{};       ///< as each rank's schedule states them
    std::vector<std::vector<step>> steps{};  ///< of each rank
};

/// A recording in the place of the generator that it was made by: analyses are compiled once for a collective, and not
/// for each algorithm.
struct stored_generator {
    recording const* all;
};

template <class Collective>
constexpr facts describe(Collective, std::type_identity<stored_generator>) {
    return {.name = "stored_generator"};
}

template <class Collective>
[[nodiscard]] facts const& facts_about(Collective, stored_generator const& from) {
    return from.all->stated;
}

template <class Collective>
[[nodiscard]] std::string name_of(Collective, stored_generator const& from) {
    return from.all->name;
}

template <class Collective>
[[nodiscard]] auto generate(Collective, stored_generator const& from, problem const& at) {
    auto const& steps = from.all->steps[at.rank];
    return schedules::indexed_schedule(from.all->rounds[at.rank], steps.size(),
                                       [first = steps.data()](std::size_t i) { return first[i]; });
}

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

    /// The recording refers to `cut`. Throws `usage_error` if it grows too large.
    [[nodiscard]] virtual recording record(std::size_t size, std::size_t root, partition const& cut) const = 0;
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
    analysis::verification (*verify)(recording const&);
    /// Of every algorithm for the same collective and blocks.
    double (*lower_bound)(recording const&, cost_model const&);
    std::string (*json)(recording const&, analysis::timeline const&);
    std::vector<std::unique_ptr<algorithm>> algorithms;
};

/// Compiled apart for each collective, since generators take long: CMakeLists.txt lists them.
template <class Collective>
[[nodiscard]] family family_of();

}  // namespace tutti::explore
