// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>

#include <tutti/arrival/clock.hpp>
#include <tutti/communicator.hpp>
#include <tutti/communicator/call.hpp>
#include <tutti/communicator/control_channel.hpp>
#include <tutti/execution/check_call.hpp>
#include <tutti/execution/control_requests.hpp>

namespace tutti::monitoring {

/// Agrees on times, on the clock of rank 0.
class latest_of_ranks {
public:
    /// For each of the times of this rank's clock the latest of all ranks; the same on all of them, which all call: a
    /// call of the communicator like any other, which fails like any other.
    /// Cost: 2 ⌈log2 p⌉ messages, one after the other; those of `offset_to_rank_0` at first, and again
    /// after `drift_matters`, and as many again so that all ranks are there.
    template <communicator C>
    [[nodiscard]] messaging::payload operator()(C& ranks, messaging::payload mine) {
        static control::call const entered = control::call::named("the times of earlier calls");
        if constexpr (!control::in_one_process<C>) {
            if (agreed_at_ == 0 || agreed_at_ - measured_at_ > drift_matters) {
                control::enter_together(ranks, entered);
                auto const number = ranks.new_call_tag();
                engine::beside_data(ranks, number, [&] { offset_ = monitoring::offset_to_rank_0(ranks); });
                measured_at_ = agreed_at_;
            }
            for (auto& each : mine) { each += offset_; }
        }
        mine.push_back(control::in_one_process<C> ? 0 : C::now());
        auto const number = ranks.new_call_tag();
        engine::beside_data(ranks, number, [&] {
            engine::control_exchange<C>{ranks, number, number, entered}.all_reduce(mine, std::greater{});
        });
        agreed_at_ = std::max<std::int64_t>(mine.back(), 1);
        mine.pop_back();
        return mine;
    }

private:
    /// ns: clocks that differ by 20 ppm have then gone 0.2 ms apart.
    static constexpr std::int64_t drift_matters = 10'000'000'000;

    std::int64_t offset_ = 0;       // to the clock of rank 0
    std::int64_t agreed_at_ = 0;    // the latest clock of all ranks, when they agreed last
    std::int64_t measured_at_ = 0;  // the same, when the offset was measured
};

}  // namespace tutti::monitoring
