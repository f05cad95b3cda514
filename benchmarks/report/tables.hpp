// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "../chart/rounding.hpp"
#include "../chart/sheet.hpp"
#include "comparison.hpp"
#include "statistics.hpp"
#include "wording.hpp"

namespace tutti::report {

using charts::sheet;

/// All tables, with the lower bound as a column or without it.
class tables {
public:
    explicit tables(bool with_bounds) : with_bounds_{with_bounds} {}

    /// What was measured.
    [[nodiscard]] static sheet files(std::deque<source> const& senders) {
        sheet result{"files.csv",
                     {"ground", "file", "mpi_is", "collectives", "operators", "ranks", "lengths", "of_tutti", "peers",
                      "repetitions"}};
        for (auto const& file : senders) {
            std::set<std::string> collectives;
            std::set<std::string> operators;
            std::set<std::string> ours;
            std::set<std::string> peers;
            std::set<std::size_t> sizes;
            std::set<std::size_t> bytes;
            std::set<std::size_t> repetitions;
            for (auto const& each : file.rows) {
                collectives.insert(each.collective);
                operators.insert(each.operator_name);
                (each.implementation == "tutti" ? ours : peers)
                    .insert(each.implementation == "tutti" ? each.algorithm : each.implementation);
                sizes.insert(each.size);
                bytes.insert(each.elements * each.element_bytes);
                repetitions.insert(each.repetitions);
            }
            result.add(file.ground, file.file, file.name_of_mpi.empty() ? "mpi" : file.name_of_mpi, listed(collectives),
                       listed(operators), from_to(sizes),
                       bytes.empty() ? "-" : range(told_bytes(*bytes.begin()), told_bytes(*bytes.rbegin())),
                       listed(ours), listed(peers), from_to(repetitions));
        }
        return result;
    }

    [[nodiscard]] static sheet noises(std::vector<setting> const& settings, std::vector<std::string> const& grounds) {
        sheet result{"noise.csv", {"ground", "repeated", "median_spread", "worst_spread", "worst_where"}};
        for (auto const& ground : grounds) {
            auto const found = noise::of(settings, ground);
            if (found.spreads.empty()) {
                result.add(ground, 0, "-", "-", "nothing was timed more than once");
                continue;
            }
            result.add(ground, found.spreads.size(), charts::significant(found.median(), 3),
                       charts::significant(found.spreads.back(), 3),
                       found.worst_setting->title() + ", " + told_bytes(found.worst_cell->bytes) + ": " +
                           found.worst->label());
        }
        return result;
    }

    /// Geometric means of the ratio to the best peer: a line for every setting, and one for all of each ground.
    [[nodiscard]] sheet means(std::vector<contest> const& all, std::vector<setting> const& settings,
                              std::vector<std::string> const& grounds) const {
        sheet result{"means.csv", with_bound({"ground", "collective", "operator", "ranks", "cells", "mean_ratio",
                                              "cells_from_64_KiB", "mean_ratio_from_64_KiB", "worst_ratio", "behind",
                                              "behind_beyond_noise"},
                                             {"mean_times_lower_bound"})};
        for (auto const& ground : grounds) {
            add_standing(result, {ground, "all", "all", "all"}, all,
                         [&](setting const& each) { return each.ground == ground; });
            for (auto const& where : settings) {
                if (where.ground != ground) { continue; }
                add_standing(result, place(where), all, [&](setting const& each) { return &each == &where; });
            }
        }
        return result;
    }

    /// `other` is what the automatic choice is compared with.
    [[nodiscard]] sheet contests(std::string const& file, std::string const& other,
                                 std::vector<contest> const& all) const {
        sheet result{
            file, with_bound({"ground", "collective", "operator", "ranks", "bytes", "behind_percent", other, "remark",
                              "automatic_us", other + "_us", "automatic_range_us", other + "_range_us", "file"},
                             bound_columns())};
        for (auto const& each : all) {
            auto row = place(*each.where);
            row.insert(row.end(), {std::to_string(each.at->bytes), charts::significant(each.percent_behind(), 3),
                                   name(*each.other), remark(each), time(each.ours->median), time(each.other->median),
                                   range_of(*each.ours), range_of(*each.other), each.other->from->file});
            add_bound(row, *each.at, each.ours);
            result.add_row(std::move(row));
        }
        return result;
    }

