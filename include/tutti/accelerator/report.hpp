// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <cstdio>
#include <map>
#include <mutex>
#include <string>
#include <tuple>

#include <tutti/accelerator/environment.hpp>
#include <tutti/communicator/mpi/declarations.hpp>

namespace tutti::accelerator {

/// What this rank has called, and what became of it. Only rank 0 of MPI_COMM_WORLD prints its own.
class report {
public:
    [[nodiscard]] static report& get() {
        static report all;
        return all;
    }

    /// Counts a call: `bytes` on this rank, by an algorithm of tutti's or `by_mpi`, `saved` seconds by the cost model.
    void called(function which, std::size_t bytes, std::string const& algorithm, double saved = 0) {
        auto const lock = std::lock_guard{guard_};
        auto& to = rows_[{which, algorithm}];
        ++to.calls;
        to.bytes += bytes;
        to.saved += saved;
    }
    static constexpr char const* by_mpi = "(MPI)";

    /// Calls `perform()`, a blocking call that has been counted, and adds its time.
    template <class Perform>
    decltype(auto) timed(function which, std::string const& algorithm, Perform perform) {
        struct watch {
            double& seconds;
            double begun = PMPI_Wtime();
            ~watch() { seconds += PMPI_Wtime() - begun; }
        };
        watch const one{seconds_of(which, algorithm)};
        return perform();
    }

    void print() {
        int rank = 0;
        if (PMPI_Comm_rank(MPI_COMM_WORLD, &rank) != MPI_SUCCESS || rank != 0) { return; }
        auto const lock = std::lock_guard{guard_};
        if (rows_.empty()) {
            std::fputs(
                "tutti: no collective of rank 0 has come to libtutti_mpi.so: there is none that it knows, a tool that "
                "is loaded before it takes them, or the program looks functions up in MPI's library\n",
                stderr);
            return;
        }
        std::fprintf(
            stderr,
            "tutti: calls of rank 0; seconds in them, and saved by the cost model, beside binomial "
            "trees and recursive doubling\n%-26s %12s %16s %12s %12s  %s\n",
            "function", "calls", "bytes", "seconds", "saved", "algorithm");
        for (auto const& [what, sum] : rows_) {
            std::fprintf(stderr, "%-26s %12zu %16zu %12.6f %12.6f  %s\n",
                         function_names.at(static_cast<std::size_t>(what.first)), sum.calls, sum.bytes, sum.seconds,
                         sum.saved, what.second.c_str());
        }
    }

private:
    struct row {
        std::size_t calls = 0;
        std::size_t bytes = 0;
        double seconds = 0;
        double saved = 0;
    };
    double& seconds_of(function which, std::string const& algorithm) {
        auto const lock = std::lock_guard{guard_};
        return rows_[{which, algorithm}].seconds;  // which stays where it is
    }

    std::mutex guard_;
    std::map<std::pair<function, std::string>, row> rows_;
};

}  // namespace tutti::accelerator
