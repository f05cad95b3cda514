// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <preload/startup_check.hpp>
#include <tutti/communicator/mpi/declarations.hpp>
#include <tutti/communicator/mpi/environment.hpp>
#include <tutti/text.hpp>
#include <watch/options.hpp>

namespace tutti::preload {

/// The functions of MPI that tutti performs, in the order of functions.def: those with an operator first.
enum class function {
#define TUTTI_PERFORMED(FORM, Name, name, ...) name,
#define TUTTI_FUNCTION(...)
#include <pmpi/functions.def>
};
inline constexpr std::array function_names{
#define TUTTI_PERFORMED(FORM, Name, ...) "MPI_" #Name,
#define TUTTI_FUNCTION(...)
#include <pmpi/functions.def>
};
[[nodiscard]] constexpr bool combines(function which) { return which <= function::exscan; }

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
    bool all = false;     ///< `all`: every call that gains by it, from the first one on
    bool insists = false;  ///< `all!`: every blocking call that tutti can perform, however small
    bool cut = false;     ///< `cut`: users' operators combine parts of vectors, as MPI's own do
    watch::options observed{};  ///< `report`, `report:FILE`, `watch`, `watch:SECONDS`, `check`
    bool fixed = false;  ///< `fixed`: who performs a call is not learned from times
    /// `learn:FILE`: sums are learned, too, and what was is written
    decltype(watch::options::report_file) learn_file{};
    decltype(learn_file) use_file{};  ///< `use:FILE`: that is read, and decides
    /// `reproducible`: every reduction and scan that tutti can perform, by the canonical tree over the ranks
    bool reproducible = false;
    struct named_function {
        std::size_t from = std::numeric_limits<std::size_t>::max();  ///< bytes of the whole vector; else not named
        bool insists = false;  ///< `bcast!`: whether it gains or not
    };
    /// `allreduce`, `bcast>=65536`, ...: these as with `all`, and no others
    std::array<named_function, function_names.size()> named{};
    bool names_some = false;

    /// The folder in which the process began, which `libtutti_mpi.so` has noted before the first `get`.
    inline static char const* first_folder = "";

    [[nodiscard]] static environment const& get() {
        static auto const& read = *new environment{std::getenv("TUTTI")};
        return read;
    }

    /// Writes which words are not followed. Called on rank 0: all ranks have the same.
    void explain() const {
        if (!unknown_.empty()) {
            auto const form = closest_form();
            std::fprintf(stderr,
                         "tutti: TUTTI=%s is not known%s%s%s%s; use off, all, all!, cut, reproducible, report, "
                         "report:FILE, watch, watch:SECONDS, check, fixed, learn:FILE, use:FILE, or functions as in "
                         "allreduce!,bcast>=65536\n",
                         text::printable(unknown_).c_str(), form.empty() ? "" : " (did you mean ", form.c_str(),
                         form.empty() ? "" : "?)", unknown_words_ > 1 ? ", and others are not" : "");
        }
        if (!unlearned_.empty()) {
            std::fprintf(stderr,
                         "tutti: TUTTI=learn:FILE is not followed, and no file written, since nothing is learned "
                         "beside %s; leave that out\n",
                         unlearned_.c_str());
        }
    }

private:
    explicit environment(char const* text) {
        std::string_view rest{text != nullptr ? text : ""};
        while (!rest.empty()) {
            auto const written = rest.substr(0, rest.find(','));
            rest.remove_prefix(std::min(written.size() + 1, rest.size()));
            std::string word{written};
            std::transform(word.begin(), word.end(), word.begin(), mpi::lower_case);
            if (!word.empty() && !take_flag(word) && !take_value(word, written) && !take_name(word)) {
                if (unknown_words_++ == 0) { unknown_ = written; }
            }
        }
        all = all || insists;
        if (observed.check && !observed.watch) { observed.watch = usual_patience; }
        for (auto const& [is_said, other] :
             {std::pair{all, "all"}, std::pair{fixed, "fixed"}, std::pair{reproducible, "reproducible"},
              std::pair{names_some, "names of functions"}, std::pair{use_file.has_value(), "use:FILE"},
              std::pair{observed.watch.has_value(), "watch"}}) {
            if (is_said && learn_file) {
                learn_file.reset();
                unlearned_ = other;
            }
        }
    }

    /// The known word that is nearest to the unknown one, by `distance`; empty if none is near.
    [[nodiscard]] std::string closest_form() const {
        std::vector<std::string> forms{"off",   "all",           "cut",   "reproducible", "report",     "report:FILE",
                                       "watch", "watch:SECONDS", "check", "fixed",        "learn:FILE", "use:FILE"};
        for (std::string_view const each : function_names) {
            std::transform(each.begin() + prefix.size(), each.end(), std::back_inserter(forms.emplace_back()),
                           mpi::lower_case);
        }
        constexpr std::size_t longest = 24;  // characters, more than any form has
        auto const head = std::string_view{unknown_}.substr(0, std::min(unknown_.find_first_of(":>="), longest));
        bool const has_value = unknown_.find(':') != std::string::npos;
        std::string best;
        auto least = 2 * std::min<std::size_t>(head.size() / 2, 2) + 2;
        for (auto const& form : forms) {
            auto const colon = form.find(':');
            auto const changes = distance(head, std::string_view{form}.substr(0, colon));
            auto const farness = 2 * changes + ((colon != std::string::npos) == has_value ? 0U : 1U);
            if (farness >= least) { continue; }
            least = farness;
            best = form;
        }
        return best;
    }

