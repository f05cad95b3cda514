// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>
#include <vector>

namespace tutti::test {

/// Tries all reductions to rank 0 in which every rank takes up the segments in order and sends, receives or
/// combines one at a time. Segment i takes transfer[i] to send and combine[i] to combine.
class in_order_search {
public:
    in_order_search(std::vector<std::size_t> transfer, std::vector<std::size_t> combine)
        : transfer_{std::move(transfer)}, combine_{std::move(combine)} {}

    /// Whether some reduction ends before `limit`; rank r may start at arrivals[r].
    [[nodiscard]] bool ends_before(std::size_t limit, std::vector<std::size_t> const& arrivals) {
        limit_ = limit;
        seen_.clear();
        state start{arrivals, std::vector<std::size_t>(arrivals.size(), 0), 0};
        return search(start);
    }

private:
    struct state {
        std::vector<std::size_t> free;   // per rank
        std::vector<std::size_t> sent;   // segments, per rank
        std::size_t latest;              // start of the operation before
    };

    [[nodiscard]] std::size_t segment_of(state const& now, std::size_t rank) const {
        return rank != 0 ? now.sent[rank] : *std::min_element(now.sent.begin() + 1, now.sent.end());
    }

    [[nodiscard]] bool is_new(state const& now) {
        std::vector<std::pair<std::size_t, std::size_t>> others;
        for (std::size_t rank = 1; rank < now.free.size(); ++rank) {
            others.emplace_back(now.free[rank], now.sent[rank]);
        }
        std::sort(others.begin(), others.end());
        others.emplace_back(now.free[0], now.latest);
        return seen_.insert(std::move(others)).second;
    }

    [[nodiscard]] bool search(state const& now) {
        auto const size = now.free.size();
        if (segment_of(now, 0) == transfer_.size()) { return now.free[0] < limit_; }
        if (!is_new(now)) { return false; }
        for (std::size_t sender = 1; sender < size; ++sender) {
            auto const segment = now.sent[sender];
            if (segment == transfer_.size()) { continue; }
            for (std::size_t receiver = 0; receiver < size; ++receiver) {
                if (receiver == sender || segment_of(now, receiver) != segment) { continue; }
                auto const start = std::max(now.free[sender], now.free[receiver]);
                auto const end = start + transfer_[segment] + combine_[segment];
                // every schedule can be told in the order of its starts
                if (start < now.latest || end >= limit_) { continue; }
                auto next = now;
                next.free[sender] = start + transfer_[segment];
                next.free[receiver] = end;
                next.latest = start;
                ++next.sent[sender];
                if (search(next)) { return true; }
            }
        }
        return false;
    }

    std::vector<std::size_t> transfer_;
    std::vector<std::size_t> combine_;
    std::size_t limit_ = 0;
    std::set<std::vector<std::pair<std::size_t, std::size_t>>> seen_;
};

}  // namespace tutti::test
