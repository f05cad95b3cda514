// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <string_view>

#include <tutti/communicator.hpp>
#include <tutti/communicator/mpi/declarations.hpp>
#include <tutti/text.hpp>

namespace tutti::mpi {

/// Of words in the environment, whatever the locale.
[[nodiscard]] constexpr char lower_case(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// What the environment variables of this process say. A word that is not known ends nothing: it is as if it were not
/// there, and rank 0 writes a line that names it, once.
class environment {
public:
    /// TUTTI_CHECK: whether calls are compared.
    [[nodiscard]] static bool checks_calls() {
        return word_of("TUTTI_CHECK", 0, "1 (yes, on, true) or 0 (no, off, false)",
                       {{"0", 0}, {"no", 0}, {"off", 0}, {"false", 0}, {"1", 1}, {"yes", 1}, {"on", 1}, {"true", 1}}) !=
               0;
    }

    /// TUTTI_SHARED_MEMORY.
    [[nodiscard]] static memory_sharing sharing() { return sharing_in("TUTTI_SHARED_MEMORY"); }
    /// TUTTI_SINGLE_COPY: whether processes copy from each other's own memory.
    [[nodiscard]] static memory_sharing single_copies() { return sharing_in("TUTTI_SINGLE_COPY"); }

    /// TUTTI_TIMEOUT: a time limit, in milliseconds; 0 for none.
    [[nodiscard]] static int time_limit() {
        constexpr auto name = "TUTTI_TIMEOUT";
        auto const* const said = std::getenv(name);
        if (said == nullptr || *said == '\0') { return 0; }
        char* end = nullptr;
        auto const seconds = std::strtod(said, &end);
        if (*end == '\0' && language::is_finite(seconds) && seconds >= 0 && seconds <= 2e6) {
            return static_cast<int>(std::ceil(seconds * 1e3));
        }
        report(name, said, "a number of seconds, such as 30");
        return 0;
    }

private:
    struct word {
        std::string_view text;
        int means;
    };

    [[nodiscard]] static memory_sharing sharing_in(char const* name) {
        constexpr auto automatic = static_cast<int>(memory_sharing::automatic);
        return static_cast<memory_sharing>(word_of(name, automatic, "always, never or automatic",
                                                   {{"always", static_cast<int>(memory_sharing::always)},
                                                    {"never", static_cast<int>(memory_sharing::never)},
                                                    {"automatic", automatic}}));
    }

    [[nodiscard, gnu::cold]] static int word_of(char const* name, int otherwise, char const* known,
                                     std::initializer_list<word> words) {
        auto const* const said = std::getenv(name);
        if (said == nullptr || *said == '\0') { return otherwise; }
        std::string_view const text{said};
        auto const* const found = std::find_if(words.begin(), words.end(), [&](word const& each) {
            return std::equal(text.begin(), text.end(), each.text.begin(), each.text.end(),
                              [](char a, char b) { return lower_case(a) == b; });
        });
        if (found != words.end()) { return found->means; }
        report(name, said, known);
        return otherwise;
    }

    static void report(char const* name, char const* said, char const* known) {
        static std::array<std::atomic<char const*>, 4> reported{};  // one for each variable
        int rank = 0;
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        for (auto& each : reported) {
            char const* other = nullptr;
            if (rank != 0 || (!each.compare_exchange_strong(other, name) && other == name)) { return; }
            if (other != nullptr) { continue; }
            std::fprintf(stderr, "tutti: %s=%s is not known, and ignored; use %s\n", name,
                         text::printable(said).c_str(), known);
            return;
        }
    }
};

}  // namespace tutti::mpi
