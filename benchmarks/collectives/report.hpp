// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <map>
#include <optional>
#include <ostream>

#include "../support/tables.hpp"
#include "measure.hpp"

namespace tutti::benchmark {

/// One line of results: a contender's times.
struct result {
    std::string algorithm;
    std::string implementation;
    times seconds;
};

/// What was timed side by side.
struct cell {
    std::string_view collective;
    std::string_view operator_name;
    int size;
    std::size_t elements;
    std::size_t repetitions;
    std::vector<result> results;
};

/// Results as a table for people, a line for each size and algorithm of tutti, beside it MPI and Boost.MPI; and, where
/// a file is named, as rows of it.
class report {
public:
    report(std::ostream& out, std::vector<std::string> const& implementations, bool several_algorithms,
           std::size_t percentile, std::string const& file)
        : out_{out}, several_algorithms_{several_algorithms}, with_percentile_{percentile != 0} {
        bool with_tutti = false;
        for (auto const& name : implementations) {
            name == "tutti" ? static_cast<void>(with_tutti = true) : others_.push_back(name);
        }
        columns_.push_back({"bytes", 10, [](line const& at) {
                                return at.is_first ? std::to_string(at.of.elements * sizeof(double)) : "";
                            }});
        if (with_tutti && several_algorithms) {
            columns_.push_back({"", 2, [](line const&) { return ""; }});
            columns_.push_back({"algorithm", -24, [](line const& at) { return at.ours ? at.ours->algorithm : "-"; }});
        }
        auto const p = " p" + std::to_string(percentile);
        auto const add_times = [&](std::string const& more, int width, double times::*which) {
            if (with_tutti || which == &times::percentile) {
                columns_.push_back({"tutti" + more, width, [=](line const& at) { return told(at.ours, which); }});
            }
            for (auto const& other : others_) {
                columns_.push_back(
                    {other + more, width, [=](line const& at) { return told(find(at.of, other), which); }});
            }
        };
        add_times("", 12, &times::median);
        for (auto const& other : with_tutti ? others_ : std::vector<std::string>{}) {
            columns_.push_back({ratio_name(other), 12, [=](line const& at) {
                                    auto const found = quotient(at, other, &times::median);
                                    return found > 0 ? tables::formatted("%.2f", found) : "-";
                                }});
            columns_.push_back({"least " + ratio_name(other), 18, [=](line const& at) {
                                    return tables::formatted("%.2f", quotient(at, other, &times::least));
                                }});
        }
        if (with_percentile_) { add_times(p, 14, &times::percentile); }
        columns_.push_back({"runs", 6, [](line const& at) { return std::to_string(at.of.repetitions); }});
        if (file.empty()) { return; }
        tables::row names{"collective", "algorithm", "implementation", "size",   "elements",   "element_bytes",
                          "operator",   "median_us", "min_us",         "max_us", "repetitions"};
        if (with_percentile_) { names.push_back(p.substr(1) + "_us"); }
        file_.emplace(file, names);
    }

    void begin(std::string_view collective, std::string_view operator_name, int size) {
        out_ << '\n' << collective;
        if (operator_name != "none") { out_ << ", " << operator_name; }
        out_ << ", " << size << " ranks; median in microseconds\n";
        for (auto const& each : columns_) { out_ << tables::aligned(each.name, each.width); }
        out_ << std::endl;
    }

    void add(cell const& of) {
        if (file_) { write(of); }
        bool first = true;
        for (auto const& one : of.results) {
            if (one.implementation == "tutti") { add({of, &one, std::exchange(first, false)}); }
        }
        if (first) { add({of, nullptr, true}); }
    }

    /// The geometric mean of the ratios, over all sizes: above 1 where tutti is faster; and which way the messages of
    /// `automatic` went at last. Those of MPI go by the kernel, too, where it allows that.
    void end(std::string const& transport) {
        for (auto const& other : others_) {
            auto const& all = ratios_[other];
            for (auto const& [what, ratios] : all) {
                if (&what == &all.front().first) { out_ << "\ngeometric mean of " << ratio_name(other) << ": "; }
                out_ << (&what == &all.front().first ? "" : ", ") << what << ' '
                     << tables::formatted("%.2f", timing::geometric_mean(ratios));
            }
        }
        out_ << "\nmessages of automatic: " << transport << '\n' << std::flush;
    }

private:
    struct line {
        cell const& of;
        result const* ours;  ///< null: tutti takes no part
        bool is_first;       ///< of its cell
    };
    struct column {
        std::string name;
        int width;
        std::function<std::string(line const&)> text;
    };

    static std::string ratio_name(std::string const& other) {
        return (other == "boost_mpi" ? "boost" : other == "accelerator" ? "accel" : other) + "/tutti";
    }

    /// In microseconds.
    static std::string told(result const* of, double times::*which) {
        if (of == nullptr) { return "-"; }
        auto const time = of->seconds.*which * 1e6;
        return tables::formatted(time < 100 ? "%.2f" : time < 10000 ? "%.1f" : "%.0f", time);
    }

    static result const* find(cell const& in, std::string_view implementation) {
        for (auto const& one : in.results) {
            if (one.implementation == implementation) { return &one; }
        }
        return nullptr;
    }

    /// 0 if there is none.
    static double quotient(line const& at, std::string_view other, double times::*which) {
        auto const* const theirs = find(at.of, other);
        if (at.ours == nullptr || theirs == nullptr || !(at.ours->seconds.*which > 0)) { return 0; }
        return theirs->seconds.*which / at.ours->seconds.*which;
    }

    void add(line const& at) {
        for (auto const& each : columns_) { out_ << tables::aligned(each.text(at), each.width); }
        out_ << std::endl;
        for (auto const& other : others_) {
            auto const ratio = quotient(at, other, &times::median);
            if (!(ratio > 0)) { continue; }
            auto what = std::string{at.of.collective};
            if (at.of.operator_name != "none") { what.append(" ").append(at.of.operator_name); }
            if (several_algorithms_) { what.append(" ").append(at.ours->algorithm); }
            auto& all = ratios_[other];
            auto found = std::find_if(all.begin(), all.end(), [&](auto const& each) { return each.first == what; });
            if (found == all.end()) { found = all.insert(all.end(), {what, {}}); }
            found->second.push_back(ratio);
        }
    }

    void write(cell const& of) {
        auto const microseconds = [](double seconds) { return tables::formatted("%.9g", seconds * 1e6); };
        for (auto const& [algorithm, implementation, seconds] : of.results) {
            tables::row values{
                std::string{of.collective}, algorithm, implementation, std::to_string(of.size),
                std::to_string(of.elements), std::to_string(sizeof(double)), std::string{of.operator_name},
                microseconds(seconds.median), microseconds(seconds.least), microseconds(seconds.most),
                std::to_string(of.repetitions)};
            if (with_percentile_) { values.push_back(microseconds(seconds.percentile)); }
            file_->add_row(values);
        }
    }

    std::ostream& out_;
    bool several_algorithms_;
    bool with_percentile_;
    std::vector<std::string> others_;
    std::vector<column> columns_;
    std::optional<tables::csv_file> file_;
    /// To another implementation, of each kind of line in the order of the table.
    std::map<std::string, std::vector<std::pair<std::string, std::vector<double>>>> ratios_;
};

}  // namespace tutti::benchmark
