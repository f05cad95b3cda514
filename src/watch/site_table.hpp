// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <tutti/analysis/escaped.hpp>
#include <watch/call_site.hpp>
#include <watch/source_lines.hpp>

namespace tutti::watch {

/// What all ranks have called from one place of the program: sums of a rank.
struct site_row : call_sums {
    std::string function{};  ///< of MPI
    code_place place{};
    std::string communicator{};  ///< one of those that it has been called on
    std::size_t ranks = 1;       ///< that have called
    std::size_t members = 0;     ///< ranks of that communicator
    double seconds = 0;          ///< sum over ranks
    double waited = 0;           ///< the same, for the last rank to come
    std::string left{};          ///< why MPI performed others; empty if it performed none

    static void members_of(auto& one, auto use) {
        use(one.calls, one.bytes, one.taken, one.algorithm, one.saved, one.stamped, one.function, one.place.module,
            one.place.offset, one.communicator, one.ranks, one.members, one.seconds, one.waited, one.left, one.last);
    }

    /// Adds another rank's, or this one's on another communicator.
    void add(site_row const& other, bool same_rank) {
        call_sums::add(other, same_rank);
        ranks = same_rank ? std::max(ranks, other.ranks) : ranks + other.ranks;
        members = std::max(members, other.members);
        seconds += other.seconds;
        waited += other.waited;
        if (left.empty()) { left = other.left; }
    }

    [[nodiscard]] double mean_seconds() const { return seconds / static_cast<double>(ranks); }
    [[nodiscard]] double mean_waited() const { return waited / static_cast<double>(ranks); }

    /// "MPI, too short", "tutti: ring", "tutti: ring (90 %); MPI, too short".
    [[nodiscard]] std::string performed_by() const {
        std::string text;
        if (taken != 0) { text = "tutti, " + algorithm; }
        if (taken < calls) {
            if (taken != 0) { text += " (" + std::to_string(100 * taken / calls) + " %); "; }
            text += "MPI, " + (left.empty() ? "no reason noted" : left);
        }
        return text;
    }

    /// The ranks that came last most often, and how often.
    [[nodiscard]] std::vector<std::pair<int, double>> came_last(std::size_t most) const {
        std::vector<std::pair<int, double>> all(last.begin(), last.end());
        std::stable_sort(all.begin(), all.end(), [](auto const& a, auto const& b) { return a.second > b.second; });
        if (all.size() > most) { all.resize(most); }
        return all;
    }
    /// "3 (98 %), 0 (1 %)", or "-".
    [[nodiscard]] std::string text_of_last(std::size_t most) const {
        std::string text;
        for (auto const& [rank, times] : came_last(most)) {
            auto const percent = static_cast<int>(100 * times / stamped + 0.5);
            text += (text.empty() ? "" : ", ") + std::to_string(rank) + " (" + std::to_string(percent) + " %)";
        }
        return text.empty() ? "-" : text;
    }
};

/// Rows by function and place.
class site_rows {
public:
    static void members_of(auto& one, auto use) { use(one.all); }

    [[nodiscard]] site_row* find(site_row const& row) {
        auto const same = [&](site_row const& each) {
            return each.function == row.function && each.place.offset == row.place.offset &&
                   each.place.module == row.place.module;
        };
        auto const found = std::find_if(all.begin(), all.end(), same);
        return found == all.end() ? nullptr : &*found;
    }
    void add(site_row const& row, bool same_rank) {
        if (auto* const found = find(row)) {
            found->add(row, same_rank);
        } else {
            all.push_back(row);
        }
    }
    /// Adds those of other ranks.
    void add(site_rows const& others) {
        for (auto const& each : others.all) { add(each, false); }
    }

    std::vector<site_row> all;
};

/// How the table is written: as text, as CSV if the name of its file ends so, as JSON if it ends so.
class site_table {
public:
    explicit site_table(site_rows rows) : rows_{std::move(rows.all)} {
        std::stable_sort(rows_.begin(), rows_.end(),
                         [](auto const& a, auto const& b) { return a.mean_seconds() > b.mean_seconds(); });
        source_lines const lines;
        for (auto const& each : rows_) {
            auto const* const address = each.place.address();
            places_.push_back(address != nullptr ? lines.of(address) : each.place.text());
        }
    }

    [[nodiscard]] std::string text(int ranks, double seconds) const {
        double in_all = 0;
        double waiting = 0;
        for (auto const& each : rows_) {
            in_all += each.mean_seconds();
            waiting += each.mean_waited();
        }
        std::string result = formatted(
            "tutti: of %.3f s, %d ranks spent %.3f s in collectives, of which %.3f s waiting for the last rank to come "
            "(means over the ranks). By the place that calls:\n",
            seconds, ranks, in_all, waiting);
        result +=
            "  time      seconds in these calls\n"
            "  waiting   seconds of these before the last rank had come; the rest is the collective itself\n"
            "  calls     of one rank\n"
            "  bytes     of one rank in a call: least / median / most\n"
            "  gain      seconds that tutti saves, or would save if it took any of the calls (in parentheses), as its\n"
            "            cost model expects, beside the usual algorithms of MPI libraries: no measurement\n"
            "  performed by tutti and its algorithm, or by MPI and why\n"
            "  last      the ranks that came last most often, and in how many of the calls\n";
        result += aligned(columns_of({}, {}), &column::title);
        for (std::size_t i = 0; i != std::min(rows_.size(), most_rows); ++i) {
            result += aligned(columns_of(rows_[i], places_[i]), &column::shown);
        }
        if (rows_.size() > most_rows) {
            double others = 0;
            for (auto i = most_rows; i != rows_.size(); ++i) { others += rows_[i].mean_seconds(); }
            result += formatted("%10.6f s in %zu more places; TUTTI=report:FILE.csv has all\n", others,
                                rows_.size() - most_rows);
        }
        return result;
    }

