// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <tutti/analysis/bounds.hpp>
#include <tutti/analysis/cost_model.hpp>
#include <tutti/generator/doubling.hpp>
#include <tutti/generator/named.hpp>
#include <tutti/partition.hpp>
#include <tutti/problem.hpp>

#include "measurements.hpp"

namespace tutti::report {

/// A message of m bytes takes alpha + beta m seconds, to combine them takes gamma m.
struct network {
    double alpha = 0;
    double beta = 0;
    double gamma = 0;
};

/// Into so many blocks at most an algorithm cuts what belongs to one rank.
inline constexpr std::size_t pieces_of_a_part = 16;

template <class Collective>
[[nodiscard]] double bound_of(Collective which, setting const& where, cell const& at, cost_model const& costs) {
    if constexpr (collective::divides<Collective>) {
        // parts of nearly one length; looking at every element would take too long
        return analysis::lower_bound(which, where.size, partition::equal(at.elements, pieces_of_a_part * where.size),
                                     costs);
    } else {
        return analysis::lower_bound(which, where.size, analysis::cut_summary::by_segment(at.elements, 1), costs);
    }
}

/// Microseconds that no algorithm stays below; none if the collective is not known, or nobody has to do anything.
[[nodiscard]] inline std::optional<double> bound_of(setting const& where, cell const& at, network const& costs) {
    auto const bytes = static_cast<double>(where.element_bytes);
    auto const per_element = cost_model::linear(costs.alpha, costs.beta * bytes, costs.gamma * bytes);
    double seconds = 0;
    auto const consider = [&](auto which) {
        if (which.name == where.collective) { seconds = bound_of(which, where, at, per_element); }
    };
    auto const look = [&](auto... each) { (consider(each), ...); };
    using namespace collective;
    look(reduce{}, all_reduce{}, inclusive_scan{}, exclusive_scan{}, scan_reduce{}, reduce_scatter{}, broadcast{},
         all_gather{}, gather{}, scatter{});
    return seconds > 0 ? std::optional{1e6 * seconds} : std::nullopt;
}

/// tutti's automatic choice beside something else, both of which took some time.
struct contest {
    setting const* where;
    cell const* at;
    row const* ours;
    row const* other;
    row const* beyond_noise = nullptr;  ///< of several that are faster by more than noise the farthest ahead

    /// Above 1 where the automatic choice is faster.
    [[nodiscard]] double ratio() const { return other->median / ours->median; }
    [[nodiscard]] double percent_behind() const { return 100 * (ours->median / other->median - 1); }
    [[nodiscard]] bool in_one_run() const { return ours->from == other->from; }

    /// Each median lies between the fastest and the slowest repetition of the other.
    [[nodiscard]] bool is_within_noise() const {
        return other->least <= ours->median && ours->median <= other->most && ours->least <= other->median &&
               other->median <= ours->most;
    }
};

[[nodiscard]] inline bool by_ratio(contest const& a, contest const& b) { return a.ratio() < b.ratio(); }

/// The contest with whoever is farthest ahead.
[[nodiscard]] inline std::optional<contest> hardest(std::vector<contest> all) {
    if (all.empty()) { return std::nullopt; }
    std::stable_sort(all.begin(), all.end(), by_ratio);
    for (auto const& each : all) {
        if (each.ratio() < 1 && !each.is_within_noise()) {
            all.front().beyond_noise = each.other;
            break;
        }
    }
    return all.front();
}

/// The automatic choice as it was timed in the file of `other`, or else in the file without a name, or the first.
[[nodiscard]] inline row const* automatic_beside(cell const& at, source const* file) {
    row const* result = nullptr;
    auto const worth = [&](row const* one) {
        return one == nullptr ? 0 : one->from == file ? 3 : one->from->name_of_mpi.empty() ? 2 : 1;
    };
    for (auto const* each : at.timings) {
        if (each->is_automatic() && worth(each) > worth(result)) { result = each; }
    }
    return result;
}

/// All peers of a cell.
[[nodiscard]] inline std::vector<contest> against_peers(setting const& where, cell const& at) {
    std::vector<contest> result;
    for (auto const* each : at.timings) {
        if (each->is_ours()) { continue; }
        auto const* const ours = automatic_beside(at, each->from);
        if (ours != nullptr && ours->median > 0 && each->median > 0) { result.push_back({&where, &at, ours, each}); }
    }
    return result;
}

/// Whether `automatic` could have taken it. It never takes what leaves different bits on different ranks, nor another
/// mode of sending.
[[nodiscard]] inline bool is_choice(setting const& where, row const& one) {
    if (!one.is_ours() || one.is_automatic() || one.algorithm.find('+') != std::string::npos) { return false; }
    constexpr auto differs = generators::facts_of<collective::all_reduce, doubling>;
    static_assert(!differs.identical_on_all_ranks);
    return where.collective != collective::all_reduce::name || one.algorithm != differs.name;
}

/// The algorithms that `automatic` could have taken in a file where it was timed, too.
[[nodiscard]] inline std::vector<contest> against_choices(setting const& where, cell const& at, source const* file) {
    std::vector<contest> result;
    auto const* const ours = automatic_beside(at, file);
    if (ours == nullptr || ours->from != file || !(ours->median > 0)) { return result; }
    for (auto const* each : at.timings) {
        if (each->from == file && is_choice(where, *each) && each->median > 0) {
            result.push_back({&where, &at, ours, each});
        }
    }
    return result;
}

inline constexpr double percent_of_wrong_choice = 3;

}  // namespace tutti::report
