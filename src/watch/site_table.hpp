// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <watch/call_site.hpp>
#include <watch/source_lines.hpp>

namespace tutti::watch {

/// What all ranks have called from one place of the program.
struct site_row {
    std::string function;  ///< of MPI
    code_place place;
    std::string communicator;  ///< one of those that it has been called on
    std::size_t ranks = 0;     ///< that have called
    std::size_t members = 0;   ///< ranks of that communicator
    std::uint64_t calls = 0;   ///< most of a rank
    double seconds = 0;        ///< sum over ranks
    double waited = 0;         ///< the same, for the last rank to come
    double stamped = 0;        ///< calls of a rank of which it is known who came last
    double saved = 0;          ///< seconds that tutti saves a rank by the cost model
    byte_counts bytes;
    std::uint64_t taken = 0;
    std::string algorithm;
    std::string left;                          ///< why MPI performed others; empty if it performed none
    std::vector<std::pair<int, double>> last;  ///< ranks, and in how many calls each came last; those with most first

    static constexpr std::size_t most_last = 8;

    /// Adds another rank's, or this one's on another communicator.
    void add(site_row const& other, bool same_rank) {
        calls = same_rank ? calls + other.calls : std::max(calls, other.calls);
        stamped = same_rank ? stamped + other.stamped : std::max(stamped, other.stamped);
        ranks = same_rank ? std::max(ranks, other.ranks) : ranks + other.ranks;
        members = std::max(members, other.members);
        seconds += other.seconds;
        waited += other.waited;
        saved = same_rank ? saved + other.saved : std::max(saved, other.saved);
        bytes.add(other.bytes);
        taken = same_rank ? taken + other.taken : std::max(taken, other.taken);
        if (algorithm.empty()) { algorithm = other.algorithm; }
        if (left.empty()) { left = other.left; }
        for (auto const& [rank, times] : other.last) {
            auto const same = [r = rank](auto const& each) { return each.first == r; };
            auto const found = std::find_if(last.begin(), last.end(), same);
            if (found == last.end()) {
                last.emplace_back(rank, times);
            } else {  // every rank of a call knows who was its last
                found->second = same_rank ? found->second + times : std::max(found->second, times);
            }
        }
        sort_last();
    }
    void sort_last() {
        std::stable_sort(last.begin(), last.end(), [](auto const& a, auto const& b) { return a.second > b.second; });
        if (last.size() > most_last) { last.resize(most_last); }
    }

    [[nodiscard]] double mean_seconds() const { return seconds / static_cast<double>(std::max<std::size_t>(ranks, 1)); }
    [[nodiscard]] double mean_waited() const { return waited / static_cast<double>(std::max<std::size_t>(ranks, 1)); }

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

    /// "3 (98 %), 0 (1 %)": the ranks that came last most often.
    [[nodiscard]] std::string came_last(std::size_t most) const {
        std::string text;
        for (std::size_t i = 0; i != std::min(most, last.size()) && last[i].second > 0 && stamped > 0; ++i) {
            auto const percent = static_cast<int>(100 * last[i].second / stamped + 0.5);
            text += (text.empty() ? "" : ", ") + std::to_string(last[i].first) + " (" + std::to_string(percent) + " %)";
        }
        return text.empty() ? "-" : text;
    }

    // ---- as bytes, from rank to rank ------------------------------------------------------------------------------

