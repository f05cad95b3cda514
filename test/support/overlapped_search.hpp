// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

namespace tutti::test {

/// The shortest reduction of single elements in which a machine takes part in one transfer at a time, combines
/// meanwhile, and sends once, after its last combination: by trying all orders in which transfers can start.
class overlapped_search {
public:
    overlapped_search(std::size_t transfer, std::size_t combine,
                      std::size_t transfers_at_once = std::numeric_limits<std::size_t>::max())
        : transfer_{transfer}, combine_{combine}, at_once_{transfers_at_once} {}

    [[nodiscard]] std::size_t shortest(std::size_t size) {
        machines_.assign(size, {});
        starts_.clear();
        best_ = size * (transfer_ + combine_) + 1;  // one machine after the other
        extend(size);
        return best_;
    }

private:
    struct machine {
        std::size_t port = 0;   // until when it receives
        std::size_t ready = 0;  // when all that it has is combined
        bool received = false;
        bool sent = false;
    };

    void extend(std::size_t left) {
        if (left == 1) {
            auto const last = std::find_if(machines_.begin(), machines_.end(), [](auto& each) { return !each.sent; });
            best_ = std::min(best_, last->ready);
            return;
        }
        bool untouched_sender = false;
        for (auto& from : machines_) {
            if (from.sent || (!from.received && std::exchange(untouched_sender, true))) { continue; }
            bool untouched_receiver = false;
            for (auto& to : machines_) {
                if (&to == &from || to.sent || (!to.received && std::exchange(untouched_receiver, true))) { continue; }
                auto start = std::max(from.ready, to.port);
                if (!starts_.empty()) { start = std::max(start, starts_.back()); }
                if (starts_.size() >= at_once_) {
                    start = std::max(start, starts_[starts_.size() - at_once_] + transfer_);
                }
                if (start + transfer_ + combine_ >= best_) { continue; }
                auto const before = to;
                to = {start + transfer_, std::max(to.ready, start + transfer_) + combine_, true, false};
                from.sent = true;
                starts_.push_back(start);
                extend(left - 1);
                starts_.pop_back();
                from.sent = false;
                to = before;
            }
        }
    }

    std::size_t transfer_;
    std::size_t combine_;
    std::size_t at_once_;
    std::vector<machine> machines_;
    std::vector<std::size_t> starts_;
    std::size_t best_ = 0;
};

}  // namespace tutti::test
