// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <iterator>
#include <numeric>
#include <type_traits>
#include <utility>
#include <vector>

#include <tutti/generator/named.hpp>

namespace tutti::generators {

/// In every round, block after block, as many ranks as possible send their part to another one, until the root has the
/// result. A rank sends one block and receives another one at the same time.
///
/// Blocks have different trees. A rank but the root holds at most two blocks that it has received and not yet sent.
/// Cost in lock step: (⌈log2 p⌉ + q - 1)(α + (β+γ)m/q); best q about √(m(⌈log2 p⌉-1)(β+γ)/α).
/// Cost to generate: O(p (q + log p)) time and, besides the steps, O(p log p) memory on every rank.
/// Source: [lowery13], algorithm 2, of which every operation starts at a multiple of the length of a round.
/// Counts of reduce: L + q - 1, the fewest of all | m | at most m (q + L - 1)/q.
struct bi_greedy {
    std::size_t segments = 0;  ///< 0: blocks of 128 KiB

    /// `sender` sends `segment` to `receiver` in `round`.
    struct transfer {
        std::size_t round;
        std::size_t segment;
        std::size_t sender;
        std::size_t receiver;
        friend bool operator==(transfer const&, transfer const&) = default;
    };

    friend bool operator==(bi_greedy const&, bi_greedy const&) = default;
};

constexpr facts describe(collective::reduce, std::type_identity<bi_greedy>) {
    return {.name = "bi_greedy", .requires_commutative = true};
}

/// A bi-greedy reduction of at least two ranks in progress. Ranks count from the root on: 0 is the root.
class bi_greedy_progress {
public:
    /// `blocks` must outlive this.
    bi_greedy_progress(std::size_t size, partition const& blocks)
        : size_{size}, blocks_{blocks}, last_sent_(size, 0), last_received_(size, 0) {
        start_next();
    }

    /// Whether the root has every block.
    [[nodiscard]] bool finished() const { return started_.empty(); }

    /// Carries out one more round; calls emit(block, sender, receiver) for each of its operations.
    template <class Emit>
    void advance(Emit emit) {
        ++round_;
        auto unused_sends = size_ - 1;
        auto unused_receives = size_;
        for (std::size_t i = 0; unused_sends != 0 && unused_receives != 0; ++i) {
            if (i == started_.size() && !start_next()) { break; }
            auto const passed_on = pass_on(started_[i], emit);
            unused_sends -= passed_on;
            unused_receives -= passed_on;
        }
        while (!started_.empty() && started_.front().holders.size() == 1) {
            spare_.push_back(std::move(started_.front().holders));
            started_.pop_front();
            if (started_.empty()) { start_next(); }
        }
    }

private:
    struct segment {
        std::size_t block;
        std::vector<std::size_t> holders;  // ranks that have not sent it, ascending
    };

    [[nodiscard]] bool may_send(std::size_t rank) const { return rank != 0 && last_sent_[rank] != round_; }
    [[nodiscard]] bool may_receive(std::size_t rank) const { return last_received_[rank] != round_; }

    /// Only segments that some ranks hold and others have sent take memory.
    bool start_next() {
        while (next_block_ != blocks_.blocks() && blocks_.size(next_block_) == 0) { ++next_block_; }
        if (next_block_ == blocks_.blocks()) { return false; }
        std::vector<std::size_t> holders;
        if (!spare_.empty()) {
            holders = std::move(spare_.back());
            spare_.pop_back();
        }
        holders.resize(size_);
        std::iota(holders.begin(), holders.end(), std::size_t{0});
        started_.push_back({next_block_++, std::move(holders)});
        return true;
    }

