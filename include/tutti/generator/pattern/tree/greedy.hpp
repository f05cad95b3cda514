// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <limits>
#include <stdexcept>

#include <tutti/dynamic_array.hpp>

namespace tutti::generators {

/// The times of one message and one combination, in any unit, where a rank combines while the next message arrives.
struct overlapped_costs {
    std::size_t transfer = 1;
    std::size_t combine = 1;

    /// When a transfer starts to a receiver that has `time_left` after it, if the network is full for the last `full`.
    /// Like all times from the end back.
    [[nodiscard]] constexpr std::size_t start(std::size_t time_left, std::size_t full) const {
        return std::max(time_left + combine, full) + transfer;
    }
    /// The time that the receiver then has left after the transfer before.
    [[nodiscard]] constexpr std::size_t before(std::size_t time_left, std::size_t start) const {
        return std::max(time_left + combine, start - combine);
    }
    friend bool operator==(overlapped_costs const&, overlapped_costs const&) = default;
};

/// A reduction in which every machine sends once, all that it has, after its last combination. Machines are numbered
/// in the order in which they were added: machine 0 ends with everything, machine i sends to a smaller number. The
/// first n machines are the tree of n machines.
struct greedy_tree {
    dynamic_array<std::size_t> receiver;     ///< of machine i, i > 0; 0 for machine 0
    dynamic_array<std::size_t> time_left;    ///< from the start of i's transfer until machine 0 has everything
    dynamic_array<std::size_t> rounds_left;  ///< the round of i's transfer, from the last; a machine has one a round

    [[nodiscard]] std::size_t size() const { return receiver.size(); }
    [[nodiscard]] std::size_t makespan() const { return time_left.back(); }
    [[nodiscard]] std::size_t rounds() const { return *std::max_element(rounds_left.begin(), rounds_left.end()); }
};

/// Machines in the order in which they can take one more child, counted back from the end; at equal times the smallest
/// number is first.
///
/// New machines come in order, and machines that have just taken a child nearly so: two queues take the place of a
/// heap.
class machines_by_time_left {
public:
    struct entry {
        std::size_t time_left;
        std::size_t machine;
        friend bool operator<(entry const& a, entry const& b) {
            return a.time_left < b.time_left || (!(b.time_left < a.time_left) && a.machine < b.machine);
        }
    };

    /// Requires that `one` comes after every machine that was added as new before.
    void add_new(entry one) { fresh_.push_back(one); }

    void add_again(entry one) {
        auto const at = std::upper_bound(again_.begin() + next_again_, again_.end(), one);
        again_.insert(at, one);
    }

    /// Takes out the first. Requires that there is one.
    entry take_first() {
        bool const new_one = next_again_ == again_.size() ||
                             (next_fresh_ != fresh_.size() && fresh_[next_fresh_] < again_[next_again_]);
        return new_one ? fresh_[next_fresh_++] : again_[next_again_++];
    }

private:
    dynamic_array<entry> fresh_;
    dynamic_array<entry> again_;
    std::size_t next_fresh_ = 0;
    std::size_t next_again_ = 0;
};

/// What a reduction may do at once.
struct tree_limits {
    std::size_t transfers = std::numeric_limits<std::size_t>::max();  ///< at any time, of all machines together
    std::size_t receivers = std::numeric_limits<std::size_t>::max();  ///< machines that ever receive
};

/// Grows a tree from its end: each machine in turn becomes a child of the receiver that lets it send latest, which
/// receives it before the children that it has.
///
/// Requires size > 0, and a limit > 0, if any. `costs` say when a transfer starts and what time its receiver has left
/// then: both must not decrease with the time left before, and the receiver must not have more than the new child.
/// Result: the shortest reduction of `size` machines at these costs; optimal under one limit at most.
/// At equal times the machine with the smallest number receives. Then the subtree of a child has at most one machine
/// more than those of all later children of the same machine together: whenever something is added to the former,
/// the latter have got the same before.
/// Cost: O(size); under a limit of K transfers equal times may come out of order and are sorted, up to K of them.
/// Source: [canon12], algorithms 1 (no limit), 2 (transfers) and 3 (receivers).
[[nodiscard]] inline greedy_tree grow_tree(overlapped_costs const& costs, std::size_t size, tree_limits limits = {}) {
    greedy_tree tree{dynamic_array<std::size_t>(size), dynamic_array<std::size_t>(size),
                     dynamic_array<std::size_t>(size)};
    dynamic_array<std::size_t> earliest(size, 0);  // per machine: the most rounds left of its transfers so far
    machines_by_time_left free;
    free.add_again({0, 0});
    for (std::size_t machine = 1; machine < size; ++machine) {
        auto const [time_left, receiver] = free.take_first();
        auto const same_slot = machine > limits.transfers ? machine - limits.transfers : 0;
        auto const start = costs.start(time_left, tree.time_left[same_slot]);
        tree.receiver[machine] = receiver;
        tree.time_left[machine] = start;
        auto round = std::max(earliest[receiver], tree.rounds_left[same_slot]) + 1;
        if (limits.transfers < size) {  // where the network is full, the earliest transfer goes first
            bool const later = tree.time_left[machine] != tree.time_left[machine - 1];
            round = std::max(round, tree.rounds_left[machine - 1] + (later ? 1 : 0));
        }
        tree.rounds_left[machine] = round;
        earliest[receiver] = earliest[machine] = round;
        free.add_again({costs.before(time_left, start), receiver});
        if (machine < limits.receivers) { free.add_new({start, machine}); }
    }
    return tree;
}

/// The shortest reduction in which a machine takes part in one transfer at a time and combines meanwhile.
///
/// Errors: std::invalid_argument if both costs are 0, when any tree is optimal, or times would not fit into
/// std::size_t.
[[nodiscard]] inline greedy_tree grow_greedy_tree(overlapped_costs costs, std::size_t size, tree_limits limits = {}) {
    if (costs.transfer == 0 && costs.combine == 0) {
        throw std::invalid_argument{
            "tutti: transfer and combine are both 0, which says nothing about the best tree; give one of them a cost"};
    }
    if (std::max(costs.transfer, costs.combine) > std::numeric_limits<std::size_t>::max() / 4 / size) {
        throw std::invalid_argument{
            "tutti: the costs of a transfer and a combination are too large to add up; divide both by the same number"};
    }
    return grow_tree(costs, size, limits);
}

}  // namespace tutti::generators
