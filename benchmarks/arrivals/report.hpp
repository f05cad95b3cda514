// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "contenders.hpp"

namespace tutti::benchmark::arrivals {

/// Who took part, by name.
struct entrant {
    std::string algorithm;
    std::string implementation;
};

/// What was timed side by side: all contenders with vectors of one size, under one delay.
struct cell {
    double delay;                                ///< milliseconds
    std::vector<std::optional<double>> elapsed;  ///< milliseconds, the mean over ranks and calls, of each entrant
    double lower_bound;                          ///< milliseconds
};

/// All delays with vectors of one size.
struct series {
    std::string mode;
    std::size_t bytes;
    std::size_t size;
    std::string estimates;
    std::size_t iterations;
    std::vector<entrant> const* entrants;
    std::vector<cell> cells;

    [[nodiscard]] std::optional<std::size_t> find(std::string_view algorithm) const {
        for (std::size_t i = 0; i != entrants->size(); ++i) {
            auto const& each = (*entrants)[i];
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

/// Results as rows of a file, written as soon as they are known.
class csv {
public:
    explicit csv(std::string const& path) : file_{path} {
        file_ << "mode,delay_ms,algorithm,implementation,size,bytes,estimates,mean_elapsed_ms,speedup_over_ring,"
                 "lower_bound_ms,iterations\n"
              << std::setprecision(9);
    }

    [[nodiscard]] bool is_good() const { return file_.good(); }

    void add(series const& of, cell const& one) {
        auto const ring = of.elapsed(one, "ring");
        for (std::size_t i = 0; i != one.elapsed.size(); ++i) {
            if (!one.elapsed[i]) { continue; }
            auto const& who = (*of.entrants)[i];
            file_ << of.mode << ',' << one.delay << ',' << who.algorithm << ',' << who.implementation << ',' << of.size
                  << ',' << of.bytes << ',' << of.estimates << ',' << *one.elapsed[i] << ',';
            if (auto const speedup = quotient(ring, one.elapsed[i])) { file_ << *speedup; }
            file_ << ',' << one.lower_bound << ',' << of.iterations << '\n';
        }
        file_.flush();
    }

private:
    std::ofstream file_;
};

/// Series as tables for people: a column for each delay.
class report {
public:
    explicit report(std::ostream& out) : out_{out} {}

    /// Mean elapsed times, and beneath them how much faster than the ring that is.
    void add(series const& all) {
        out_ << '\n'
             << all.mode << ", " << all.bytes << " bytes (" << all.bytes / sizeof(float) << " floats), " << all.size
             << (all.size == 1 ? " rank" : " ranks") << ", estimates: " << all.estimates
             << ", calls: " << all.iterations << "\nmean elapsed time in ms, and speed-up over the ring\n";
        heading(all);
        for (std::size_t i = 0; i != all.entrants->size(); ++i) {
            auto const& who = (*all.entrants)[i];
            line(who.implementation == "mpi" ? "MPI_Allreduce" : who.algorithm, all, in_ms,
                 [i](cell const& one) { return one.elapsed[i]; });
            line("", all, 2, [&](cell const& one) { return quotient(all.elapsed(one, ring_name), one.elapsed[i]); });
        }
        line("lower bound", all, in_ms, [](cell const& one) { return std::optional{one.lower_bound}; });
        if (all.find(aware_name)) { distances(all); }
        out_ << std::flush;
    }

private:
    static constexpr int label = 30;
    static constexpr int column = 10;
    static constexpr int in_ms = -1;  // digits for a time, by its size

    void name(std::string_view what) { out_ << std::left << std::setw(label) << what << std::right; }

    void number(std::optional<double> value, int digits) {
        std::ostringstream text;
        if (!value) {
            text << '-';
        } else {
            auto const by_size = *value < 1 ? 3 : *value < 10 ? 2 : 1;
            text << std::fixed << std::setprecision(digits == in_ms ? by_size : digits) << *value;
        }
        out_ << std::setw(column) << text.str();
    }

    template <class Number>
    void line(std::string_view what, series const& all, int digits, Number const& of) {
        name(what);
        for (auto const& each : all.cells) { number(of(each), digits); }
        out_ << '\n';
    }

    void heading(series const& all) {
        name("max delay, ms");
        for (auto const& each : all.cells) { out_ << std::setw(column) << each.delay; }
        out_ << '\n';
    }

    /// How far arrival_aware is from what is possible, and from the best of the algorithms among which it chooses.
    void distances(series const& all) {
        auto const best_of = [&](cell const& one) {
            std::optional<std::size_t> best;
            for (auto const& each : named_algorithms) {
                auto const i = all.find(each.name);
                if (!i || !one.elapsed[*i]) { continue; }
                if (!best || *one.elapsed[*i] < *one.elapsed[*best]) { best = i; }
            }
            return best;
        };
        line("arrival_aware / lower bound", all, 2,
             [&](cell const& one) { return quotient(all.elapsed(one, aware_name), one.lower_bound); });
        line("arrival_aware / best single", all, 2, [&](cell const& one) {
            auto const best = best_of(one);
            return best ? quotient(all.elapsed(one, aware_name), one.elapsed[*best]) : std::nullopt;
        });
        out_ << "best single:";
        for (auto const& one : all.cells) {
            auto const best = best_of(one);
            out_ << ' ' << one.delay << ": " << (best ? (*all.entrants)[*best].algorithm : "-") << ';';
        }
        out_ << '\n';
    }

    std::ostream& out_;
};

}  // namespace tutti::benchmark::arrivals