    /// Everything about one setting.
    [[nodiscard]] sheet cells(setting const& where) const {
        sheet result{
            "", with_bound({"bytes", "automatic_us", "best_peer", "peer_us", "ratio", "best_by_name", "by_name_us"},
                           bound_columns())};
        for (auto const& at : where.cells) {
            auto const* const ours = automatic_beside(at, nullptr);
            sheet::row row{std::to_string(at.bytes), ours == nullptr ? "-" : time(ours->median)};
            auto const best = hardest(against_peers(where, at));
            row.insert(row.end(), {best ? name(*best->other) : "-", best ? time(best->other->median) : "-",
                                   best ? ratio(best->ratio()) : "-"});
            timing const* named = nullptr;
            for (auto const& each : at.timings) {
                if (is_choice(where, each) && (named == nullptr || each.median < named->median)) { named = &each; }
            }
            row.insert(row.end(),
                       {named == nullptr ? "-" : named->algorithm, named == nullptr ? "-" : time(named->median)});
            add_bound(row, at, ours);
            result.add_row(std::move(row));
        }
        return result;
    }

private:
    static std::string time(double microseconds) { return charts::significant(microseconds, 4); }
    static std::string range_of(timing const& one) { return range(time(one.least), time(one.most)); }
    static std::string from_to(std::set<std::size_t> const& values) {
        return values.empty() ? "-" : range(std::to_string(*values.begin()), std::to_string(*values.rbegin()));
    }
    static std::string ratio(std::optional<double> value) { return value ? charts::significant(*value, 3) : "-"; }

    static sheet::row place(setting const& of) {
        return {of.ground, of.collective,
                of.operator_name +
                    (of.element_bytes == 8 ? "" : " (elements of " + std::to_string(of.element_bytes) + " bytes)"),
                std::to_string(of.size)};
    }

    static std::string name(timing const& one) { return one.is_ours() ? one.algorithm : one.label(); }

    static std::string remark(contest const& of) {
        std::string result = of.in_one_run() ? "" : "not one run";
        if (of.is_within_noise()) {
            result += (result.empty() ? "" : ", ") + std::string{"within noise"};
            if (of.beyond_noise != nullptr) { result += ", but not " + name(*of.beyond_noise); }
        }
        return result;
    }

    void add_standing(sheet& to, sheet::row row, std::vector<contest> const& all, auto const& belongs) const {
        standing found;
        geometric_mean times_bound;
        for (auto const& each : all) {
            if (!belongs(*each.where)) { continue; }
            found.add(each);
            if (each.at->lower_bound) { times_bound.add(each.ours->median / *each.at->lower_bound); }
        }
        row.insert(row.end(), {std::to_string(found.all.count()), ratio(found.all.value()),
                               std::to_string(found.of_long_vectors.count()), ratio(found.of_long_vectors.value()),
                               found.all.count() == 0 ? "-" : ratio(found.worst), std::to_string(found.behind),
                               std::to_string(found.behind_noise)});
        if (with_bounds_) { row.push_back(ratio(times_bound.value())); }
        to.add_row(std::move(row));
    }

    static sheet::row bound_columns() { return {"lower_bound_us", "times_lower_bound"}; }
    [[nodiscard]] sheet::row with_bound(sheet::row columns, sheet::row const& more) const {
        if (with_bounds_) { columns.insert(columns.end(), more.begin(), more.end()); }
        return columns;
    }
    void add_bound(sheet::row& to, cell const& at, timing const* ours) const {
        if (!with_bounds_) { return; }
        auto const& least = at.lower_bound;
        to.push_back(least ? time(*least) : "-");
        to.push_back(least && ours != nullptr ? charts::significant(ours->median / *least, 3) : "-");
    }

    bool with_bounds_;
};

}  // namespace tutti::report
