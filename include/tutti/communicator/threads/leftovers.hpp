// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <tuple>

#include <tutti/communicator/threads/operation.hpp>

namespace tutti::threads {

/// Collects the operations that have not ended, and describes them.
class leftovers {
public:
    void add(operation const& left) {
        auto& found = groups_[{left.owner, left.peer, left.tag, left.is_send(), fate_of(left)}];
        ++found.count;
        found.bytes += left.size;
    }

    [[nodiscard]] bool empty() const { return groups_.empty(); }

    /// "tutti: leak: rank 0 sent 2 messages to rank 1 with tag 5, 16 bytes in all, that were never received"
    [[nodiscard]] std::string text() const {
        std::string text;
        for (auto const& [key, found] : groups_) {
            auto const& [owner, peer, tag, sent, met] = key;
            text += text.empty() ? "tutti: leak: " : "; ";
            text += "rank " + std::to_string(owner) + (sent ? " sent " : " posted ") + std::to_string(found.count) +
                    (sent ? " message" : " receive") + (found.count == 1 ? "" : "s") + (sent ? " to" : " from") +
                    " rank " + std::to_string(peer) + " with tag " + std::to_string(tag) + ", " +
                    std::to_string(found.bytes) + " bytes" + (found.count == 1 ? "" : " in all") + ", that " +
                    (found.count == 1 ? "was" : "were") + std::string{" never "} + verb(sent, met);
        }
        return text;
    }

private:
    enum class fate { unmatched, lent, unreported };
    struct group {
        std::size_t count = 0;
        std::size_t bytes = 0;
    };

    [[nodiscard]] static fate fate_of(operation const& left) {
        if (left.is_complete()) { return fate::unreported; }
        return left.matched.load(std::memory_order_relaxed) ? fate::lent : fate::unmatched;
    }

    [[nodiscard]] static char const* verb(bool sent, fate met) {
        switch (met) {
            case fate::unmatched: return sent ? "received" : "matched by a message";
            case fate::lent: return "given back";
            case fate::unreported: return "waited for";
        }
        return "";
    }

    std::map<std::tuple<int, int, int, bool, fate>, group> groups_;
};

}  // namespace tutti::threads
