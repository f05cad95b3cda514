// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cmath>
#include <cstddef>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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

/// Results as rows of a file, written as soon as they are known.
class csv {
public:
    /// With another column for the percentile, unless that is 0.
    csv(std::string const& path, std::size_t percentile) : file_{path}, with_percentile_{percentile != 0} {
        file_ << "collective,algorithm,implementation,size,elements,element_bytes,operator,median_us,min_us,max_us,"
                 "repetitions";
        if (with_percentile_) { file_ << ",p" << percentile << "_us"; }
        file_ << '\n' << std::setprecision(9);
    }

    void add(cell const& of) {
        for (auto const& [algorithm, implementation, seconds] : of.results) {
            file_ << of.collective << ',' << algorithm << ',' << implementation << ',' << of.size << ',' << of.elements
                  << ',' << sizeof(double) << ',' << of.operator_name << ',' << seconds.median * 1e6 << ','
                  << seconds.least * 1e6 << ',' << seconds.most * 1e6 << ',' << of.repetitions;
            if (with_percentile_) { file_ << ',' << seconds.percentile * 1e6; }
            file_ << '\n';
        }
        file_.flush();
    }

private:
    std::ofstream file_;
    bool with_percentile_;
};

/// Results as a table for people: a line for each size and algorithm of tutti, beside it MPI and Boost.MPI.
class table {
public:
    table(std::ostream& out, std::vector<std::string> const& implementations, bool several_algorithms,
          std::size_t percentile)
        : out_{out}, several_algorithms_{several_algorithms}, percentile_{percentile} {
        for (auto const& name : implementations) {
            if (name != "tutti") { others_.push_back(name); }
        }
        with_tutti_ = others_.size() != implementations.size();
    }

    void begin(std::string_view collective, std::string_view operator_name, int size) {
        out_ << '\n' << collective;
        if (operator_name != "none") { out_ << ", " << operator_name; }
        out_ << ", " << size << " ranks; median in microseconds\n";
        auto high = others_;
        high.insert(high.begin(), "tutti");
        for (auto& each : high) { each += " p" + std::to_string(percentile_); }
        print(
            "bytes", "algorithm", "tutti", others_, &table::ratio_name,
            [](std::string const& other) { return "least " + ratio_name(other); }, high, "runs");
        out_ << std::flush;
    }

    void add(cell const& of) {
        bool first = true;
        for (auto const& one : of.results) {
            if (one.implementation == "tutti") { line(of, &one, std::exchange(first, false)); }
        }
        if (first) { line(of, nullptr, true); }
        out_ << std::flush;
    }

    /// The geometric mean of the ratios, over all sizes: above 1 where tutti is faster; and which way the messages of
    /// `automatic` went at last. Those of MPI go by the kernel, too, where it allows that.
    void end(std::string const& transport) {
        for (auto const& other : others_) {
            char const* separator = "";
            for (auto const& each : means_) {
                if (each.other != other) { continue; }
                if (*separator == '\0') { out_ << "\ngeometric mean of " << ratio_name(other) << ": "; }
                out_ << std::exchange(separator, ", ") << each.what << ' '
                     << fixed(std::exp(each.logarithms / static_cast<double>(each.sizes)), 2);
            }
        }
        out_ << "\nmessages of automatic: " << transport << '\n' << std::flush;
    }

private:
    static std::string ratio_name(std::string const& other) {
        return (other == "boost_mpi" ? "boost" : other == "accelerator" ? "accel" : other) + "/tutti";
    }

    static std::string fixed(double number, int digits) {
        std::ostringstream text;
        text << std::fixed << std::setprecision(digits) << number;
        return text.str();
    }

    static std::string microseconds(result const* of, double times::*which = &times::median) {
        if (of == nullptr) { return "-"; }
        auto const time = of->seconds.*which * 1e6;
        return fixed(time, time < 100 ? 2 : time < 10000 ? 1 : 0);
    }

    /// 0 if there is none.
    static double quotient(result const* ours, result const* theirs, double times::*which) {
        if (ours == nullptr || theirs == nullptr || !(ours->seconds.*which > 0)) { return 0; }
        return theirs->seconds.*which / ours->seconds.*which;
    }

    static result const* find(cell const& in, std::string_view implementation) {
        for (auto const& one : in.results) {
            if (one.implementation == implementation) { return &one; }
        }
        return nullptr;
    }

    void line(cell const& of, result const* ours, bool is_first) {
        std::vector<std::string> theirs;
        std::vector<std::string> high{microseconds(ours, &times::percentile)};
        for (auto const& other : others_) {
            theirs.push_back(microseconds(find(of, other)));
            high.push_back(microseconds(find(of, other), &times::percentile));
        }
        print(
            is_first ? std::to_string(of.elements * sizeof(double)) : "", ours != nullptr ? ours->algorithm : "-",
            microseconds(ours), theirs, [&](std::string const& other) { return ratio(of, ours, other); },
            [&](std::string const& other) { return fixed(quotient(ours, find(of, other), &times::least), 2); }, high,
            std::to_string(of.repetitions));
    }

    /// A line of the table, of which the ratios to the other implementations are `ratio_to`, those of the least times
    /// `least_to`, and `high` the percentiles.
    void print(std::string const& bytes, std::string const& algorithm, std::string const& ours,
               std::vector<std::string> const& theirs, auto const& ratio_to, auto const& least_to,
               std::vector<std::string> const& high, std::string const& runs) {
        out_ << std::setw(10) << bytes;
        if (with_tutti_ && several_algorithms_) {
            out_ << "  " << std::left << std::setw(24) << algorithm << std::right;
        }
        if (with_tutti_) { out_ << std::setw(12) << ours; }
        for (auto const& each : theirs) { out_ << std::setw(12) << each; }
        for (auto const& other : with_tutti_ ? others_ : std::vector<std::string>{}) {
            out_ << std::setw(12) << ratio_to(other) << std::setw(18) << least_to(other);
        }
        if (percentile_ != 0) {
            for (auto const& each : high) { out_ << std::setw(14) << each; }
        }
        out_ << std::setw(6) << runs << '\n';
    }

    std::string ratio(cell const& of, result const* ours, std::string const& other) {
        auto const of_medians = quotient(ours, find(of, other), &times::median);
        if (!(of_medians > 0)) { return "-"; }
        auto what = std::string{of.collective};
        if (of.operator_name != "none") { what.append(" ").append(of.operator_name); }
        if (several_algorithms_) { what.append(" ").append(ours->algorithm); }
        auto& mean = mean_of(what, other);
        mean.logarithms += std::log(of_medians);
        ++mean.sizes;
        return fixed(of_medians, 2);
    }

    struct geometric_mean {
        std::string what;
        std::string other;
        double logarithms = 0;
        std::size_t sizes = 0;
    };

    geometric_mean& mean_of(std::string const& what, std::string const& other) {
        for (auto& each : means_) {
            if (each.what == what && each.other == other) { return each; }
        }
        return means_.emplace_back(geometric_mean{what, other});
    }

    std::ostream& out_;
    bool several_algorithms_;
    std::size_t percentile_;  // 0: not shown
    bool with_tutti_ = false;
    std::vector<std::string> others_;
    std::vector<geometric_mean> means_;  // in the order of the table
};

}  // namespace tutti::benchmark
