// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>

namespace soak {

/// How long a program soaks, from which seed.
struct limits {
    std::string configuration;  ///< what the person who reads a failure knows it as
    std::uint64_t seed = 0;
    std::uint64_t rounds = 0;   ///< 0: by time
    std::chrono::seconds time{0};
};

/// CONFIGURATION SEED SECONDS, or CONFIGURATION SEED ROUNDS rounds.
[[nodiscard]] inline std::optional<limits> read_limits(int argc, char* argv[]) {
    limits result;
    std::uint64_t limit = 0;
    auto const number = [](std::string_view text, std::uint64_t& to) {
        auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), to);
        return error == std::errc{} && end == text.data() + text.size();
    };
    bool const by_rounds = argc == 5 && std::string_view{argv[4]} == "rounds";
    if ((argc != 4 && !by_rounds) || !number(argv[2], result.seed) || !number(argv[3], limit)) {
        std::cerr << "soak: expected are CONFIGURATION SEED SECONDS, or CONFIGURATION SEED ROUNDS rounds\n";
        return std::nullopt;
    }
    result.configuration = argv[1];
    if (by_rounds) {
        result.rounds = limit;
    } else {
        result.time = std::chrono::seconds{limit};
    }
    return result;
}

class clock {
public:
    explicit clock(limits const& asked) : asked_{asked}, end_{std::chrono::steady_clock::now() + asked.time} {}

    /// Whether round `round` begins: the first one always does.
    [[nodiscard]] bool goes_on(std::uint64_t round) const {
        if (asked_.rounds != 0) { return round < asked_.rounds; }
        return round == 0 || std::chrono::steady_clock::now() < end_;
    }

private:
    limits const& asked_;
    std::chrono::steady_clock::time_point end_;
};

/// One line that says what failed, and how to see it again.
[[nodiscard]] inline std::string reproduction(std::string const& configuration, std::uint64_t seed, std::uint64_t round,
                                              std::string const& what) {
    return "soak: " + configuration + ", seed " + std::to_string(seed) + ", round " + std::to_string(round) + ", " +
           what + "; again: ./dev soak 1 " + std::to_string(seed + round) + ' ' + configuration;
}

[[nodiscard]] inline std::string verdict(std::string const& configuration, std::size_t passed, std::size_t failed) {
    return "soak: " + configuration + ": " + std::to_string(passed) + (passed == 1 ? " call" : " calls") + " passed, " +
           std::to_string(failed) + " failed";
}

/// Rounds by `play(seed)`, which gives how many calls were right and throws what is wrong; what main returns.
template <class Play>
[[nodiscard]] int play_rounds(limits const& asked, Play play) {
    clock const time{asked};
    std::size_t passed = 0;
    for (std::uint64_t round = 0; time.goes_on(round); ++round) {
        try {
            passed += play(asked.seed + round);
        } catch (std::exception const& wrong) {
            std::cout << reproduction(asked.configuration, asked.seed, round, wrong.what()) << '\n'
                      << verdict(asked.configuration, passed, 1) << '\n';
            return 1;
        }
    }
    std::cout << verdict(asked.configuration, passed, 0) << '\n';
    return 0;
}

}  // namespace soak
