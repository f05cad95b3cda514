// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include "report.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <iomanip>
#include <iterator>
#include <ostream>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tutti/analysis/draw/number.hpp>

#include "../chart/chart.hpp"

namespace tutti::generation {

namespace {

/// One of the two numbers that the cost depends on.
struct variable {
    std::string name;  ///< in files
    std::string letter;
    std::string words;
    std::string meanwhile;
    std::size_t point::*at;
    std::vector<point> result::*points;
    verdict (result::*judged)() const;
    std::vector<std::size_t> shown;
};

[[nodiscard]] std::array<variable, 2> variables() {
    return {variable{"size",
                     "p",
                     "number p of ranks",
                     std::to_string(bytes_meanwhile >> 20) + " MiB",
                     &point::size,
                     &result::against_size,
                     &result::size_verdict,
                     {64, 4096, 65'536, 1'000'000}},
            variable{"blocks",
                     "q",
                     "number q of blocks",
                     std::to_string(size_meanwhile) + " ranks",
                     &point::blocks,
                     &result::against_blocks,
                     &result::blocks_verdict,
                     {1, 100, 3000, 100'000}}};
}

/// Three digits and a unit: the largest that leaves at least 1 before it.
[[nodiscard]] std::string scaled(double value, double step, std::vector<std::string_view> const& units) {
    std::size_t unit = 0;
    for (; value >= step && unit + 1 < units.size(); ++unit) { value /= step; }
    std::ostringstream text;
    text << std::fixed << std::setprecision(value < 9.995 && unit != 0 ? 1 : 0) << value << ' ' << units[unit];
    return text.str();
}

[[nodiscard]] std::string duration(double seconds) { return scaled(seconds * 1e9, 1000, {"ns", "us", "ms", "s"}); }
[[nodiscard]] std::string memory(double bytes) { return scaled(bytes, 1024, {"B", "KiB", "MiB", "GiB"}); }

[[nodiscard]] std::string power(std::string const& of, double exponent) {
    std::ostringstream text;
    text << of << '^' << std::fixed << std::setprecision(2) << (std::abs(exponent) < 0.005 ? 0 : exponent);
    return text.str();
}

void print_row(std::ostream& out, variable const& against, result const& one) {
    auto const& points = one.*against.points;
    auto const judged = (one.*against.judged)();
    out << std::left << std::setw(20) << one.of.name << std::right;
    for (auto const shown : against.shown) {
        auto const at =
            std::find_if(points.begin(), points.end(), [&](point const& each) { return each.*against.at == shown; });
        out << std::setw(10) << (at == points.end() ? "-" : duration(at->seconds));
    }
    if (points.empty()) {
        out << "  no number of ranks that it supports was measured\n";
        return;
    }
    out << std::setw(9) << power(against.letter, judged.time) << std::setw(12) << memory(points.back().peak_bytes)
        << std::setw(9) << power(against.letter, judged.memory) << std::setw(12) << points.back().allocations
        << std::setw(9) << power(against.letter, judged.allowed) << "  " << one.of.made.words << " + steps"
        << (one.of.waits_for_root ? " + the root's blocks" : "") << (judged.kept ? "" : "  ABOVE PROMISE") << '\n';
}

template <class Visit>
void for_each_collective(std::vector<result> const& all, Visit visit) {
    std::vector<std::string_view> seen;
    for (auto const& each : all) {
        if (std::find(seen.begin(), seen.end(), each.of.collective) != seen.end()) { continue; }
        seen.push_back(each.of.collective);
        std::vector<result> own;
        std::copy_if(all.begin(), all.end(), std::back_inserter(own),
                     [&](result const& other) { return other.of.collective == each.of.collective; });
        visit(std::string{each.of.collective}, own);
    }
}

}  // namespace

void print_tables(std::ostream& out, std::vector<result> const& all) {
    std::size_t series = 0;
    std::size_t above = 0;
    for_each_collective(all, [&](std::string const& collective, std::vector<result> const& own) {
        for (auto const& against : variables()) {
            out << collective << ", " << against.meanwhile << ", against the " << against.words << '\n'
                << std::left << std::setw(20) << "  time, then growth" << std::right;
            for (auto const shown : against.shown) { out << std::setw(10) << shown; }
            out << std::setw(9) << "time" << std::setw(12) << "peak" << std::setw(9) << "peak" << std::setw(12)
                << "allocations" << std::setw(9) << "allowed"
                << "  promised\n";
            for (auto const& one : own) {
                print_row(out, against, one);
                ++series;
                above += (one.*against.judged)().kept ? 0 : 1;
            }
            out << '\n';
        }
    });
    out << "Time, peak memory and allocations to generate and read the schedule of one rank: medians of ranks 0, 1,\n"
           "p/2 and p-1, root 0. Growth over the last two decades measured; peak and allocations at the last point; a\n"
           "series ends when a point takes too long (-). Allowed: the most of what is promised beside logarithms.\n"
        << "summary: " << series << " series, " << above << " above what is promised" << std::endl;
}

std::string to_csv(std::vector<result> const& all) {
    std::string text = "collective,algorithm,against,size,blocks,work,nanoseconds,peak_bytes,allocations\n";
    for (auto const& each : all) {
        for (auto const& against : variables()) {
            for (auto const& at : each.*against.points) {
                text += std::string{each.of.collective} + ',' + each.of.name + ',' + against.name + ',' +
                        std::to_string(at.size) + ',' + std::to_string(at.blocks) + ',' + draw::number(at.work) + ',' +
                        draw::number(std::round(at.seconds * 1e9)) + ',' + draw::number(at.peak_bytes) + ',' +
                        draw::number(at.allocations) + '\n';
            }
        }
    }
    return text;
}

std::vector<std::pair<std::string, std::string>> charts_of(std::vector<result> const& all) {
    struct measure_of {
        std::string name;
        std::string title;
        std::string unit;
        double (*value)(point const&);
    };
    std::array const measures{
        measure_of{"time", "Time", "seconds", [](point const& each) { return each.seconds; }},
        measure_of{"memory", "Memory", "bytes", [](point const& each) { return std::max(each.peak_bytes, 1.0); }}};

    std::vector<std::pair<std::string, std::string>> files;
    for_each_collective(all, [&](std::string const& collective, std::vector<result> const& own) {
        for (auto const& against : variables()) {
            for (auto const& what : measures) {
                charts::chart chart{what.title + " to generate a rank's schedule: " + collective + ", " +
                                        against.meanwhile,
                                    against.words, what.unit, true, true};
                for (std::size_t i = 0; i < own.size(); ++i) {
                    charts::series line{own[i].of.name};
                    line.dashed = i >= draw::palette.size();
                    for (auto const& at : own[i].*against.points) {
                        line.points.push_back({static_cast<double>(at.*against.at), what.value(at)});
                    }
                    chart.series.push_back(std::move(line));
                }
                files.emplace_back(collective + '_' + what.name + "_against_" + against.name + ".svg", svg(chart));
            }
        }
    });
    return files;
}

}  // namespace tutti::generation
