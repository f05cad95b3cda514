// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tutti/analysis/bounds.hpp>
#include <tutti/analysis/cost_model.hpp>
#include <tutti/generator/doubling.hpp>
#include <tutti/generator/named.hpp>
#include <tutti/partition.hpp>
#include <tutti/problem.hpp>

#include "../support/each_collective.hpp"
#include "../support/tables.hpp"
#include "../support/timing.hpp"
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
    for_each_collective([&](auto which) {
        if (which.name == where.collective) { seconds = bound_of(which, where, at, per_element); }
    });
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

using command_line::counted;
using tables::sheet;

/// "64 KiB", or all digits.
[[nodiscard]] inline std::string told_bytes(std::size_t bytes) {
    constexpr std::array<char const*, 4> units{" B", " KiB", " MiB", " GiB"};
    std::size_t unit = 0;
    for (; bytes != 0 && bytes % 1024 == 0 && unit + 1 < units.size(); ++unit) { bytes /= 1024; }
    return std::to_string(bytes) + units[unit];
}

/// Everything that is found in some files, as tables; with the lower bound as a column if costs are given.
class findings {
public:
    std::optional<network> costs;
    std::vector<std::string> grounds;
    std::vector<setting> settings;
    sheet files{"files.csv",
                {"ground", "file", "mpi_is", "collectives", "operators", "ranks", "lengths", "of_tutti", "peers",
                 "repetitions"}};
    sheet noises{"noise.csv", {"ground", "repeated", "median_spread", "worst_spread", "worst_where"}};
    sheet means;    ///< geometric means of the ratio to the best peer
    sheet behind;   ///< every cell in which the automatic choice is slower than a peer, the worst first
    sheet choices;  ///< every cell, once a file, in which another algorithm would have been faster; the worst first
    std::size_t cells = 0;
    std::size_t compared = 0;      ///< with a peer
    std::size_t behind_noise = 0;  ///< slower than some peer by more than noise
    std::size_t with_choices = 0;  ///< in which other algorithms of tutti were timed

    findings(std::deque<source> const& sources, std::optional<network> const& of_network)
        : costs{of_network},
          grounds{grounds_of(sources)},
          settings{settings_of(sources)},
          means{"means.csv", with_bound({"ground", "collective", "operator", "ranks", "cells", "mean_ratio",
                                         "cells_from_64_KiB", "mean_ratio_from_64_KiB", "worst_ratio", "behind",
                                         "behind_beyond_noise"},
                                        {"mean_times_lower_bound"})},
          behind{contests("behind.csv", "peer")},
          choices{contests("choices.csv", "algorithm")} {
        std::vector<contest> with_peers;
        std::vector<contest> wrong;
        for (auto& where : settings) {
            cells += where.cells.size();
            for (auto& at : where.cells) {
                if (costs) { at.lower_bound = bound_of(where, at, *costs); }
                if (auto const found = hardest(against_peers(where, at))) { with_peers.push_back(*found); }
                for (auto const* ours : at.timings) {
                    if (!ours->is_automatic()) { continue; }
                    auto const best = hardest(against_choices(where, at, ours->from));
                    if (best) { ++with_choices; }
                    if (best && best->percent_behind() > percent_of_wrong_choice) { wrong.push_back(*best); }
                }
            }
        }
        for (auto const& each : sources) { add_file(each); }
        for (auto const& ground : grounds) {
            add_noise(ground);
            add_mean({ground, "all", "all", "all"}, with_peers,
                     [&](setting const& each) { return each.ground == ground; });
            for (auto const& where : settings) {
                if (where.ground != ground) { continue; }
                add_mean(place(where), with_peers, [&](setting const& each) { return &each == &where; });
            }
        }
        compared = with_peers.size();
        std::erase_if(with_peers, [](contest const& each) { return each.ratio() >= 1; });
        add_contests(behind, with_peers);
        add_contests(choices, wrong);
        behind_noise = static_cast<std::size_t>(std::count_if(
            with_peers.begin(), with_peers.end(), [](contest const& each) { return each.beyond_noise != nullptr; }));
    }

    [[nodiscard]] std::string summary() const {
        return counted(cells, "cell") + ", " + std::to_string(compared) +
               " of them with a peer; tutti's automatic choice is behind the best peer in " +
               std::to_string(behind.rows().size()) + ", beyond noise in " + std::to_string(behind_noise) +
               "; another algorithm of tutti is faster in " + std::to_string(choices.rows().size()) + " of " +
               std::to_string(with_choices);
    }

    /// Everything about one setting.
    [[nodiscard]] sheet cells_of(setting const& where) const {
        sheet result{
            "", with_bound({"bytes", "automatic_us", "best_peer", "peer_us", "ratio", "best_by_name", "by_name_us"},
                           bound_columns())};
        for (auto const& at : where.cells) {
            auto const* const ours = automatic_beside(at, nullptr);
            auto const best = hardest(against_peers(where, at));
            row const* named = nullptr;
            for (auto const* each : at.timings) {
                if (is_choice(where, *each) && (named == nullptr || each->median < named->median)) { named = each; }
            }
            sheet::row line{std::to_string(at.bytes),          time(ours),
                            best ? name(*best->other) : "-",   time(best ? best->other : nullptr),
                            best ? ratio(best->ratio()) : "-", named == nullptr ? "-" : named->algorithm,
                            time(named)};
            add_bound(line, at, ours);
            result.add_row(std::move(line));
        }
        return result;
    }

private:
    static std::string time(double microseconds) { return tables::significant(microseconds, 4); }
    static std::string time(row const* one) { return one == nullptr ? "-" : time(one->median); }
    static std::string ratio(double value) { return tables::significant(value, 3); }

