// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <system_error>

#include <tutti/accelerator/roll_call.hpp>
#include <tutti/communicator/mpi/declarations.hpp>
#include <tutti/communicator/mpi/environment.hpp>

namespace tutti::accelerator {

/// MPI's functions that are intercepted.
enum class function {
    all_reduce,
    reduce,
    reduce_scatter,
    reduce_scatter_block,
    scan,
    exscan,
    broadcast,
    gather,
    gatherv,
    scatter,
    scatterv,
    all_gather,
    all_gatherv,
    barrier
};
[[nodiscard]] constexpr bool combines(function which) { return which <= function::exscan; }
inline constexpr std::array function_names{
    "MPI_Allreduce",  "MPI_Reduce",  "MPI_Reduce_scatter", "MPI_Reduce_scatter_block",
    "MPI_Scan",       "MPI_Exscan",  "MPI_Bcast",          "MPI_Gather",
    "MPI_Gatherv",    "MPI_Scatter", "MPI_Scatterv",       "MPI_Allgather",
    "MPI_Allgatherv", "MPI_Barrier"};

/// That of a name, also of the form with large counts.
[[nodiscard]] constexpr std::optional<function> function_of(std::string_view name) {
    for (std::size_t i = 0; i != function_names.size(); ++i) {
        std::string_view const known = function_names[i];
        if (name.starts_with(known) && (name.size() == known.size() || name.substr(known.size()) == "_c")) {
            return static_cast<function>(i);
        }
    }
    return std::nullopt;
}

/// The environment variable TUTTI: words separated by commas, in upper or lower case.
struct environment {
    bool off = false;     ///< `off`: every call goes to MPI
    bool all = false;     ///< `all`: every blocking call that tutti can perform, however small
    bool cut = false;     ///< `cut`: users' operators combine parts of vectors, as MPI's own do
    bool report = false;  ///< `report`, `report:FILE`: a table at MPI_Finalize
    std::string report_file{};      ///< empty: standard error
    std::optional<double> watch{};  ///< `watch`, `watch:SECONDS`: MPI performs all calls; who does not come is named
    bool fixed = false;  ///< `fixed`: who performs a call is not learned from times
    std::optional<std::string> learn_file{};  ///< `learn:FILE`: sums are learned, too, and what was is written
    std::optional<std::string> use_file{};    ///< `use:FILE`: that is read, and decides
    bool check = false;             ///< `check`, beside `watch`: calls are compared before data moves
    /// `reproducible`: every reduction and scan that tutti can perform, by the canonical tree over the ranks
    bool reproducible = false;
    /// `allreduce`, `bcast>=65536`, ...: these, from this many bytes of the whole vector on, and no others
    std::array<std::optional<std::size_t>, function_names.size()> named{};
    bool names_some = false;

    [[nodiscard]] static environment const& get() {
        static environment const read{std::getenv("TUTTI")};
        return read;
    }

private:
    explicit environment(char const* text) {
        std::string_view rest{text != nullptr ? text : ""};
        while (!rest.empty()) {
            auto const written = rest.substr(0, rest.find(','));
            rest.remove_prefix(std::min(written.size() + 1, rest.size()));
            std::string word{written};
            std::transform(word.begin(), word.end(), word.begin(), mpi::lower_case);
            if (!word.empty() && !is_flag(word) && !has_value(word, written) && !is_name(word)) {
                std::fprintf(stderr,
                             "tutti: TUTTI=%s is not known; use off, all, cut, reproducible, report, report:FILE, "
                             "watch, watch:SECONDS, check, fixed, learn:FILE, use:FILE, or functions as in "
                             "allreduce,bcast>=65536\n",
                             std::string{written}.c_str());
            }
        }
        if (check && !watch) { watch = usual_patience; }
    }

    static constexpr double usual_patience = 10;  // s

    /// `report:FILE`, `watch:SECONDS`.
    [[nodiscard]] bool has_value(std::string_view word, std::string_view written) {
        auto const value = written.substr(std::min(word.find(':') + 1, written.size()));
        if (word.starts_with("report:") && !value.empty()) {
            report_file = value;
            return report = true;
        }
        for (auto const& [prefix, file] :
             {std::pair{"learn:", &environment::learn_file}, std::pair{"use:", &environment::use_file}}) {
            if (word.starts_with(prefix) && !value.empty()) {
                this->*file = value;
                return true;
            }
        }
        if (word == "watch") {
            watch = usual_patience;
            return true;
        }
        if (!word.starts_with("watch:")) { return false; }
        double seconds = 0;
        auto const* const end = value.data() + value.size();
        auto const [at, error] = std::from_chars(value.data(), end, seconds);
        if (error != std::errc{} || at != end || !(seconds > 0 && seconds < 1e9)) { return false; }
        watch = seconds;
        return true;
    }

    [[nodiscard]] bool is_flag(std::string_view word) {
        struct flag {
            std::string_view word;
            bool environment::*member;
        };
        for (auto const& each :
             {flag{"off", &environment::off}, flag{"all", &environment::all}, flag{"cut", &environment::cut},
              flag{"report", &environment::report}, flag{"check", &environment::check},
              flag{"fixed", &environment::fixed}, flag{"reproducible", &environment::reproducible}}) {
            if (each.word == word) { return this->*each.member = true; }
        }
        return false;
    }

    [[nodiscard]] bool is_name(std::string_view word) {
        constexpr std::string_view prefix = "MPI_";
        auto const name = word.substr(0, word.find('>'));
        std::size_t from = 0;
        if (name.size() != word.size()) {
            auto const number = word.substr(name.size());
            auto const* const end = number.data() + number.size();
            if (number.size() < 3 || number[1] != '=') { return false; }
            auto const [at, error] = std::from_chars(number.data() + 2, end, from);
            if (error != std::errc{} || at != end) { return false; }
        }
        for (std::size_t i = 0; i != function_names.size(); ++i) {
            std::string_view const known = std::string_view{function_names[i]}.substr(prefix.size());
            bool const same = std::equal(known.begin(), known.end(), name.begin(), name.end(),
                                         [](char a, char b) { return mpi::lower_case(a) == b; });
            if (same) {
                named[i] = from;
                names_some = true;
                return true;
            }
        }
        return false;
    }
};

/// Whether MPI runs, and tutti with it: between MPI_Init and MPI_Finalize.
[[nodiscard]] inline bool is_on() {
    static std::atomic<bool> initialised{false};
    if (environment::get().off || environment::get().watch || !roll_call::get().all_are_alike()) { return false; }
    int flag = 0;
    if (!initialised.load(std::memory_order_relaxed)) {
        if (PMPI_Initialized(&flag) != MPI_SUCCESS || flag == 0) { return false; }
        initialised.store(true, std::memory_order_relaxed);
    }
    return PMPI_Finalized(&flag) == MPI_SUCCESS && flag == 0;
}

}  // namespace tutti::accelerator
