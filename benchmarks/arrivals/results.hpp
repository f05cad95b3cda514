// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <fstream>
#include <iomanip>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

}  // namespace tutti::benchmark::arrivals
