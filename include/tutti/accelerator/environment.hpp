// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <atomic>
#include <cstdlib>
#include <cstring>

#include <tutti/communicator/mpi/declarations.hpp>

namespace tutti::accelerator {

/// What the environment variable TUTTI says: words that are separated by commas.
struct environment {
    bool off = false;     ///< `off`: every call goes to MPI
    bool all = false;     ///< `all`: every call that tutti can perform, however small; asks for MPI_THREAD_MULTIPLE
    bool report = false;  ///< `report`: a table at MPI_Finalize
    /// `reproducible`: every reduction and scan that tutti can perform, by the canonical tree over the ranks
    bool reproducible = false;

    [[nodiscard]] static environment const& get() {
        static environment const read{std::getenv("TUTTI")};
        return read;
    }

private:
    explicit environment(char const* text) {
        for (auto const* word = text; word != nullptr && *word != '\0';) {
            auto const length = std::strcspn(word, ",");
            auto const is = [&](char const* name) {
                return std::strlen(name) == length && std::strncmp(word, name, length) == 0;
            };
            off = off || is("off");
            all = all || is("all");
            report = report || is("report");
            reproducible = reproducible || is("reproducible");
            word += length + (word[length] == ',' ? 1 : 0);
        }
    }
};

/// Whether MPI runs, and tutti with it: between MPI_Init and MPI_Finalize.
[[nodiscard]] inline bool is_on() {
    static std::atomic<bool> initialised{false};
    if (environment::get().off) { return false; }
    int flag = 0;
    if (!initialised.load(std::memory_order_relaxed)) {
        if (PMPI_Initialized(&flag) != MPI_SUCCESS || flag == 0) { return false; }
        initialised.store(true, std::memory_order_relaxed);
    }
    return PMPI_Finalized(&flag) == MPI_SUCCESS && flag == 0;
}

}  // namespace tutti::accelerator
