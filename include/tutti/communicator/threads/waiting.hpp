// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>

#include <tutti/communicator/backoff.hpp>
#include <tutti/communicator/threads/posted_operation.hpp>

namespace tutti::threads {

[[nodiscard]] inline bool any_active(std::span<request const> requests) {
    return std::any_of(requests.begin(), requests.end(), [](request const& each) { return each.pending != nullptr; });
}

/// "a message from rank 1 with tag 3"
[[nodiscard]] inline std::string awaited_by(posted_operation const& waiting) {
    auto const peer = "rank " + std::to_string(waiting.peer);
    auto const tag = " with tag " + std::to_string(waiting.tag);
    if (!waiting.is_send()) { return "a message from " + peer + tag; }
    return waiting.matched.load(std::memory_order_relaxed) ? peer + " to give back its message" + tag
                                                           : peer + " to receive its message" + tag;
}

/// "rank 0 waits for a message from rank 1 with tag 3 or rank 2 to receive its message with tag 3 or 7 others"
[[nodiscard]] inline std::string waits_for(int rank, std::span<request const> requests) {
    constexpr std::size_t shown = 3;
    auto text = "rank " + std::to_string(rank) + " waits for ";
    std::size_t count = 0;
    for (auto const& each : requests) {
        if (each.pending == nullptr) { continue; }
        if (++count > shown) { continue; }
        if (count > 1) { text += " or "; }
        text += awaited_by(*each.pending);
    }
    if (count > shown) {
        text += " or " + std::to_string(count - shown) + (count == shown + 1 ? " other" : " others");
    }
    return text;
}

/// How a rank waits whose messages are in the memory of its process. To be woken takes some ten microseconds, and some
/// more of the time of the rank that wakes it: one with a processor of its own polls for 50 us before it sleeps, and
/// for 2 us after it has polled without success. On a crowded machine it lets others run once, one of which may send
/// what it waits for.
[[nodiscard]] inline control::backoff::limits limits_of_polls(bool crowded) {
    if (crowded) { return {.few = 1, .most = 1, .yields = 1, .always_sleeps = true}; }
    return {.few = 200, .most = 5000, .yields = 0, .always_sleeps = true};  // of about 10 ns
}

}  // namespace tutti::threads
