// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <tutti/arrival/clock.hpp>
#include <tutti/communicator.hpp>
#include <tutti/communicator/agreement.hpp>
#include <tutti/communicator/control_channel.hpp>

namespace tutti::monitoring {

/// Agrees on times, on the clock of rank 0.
template <communicator C>
class latest_of_ranks {
public:
    explicit latest_of_ranks(C& ranks) : ranks_{ranks} {}

    /// For each of the times of this rank's clock the latest of all ranks; the same on all of them, which all call.
    /// Cost: 2 ⌈log2 p⌉ messages, one after the other; those of `offset_to_rank_0` at first, and again
    /// after `drift_matters`.
    [[nodiscard]] messaging::payload operator()(messaging::payload mine) {
        messaging::control_channel<C> channel{ranks_};
        control::binomial_tree const tree{channel.rank(), channel.size()};
        if constexpr (!control::in_one_process<C>) {
            bool const is_due = agreed_at_ == 0 || agreed_at_ - measured_at_ > drift_matters;
            if (is_due) {
                offset_ = monitoring::offset_to_rank_0(ranks_);
                measured_at_ = agreed_at_;
            }
            for (auto& each : mine) { each += offset_; }
        }
        mine.push_back(control::in_one_process<C> ? 0 : C::now());
        auto theirs = mine;
        for (int const child : tree.children()) {
            channel.receive(child, theirs);
            for (std::size_t i = 0; i != mine.size(); ++i) { mine[i] = std::max(mine[i], theirs[i]); }
        }
        if (tree.has_parent()) {
            channel.send(tree.parent(), mine);
            channel.receive(tree.parent(), mine);
        }
        for (int const child : tree.longest_first()) { channel.send(child, mine); }
        agreed_at_ = std::max<std::int64_t>(mine.back(), 1);
        mine.pop_back();
        return mine;
    }

private:
    /// ns: clocks that differ by 20 ppm have then gone 0.2 ms apart.
    static constexpr std::int64_t drift_matters = 10'000'000'000;

    C& ranks_;
    std::int64_t offset_ = 0;       // to the clock of rank 0
    std::int64_t agreed_at_ = 0;    // the latest clock of all ranks, when they agreed last
    std::int64_t measured_at_ = 0;  // the same, when the offset was measured
};

}  // namespace tutti::monitoring
