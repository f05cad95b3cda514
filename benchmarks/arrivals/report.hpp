// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <ostream>

#include "../support/tables.hpp"
#include "contenders.hpp"

namespace tutti::benchmark::arrivals {

/// What was timed side by side: all contenders with vectors of one size, under one delay.
struct cell {
    double delay;                                ///< milliseconds
    std::vector<std::optional<double>> elapsed;  ///< milliseconds, the mean over ranks and calls, of each contender
    double lower_bound;                          ///< milliseconds
};

/// All delays with vectors of one size.
struct series {
    std::string mode;
    std::size_t bytes;
    std::size_t size;
    std::string estimates;
    std::size_t iterations;
    std::vector<contender> const* contenders;
    std::vector<cell> cells;

    [[nodiscard]] std::optional<std::size_t> find(std::string_view algorithm) const {
        for (std::size_t i = 0; i != contenders->size(); ++i) {
            auto const& each = (*contenders)[i];
            if (each.algorithm == algorithm && each.implementation == "tutti") { return i; }
        }
        return std::nullopt;
    }

    /// Of tutti's algorithm of that name.
    [[nodiscard]] std::optional<double> elapsed(cell const& in, std::string_view algorithm) const {
        auto const found = find(algorithm);
        return found ? in.elapsed[*found] : std::nullopt;
    }
};

[[nodiscard]] inline std::optional<double> quotient(std::optional<double> a, std::optional<double> b) {
    if (!a || !b || !(*b > 0)) { return std::nullopt; }
    return *a / *b;
}

inline tables::row const columns_of_file{
    "mode",      "delay_ms",        "algorithm",         "implementation", "size",      "bytes",
    "estimates", "mean_elapsed_ms", "speedup_over_ring", "lower_bound_ms", "iterations"};

inline void add_rows(tables::csv_file& to, series const& of, cell const& one) {
    auto const digits = [](double value) { return tables::formatted("%.9g", value); };
    for (std::size_t i = 0; i != one.elapsed.size(); ++i) {
        if (!one.elapsed[i]) { continue; }
        auto const& who = (*of.contenders)[i];
        auto const speedup = quotient(of.elapsed(one, ring_name), one.elapsed[i]);
        to.add(of.mode, digits(one.delay), who.algorithm, who.implementation, of.size, of.bytes, of.estimates,
               digits(*one.elapsed[i]), speedup ? digits(*speedup) : "", digits(one.lower_bound), of.iterations);
    }
}

/// A column for each delay: mean elapsed times, and beneath them how much faster than the ring that is.
[[nodiscard]] inline std::string table_of(series const& all) {
    using number = std::optional<double>;
    constexpr int by_size = -1;  // digits
    std::string result;
    auto const add = [&](std::string_view what, auto const& text) {
        result += tables::aligned(std::string{what}, -30);
        for (auto const& each : all.cells) { result += tables::aligned(text(each), 10); }
        result += '\n';
    };
    auto const add_numbers = [&](std::string_view what, int digits, auto const& of) {
        add(what, [&](cell const& each) -> std::string {
            number const value = of(each);
            if (!value) { return "-"; }
            auto const behind_point = digits != by_size ? digits : *value < 1 ? 3 : *value < 10 ? 2 : 1;
            return tables::formatted(("%." + std::to_string(behind_point) + "f").c_str(), *value);
        });
    };
    add("max delay, ms", [](cell const& each) { return tables::formatted("%g", each.delay); });
    for (std::size_t i = 0; i != all.contenders->size(); ++i) {
        auto const& who = (*all.contenders)[i];
        add_numbers(who.implementation == "mpi" ? "MPI_Allreduce" : who.algorithm, by_size,
                    [i](cell const& one) { return one.elapsed[i]; });
        add_numbers("", 2, [&](cell const& one) { return quotient(all.elapsed(one, ring_name), one.elapsed[i]); });
    }
    add_numbers("lower bound", by_size, [](cell const& one) { return number{one.lower_bound}; });
    if (!all.find(aware_name)) { return result; }

    // how far arrival_aware is from what is possible, and from the best of the algorithms among which it chooses
    auto const best_of = [&](cell const& one) {
        std::string_view best = "-";
        for (auto const& each : named_algorithms) {
            auto const time = all.elapsed(one, each.name);
            if (time && (best == "-" || *time < *all.elapsed(one, best))) { best = each.name; }
        }
        return best;
    };
    add_numbers("arrival_aware / lower bound", 2,
                [&](cell const& one) { return quotient(all.elapsed(one, aware_name), one.lower_bound); });
    add_numbers("arrival_aware / best single", 2, [&](cell const& one) {
        return quotient(all.elapsed(one, aware_name), all.elapsed(one, best_of(one)));
    });
    result += "best single:";
    for (auto const& one : all.cells) {
        result += ' ' + tables::formatted("%g", one.delay) + ": " + std::string{best_of(one)} + ';';
    }
    return result + '\n';
}

inline void print(std::ostream& out, series const& all) {
    out << '\n'
        << all.mode << ", " << all.bytes << " bytes (" << all.bytes / sizeof(float) << " floats), " << all.size
        << (all.size == 1 ? " rank" : " ranks") << ", estimates: " << all.estimates << ", calls: " << all.iterations
        << "\nmean elapsed time in ms, and speed-up over the ring\n"
        << table_of(all) << std::flush;
}

}  // namespace tutti::benchmark::arrivals
