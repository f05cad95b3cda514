// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include <tutti/analysis/cost_model.hpp>
#include <tutti/partition.hpp>
#include <tutti/schedule.hpp>

namespace tutti::analysis::simulation {

[[nodiscard]] inline bool overlap(block_list const& a, block_list const& b) {
    return std::any_of(a.begin(), a.end(), [&](block_range const& x) {
        return std::any_of(b.begin(), b.end(),
                           [&](block_range const& y) { return x.first < y.last && y.first < x.last; });
    });
}

/// A transfer for which both ends are ready.
struct possible_transfer {
    std::size_t round;
    std::size_t sender;
    std::size_t receiver;
};

/// A send that the program has passed and that has not ended.
struct posted_send {
    step what;
    std::size_t index;
    bool running = false;
    bool overtaken = false;   ///< later steps need not wait for it
};

/// Work for the processor: a combine or a copy.
struct job {
    step what;
    std::size_t index;
    std::size_t blocks;   ///< to combine
    double duration;
};

/// Which blocks of the buffers that start empty have been written, to tell combines from copies.
class filled_blocks {
public:
    explicit filled_blocks(std::size_t blocks) : blocks_{blocks} {}

    [[nodiscard]] bool test(buffer which, std::size_t block) const {
        auto const index = which.index();
        return index < first_empty || (index - first_empty < filled_.size() && !filled_[index - first_empty].empty() &&
                                       filled_[index - first_empty][block]);
    }
    void set(buffer which, std::size_t block) {
        if (which.index() < first_empty) { return; }
        auto const index = which.index() - first_empty;
        if (index >= filled_.size()) { filled_.resize(index + 1); }
        if (filled_[index].empty()) { filled_[index].resize(blocks_); }
        filled_[index][block] = true;
    }

private:
    static constexpr std::uint32_t first_empty = buffer::prefix().index();
    std::size_t blocks_;
    std::vector<std::vector<bool>> filled_;
};

/// How far one rank is in its program, and what its ports and its processor do.
template <class Schedule>
struct process {
    decltype(std::declval<Schedule const&>().begin()) next;
    decltype(std::declval<Schedule const&>().end()) last;
    filled_blocks filled;
    double clock = 0;             ///< of the last thing that happened to this rank
    step now{};                   ///< the receive that the program stands at, if `offers`
    std::size_t index = 0;
    bool arrived = false;
    bool offers = false;          ///< waits for the transfer of `now`
    bool sending = false;
    bool receiving = false;
    bool computing = false;
    bool touched = false;         ///< to be looked at before time goes on
    std::deque<posted_send> sends{};
    std::deque<job> jobs{};

    [[nodiscard]] bool finished() const { return arrived && next == last && sends.empty() && jobs.empty(); }

    /// Whether an earlier send of this rank still needs what step `before` would overwrite.
    [[nodiscard]] bool still_sends(step const& overwriting, std::size_t before) const {
        return std::any_of(sends.begin(), sends.end(), [&](posted_send const& each) {
            return each.index < before && each.what.target == overwriting.target &&
                   overlap(each.what.blocks, overwriting.blocks);
        });
    }
    /// Whether blocks of `which` have yet to be computed, or read, by a job before step `before`.
    [[nodiscard]] bool still_computes(buffer which, block_list const& blocks, std::size_t before, bool or_reads) const {
        return std::any_of(jobs.begin(), jobs.end(), [&](job const& each) {
            bool const reads = or_reads && !each.what.communicates() && each.what.source == which;
            return each.index < before && (each.what.target == which || reads) && overlap(each.what.blocks, blocks);
        });
    }

    /// What takes no time keeps no port busy.
    [[nodiscard]] bool may_compute(ports model) const {
        return !jobs.empty() && !computing &&
               (model == ports::overlapped || jobs.front().duration == 0 || (!sending && !receiving)) &&
               !still_sends(jobs.front().what, jobs.front().index);
    }
    [[nodiscard]] bool may_send(posted_send const& one, ports model) const {
        return !sending && (model == ports::overlapped || !computing) &&
               (model == ports::bidirectional || !receiving) &&
               !still_computes(one.what.target, one.what.blocks, one.index, false);
    }
    [[nodiscard]] bool may_receive(ports model) const {
        if (!offers || receiving || (model != ports::overlapped && computing) ||
            (model != ports::bidirectional && sending)) {
            return false;
        }
        return now.what != action::receive ||
               (!still_sends(now, index) && !still_computes(now.target, now.blocks, index, true));
    }
};

}  // namespace tutti::analysis::simulation