    void write(std::string& to) const {
        std::ostringstream out;
        out.precision(17);
        for (auto const& text : {function, place.module, communicator, algorithm, left}) { out << text << '\n'; }
        out << place.offset << ' ' << ranks << ' ' << members << ' ' << calls << ' ' << seconds << ' ' << waited << ' '
            << stamped << ' ' << saved << ' ' << taken << ' ' << bytes.all().size() << ' ' << last.size();
        for (auto const& [length, number] : bytes.all()) { out << ' ' << length << ' ' << number; }
        for (auto const& [rank, times] : last) { out << ' ' << rank << ' ' << times; }
        out << '\n';
        to += std::move(out).str();
    }
    /// False if there is none.
    bool read(std::istream& in) {
        for (auto* text : {&function, &place.module, &communicator, &algorithm, &left}) { std::getline(in, *text); }
        std::size_t lengths = 0;
        std::size_t lasts = 0;
        in >> place.offset >> ranks >> members >> calls >> seconds >> waited >> stamped >> saved >> taken >> lengths >>
            lasts;
        for (std::size_t i = 0; i != lengths && in; ++i) {
            std::int64_t length = 0;
            std::uint64_t number = 0;
            in >> length >> number;
            bytes.add(length, number);
        }
        for (std::size_t i = 0; i != lasts && in; ++i) {
            auto& [rank, times] = last.emplace_back();
            in >> rank >> times;
        }
        in.ignore(1);
        return static_cast<bool>(in);
    }
};

/// Rows by function and place.
class site_rows {
public:
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
            all.back().sort_last();
        }
    }

    [[nodiscard]] std::string bytes() const {
        std::string result;
        for (auto const& each : all) { each.write(result); }
        return result;
    }
    void add(std::string const& bytes) {
        std::istringstream in{bytes};
        while (in.peek() != std::istringstream::traits_type::eof()) {
            site_row row;
            if (!row.read(in)) { break; }
            add(row, false);
        }
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
                                each.performed_by().c_str(), each.came_last(3).c_str());
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
            auto const& each = rows_[i];
            std::ostringstream out;
            out << each.function << ',' << quoted(places_[i], "\"\"") << ',' << quoted(each.communicator, "\"\"") << ','
                << each.ranks << ',' << each.calls << ',' << each.bytes.least() << ',' << each.bytes.median() << ','
                << each.bytes.greatest() << ',' << each.mean_seconds() << ',' << each.mean_waited() << ',' << each.taken
                << ',' << quoted(each.performed_by(), "\"\"") << ',' << each.saved << ',' << each.stamped << ',';
            std::string lasts;
            for (auto const& [rank, times] : each.last) {
                if (times > 0) { lasts += (lasts.empty() ? "" : ";") + std::to_string(rank) + ':' + number(times); }
            }
            result += std::move(out).str() + quoted(lasts, "\"\"") + '\n';
        }
        return result;
    }

    [[nodiscard]] std::string json(int ranks, double seconds) const {
        std::ostringstream out;
        out << "{\"ranks\": " << ranks << ", \"seconds\": " << seconds << ", \"sites\": [";
        for (std::size_t i = 0; i != rows_.size(); ++i) {
            auto const& each = rows_[i];
            out << (i == 0 ? "\n" : ",\n") << "  {\"function\": \"" << each.function
                << "\", \"place\": " << quoted(places_[i], "\\\"")
                << ", \"communicator\": " << quoted(each.communicator, "\\\"") << ", \"ranks\": " << each.ranks
                << ", \"calls\": " << each.calls << ", \"bytes\": {\"least\": " << each.bytes.least()
                << ", \"median\": " << each.bytes.median() << ", \"most\": " << each.bytes.greatest()
                << "}, \"seconds\": " << each.mean_seconds() << ", \"waiting_seconds\": " << each.mean_waited()
                << ", \"taken_calls\": " << each.taken << ", \"performed_by\": " << quoted(each.performed_by(), "\\\"")
                << ", \"gain_seconds\": " << each.saved << ", \"stamped_calls\": " << each.stamped
                << ", \"came_last\": [";
            bool is_first = true;
            for (auto const& [rank, times] : each.last) {
                if (times <= 0) { continue; }
                out << (std::exchange(is_first, false) ? "" : ", ") << "{\"rank\": " << rank
                    << ", \"calls\": " << number(times) << '}';
            }
            out << "]}";
        }
        out << "\n]}\n";
        return std::move(out).str();
    }

private:
    static constexpr std::size_t most_rows = 30;  // in the text, for a screen

    template <class... Values>
    [[nodiscard]] static std::string formatted(char const* how, Values... values) {
        std::array<char, 800> line{};
        std::snprintf(line.data(), line.size(), how, values...);
        return line.data();
    }
    [[nodiscard]] static std::string number(double value) { return std::to_string(static_cast<std::uint64_t>(value)); }
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
