// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <unistd.h>

namespace tutti::mpi::node {

/// A process of this machine, and the time at which it started, since its number may be given to another one later.
struct process {
    std::int64_t number = 0;
    std::int64_t started = 0;  ///< clock ticks since the machine was booted; 0: not known

    friend bool operator==(process const&, process const&) = default;
};

/// The process with a number as /proc shows it: `started` is 0 where there is none any more, or it has ended and its
/// parent has not taken note of that, or /proc cannot be read.
[[nodiscard]] inline process process_with(std::int64_t number) noexcept {
    process result{number, 0};
    std::array<char, 64> path{};
    std::snprintf(path.data(), path.size(), "/proc/%lld/stat", static_cast<long long>(number));
    auto* const file = std::fopen(path.data(), "re");
    if (file == nullptr) { return result; }
    std::array<char, 1024> text{};
    auto const length = std::fread(text.data(), 1, text.size() - 1, file);
    std::fclose(file);
    text[length] = '\0';
    // "number (name) state ...": the name may have anything in it
    auto const* at = std::strrchr(text.data(), ')');
    if (at == nullptr || std::strlen(at) < 4 || at[2] == 'Z' || at[2] == 'X') { return result; }
    constexpr int from_state_to_start = 19;  // fields
    ++at;
    for (int field = 0; field != from_state_to_start && at != nullptr; ++field) { at = std::strchr(at + 1, ' '); }
    if (at != nullptr) { result.started = std::strtoll(at, nullptr, 10); }
    return result;
}

[[nodiscard]] inline process this_process() noexcept { return process_with(getpid()); }

/// Whether it was alive a moment ago. Where nothing is known of it, it is believed to be.
[[nodiscard]] inline bool is_alive(process const& one) noexcept {
    return one.started == 0 || process_with(one.number) == one;
}

}  // namespace tutti::mpi::node
