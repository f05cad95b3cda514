// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstdint>

#include <tutti/arrival/pattern.hpp>

namespace tutti::monitoring {

/// How an `arrival_monitor` works; the same on all ranks.
struct arrival_options {
    /// Lets a thread of its own exchange the estimates while the program computes, where the ranks allow it.
    bool helper_thread = true;

    /// Measures what messages cost, as `measure` does, and uses that, where no machine model is in use.
    bool measures = true;
};

/// How the ranks come to know when the others are expected.
enum class exchange_kind {
    helper_thread,  ///< a thread of each rank tells rank 0, which decides and tells all
    piggyback,      ///< each rank tells all others, when the program calls the monitor
};

/// What a rank sends about itself, once in an iteration.
struct announcement {
    std::uint64_t iteration = 0;
    std::int64_t expected = 0;   ///< arrival, in ns of this rank's clock
    std::int64_t elapsed = 0;    ///< ns this rank spent in the last collective; 0: not known
    std::int64_t predicted = 0;  ///< ns the last rank to arrive was predicted to spend in it; 0: not known
};

/// How the ranks come to know when the others are expected. Called by the thread of its rank.
class exchange {
public:
    exchange() = default;
    exchange(exchange const&) = delete;
    exchange& operator=(exchange const&) = delete;
    virtual ~exchange() = default;

    [[nodiscard]] virtual exchange_kind kind() const = 0;

    /// Of this rank's clock, in ns.
    [[nodiscard]] virtual std::int64_t now() const = 0;

    /// Tells the others; does not wait. Once for each iteration.
    virtual void publish(announcement const& message) = 0;

    /// Takes in what the others have sent, without waiting.
    virtual void progress() = 0;

    /// This rank enters the collective of `iteration`, which it has published: waits for what is decided.
    [[nodiscard]] virtual process_arrival_pattern enter(std::uint64_t iteration) = 0;
};

}  // namespace tutti::monitoring