    [[nodiscard]] std::string csv() const {
        auto result = joined(columns_of({}, {}), &column::names);
        for (std::size_t i = 0; i != rows_.size(); ++i) {
            result += joined(columns_of(rows_[i], places_[i]), &column::csv);
        }
        return result;
    }

    [[nodiscard]] std::string json(int ranks, double seconds) const {
        auto result = "{\"ranks\": " + number(ranks) + ", \"seconds\": " + number(seconds) + ", \"sites\": [";
        for (std::size_t i = 0; i != rows_.size(); ++i) {
            result += i == 0 ? "\n  {" : ",\n  {";
            for (auto const& each : columns_of(rows_[i], places_[i])) {
                result += (result.back() == '{' ? "\"" : ", \"") + each.name + "\": " + each.json;
            }
            result += '}';
        }
        return result + "\n]}\n";
    }

private:
    static constexpr std::size_t most_rows = 30;  // in the text, for a screen
    static constexpr std::size_t most_last = 8;   // in files

    /// A column, and what a row has in it.
    struct column {
        std::string name;  ///< in JSON
        std::string csv;
        std::string json;
        std::string title{};  ///< in the text, if it is there
        int width = 0;        ///< there, at least; negative: begins at the left
        std::string shown{};
        std::string names = name;  ///< in CSV, where a value may have parts
    };
    using columns = std::array<column, 13>;
    static constexpr std::size_t in_text[] = {6, 7, 4, 5, 10, 0, 1, 9, 12};  // in this order

    [[nodiscard]] static columns columns_of(site_row const& row, std::string const& place) {
        auto const words = [](char const* name, std::string const& text, char const* title = "") {
            return column{name, analysis::quoted_for_csv(text), analysis::quoted_for_json(text), title, 0, text};
        };
        auto const value = [](char const* name, auto one, char const* title = "", int width = 0,
                              std::string const& shown = "") {
            return column{name, number(one), number(one), title, width, shown};
        };
        auto const time = row.mean_seconds();
        auto const waited = row.mean_waited();
        auto const gain = row.saved > 0 ? formatted(row.taken != 0 ? "%.6f" : "(%.6f)", row.saved) : "-";
        auto const least = number(row.bytes.least());
        auto const median = number(row.bytes.median());
        auto const most = number(row.bytes.greatest());
        std::string last_csv;
        std::string last_json;
        for (auto const& [rank, times] : row.came_last(most_last)) {
            auto const calls = number(static_cast<std::uint64_t>(times));
            last_csv += (last_csv.empty() ? "" : ";") + number(rank) + ':' + calls;
            last_json += last_json.empty() ? "" : ", ";
            last_json += "{\"rank\": " + number(rank) + ", \"calls\": " + calls + '}';
        }
        auto const in_json = analysis::quoted_for_json(row.function);
        return {column{"function", row.function, in_json, "function", -24, row.function},
                words("place", place, "place"),
                words("communicator", row.communicator),
                value("ranks", row.ranks),
                value("calls", row.calls, "calls", 9, number(row.calls)),
                column{"bytes", least + ',' + median + ',' + most,
                       "{\"least\": " + least + ", \"median\": " + median + ", \"most\": " + most + '}', "bytes", 22,
                       text_of_bytes(row), "least_bytes,median_bytes,most_bytes"},
                value("seconds", time, "time", 10, formatted("%.6f", time)),
                value("waiting_seconds", waited, "waiting", 10, formatted("%.6f", waited)),
                value("taken_calls", row.taken),
                words("performed_by", row.performed_by(), "performed by"),
                value("gain_seconds", row.saved, "gain", 11, gain),
                value("stamped_calls", row.stamped),
                column{"came_last", '"' + last_csv + '"', '[' + last_json + ']', "last", 0, row.text_of_last(3)}};
    }

    [[nodiscard]] static std::string joined(columns const& all, std::string column::*part) {
        std::string line;
        for (auto const& each : all) { line += each.*part + (&each == &all.back() ? '\n' : ','); }
        return line;
    }
    /// A line of the text. Columns of a fixed width are apart by a space, the others by a bar.
    [[nodiscard]] static std::string aligned(columns const& all, std::string column::*part) {
        std::string line;
        for (auto const index : in_text) {
            auto const& each = all[index];
            auto const width = static_cast<std::size_t>(std::abs(each.width));
            std::string const fill(width - std::min(width, (each.*part).size()), ' ');
            if (!line.empty()) { line += each.width == 0 ? " | " : each.width < 0 ? "  " : " "; }
            line += each.width < 0 ? each.*part + fill : fill + each.*part;
        }
        return line + '\n';
    }

    template <class... Values>
    [[nodiscard]] static std::string formatted(char const* how, Values... values) {
        std::array<char, 800> line{};
        std::snprintf(line.data(), line.size(), how, values...);
        return line.data();
    }
    /// As std::ostream writes it.
    [[nodiscard]] static std::string number(auto value) {
        std::ostringstream out;
        out << value;
        return std::move(out).str();
    }
    [[nodiscard]] static std::string text_of_bytes(site_row const& of) {
        if (of.bytes.greatest() < 0) { return "-"; }
        auto const text = [](std::int64_t bytes) { return bytes < 0 ? std::string{"?"} : std::to_string(bytes); };
        if (of.bytes.least() == of.bytes.greatest()) { return text(of.bytes.least()); }
        return text(of.bytes.least()) + " / " + text(of.bytes.median()) + " / " + text(of.bytes.greatest());
    }

    std::vector<site_row> rows_;
    std::vector<std::string> places_;
};

}  // namespace tutti::watch