    /// Levenshtein distance of two words.
    [[nodiscard]] static std::size_t distance(std::string_view a, std::string_view b) {
        std::vector<std::size_t> row(b.size() + 1);
        std::iota(row.begin(), row.end(), std::size_t{0});
        for (std::size_t i = 0; i != a.size(); ++i) {
            auto diagonal = std::exchange(row[0], i + 1);
            for (std::size_t j = 0; j != b.size(); ++j) {
                auto const replaced = diagonal + (mpi::lower_case(a[i]) == b[j] ? 0U : 1U);
                diagonal = std::exchange(row[j + 1], std::min({row[j] + 1, row[j + 1] + 1, replaced}));
            }
        }
        return row.back();
    }

    static constexpr double usual_patience = 10;  // s

    /// `report:FILE`, `watch:SECONDS`.
    [[nodiscard]] bool take_value(std::string_view word, std::string_view written) {
        auto const value = written.substr(std::min(word.find(':') + 1, written.size()));
        for (auto const& [head, file] :
             {std::pair{"report:", &observed.report_file}, std::pair{"learn:", &learn_file},
              std::pair{"use:", &use_file}}) {
            if (!word.starts_with(head) || value.empty()) { continue; }
            bool const is_relative = !value.starts_with('/') && *first_folder != '\0';
            *file = {(is_relative ? first_folder + std::string{'/'} : "").append(value), std::string{value}};
            observed.report = observed.report || observed.report_file;
            return true;
        }
        if (word == "watch") {
            observed.watch = usual_patience;
            return true;
        }
        if (!word.starts_with("watch:")) { return false; }
        double seconds = 0;
        auto const* const end = value.data() + value.size();
        auto const [at, error] = std::from_chars(value.data(), end, seconds);
        if (error != std::errc{} || at != end || !language::is_finite(seconds) || seconds <= 0 || seconds >= 1e9) {
            return false;
        }
        observed.watch = seconds;
        return true;
    }

    [[nodiscard]] bool take_flag(std::string_view word) {
        using flag = std::pair<std::string_view, bool*>;
        for (auto const& [known, is_said] :
             {flag{"off", &off}, flag{"all", &all}, flag{"all!", &insists}, flag{"cut", &cut}, flag{"fixed", &fixed},
              flag{"report", &observed.report}, flag{"check", &observed.check}, flag{"reproducible", &reproducible}}) {
            if (known == word) { return *is_said = true; }
        }
        return false;
    }

    [[nodiscard]] bool take_name(std::string_view word) {
        auto name = word.substr(0, word.find('>'));
        named_function wanted{0};
        if (name.size() != word.size()) {
            auto const number = word.substr(name.size());
            auto const* const end = number.data() + number.size();
            if (number.size() < 3 || number[1] != '=') { return false; }
            auto const [at, error] = std::from_chars(number.data() + 2, end, wanted.from);
            if (error != std::errc{} || at != end) { return false; }
        }
        if (name.ends_with('!')) {
            name.remove_suffix(1);
            wanted.insists = true;
        }
        for (std::size_t i = 0; i != function_names.size(); ++i) {
            std::string_view const known = std::string_view{function_names[i]}.substr(prefix.size());
            bool const same = std::equal(known.begin(), known.end(), name.begin(), name.end(),
                                         [](char a, char b) { return mpi::lower_case(a) == b; });
            if (same) {
                named[i] = wanted;
                names_some = true;
                return true;
            }
        }
        return false;
    }

    static constexpr std::string_view prefix = "MPI_";  // of `function_names`

    std::string unknown_;  // the first unknown word
    int unknown_words_ = 0;
    std::string unlearned_;  // the word beside which nothing is learned
};

/// Whether MPI runs, and tutti with it: between MPI_Init and MPI_Finalize.
[[nodiscard]] inline bool is_on() {
    static std::atomic<bool> initialised{false};
    auto const& asked = environment::get();
    if (asked.off || asked.observed.watch || !startup_check::get().all_are_alike()) { return false; }
    int flag = 0;
    if (!initialised.load(std::memory_order_relaxed)) {
        if (PMPI_Initialized(&flag) != MPI_SUCCESS || flag == 0) { return false; }
        initialised.store(true, std::memory_order_relaxed);
    }
    return PMPI_Finalized(&flag) == MPI_SUCCESS && flag == 0;
}

}  // namespace tutti::preload
