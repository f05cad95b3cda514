// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <tutti/arrival/clock.hpp>
#include <tutti/arrival/exchange.hpp>
#include <tutti/communicator.hpp>

namespace tutti::monitoring {

/// What one rank hears from each other one, and what it tells all of them, in an iteration and the one before.
template <communicator C>
struct reports {
    enum field : std::size_t { of_iteration, expected, elapsed, predicted, fields };
    using report = std::array<std::int64_t, fields>;

    explicit reports(std::size_t size) : heard(size), requests(3 * size, C::inactive()), done(3 * size) {}

    [[nodiscard]] std::span<typename C::request> receives() { return std::span{requests}.first(heard.size()); }
    [[nodiscard]] std::span<typename C::request> sends(std::uint64_t iteration) {
        return std::span{requests}.subspan((1 + iteration % 2) * heard.size(), heard.size());
    }

    std::vector<report> heard;
    std::array<report, 2> sent{};
    std::vector<typename C::request> requests;
    std::vector<completion> done;
};

/// The reports of the monitors of a world, as long as the world lives. Those of a monitor that has ended before its
/// iteration had are kept: others may have sent theirs and cannot take them back, and a later communicator could get
/// them.
template <communicator C>
class monitor_register {
public:
    monitor_register() = default;
    monitor_register(monitor_register const&) = delete;
    monitor_register& operator=(monitor_register const&) = delete;
    ~monitor_register() {
        for (auto const& each : monitors_) { cancel(*each); }
        for (auto const& each : ended_) { cancel(*each); }
    }

    /// A monitor begins; null when the world has ended.
    [[nodiscard]] std::weak_ptr<reports<C>> register_monitor(C& ranks) {
        ranks_ = &ranks;
        return monitors_.emplace_back(std::make_shared<reports<C>>(static_cast<std::size_t>(ranks.size())));
    }

    /// It ends; what it awaits may still come.
    void keep(std::shared_ptr<reports<C>> const& left) {
        std::erase(monitors_, left);
        ended_.push_back(left);
        std::erase_if(ended_, [&](auto const& each) {
            ranks_->test_some(each->requests, each->done);
            return std::ranges::count(each->requests, C::inactive()) == std::ssize(each->requests);
        });
    }

    /// It ends, and what it awaits will not come.
    void drop(std::shared_ptr<reports<C>> const& left) {
        cancel(*left);
        std::erase(monitors_, left);
    }

private:
    void cancel(reports<C>& given_up) {
        for (auto& each : given_up.requests) { ranks_->cancel(std::exchange(each, C::inactive())); }
    }

    C* ranks_ = nullptr;
    std::vector<std::shared_ptr<reports<C>>> monitors_;
    std::vector<std::shared_ptr<reports<C>>> ended_;
};

/// Every rank tells all others when it is expected, on the clock of rank 0, by messages that no rank waits for before
/// the collective. All have the same numbers and conclude the same from them.
///
/// A report of iteration i has been received when its sender has entered i + 1, for by then all have sent theirs of i +
/// 1, and they had received those of i before. So there are reports of two iterations at most.
/// Cost: p - 1 messages for each rank and iteration.
template <communicator C>
class piggyback final : public exchange {
public:
    /// All ranks construct theirs at the same time.
    explicit piggyback(C& ranks)
        : ranks_{ranks},
          tag_{ranks.new_tag()},
          size_{static_cast<std::size_t>(ranks.size())},
          self_{static_cast<std::size_t>(ranks.rank())},
          offset_{monitoring::offset_to_rank_0(ranks)},
          reports_{ranks.store().template get<monitor_register<C>>().register_monitor(ranks)},
          exceptions_{std::uncaught_exceptions()} {}

    /// Waits until all have the estimates of the last iteration that this rank has entered, unless an exception ends
    /// it; those of a later one are taken back.
    ~piggyback() override {
        auto const own = reports_.lock();
        if (!own) { return; }
        auto& all = ranks_.store().template get<monitor_register<C>>();
        try {
            if (std::uncaught_exceptions() == exceptions_ && entered_ > 0) { await(own->sends(entered_ - 1), *own); }
            if (C::drains && receiving_) {
                all.keep(own);
                return;
            }
        } catch (...) { static_cast<void>(0); }  // the failure is reported by the next call
        all.drop(own);
    }