    /// Ranks that can only send send to ranks that can only receive; ranks that can do both make up for the difference,
    /// the last of them as senders and the first as receivers, and the others of them pair up.
    void choose(std::vector<std::size_t> const& holders) {
        std::size_t only_send = 0;
        std::size_t only_receive = 0;
        std::size_t both = 0;
        for (auto const rank : holders) {
            bool const sends = may_send(rank);
            bool const receives = may_receive(rank);
            both += sends && receives ? 1 : 0;
            only_send += sends && !receives ? 1 : 0;
            only_receive += receives && !sends ? 1 : 0;
        }
        bool const lacks_senders = only_send < only_receive;
        auto const lacking = std::min(both, lacks_senders ? only_receive - only_send : only_send - only_receive);
        auto const half = (both - lacking) / 2;
        auto const receivers = lacks_senders ? half : half + lacking;
        auto const first_sender = both - (lacks_senders ? half + lacking : half);

        senders_.clear();
        receivers_.clear();
        std::size_t place = 0;  // among the ranks that can do both
        for (auto const rank : holders) {
            bool sends = may_send(rank);
            bool receives = may_receive(rank);
            if (sends && receives) {
                sends = place >= first_sender;
                receives = place < receivers;
                ++place;
            }
            if (sends) { senders_.push_back(rank); }
            if (receives) { receivers_.push_back(rank); }
        }
    }

    /// Number of ranks that pass their part of the segment on in this round.
    template <class Emit>
    std::size_t pass_on(segment& current, Emit& emit) {
        choose(current.holders);
        senders_.resize(std::min(senders_.size(), receivers_.size()));
        for (std::size_t i = 0; i < senders_.size(); ++i) {
            emit(current.block, senders_[i], receivers_[i]);
            last_sent_[senders_[i]] = round_;
            last_received_[receivers_[i]] = round_;
        }
        if (!senders_.empty()) {
            remaining_.clear();
            std::set_difference(current.holders.begin(), current.holders.end(), senders_.begin(), senders_.end(),
                                std::back_inserter(remaining_));
            current.holders.swap(remaining_);
        }
        return senders_.size();
    }

    std::size_t size_;
    partition const& blocks_;
    std::size_t round_ = 0;               // counts from 1 on: 0 is never
    std::vector<std::size_t> last_sent_;  // per rank: a round
    std::vector<std::size_t> last_received_;
    std::deque<segment> started_;  // from the first that the root does not have
    std::size_t next_block_ = 0;
    std::vector<std::vector<std::size_t>> spare_;  // memory for holders
    std::vector<std::size_t> senders_;
    std::vector<std::size_t> receivers_;
    std::vector<std::size_t> remaining_;
};

/// Calls emit(operation) for all operations of the reduction, round by round; returns the number of rounds.
template <class Emit>
std::size_t for_each_transfer(bi_greedy const&, std::size_t size, std::size_t root, partition const& blocks,
                               Emit emit) {
    if (size == 1) { return 0; }
    auto const rank = [=](std::size_t from_root) {
        return from_root < size - root ? root + from_root : root + from_root - size;
    };
    bi_greedy_progress progress{size, blocks};
    std::size_t round = 0;
    for (; !progress.finished(); ++round) {
        progress.advance([&](std::size_t block, std::size_t sender, std::size_t receiver) {
            emit(bi_greedy::transfer{round, block, rank(sender), rank(receiver)});
        });
    }
    return round;
}

/// The whole reduction as all ranks carry it out together.
[[nodiscard]] inline std::vector<bi_greedy::transfer> transfers_of(bi_greedy const& greedy, std::size_t size,
                                                                  std::size_t root, partition const& blocks) {
    std::vector<bi_greedy::transfer> result;
    for_each_transfer(greedy, size, root, blocks, [&](auto const& each) { result.push_back(each); });
    return result;
}

[[nodiscard]] inline lazy_schedule generate(collective::reduce, bi_greedy const& greedy, problem const& at) {
    std::vector<step> steps;
    auto const append = [&](bi_greedy::transfer const& each) {
        if (at.rank == each.receiver) {
            steps.push_back(
                step::receive_combine(each.round, each.sender, buffer::result(), each.segment, side::right));
        } else if (at.rank == each.sender) {
            // before the receive of the same round, which may be of an earlier segment: ranks that swap segments
            // would wait for each other
            bool const received = !steps.empty() && steps.back().round == each.round;
            steps.insert(steps.end() - (received ? 1 : 0),
                         step::send(each.round, each.receiver, buffer::result(), each.segment));
        }
    };
    auto const rounds = for_each_transfer(greedy, at.size, at.root, at.blocks, append);
    return stored_schedule(rounds, std::move(steps));
}

}  // namespace tutti::generators

namespace tutti {
using generators::bi_greedy;
}  // namespace tutti
