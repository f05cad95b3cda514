// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include <tutti/arrival/estimator.hpp>
#include <tutti/arrival/exchange.hpp>
#include <tutti/arrival/options.hpp>
#include <tutti/arrival/pattern.hpp>
#include <tutti/arrival/set_up.hpp>
#include <tutti/communicator.hpp>

namespace tutti {

/// Watches when the ranks enter a collective that they call again and again, and tells them beforehand whom to expect
/// when.
///
/// In each iteration a rank may say `begin_compute`, any number of times `edge`, `end_compute`; each is optional. On
/// entering the collective all ranks call `pattern`, which ends the iteration. A rank tells the others of its estimate
/// at its first `edge`, which leaves them time to prepare; a rank without edges tells at `begin_compute` how long it
/// took last time.
/// Result: the same pattern on all ranks, iteration by iteration.
/// Requires: constructed by all ranks of `world`, as a collective is, and destroyed before `world` and MPI_Finalize.
/// Errors: whatever the communicator throws, from the constructor and `pattern`.
/// Not for several threads of a rank at a time. The destructor does not wait for ranks that an exception has ended.
class arrival_monitor {
public:
    template <world World>
    explicit arrival_monitor(World const& world, arrival_options const& wanted = {})
        : arrival_monitor{monitoring::set_up(complete_communicator_of(world), wanted)} {}

    arrival_monitor(arrival_monitor&&) = default;
    arrival_monitor& operator=(arrival_monitor&&) = default;
    ~arrival_monitor() = default;

    [[nodiscard]] int rank() const noexcept { return rank_; }
    [[nodiscard]] int size() const noexcept { return size_; }
    [[nodiscard]] arrival_exchange exchange() const { return exchange_->kind(); }

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

    /// The collective that was entered last has ended on this rank. This, and `predicted`, correct the costs.
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
