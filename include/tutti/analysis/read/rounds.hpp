// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <vector>

#include <tutti/analysis/read/scanner.hpp>

namespace tutti::analysis {

/// What a rank does when others of its operations have ended.
struct operation {
    enum class kind : std::uint8_t { local, send, receive };

    kind what = kind::local;
    std::size_t peer = 0;
    std::size_t channel = 0;           ///< in which messages of two ranks match in their order
    std::vector<std::size_t> after{};  ///< operations of the same rank
    file_line at{};
};

struct placed_operation {
    std::size_t rank, index, round;
};

/// One order for the operations of all ranks, each in the first round in which it can take place. In a round, a rank
/// sends before it receives; what it has received it sends in the next one. Since steps know no channels, messages from
/// one rank to another are received in the order in which they are sent.
class rounds_of_operations {
public:
    /// `ranks` outlives it.
    explicit rounds_of_operations(std::vector<std::vector<operation>> const& ranks) : ranks_{ranks} {
        for (auto const& all : ranks) {
            next_.emplace_back(all.size(), waits);
            auto& left = left_.emplace_back(all.size());
            for (std::size_t index = 0; index != all.size(); ++index) { left[index] = index; }
        }
    }

    /// Errors: broken_schedule, for operations that wait without end and messages that are not received.
    [[nodiscard]] std::vector<placed_operation> run() {
        using enum operation::kind;
        for (bool any = true; any; ++round_) {
            any = place_all(local);
            for (auto const what : {send, receive, local}) { any = place_all(what) || any; }
        }
        for (std::size_t rank = 0; rank != ranks_.size(); ++rank) {
            if (!left_[rank].empty()) { refuse(rank, ranks_[rank][left_[rank].front()]); }
        }
        for (auto const& [ends, messages] : under_way_) {
            if (!messages.empty()) { messages.front()->at.refuse("this message is never received"); }
        }
        return std::move(placed_);
    }

private:
    static constexpr auto waits = static_cast<std::size_t>(-1);

    bool place_all(operation::kind what) {
        auto const before = placed_.size();
        for (auto last = before + 1; last != placed_.size();) {
            last = placed_.size();
            for (std::size_t rank = 0; rank != ranks_.size(); ++rank) {
                std::erase_if(left_[rank], [&](std::size_t index) { return place(rank, index, what); });
            }
            if (what != operation::kind::local) { break; }  // else one may wait for a later one
        }
        return placed_.size() != before;
    }

    bool place(std::size_t rank, std::size_t index, operation::kind what) {
        using enum operation::kind;
        auto const& one = ranks_[rank][index];
        if (one.what != what) { return false; }
        std::size_t earliest = 0;
        for (auto const before : one.after) {
            if (next_[rank][before] == waits) { return false; }
            bool const at_once = what == receive && ranks_[rank][before].what == send;
            earliest = std::max(earliest, next_[rank][before] - (at_once ? 1 : 0));
        }
        if (what != local && earliest > round_) { return false; }
        if (what == receive) {
            auto& messages = under_way_[{one.peer, rank}];
            if (messages.empty() || messages.front()->channel != one.channel) { return false; }
            messages.pop_front();
        }
        if (what == send) { under_way_[{rank, one.peer}].push_back(&one); }
        next_[rank][index] = what == local ? earliest : round_ + 1;
        placed_.push_back({rank, index, round_});
        return true;
    }

    /// `one` is left over.
    [[noreturn]] void refuse(std::size_t rank, operation const& one) {
        auto const is_placed = [&](std::size_t before) { return next_[rank][before] != waits; };
        if (one.what != operation::kind::receive || !std::ranges::all_of(one.after, is_placed)) {
            one.at.refuse("this waits for what never ends");
        }
        auto const& messages = under_way_[{one.peer, rank}];
        if (messages.empty()) {
            one.at.refuse(text::joined({"the message from rank ", one.peer, " never comes: a deadlock"}));
        }
        one.at.refuse(text::joined({"the message of line ", messages.front()->at.number, " comes from rank ", one.peer,
                                    " before this one, on another channel: this dependence cannot be kept"}));
    }

    std::vector<std::vector<operation>> const& ranks_;
    std::vector<std::vector<std::size_t>> left_{};
    std::vector<std::vector<std::size_t>> next_{};  ///< the round in which what waits for an operation can take place
    std::map<std::pair<std::size_t, std::size_t>, std::deque<operation const*>> under_way_{};
    std::size_t round_ = 0;
    std::vector<placed_operation> placed_{};
};

}  // namespace tutti::analysis