    /// "3", or "3 to 7".
    static std::string range(std::string const& least, std::string const& most) {
        return least == most ? least : least + " to " + most;
    }
    static std::string range_of(row const& one) { return range(time(one.least), time(one.most)); }

    static sheet::row place(setting const& of) {
        return {of.ground, of.collective,
                of.operator_name +
                    (of.element_bytes == 8 ? "" : " (elements of " + std::to_string(of.element_bytes) + " bytes)"),
                std::to_string(of.size)};
    }

    static std::string name(row const& one) { return one.is_ours() ? one.algorithm : one.label(); }

    void add_file(source const& of) {
        std::set<std::string> collectives, operators, ours, peers;
        std::set<std::size_t> sizes, bytes, repetitions;
        for (auto const& each : of.rows) {
            collectives.insert(each.collective);
            operators.insert(each.operator_name);
            (each.is_ours() ? ours : peers).insert(each.is_ours() ? each.algorithm : each.implementation);
            sizes.insert(each.size);
            bytes.insert(each.bytes());
            repetitions.insert(each.repetitions);
        }
        auto const listed = [](auto const& names) { return names.empty() ? "-" : command_line::listed(names); };
        auto const from_to = [](std::set<std::size_t> const& values, auto const& told) {
            return values.empty() ? "-" : range(told(*values.begin()), told(*values.rbegin()));
        };
        auto const digits = tables::text_of<std::size_t>;
        files.add(of.ground, of.file, of.name_of_mpi.empty() ? "mpi" : of.name_of_mpi, listed(collectives),
                  listed(operators), from_to(sizes, digits), from_to(bytes, told_bytes), listed(ours), listed(peers),
                  from_to(repetitions, digits));
    }

    /// How far the repetitions of one thing lie apart: (most - least) / median, over all that was repeated.
    void add_noise(std::string const& ground) {
        std::vector<double> spreads;
        double greatest = -1;
        std::string worst;
        for (auto const& where : settings) {
            if (where.ground != ground) { continue; }
            for (auto const& at : where.cells) {
                for (auto const* each : at.timings) {
                    if (each->repetitions < 2 || !(each->median > 0)) { continue; }
                    spreads.push_back((each->most - each->least) / each->median);
                    if (spreads.back() <= greatest) { continue; }
                    greatest = spreads.back();
                    worst = where.title() + ", " + told_bytes(at.bytes) + ": " + each->label();
                }
            }
        }
        if (spreads.empty()) { return noises.add(ground, 0, "-", "-", "nothing was timed more than once"); }
        noises.add(ground, spreads.size(), ratio(timing::median(spreads)), ratio(greatest), worst);
    }

    /// A line of means: of the contests in the settings that belong to it.
    void add_mean(sheet::row line, std::vector<contest> const& all, auto const& belongs) {
        std::vector<double> ratios, of_long_vectors, times_bound;
        std::size_t slower = 0;
        std::size_t beyond_noise = 0;
        for (auto const& each : all) {
            if (!belongs(*each.where)) { continue; }
            ratios.push_back(each.ratio());
            if (each.at->bytes >= std::size_t{64} << 10) { of_long_vectors.push_back(each.ratio()); }
            if (each.at->lower_bound) { times_bound.push_back(each.ours->median / *each.at->lower_bound); }
            if (each.ratio() < 1) { ++slower; }
            if (each.beyond_noise != nullptr) { ++beyond_noise; }
        }
        auto const mean = [](std::vector<double> const& of) {
            return of.empty() ? "-" : ratio(timing::geometric_mean(of));
        };
        line.insert(line.end(), {std::to_string(ratios.size()), mean(ratios), std::to_string(of_long_vectors.size()),
                                 mean(of_long_vectors),
                                 ratios.empty() ? "-" : ratio(*std::min_element(ratios.begin(), ratios.end())),
                                 std::to_string(slower), std::to_string(beyond_noise)});
        if (costs) { line.push_back(mean(times_bound)); }
        means.add_row(std::move(line));
    }

    /// `other` is what the automatic choice is compared with.
    [[nodiscard]] sheet contests(std::string const& file, std::string const& other) const {
        return {file, with_bound({"ground", "collective", "operator", "ranks", "bytes", "behind_percent", other,
                                  "remark", "automatic_us", other + "_us", "automatic_range_us", other + "_range_us",
                                  "file"},
                                 bound_columns())};
    }
    void add_contests(sheet& to, std::vector<contest> all) const {
        std::stable_sort(all.begin(), all.end(), by_ratio);
        for (auto const& each : all) {
            std::string remark = each.in_one_run() ? "" : "not one run";
            if (each.is_within_noise()) {
                remark += (remark.empty() ? "" : ", ") + std::string{"within noise"};
                if (each.beyond_noise != nullptr) { remark += ", but not " + name(*each.beyond_noise); }
            }
            auto line = place(*each.where);
            line.insert(line.end(), {std::to_string(each.at->bytes), ratio(each.percent_behind()), name(*each.other),
                                     remark, time(each.ours), time(each.other), range_of(*each.ours),
                                     range_of(*each.other), each.other->from->file});
            add_bound(line, *each.at, each.ours);
            to.add_row(std::move(line));
        }
    }

    static sheet::row bound_columns() { return {"lower_bound_us", "times_lower_bound"}; }
    [[nodiscard]] sheet::row with_bound(sheet::row columns, sheet::row const& more) const {
        if (costs) { columns.insert(columns.end(), more.begin(), more.end()); }
        return columns;
    }
    void add_bound(sheet::row& to, cell const& at, row const* ours) const {
        if (!costs) { return; }
        auto const& least = at.lower_bound;
        to.push_back(least ? time(*least) : "-");
        to.push_back(least && ours != nullptr ? ratio(ours->median / *least) : "-");
    }
};

}  // namespace tutti::report
