// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace tutti::engine {

/// When this rank came to its last calls on a communicator, in ns of its own clock. Kept with the communicator.
class call_stamps {
public:
    static constexpr std::size_t most = 64;

    void note(std::int64_t now) { times_[calls_++ % most] = now; }

    /// When ranks have recovered: some may have begun more calls than others.
    void forget() { calls_ = reported_ = 0; }

    [[nodiscard]] std::uint64_t calls() const { return calls_; }
    /// How many calls there were when the program last asked, see `tutti::arrivals`.
    [[nodiscard]] std::uint64_t reported() const { return reported_; }
    void mark_reported() { reported_ = calls_; }
    /// Of a call by its number, from 0: one of the last `most`.
    [[nodiscard]] std::int64_t at(std::uint64_t call) const { return times_[call % most]; }

private:
    std::array<std::int64_t, most> times_{};
    std::uint64_t calls_ = 0;
    std::uint64_t reported_ = 0;
};

}  // namespace tutti::engine
