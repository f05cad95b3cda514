// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>

#include <tutti/communicator/threads/operation.hpp>

namespace tutti::threads {

[[nodiscard]] inline bool any_active(std::span<request const> requests) {
    return std::any_of(requests.begin(), requests.end(), [](request const& each) { return each.pending != nullptr; });
}

/// "a message from rank 1 with tag 3"
[[nodiscard]] inline std::string awaited_by(operation const& waiting) {
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

}  // namespace tutti::threads
