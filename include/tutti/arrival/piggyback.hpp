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
#include <tutti/arrival/pattern.hpp>
#include <tutti/communicator.hpp>

namespace tutti::monitoring {

/// What a rank sends about itself, once in an iteration.
struct announcement {
    std::uint64_t iteration = 0;
    std::int64_t expected = 0;   ///< arrival, in ns of this rank's clock
    std::int64_t elapsed = 0;    ///< ns this rank spent in the last collective; 0: not known
    std::int64_t predicted = 0;  ///< ns the last rank to arrive was predicted to spend in it; 0: not known
};

/// Exchanges when the ranks are expected, over any communicator. Called by the thread of its rank.
class exchange {
public:
    exchange() = default;
    exchange(exchange const&) = delete;
    exchange& operator=(exchange const&) = delete;
    virtual ~exchange() = default;

    /// Of this rank's clock, in ns.
    [[nodiscard]] virtual std::int64_t now() const = 0;
    /// Sends it to the others, without waiting. Once for each iteration.
    virtual void publish(announcement const& message) = 0;
    /// Receives what the others have sent, without waiting.
    virtual void progress() = 0;
    /// This rank enters the collective of `iteration`, which it has published: waits for the others' announcements.
    [[nodiscard]] virtual process_arrival_pattern enter(std::uint64_t iteration) = 0;
};

/// What one rank receives from each other one, and what it sends to all of them, in an iteration and the one before.
template <communicator C>
struct reports {
    enum field : std::size_t { of_iteration, expected, elapsed, predicted, fields };
    using report = std::array<std::int64_t, fields>;

    explicit reports(std::size_t size) : received(size), requests(3 * size, C::inactive()), done(3 * size) {}

    [[nodiscard]] std::span<typename C::request> receives() { return std::span{requests}.first(received.size()); }
    [[nodiscard]] std::span<typename C::request> sends(std::uint64_t iteration) {
        return std::span{requests}.subspan((1 + iteration % 2) * received.size(), received.size());
    }

    std::vector<report> received;
    std::array<report, 2> sent{};
    std::vector<typename C::request> requests;
    std::vector<completion> done;
    bool has_ended = false;  // the monitor
};

/// The reports of the monitors of a world, as long as the world lives. Those of a monitor that has ended before its
/// iteration are kept until they have arrived, since a later communicator could get them.
template <communicator C>
class monitor_register {
public:
    monitor_register() = default;
    monitor_register(monitor_register const&) = delete;
    monitor_register& operator=(monitor_register const&) = delete;
    ~monitor_register() {
        for (auto const& each : monitors_) {
            try {  // MPI receives only while it is called
                for (int i = 0; i != 64; ++i) { ranks_->test_some(each->requests, each->done); }
            } catch (...) { static_cast<void>(0); }
            cancel(*each);
        }
    }

    /// A monitor begins; null when the world has ended.
    [[nodiscard]] std::weak_ptr<reports<C>> register_monitor(C& ranks) {
        ranks_ = &ranks;
        return monitors_.emplace_back(std::make_shared<reports<C>>(static_cast<std::size_t>(ranks.size())));
    }

    /// It ends, and gives up what it awaits.
    void drop(std::shared_ptr<reports<C>> const& of) {
        cancel(*of);
        std::erase(monitors_, of);
    }

    /// It ends; what it awaits may still arrive.
    void keep(std::shared_ptr<reports<C>> const& of) {
        of->has_ended = true;
        std::erase_if(monitors_, [&](auto const& each) {
            if (!each->has_ended) { return false; }
            ranks_->test_some(each->requests, each->done);
            return std::ranges::count(each->requests, C::inactive()) == std::ssize(each->requests);
        });
    }

private:
    void cancel(reports<C>& given_up) {
        for (auto& each : given_up.requests) { ranks_->cancel(std::exchange(each, C::inactive())); }
    }

    C* ranks_ = nullptr;
    std::vector<std::shared_ptr<reports<C>>> monitors_;
};

/// Every rank sends all others when it is expected, on the clock of rank 0, by messages that no rank waits for before
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
          exceptions_{std::uncaught_exceptions()} {
        ranks.discard_unmatched(tag_);  // of an iteration that never comes
    }

    /// Waits until all have the estimates of the last iteration that this rank has entered, unless an exception ends
    /// it; those of a later one are taken back.
    ~piggyback() override {
        auto const own = reports_.lock();
        if (!own) { return; }
        auto& all = ranks_.store().template get<monitor_register<C>>();
        try {
            if (std::uncaught_exceptions() == exceptions_ && entered_ > 0) { await(own->sends(entered_ - 1), *own); }
            // over MPI others cannot take back what they have sent
            if (!control::in_one_process<C> && receiving_) {
                all.keep(own);
                return;
            }
        } catch (...) { static_cast<void>(0); }  // the failure is reported by the next call
        all.drop(own);
    }

    [[nodiscard]] std::int64_t now() const override { return C::now(); }

    void publish(announcement const& message) override {
        auto const all = all_reports();
        auto& own = all->sent[message.iteration % 2];
        own = {static_cast<std::int64_t>(message.iteration), message.expected + offset_, message.elapsed,
               message.predicted};
        all->received[self_] = own;
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
        return conclude(iteration, all->received);
    }

private:
    using field = reports<C>;

    [[nodiscard]] std::shared_ptr<reports<C>> all_reports() const {
        if (auto all = reports_.lock()) { return all; }
        throw std::logic_error{"tutti: the communicator of this arrival monitor has been freed; make another one"};
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
            auto const memory = std::as_writable_bytes(std::span{all.received[peer]});
            requests[peer] = ranks_.receive(static_cast<int>(peer), tag_, memory);
        }
    }

    [[nodiscard]] process_arrival_pattern conclude(std::uint64_t iteration,
                                                   std::vector<typename reports<C>::report> const& received) {
        process_arrival_pattern result{.iteration = iteration, .arrivals = {}, .time_scale = {}};
        auto fastest = std::numeric_limits<std::int64_t>::max();
        for (std::size_t rank = 0; rank < size_; ++rank) {
            if (received[rank][field::of_iteration] != static_cast<std::int64_t>(iteration)) {
                throw std::logic_error{"tutti: this rank asks its arrival monitor for iteration " +
                                       std::to_string(iteration) + " while rank " + std::to_string(rank) + " is in " +
                                       std::to_string(received[rank][field::of_iteration]) +
                                       "; all ranks must make and ask monitors in the same order"};
            }
            result.arrivals.push_back(received[rank][field::expected]);
            fastest = std::min(fastest, received[rank][field::elapsed]);
        }
        time_scale_.learn(fastest, received[0][field::predicted]);
        result.time_scale = time_scale_;
        make_relative(result.arrivals);
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
