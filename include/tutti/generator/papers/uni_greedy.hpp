// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include <tutti/generator/named.hpp>

namespace tutti::generators {

/// Block after block, the two ranks that are free first combine their parts, until the root has it all.
///
/// Blocks have different trees. No reduction in which every rank takes up the blocks in order is shorter when a rank
/// sends, receives or combines, one at a time.
/// Costs are integers. One block takes `tcomm` to send and `tcomp` to combine, whatever its size; if any of
/// `alpha`, `beta`, `gamma` is not zero, a block of s elements takes alpha + beta s and gamma s.
/// Errors: std::invalid_argument, when schedules are generated, for another number of arrivals than of ranks and if
/// times might not fit into std::size_t.
/// Cost to generate: O(p q) on every rank. Source: [lowery13], algorithm 1.
/// Counts of reduce: the fewest for ranks that send, receive or combine, in order | m | up to L m.
/// Picture: --collective reduce --algorithm uni_greedy --size 7 --blocks 2
///     0  1a>0 2a>3 4a>5
///     1  1b>2 3a>5 6a>0
///     2  3b>2 4b>6 5a>0
///     3  5b>0 6b>2
///     4  2b>0
struct uni_greedy {
    std::size_t segments = 0;   ///< 0: blocks of 128 KiB
    std::size_t tcomm = 1;
    std::size_t tcomp = 0;
    std::size_t alpha = 0;
    std::size_t beta = 0;
    std::size_t gamma = 0;
    std::vector<std::size_t> arrivals{};   ///< when each rank may start, the same on all ranks; none: all at 0

    /// `sender` sends `segment` to `receiver`, from `start` on.
    struct transfer {
        std::size_t segment;
        std::size_t sender;
        std::size_t receiver;
        std::size_t start;
        friend bool operator==(transfer const&, transfer const&) = default;
    };

    [[nodiscard]] constexpr std::size_t transfer_time(std::size_t elements) const {
        return depends_on_size() ? alpha + beta * elements : tcomm;
    }
    [[nodiscard]] constexpr std::size_t combine_time(std::size_t elements) const {
        return depends_on_size() ? gamma * elements : tcomp;
    }

    [[nodiscard]] constexpr bool depends_on_size() const { return alpha != 0 || beta != 0 || gamma != 0; }

    friend bool operator==(uni_greedy const&, uni_greedy const&) = default;
};

constexpr facts describe(collective::reduce, std::type_identity<uni_greedy>) {
    return {.name = "uni_greedy", .requires_commutative = true, .model = ports::unidirectional};
}

/// When each rank of a uni-greedy reduction is free, after some of its segments. A copy continues on its own, so
/// that segmentations with a common beginning share it.
class uni_greedy_progress {
public:
    /// `arrivals[r]` is when rank r may start; without arrivals all start at 0.
    uni_greedy_progress(std::size_t size, std::size_t root, std::span<std::size_t const> arrivals = {})
        : root_{root}, free_(size, 0), order_(size) {
        if (!arrivals.empty() && arrivals.size() != size) {
            throw std::invalid_argument{"tutti: uni_greedy needs one arrival time for every rank, or none"};
        }
        std::copy(arrivals.begin(), arrivals.end(), free_.begin());
        std::iota(order_.begin(), order_.end(), std::size_t{0});
        std::stable_sort(order_.begin(), order_.end(), [&](auto a, auto b) { return free_[a] < free_[b]; });
    }

    /// Reduces one more segment; calls emit(sender, receiver, start) for each of its p-1 operations in order.
    ///
    /// Starts never decrease within a segment, so ranks that have sent and ranks that have received line up in
    /// the order in which they become free: two queues take the place of a heap.
    template <class Emit>
    void reduce_segment(std::size_t transfer, std::size_t combine, Emit emit) {
        waiting_.swap(order_);
        order_.clear();
        received_.clear();
        std::size_t next_waiting = 0;
        std::size_t next_received = 0;
        auto const first_free = [&] {
            bool const from_waiting =
                next_received == received_.size() ||
                (next_waiting != waiting_.size() && free_[waiting_[next_waiting]] <= free_[received_[next_received]]);
            return from_waiting ? waiting_[next_waiting++] : received_[next_received++];
        };
        for (auto left = free_.size(); left > 1; --left) {
            auto sender = first_free();
            auto receiver = first_free();
            auto const start = free_[receiver];
            if (sender == root_) { std::swap(sender, receiver); }
            emit(sender, receiver, start);
            free_[sender] = start + transfer;
            free_[receiver] = start + transfer + combine;
            order_.push_back(sender);
            received_.push_back(receiver);
        }
        order_.push_back(root_);
    }

