// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <tutti/arrival/clock.hpp>
#include <tutti/arrival/exchange.hpp>
#include <tutti/arrival/helper_thread.hpp>
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

/// What a monitor starts with.
struct arrangement {
    std::unique_ptr<exchange> chosen;
    std::string why;
    int rank = 0;
    int size = 1;
};

/// Why this rank cannot have a helper; empty if it can.
template <communicator C>
[[nodiscard]] std::string why_no_helper(C& ranks, bool wanted) {
    if (!wanted) { return "no helper thread is wanted"; }
    if (ranks.size() == 1) { return "there is one rank only"; }
    if (!ranks.allows_threads()) {
        return "the communicator does not let two threads call at the same time (MPI does if it is initialised "
               "with MPI_THREAD_MULTIPLE)";
    }
    auto const size = static_cast<std::size_t>(ranks.size());
    auto const longest = sizeof(payload::value_type) * leader_protocol<C>::longest_message(size);
    return longest <= ranks.message_limit() ? "" : "a message cannot be as long as a decision";
}

/// The ranks agree on how they exchange estimates, and measure what messages cost where nothing is known of it.
template <communicator C>
[[nodiscard]] arrangement set_up(C& ranks, arrival_options const& wanted) {
    control::enter_together(ranks, control::call::named("arrival_monitor"));
    // what is received ahead stays posted, so the way of messages must not change later
    ranks.share_memory(ranks.shares_memory());
    auto why_not = monitoring::why_no_helper(ranks, wanted.helper_thread);
    auto& helper = ranks.store().template get<attached_helper<C>>().there;
    if (why_not.empty()) {
        if (!helper) { helper = std::make_shared<helper_thread<C>>(); }
        if (!helper->start()) { why_not = "the system gives this rank no further thread"; }
    }
    control_channel channel{ranks};
    auto& model = ranks.store().template get<machine_model>();
    payload agreed{why_not.empty(), wanted.measures && model == machine_model{}};
    for (auto const& each : channel.gather(agreed)) { agreed[0] = std::min(agreed[0], each[0]); }
    channel.broadcast(agreed);
    if (agreed[1] != 0) {
        model = pricing::measure_messages(ranks);
        ranks.supervisor().begin_generation();
    }

    arrangement result{.chosen = nullptr, .why = "", .rank = ranks.rank(), .size = ranks.size()};
    if (agreed[0] != 0) {
        result.chosen = std::make_unique<by_helper<C>>(ranks, helper);
        result.why = "helper_thread: while the program computes, a thread of each rank tells rank 0, which decides "
                     "for all, since the communicator lets two threads call at the same time";
        return result;
    }
    if (helper) { helper->stop_unless_used(); }
    if (why_not.empty()) { why_not = "other ranks do without a helper thread"; }
    result.chosen = std::make_unique<piggyback<C>>(ranks);
    result.why = "piggyback: each rank tells all others when the program calls the monitor, since " + why_not;
    return result;
}

}  // namespace tutti::monitoring

namespace tutti {

/// Watches when the ranks enter a collective that they call again and again, and tells them beforehand whom to expect
/// when.
///
/// In each iteration a rank may say `begin_compute`, any number of times `edge`, `end_compute`; each is optional. On
/// entering the collective all ranks call `pattern`, which ends the iteration. A rank tells the others of its estimate
/// at its first `edge`, which leaves them time to prepare; a rank without edges tells at `begin_compute` how long it
/// took last time.
/// Result: the same pattern on all ranks, iteration by iteration. If no machine model is in use yet, one with measured
/// costs of messages is from now on, unless the options say otherwise.
/// Requires: constructed by all ranks of `world`, as a collective is, and destroyed before `world` and MPI_Finalize.
/// Errors: whatever the communicator throws, from the constructor and `pattern`.
/// Not for several threads of a rank at a time. The destructor does not wait for ranks that an exception has ended.
class arrival_monitor {
public:
    template <world World>
    explicit arrival_monitor(World const& world, monitoring::arrival_options const& wanted = {})
        : arrival_monitor{monitoring::set_up(control::complete_communicator_of(world), wanted)} {}

    arrival_monitor(arrival_monitor&&) = default;
    arrival_monitor& operator=(arrival_monitor&&) = default;
    ~arrival_monitor() = default;

    [[nodiscard]] int rank() const noexcept { return rank_; }
    [[nodiscard]] int size() const noexcept { return size_; }
    [[nodiscard]] monitoring::exchange_kind exchange() const { return exchange_->kind(); }

    /// How the estimates are exchanged, and why, in a sentence.
    [[nodiscard]] std::string explain() const { return why_; }

    /// The computation before the next collective begins now.
    void begin_compute() {
        estimator_.begin(exchange_->now());
        if (estimator_.estimate() && !had_edge_) { publish(*estimator_.estimate()); }
        exchange_->progress();
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

    /// The collective that was entered last has ended on this rank. This, and `predicted`, correct `time_scale`.
    void finished() { elapsed_ = exchange_->now() - decided_; }

    /// The rank that arrives last was predicted to spend `elapsed` ns in the collective; 0: nothing was.
    void predicted(std::int64_t elapsed) { predicted_ = elapsed; }

private:
    explicit arrival_monitor(monitoring::arrangement&& made)
        : exchange_{std::move(made.chosen)}, why_{std::move(made.why)}, rank_{made.rank}, size_{made.size} {}

    void publish(std::int64_t expected) {
        if (std::exchange(published_, true)) { return; }
        exchange_->publish({.iteration = iteration_,
                            .expected = expected,
                            .elapsed = std::exchange(elapsed_, 0),
                            .predicted = std::exchange(predicted_, 0)});
    }

    std::unique_ptr<monitoring::exchange> exchange_;
    std::string why_;
    int rank_;
    int size_;
    monitoring::estimator estimator_;
    process_arrival_pattern pattern_;
    std::uint64_t iteration_ = 0;
    bool published_ = false;
    bool has_edge_ = false;
    bool had_edge_ = false;
    std::int64_t decided_ = 0;
    std::int64_t elapsed_ = 0;
    std::int64_t predicted_ = 0;
};

}  // namespace tutti

#define TUTTI_UNLESS_LINKED <tutti/execution/check_call.hpp>
#include <tutti/seam.hpp>
