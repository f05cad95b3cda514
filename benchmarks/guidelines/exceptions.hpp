// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <map>
#include <sstream>

#include "../support/tables.hpp"

namespace tutti::benchmark::guidelines {

/// The left side should take no longer than the right one.
struct comparison {
    std::string platform;
    std::size_t ranks;
    std::size_t bytes;
    double overhead;  ///< of a message on either side, in seconds
    std::string guideline, left, right;
    double left_seconds, right_seconds;

    [[nodiscard]] double ratio() const { return right_seconds > 0 ? left_seconds / right_seconds : 1; }
    /// By more than 2 % and the overheads of a message.
    [[nodiscard]] bool is_violation() const { return left_seconds > 1.02 * right_seconds + 2 * overhead; }
};

inline void write_rows(std::string const& file, std::vector<comparison> const& rows) {
    tables::csv_file out{file,
                         {"platform", "ranks", "bytes", "guideline", "left", "right", "left_us", "right_us", "ratio",
                          "library"}};
    auto const digits = [](double value) { return tables::formatted("%g", value); };
    for (auto const& each : rows) {
        out.add(each.platform, each.ranks, each.bytes, each.guideline, each.left, each.right,
                digits(each.left_seconds * 1e6), digits(each.right_seconds * 1e6), digits(each.ratio()), "tutti");
    }
    if (!out.is_good()) { throw command_line::usage_error{"cannot write to " + file}; }
}

/// Numbers from `first` to `last`: "5", "2-33", "*".
struct interval {
    std::size_t first = 0;
    std::size_t last = std::numeric_limits<std::size_t>::max();

    [[nodiscard]] bool has(std::size_t number) const { return first <= number && number <= last; }
};

[[nodiscard]] inline interval interval_of(std::string const& text) {
    if (text == "*") { return {}; }
    auto const dash = text.find('-');
    auto const first = std::stoul(text.substr(0, dash));
    return {first, dash == std::string::npos ? first : std::stoul(text.substr(dash + 1))};
}

/// Violations that are known, up to a ratio. "*" is anything.
struct exception {
    std::string guideline, left, right, platform;
    interval ranks, bytes;
    double ratio;
    std::string line;
    bool is_rare;  ///< the reason begins with "rare: ": of all cells, not of the few that --quick has
    std::size_t met = 0;

    [[nodiscard]] bool is_for(comparison const& one) const {
        auto const fits = [](std::string const& pattern, std::string_view text) {
            return pattern == "*" || pattern == text;
        };
        return fits(guideline, one.guideline) && fits(left, one.left) && fits(right, one.right) &&
               fits(platform, one.platform) && ranks.has(one.ranks) && bytes.has(one.bytes) && one.ratio() <= ratio;
    }
};

/// Lines `guideline,left,right,platform,ranks,bytes,ratio,reason`; the first names the columns.
[[nodiscard]] inline std::vector<exception> read_exceptions(std::string const& file) {
    std::ifstream in{file};
    if (!in) { throw command_line::usage_error{"cannot read " + file}; }
    std::vector<exception> result;
    std::string line;
    std::getline(in, line);
    while (std::getline(in, line)) {
        std::istringstream columns{line};
        std::vector<std::string> cells(8);
        for (std::size_t i = 0; i != 7; ++i) { std::getline(columns, cells[i], ','); }
        std::getline(columns, cells[7]);
        if (cells[7].empty()) { throw command_line::usage_error{file + ": a line without a reason: " + line}; }
        result.push_back({cells[0], cells[1], cells[2], cells[3], interval_of(cells[4]), interval_of(cells[5]),
                          std::stod(cells[6]), line, cells[7].starts_with("rare: ")});
    }
    return result;
}

/// Prints how often each guideline is violated; then, as a gate, violations that are not known and exceptions that no
/// row needs. Whether there are none of either.
[[nodiscard]] inline bool report(std::vector<comparison> const& rows, std::vector<exception>& known, bool is_gate,
                                 bool is_quick) {
    struct counts {
        std::size_t all = 0, violated = 0;
        comparison const* worst = nullptr;
    };
    std::map<std::string, counts> by_guideline;
    counts total;
    std::vector<comparison const*> unknown;
    for (auto const& each : rows) {
        for (auto* const to : {&by_guideline[each.guideline], &total}) {
            ++to->all;
            to->violated += each.is_violation();
            if (to->worst == nullptr || each.ratio() > to->worst->ratio()) { to->worst = &each; }
        }
        if (!each.is_violation()) { continue; }
        auto const found = std::ranges::find_if(known, [&](exception const& one) { return one.is_for(each); });
        found == known.end() ? unknown.push_back(&each) : static_cast<void>(++found->met);
    }
    auto const print = [](std::string const& name, counts const& of) {
        auto const& worst = *of.worst;
        std::printf("%-12s %7zu comparisons, %5zu violated (%.2f %%), worst %.2f: "
                    "%s and %s, %s, %zu ranks, %zu bytes\n", name.c_str(), of.all, of.violated,
                    100.0 * static_cast<double>(of.violated) / static_cast<double>(of.all), worst.ratio(),
                    worst.left.c_str(), worst.right.c_str(), worst.platform.c_str(), worst.ranks, worst.bytes);
    };
    for (auto const& [name, of] : by_guideline) { print(name, of); }
    if (total.all != 0) { print("all", total); }
    if (!is_gate) { return true; }
    for (auto const* each : unknown) {
        std::printf("not known: %s: %s %.2f us, %s %.2f us (%.3f), %s, %zu ranks, %zu bytes\n", each->guideline.c_str(),
                    each->left.c_str(), each->left_seconds * 1e6, each->right.c_str(), each->right_seconds * 1e6,
                    each->ratio(), each->platform.c_str(), each->ranks, each->bytes);
    }
    std::size_t unneeded = 0;
    for (auto const& each : known) {
        if (each.met != 0 || (is_quick && each.is_rare)) { continue; }
        ++unneeded;
        std::printf("not needed: %s\n", each.line.c_str());
    }
    return unknown.empty() && unneeded == 0;
}

}  // namespace tutti::benchmark::guidelines
