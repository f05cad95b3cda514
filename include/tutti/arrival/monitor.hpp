// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include <tutti/arrival/clock.hpp>
#include <tutti/arrival/pattern.hpp>
#include <tutti/arrival/piggyback.hpp>
#include <tutti/communicator.hpp>
#include <tutti/communicator/call.hpp>
#include <tutti/cost/machine.hpp>
#include <tutti/cost/measure.hpp>

namespace tutti::monitoring {

/// When one rank is going to have computed what it computes between two collectives, in ns of its own clock.
///
/// begin(t): the last duration later, if one is known. edge(t, x): as much again as 1/x of what has passed; 0 < x <= 1,
/// others are ignored, and the last one counts. finish(t): t, and the duration is known from now on.
/// Source: [proficz18].
class estimator {
public:
    void begin(std::int64_t now) {
        begun_ = now;
        if (duration_) {
            estimate_ = now + *duration_;
        } else {
            estimate_.reset();
        }
    }

    /// Whether the estimate has changed.
    bool edge(std::int64_t now, double progress) {
        if (!begun_ || !(progress > 0 && progress <= 1)) { return false; }
        auto const passed = static_cast<double>(now - *begun_);
        if (passed >= longest * progress) { return false; }
        estimate_ = *begun_ + static_cast<std::int64_t>(passed / progress + 0.5);
        return true;
    }

    void finish(std::int64_t now) {
        if (begun_) { duration_ = now - *begun_; }
        begun_.reset();
        estimate_ = now;
    }

    /// Between begin and finish.
    [[nodiscard]] bool is_computing() const { return begun_.has_value(); }
    [[nodiscard]] std::optional<std::int64_t> estimate() const { return estimate_; }

private:
    static constexpr double longest = 1e18;  // 30 years, which still can be added to a time of today

    std::optional<std::int64_t> begun_;
    std::optional<std::int64_t> duration_;
    std::optional<std::int64_t> estimate_;
};

struct arrival_options {
    /// Measures what messages cost, as `measure` does, and uses that, where no machine model is in use.
    bool measures = true;
};

/// Called by all ranks. Measures what messages cost where rank 0 has no machine model in use, and wants it.
template <communicator C>
[[nodiscard]] std::unique_ptr<exchange> set_up(C& ranks, arrival_options const& wanted) {
    control::enter_together(ranks, control::call::named("arrival_monitor"));
    // receives are posted ahead and stay so: messages must not begin to go through memory later
    ranks.share_memory(ranks.shares_memory());
    auto& model = ranks.store().template get<machine_model>();
    payload measures{wanted.measures && model == machine_model{}};
    control_channel{ranks}.broadcast(measures);
    if (measures[0] != 0) {
        model = pricing::measure_messages(ranks);
        ranks.supervisor().begin_generation();
    }
    return std::make_unique<piggyback<C>>(ranks);
}

}  // namespace tutti::monitoring

namespace tutti {

/// Records when the ranks enter a repeated collective, and forecasts each rank's next arrival for all ranks.
///
/// In each iteration a rank may call `begin_compute`, any number of times `edge`, and `end_compute`; each is optional.
/// On entering the collective all ranks call `pattern`, which ends the iteration. A rank sends the others its estimate
/// at its first `edge`. A rank without edges sends it at `begin_compute`, or after the last collective, from its
/// previous duration. A rank that enters waits until all others have sent theirs.
/// Result: the same pattern on all ranks, iteration by iteration. If no machine model is in use, the monitor measures
/// one and uses it, unless the options state otherwise.
/// Requires: constructed by all ranks of `world`, as a collective is called, and destroyed before `world` and
/// MPI_Finalize. Only one thread of a rank uses it at a time.
/// Errors: those of the communicator, from the constructor and `pattern`. The destructor does not wait for ranks that
/// an exception has ended.
class arrival_monitor {
public:
    template <world World>
    explicit arrival_monitor(World const& world, monitoring::arrival_options const& wanted = {})
        : exchange_{monitoring::set_up(control::complete_communicator_of(world), wanted)},
          rank_{control::complete_communicator_of(world).rank()},
          size_{control::complete_communicator_of(world).size()} {}

    arrival_monitor(arrival_monitor&&) = default;
    arrival_monitor& operator=(arrival_monitor&&) = default;
    ~arrival_monitor() = default;

    [[nodiscard]] int rank() const noexcept { return rank_; }
    [[nodiscard]] int size() const noexcept { return size_; }

    /// The computation before the next collective begins now.
    void begin_compute() {
        begins_itself_ = true;
        begin();
    }

    /// The part `progress` of it is done, 0 < progress <= 1; other values are ignored.
    void edge(double progress) {
        if (estimator_.edge(exchange_->now(), progress)) {
            has_edge_ = true;
            publish(*estimator_.estimate());
        }
        exchange_->progress();
    }

    /// The computation has ended.
    void end_compute() {
        auto const now = exchange_->now();
        estimator_.finish(now);
        publish(now);
        exchange_->progress();
    }

    /// To be called on entering the collective. Valid until the next call.
    [[nodiscard]] process_arrival_pattern const& pattern() {
        auto const now = exchange_->now();
        if (estimator_.is_computing()) { estimator_.finish(now); }
        publish(now);
        pattern_ = exchange_->enter(iteration_);
        ++iteration_;
        published_ = false;
        had_edge_ = std::exchange(has_edge_, false);
        decided_ = exchange_->now();
        return pattern_;
    }

    /// The collective that was entered last has ended on this rank. This, and `predicted`, correct `time_scale`. If the
    /// program did not call `begin_compute` before it, the next computation begins now.
    void finished() {
        elapsed_ = exchange_->now() - decided_;
        if (!std::exchange(begins_itself_, false)) { begin(); }
    }

    /// The rank that arrives last was predicted to spend `elapsed` ns in the collective; 0: nothing was.
    void predicted(std::int64_t elapsed) { predicted_ = elapsed; }

private:
    void begin() {
        estimator_.begin(exchange_->now());
        if (estimator_.estimate() && !had_edge_) { publish(*estimator_.estimate()); }
        exchange_->progress();
    }

    void publish(std::int64_t expected) {
        if (std::exchange(published_, true)) { return; }
        exchange_->publish({.iteration = iteration_,
                            .expected = expected,
                            .elapsed = std::exchange(elapsed_, 0),
                            .predicted = std::exchange(predicted_, 0)});
    }

    std::unique_ptr<monitoring::exchange> exchange_;
    int rank_;
    int size_;
    monitoring::estimator estimator_;
    process_arrival_pattern pattern_;
    std::uint64_t iteration_ = 0;
    bool published_ = false;
    bool has_edge_ = false;
    bool had_edge_ = false;
    bool begins_itself_ = false;  // the program calls begin_compute
    std::int64_t decided_ = 0;
    std::int64_t elapsed_ = 0;
    std::int64_t predicted_ = 0;
};

}  // namespace tutti

#define TUTTI_UNLESS_LINKED <tutti/execution/check_call.hpp>
#include <tutti/seam.hpp>