    [[nodiscard]] exchange_kind kind() const override { return exchange_kind::piggyback; }
    [[nodiscard]] std::int64_t now() const override { return C::now(); }

    void publish(announcement const& message) override {
        auto const all = all_reports();
        auto& own = all->sent[message.iteration % 2];
        own = {static_cast<std::int64_t>(message.iteration), message.expected + offset_, message.elapsed,
               message.predicted};
        all->heard[self_] = own;
        auto const requests = all->sends(message.iteration);
        for (std::size_t peer = 0; peer < size_; ++peer) {
            if (peer == self_) { continue; }
            requests[peer] = ranks_.send(static_cast<int>(peer), tag_, std::as_bytes(std::span{own}));
        }
    }

    void progress() override {
        auto const all = all_reports();
        expect(*all);
        messaging::raise_failures(ranks_, std::span{all->done}.first(ranks_.test_some(all->requests, all->done)));
    }

    [[nodiscard]] process_arrival_pattern enter(std::uint64_t iteration) override {
        auto const all = all_reports();
        expect(*all);
        await(all->receives(), *all);
        if (iteration > 0) { await(all->sends(iteration - 1), *all); }
        receiving_ = false;
        entered_ = iteration + 1;
        return conclude(iteration, all->heard);
    }

private:
    using field = reports<C>;

    [[nodiscard]] std::shared_ptr<reports<C>> all_reports() const {
        if (auto all = reports_.lock()) { return all; }
        throw std::logic_error{"tutti: the communicator of this arrival monitor has been freed"};
    }

    void await(std::span<typename C::request> some, reports<C>& all) {
        while (auto const count = ranks_.wait_some(some, all.done)) {
            messaging::raise_failures(ranks_, std::span{all.done}.first(count));
        }
    }

    void expect(reports<C>& all) {
        if (std::exchange(receiving_, true)) { return; }
        auto const requests = all.receives();
        for (std::size_t peer = 0; peer < size_; ++peer) {
            if (peer == self_) { continue; }
            auto const memory = std::as_writable_bytes(std::span{all.heard[peer]});
            requests[peer] = ranks_.receive(static_cast<int>(peer), tag_, memory);
        }
    }

    [[nodiscard]] process_arrival_pattern conclude(std::uint64_t iteration,
                                                   std::vector<typename reports<C>::report> const& heard) {
        auto earliest = std::numeric_limits<std::int64_t>::max();
        auto fastest = earliest;
        for (std::size_t rank = 0; rank < size_; ++rank) {
            if (heard[rank][field::of_iteration] != static_cast<std::int64_t>(iteration)) {
                throw std::logic_error{"tutti: this rank asks its arrival monitor for iteration " +
                                       std::to_string(iteration) + " while rank " + std::to_string(rank) + " is in " +
                                       std::to_string(heard[rank][field::of_iteration]) +
                                       "; all ranks must make and ask monitors in the same order"};
            }
            earliest = std::min(earliest, heard[rank][field::expected]);
            fastest = std::min(fastest, heard[rank][field::elapsed]);
        }
        time_scale_.learn(fastest, heard[0][field::predicted]);
        process_arrival_pattern result{
            .iteration = iteration, .arrivals = {}, .time_scale = time_scale_, .heard = size_};
        for (auto const& each : heard) { result.arrivals.push_back(each[field::expected] - earliest); }
        return result;
    }

    C& ranks_;
    int tag_;
    std::size_t size_;
    std::size_t self_;
    std::int64_t offset_;
    time_factor time_scale_;
    std::weak_ptr<reports<C>> reports_;
    bool receiving_ = false;
    std::uint64_t entered_ = 0;
    int exceptions_;
};

}  // namespace tutti::monitoring