    /// When the root has the last segment so far.
    [[nodiscard]] std::size_t makespan() const { return free_[root_]; }

private:
    std::size_t root_;
    std::vector<std::size_t> free_;      // per rank
    std::vector<std::size_t> order_;     // ranks in the order in which they become free
    std::vector<std::size_t> waiting_;   // ranks that have not taken up the current segment yet
    std::vector<std::size_t> received_;  // ranks that have received it, and not sent it
};

/// Throws std::invalid_argument if all operations one after another would end too late for std::size_t.
inline void check_times(uni_greedy const& costs, std::size_t size, partition const& blocks) {
    std::size_t longest = 0;
    for (std::size_t block = 0; block < blocks.blocks(); ++block) { longest = std::max(longest, blocks.size(block)); }
    auto const real = [](std::size_t number) { return static_cast<double>(number); };
    auto const operation = costs.depends_on_size()
                               ? real(costs.alpha) + (real(costs.beta) + real(costs.gamma)) * real(longest)
                               : real(costs.tcomm) + real(costs.tcomp);
    auto const& arrivals = costs.arrivals;
    auto const begin = arrivals.empty() ? 0.0 : real(*std::max_element(arrivals.begin(), arrivals.end()));
    if (begin + real(size) * real(blocks.blocks()) * operation > real(std::numeric_limits<std::size_t>::max() / 2)) {
        throw std::invalid_argument{
            "tutti: the costs of uni_greedy are too large to add up; divide all of them by the same number"};
    }
}

/// Calls emit(operation) for all operations of the reduction, segment by segment; returns the makespan.
template <class Emit>
std::size_t for_each_transfer(uni_greedy const& costs, std::size_t size, std::size_t root, partition const& blocks,
                               Emit emit) {
    check_times(costs, size, blocks);
    uni_greedy_progress progress{size, root, costs.arrivals};
    for (std::size_t block = 0; block < blocks.blocks(); ++block) {
        auto const elements = blocks.size(block);
        if (elements == 0) { continue; }
        progress.reduce_segment(costs.transfer_time(elements), costs.combine_time(elements),
                                [&](std::size_t sender, std::size_t receiver, std::size_t start) {
                                    emit(uni_greedy::transfer{block, sender, receiver, start});
                                });
    }
    return progress.makespan();
}

/// The whole reduction as all ranks carry it out together.
[[nodiscard]] inline std::vector<uni_greedy::transfer> transfers_of(uni_greedy const& costs, std::size_t size,
                                                                   std::size_t root, partition const& blocks) {
    std::vector<uni_greedy::transfer> result;
    for_each_transfer(costs, size, root, blocks, [&](auto const& each) { result.push_back(each); });
    return result;
}

/// When the root has the result. It is the same for every root, unless ranks arrive at different times.
[[nodiscard]] inline std::size_t makespan(uni_greedy const& costs, std::size_t size, partition const& blocks) {
    return for_each_transfer(costs, size, 0, blocks, [](auto const&) {});
}

/// The steps of one rank, from operations in the order in which each rank takes part in them.
class steps_of_transfers {
public:
    explicit steps_of_transfers(problem const& at) : rank_{at.rank}, next_round_(at.size, 0) {}

    void add(uni_greedy::transfer const& each) {
        auto const round = std::max(next_round_[each.sender], next_round_[each.receiver]);
        next_round_[each.sender] = next_round_[each.receiver] = round + 1;
        if (rank_ == each.sender) {
            steps_.push_back(step::send(round, each.receiver, buffer::result(), each.segment));
        } else if (rank_ == each.receiver) {
            steps_.push_back(step::receive_combine(round, each.sender, buffer::result(), each.segment, side::right));
        }
    }

    [[nodiscard]] auto schedule() && {
        return stored_schedule(*std::max_element(next_round_.begin(), next_round_.end()), std::move(steps_));
    }

private:
    std::size_t rank_;
    std::vector<std::size_t> next_round_;  // per rank
    std::vector<step> steps_;
};

[[nodiscard]] inline lazy_schedule generate(collective::reduce, uni_greedy const& costs, problem const& at) {
    steps_of_transfers steps{at};
    for_each_transfer(costs, at.size, at.root, at.blocks, [&](auto const& each) { steps.add(each); });
    return std::move(steps).schedule();
}

}  // namespace tutti::generators

namespace tutti {
using generators::uni_greedy;
}  // namespace tutti
