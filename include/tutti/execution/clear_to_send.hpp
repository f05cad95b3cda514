// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>

#include <tutti/communicator.hpp>
#include <tutti/dynamic_array.hpp>
#include <tutti/execution/progress_engine.hpp>
#include <tutti/execution/program.hpp>

namespace tutti {

/// Messages without elements, by which a rank tells all that are going to send to it that its receives are posted.
///
/// One token goes from receiver to sender in every run, however many messages come back. The next run's cannot be taken
/// for it: messages of a pair keep their order. They have a tag of their own: where two ranks send each other data and
/// tokens, a receive would take the one for the other.
template <sends_ready C>
class clear_to_send {
public:
    /// For the messages of `run`.
    [[gnu::cold]] clear_to_send(C& world, program const& run) : world_{world} {
        dynamic_array<bool> receives(static_cast<std::size_t>(world.size()));
        dynamic_array<bool> sends(receives.size());
        for (auto const& each : run.instructions) {
            if (each.what == action::send) { receives[static_cast<std::size_t>(each.peer)] = true; }
            if (each.receives()) { sends[static_cast<std::size_t>(each.peer)] = true; }
        }
        for (int rank = 0; rank != world.size(); ++rank) {
            if (receives[static_cast<std::size_t>(rank)]) { receivers_.push_back(rank); }
            if (sends[static_cast<std::size_t>(rank)]) { senders_.push_back(rank); }
        }
        has_come_.resize(receivers_.size());
    }

    /// To be called when all receives of a run are posted, whose messages travel with `tag`. This call does not wait,
    /// so that there is no cycle of waiting ranks.
    void exchange(progress_engine<C>& engine, completion_handler& owner, int tag) {
        auto const own_tag = world_.clear_to_send_tag(tag);
        std::fill(has_come_.begin(), has_come_.end(), false);
        under_way_ = receivers_.size() + senders_.size();
        for (std::size_t i = 0; i != receivers_.size(); ++i) {
            engine.post(world_.receive(receivers_[i], own_tag, {}), owner, {instruction::none, false, i, 0, 0});
        }
        for (std::size_t i = 0; i != senders_.size(); ++i) {
            engine.post(world_.send(senders_[i], own_tag, {}), owner, {instruction::none, true, i, 0, 0});
        }
    }

    /// Whether what has ended is a token; takes note of it.
    bool took(fragment const& what) {
        if (what.instruction != instruction::none) { return false; }
        --under_way_;
        if (!what.outgoing) { has_come_[what.first] = true; }
        return true;
    }

    /// Whether the receives of a rank that this one sends to are posted.
    [[nodiscard]] bool has_come_from(int peer) const {
        auto const found = std::lower_bound(receivers_.begin(), receivers_.end(), peer);
        return has_come_[static_cast<std::size_t>(found - receivers_.begin())];
    }

    [[nodiscard]] bool are_over() const { return under_way_ == 0; }

private:
    C& world_;
    dynamic_array<int> receivers_;  // ranks that this one sends data to
    dynamic_array<int> senders_;    // ranks that send data to this one
    dynamic_array<bool> has_come_;  // from each receiver
    std::size_t under_way_ = 0;
};

}  // namespace tutti
