// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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
        result += formatted("%10s %10s %9s %22s %11s  %-24s | place | performed by | last\n", "time", "waiting",
                            "calls", "bytes", "gain", "function");
        for (std::size_t i = 0; i != std::min(rows_.size(), most_rows); ++i) {
            auto const& each = rows_[i];
            auto const gain = each.saved > 0 ? formatted(each.taken != 0 ? "%.6f" : "(%.6f)", each.saved) : "-";
            result += formatted("%10.6f %10.6f %9llu %22s %11s  %-24s | %s | %s | %s\n", each.mean_seconds(),
                                each.mean_waited(), static_cast<unsigned long long>(each.calls),
                                text_of_bytes(each).c_str(), gain.c_str(), each.function.c_str(), places_[i].c_str(),
                                each.performed_by().c_str(), each.text_of_last(3).c_str());
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
        std::string result =
            "function,place,communicator,ranks,calls,least_bytes,median_bytes,most_bytes,seconds,waiting_seconds,"
            "taken_calls,performed_by,gain_seconds,stamped_calls,came_last\n";
        for (std::size_t i = 0; i != rows_.size(); ++i) {
            auto const all = cells_of(i);
            for (auto const& each : all) { result += each.csv + (&each == &all.back() ? '\n' : ','); }
        }
        return result;
    }

    [[nodiscard]] std::string json(int ranks, double seconds) const {
        auto result = "{\"ranks\": " + number(ranks) + ", \"seconds\": " + number(seconds) + ", \"sites\": [";
        for (std::size_t i = 0; i != rows_.size(); ++i) {
            result += i == 0 ? "\n  {" : ",\n  {";
            for (auto const& each : cells_of(i)) {
                result += (result.back() == '{' ? "\"" : ", \"") + each.name + "\": " + each.json;
            }
            result += '}';
        }
        return result + "\n]}\n";
    }

private:
    static constexpr std::size_t most_rows = 30;  // in the text, for a screen
    static constexpr std::size_t most_last = 8;   // in files

    /// A column of a row, as the files have it.
    struct cell {
        std::string name;
        std::string csv;
        std::string json;
    };

    [[nodiscard]] std::vector<cell> cells_of(std::size_t index) const {
        auto const& row = rows_[index];
        auto const text = [](char const* name, std::string const& value) {
            return cell{name, quoted(value, "\"\""), quoted(value, "\\\"")};
        };
        auto const value = [](char const* name, auto one) { return cell{name, number(one), number(one)}; };
        auto const least = number(row.bytes.least());
        auto const median = number(row.bytes.median());
        auto const most = number(row.bytes.greatest());
        cell last{"came_last", "", ""};
        for (auto const& [rank, times] : row.came_last(most_last)) {
            auto const calls = number(static_cast<std::uint64_t>(times));
            last.csv += (last.csv.empty() ? "" : ";") + number(rank) + ':' + calls;
            last.json +=
                (last.json.empty() ? "" : ", ") + ("{\"rank\": " + number(rank)) + ", \"calls\": " + calls + '}';
        }
        return {{"function", row.function, quoted(row.function, "\\\"")},
                text("place", places_[index]),
                text("communicator", row.communicator),
                value("ranks", row.ranks),
                value("calls", row.calls),
                {"bytes", least + ',' + median + ',' + most,
                 "{\"least\": " + least + ", \"median\": " + median + ", \"most\": " + most + '}'},
                value("seconds", row.mean_seconds()),
                value("waiting_seconds", row.mean_waited()),
                value("taken_calls", row.taken),
                text("performed_by", row.performed_by()),
                value("gain_seconds", row.saved),
                value("stamped_calls", row.stamped),
                {"came_last", '"' + last.csv + '"', '[' + last.json + ']'}};
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
    [[nodiscard]] static std::string quoted(std::string_view text, char const* quote) {
        std::string result = "\"";
        for (char const each : text) {
            if (each == '"') {
                result += quote;
            } else if (each == '\\' && quote[0] == '\\') {
                result += "\\\\";
            } else {
                result += each;
            }
        }
        return result + '"';
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
