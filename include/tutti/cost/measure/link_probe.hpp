// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <tutti/communicator.hpp>
#include <tutti/communicator/control_channel.hpp>
#include <tutti/cost/machine.hpp>
#include <tutti/cost/measure/repetitions.hpp>

namespace tutti::pricing {

/// A message of `bytes` bytes that took `seconds`.
struct sample {
    double bytes = 0;
    double seconds = 0;
};

/// constant + bytes * per_byte.
struct affine_cost {
    double constant = 0;
    double per_byte = 0;

    [[nodiscard]] constexpr double at(double bytes) const { return constant + bytes * per_byte; }
    [[nodiscard]] constexpr bool is_possible() const { return constant >= 0 && per_byte >= 0; }

    friend bool operator==(affine_cost const&, affine_cost const&) = default;
};

namespace fitting {

/// Twice as long is as far off as half as long.
[[nodiscard]] inline double deviation(affine_cost const& cost, sample const& from) {
    return std::abs(std::log(cost.at(from.bytes) / from.seconds));
}

/// The cost through two samples from which all together deviate least: up to half of them may be anywhere.
[[nodiscard]] inline affine_cost least_deviation(std::span<sample const> samples) {
    auto const lowest = std::ranges::min_element(samples, {}, &sample::seconds);
    affine_cost best{lowest->seconds, 0};
    auto least = std::numeric_limits<double>::max();
    for (auto const& one : samples) {
        for (auto const& other : samples) {
            if (one.bytes >= other.bytes) { continue; }
            auto const per_byte = (other.seconds - one.seconds) / (other.bytes - one.bytes);
            affine_cost const line{one.seconds - per_byte * one.bytes, per_byte};
            if (!line.is_possible()) { continue; }
            double sum = 0;
            for (auto const& each : samples) { sum += deviation(line, each); }
            if (sum < least) {
                least = sum;
                best = line;
            }
        }
    }
    return best;
}

/// The least sum of squares of (cost - t) / t, t what was measured: short messages count as much as long ones.
[[nodiscard]] inline affine_cost least_squares(std::span<sample const> samples) {
    double weight = 0;
    double bytes = 0;
    double seconds = 0;
    for (auto const& each : samples) {
        auto const w = 1 / (each.seconds * each.seconds);
        weight += w;
        bytes += w * each.bytes;
        seconds += w * each.seconds;
    }
    double covariance = 0;
    double variance = 0;
    for (auto const& each : samples) {
        auto const w = 1 / (each.seconds * each.seconds);
        auto const off = each.bytes - bytes / weight;
        covariance += w * off * (each.seconds - seconds / weight);
        variance += w * off * off;
    }
    auto const per_byte = variance > 0 ? covariance / variance : 0;
    return {(seconds - per_byte * bytes) / weight, per_byte};
}

}  // namespace fitting

/// What messages cost of which these took so long, each more than 0 s: least squares of relative deviations, without
/// those samples that most others show to be wrong by a factor of 1.5 or more. Never negative; nothing from nothing.
[[nodiscard]] inline affine_cost fit(std::span<sample const> samples) {
    if (samples.empty()) { return {}; }
    auto const start = fitting::least_deviation(samples);
    std::vector<sample> plausible{samples.begin(), samples.end()};
    auto const unlikely_from = std::log(1.5);
    std::erase_if(plausible, [&](sample const& each) { return fitting::deviation(start, each) >= unlikely_from; });
    if (plausible.empty()) { return start; }
    auto const refined = fitting::least_squares(plausible);
    return refined.is_possible() ? refined : start;
}

}  // namespace tutti::pricing

namespace tutti::pricing::measuring {

/// What messages between two ranks cost. Never g < o, since the sender is busy for o.
struct measured_link {
    loggp messages;
    double exchange_factor = 1;
    double longest_message = machine_model{}.longest_message;
    double shortest = 1e-9;  ///< seconds: there, of a message of some bytes
};

/// Two ranks time messages between them: one asks and has the clock, the other one answers. Each experiment is an
/// order, which the answering rank confirms, so that both are idle when it begins.
template <communicator C>
class link_probe {
public:
    /// All ranks construct theirs at the same time.
    explicit link_probe(C& ranks) : ranks_{ranks}, data_{ranks}, orders_{ranks} {}

    /// The costs of messages to `peer`, which calls `respond`.
    [[nodiscard]] measured_link run(int peer) {
        peer_ = peer;
        simulated_ = messaging::is_simulated<C>();
        auto const transfers = measure_transfers();
        auto const shortest = transfers.front().seconds;
        auto const longest = transfers.back();
        auto const exchange = measure_exchanges(static_cast<std::size_t>(longest.bytes), shortest, longest.seconds);
        std::vector<double> posting;
        auto const fewer = measure_stream(few, posting);
        auto const gap = (measure_stream(many, posting) - fewer) / double{many - few};
        auto const taking = measure_delivery(2 * shortest + 2 * many * std::max(gap, 0.0));
        order(done, 0, 0, 0);

        auto const cost = cost_of(transfers);
        auto const overhead = std::min((median(posting) + taking) / 2, cost.constant / 2);
        return {.messages = {.latency = cost.constant - 2 * overhead,
                             .overhead = overhead,
                             .gap = std::max(gap, overhead),
                             .per_byte = std::max(cost.per_byte, fastest)},
                .exchange_factor = std::clamp(exchange.seconds / longest.seconds, 1.0, 2.0),
                .longest_message = exchange.bytes,
                .shortest = shortest};
    }

    /// Does what `peer` asks for.
    void respond(int peer) {
        peer_ = peer;
        messaging::payload wanted(4);
        for (;;) {
            orders_.receive(peer_, wanted);
            orders_.send(peer_, wanted);
            if (wanted[0] == done) { return; }
            auto const bytes = static_cast<std::size_t>(wanted[1]);
            auto const count = static_cast<std::size_t>(wanted[2]);
            grow(bytes * count);
            for (auto i = wanted[3]; i > 0; --i) { respond(wanted[0], bytes, count); }
        }
    }

private:
    enum kind : std::int64_t { done, echoed, exchanged, streamed, delivered };

    static constexpr std::size_t long_enough = std::size_t{64} * 1024;
    static constexpr double long_time = 0.5e-3;
    static constexpr double fastest = 1e-12;  // s per byte: what is faster was not measured
    static constexpr double taking_turns = 1.3;  // times as long as one direction
    static constexpr double underestimated = 1.3;
    // Where it takes pieces to keep the two directions from taking turns, they seldom overlap in collectives as well as
    // here: in those over TCP exchanges took 1.2 to 1.5 times as long.
    static constexpr double unrest = 1.25;
    static constexpr std::size_t shortest_piece = 8192;
    static constexpr std::size_t most_pieces = 64;
    static constexpr int few = 4;
    static constexpr int many = 20;

    /// The number of pieces of messages that need not be cut for another reason: a power of two, as lengths are.
    [[nodiscard]] std::size_t usual_pieces(std::size_t bytes) const {
        auto const usual = static_cast<std::size_t>(machine_model{}.longest_message);
        auto const longest = std::min<std::size_t>(usual, ranks_.message_limit());
        return std::bit_ceil((bytes - 1) / longest + 1);
    }

    /// There and back, halved, for messages that grow until they are long in bytes and in time.
    [[nodiscard]] std::vector<sample> measure_transfers() {
        auto const largest = std::min<std::size_t>(std::size_t{1024} * 1024, most_pieces * ranks_.message_limit());
        std::vector<sample> result;
        bool enough = false;
        for (auto bytes = short_message(); !enough; bytes *= 4) {
            auto const pieces = usual_pieces(bytes);
            auto const seconds = median_of(echoed, bytes / pieces, pieces, [&] {
                auto const begun = C::now();
                data_.send_stream(peer_, outgoing(bytes / pieces), pieces);
                data_.receive_stream(peer_, incoming(bytes), pieces);
                return measuring::seconds_since<C>(begun) / 2;
            });
            result.push_back({static_cast<double>(bytes), std::max(seconds, 1e-9)});
            enough = bytes > largest / 4 || (bytes >= long_enough && seconds >= long_time);
        }
        return result;
    }

    /// Networks may carry what fits into a bucket of tokens, or a buffer, faster than what goes on for longer: then the
    /// shortest and the longest message tell.
    [[nodiscard]] static affine_cost cost_of(std::span<sample const> transfers) {
        auto const all = fit(transfers);
        auto const& shortest = transfers.front();
        auto const& longest = transfers.back();
        if (longest.seconds < underestimated * all.at(longest.bytes)) { return all; }
        auto const per_byte = (longest.seconds - shortest.seconds) / (longest.bytes - shortest.bytes);
        return {std::max(shortest.seconds - per_byte * shortest.bytes, 0.0), per_byte};
    }

    /// A short message, and when it has come long ones in both directions at once, in this many pieces.
    [[nodiscard]] double measure_exchange(std::size_t bytes, std::size_t pieces) {
        return median_of(exchanged, bytes / pieces, pieces, [&] {
            auto const begun = C::now();
            data_.send(peer_, outgoing(short_message()));
            data_.exchange(peer_, outgoing(bytes), peer_, incoming(bytes), pieces);
            return measuring::seconds_since<C>(begun);
        });
    }

    /// How long messages may be that are exchanged, and what an exchange of `bytes` bytes takes then. Where the two
    /// directions take turns, the longest pieces with which they do not.
    [[nodiscard]] sample measure_exchanges(std::size_t bytes, double shortest, double alone) {
        auto const usual = usual_pieces(bytes);
        auto const whole = measure_exchange(bytes, usual) - shortest;
        if (whole > taking_turns * alone) {
            for (std::size_t pieces = 2 * usual; bytes / pieces >= shortest_piece; pieces *= 2) {
                auto const seconds = measure_exchange(bytes, pieces) - shortest;
                if (seconds < taking_turns * alone) { return {static_cast<double>(bytes / pieces), unrest * seconds}; }
            }
        }
        return {machine_model{}.longest_message, whole};
    }

    /// The time of `count` short messages one after another and one back; adds the times to post one to `posting`.
    [[nodiscard]] double measure_stream(std::size_t count, std::vector<double>& posting) {
        return median_of(streamed, short_message(), count, [&] {
            auto const begun = C::now();
            auto sends = data_.post_sends(peer_, outgoing(short_message()), count);
            posting.push_back(measuring::seconds_since<C>(begun) / static_cast<double>(count));
            data_.finish_all(sends);
            data_.receive(peer_, incoming(short_message()));
            return measuring::seconds_since<C>(begun);
        });
    }

    /// The time to receive one of several short messages that have arrived; they need `seconds` seconds to arrive.
    ///
    /// Meanwhile this rank does not call the communicator, which might take them in. Where time is simulated it passes
    /// in such calls only: there the last message is waited for.
    [[nodiscard]] double measure_delivery(double seconds) {
        return median_of(delivered, short_message(), many, [&] {
            data_.send(peer_, outgoing(short_message()));
            auto begun = C::now();
            while (!simulated_ && measuring::seconds_since<C>(begun) < seconds) {}
            begun = C::now();
            auto receives = data_.post_receives(peer_, incoming(many * short_message()), many);
            auto const all = std::span{receives};
            if (simulated_) {
                data_.finish_all(all.last(1));
                begun = C::now();
            }
            data_.finish_all(all.first(all.size() - 1));
            auto const result = measuring::seconds_since<C>(begun) / double{many - 1};
            data_.finish_all(all.last(1));
            return result;
        });
    }

    void respond(std::int64_t what, std::size_t bytes, std::size_t count) {
        auto const is_told = [&] { data_.receive(peer_, incoming(short_message())); };
        switch (what) {
        case echoed:
            data_.receive_stream(peer_, incoming(count * bytes), count);
            data_.send_stream(peer_, outgoing(bytes), count);
            break;
        case exchanged:
            is_told();
            data_.exchange(peer_, outgoing(count * bytes), peer_, incoming(count * bytes), count);
            break;
        case streamed:
            data_.receive_stream(peer_, incoming(count * bytes), count);
            data_.send(peer_, outgoing(bytes));
            break;
        case delivered:
            is_told();
            data_.send_stream(peer_, outgoing(bytes), count);
            break;
        default: break;
        }
    }

    void order(std::int64_t what, std::size_t bytes, std::size_t count, std::size_t times) {
        messaging::payload wanted{what, static_cast<std::int64_t>(bytes), static_cast<std::int64_t>(count),
                                  static_cast<std::int64_t>(times)};
        orders_.send(peer_, wanted);
        orders_.receive(peer_, wanted);
    }

    /// The median of what `once` returns, which does its part of the experiment.
    template <class Once>
    [[nodiscard]] double median_of(std::int64_t what, std::size_t bytes, std::size_t count, Once once) {
        grow(bytes * count);
        repetitions const often{simulated_};
        std::vector<double> seconds;
        auto const repeat = [&](std::size_t times) {
            if (times == 0) { return; }
            order(what, bytes, count, times);
            for (std::size_t i = 0; i < times; ++i) { seconds.push_back(once()); }
        };
        auto const begun = C::now();
        repeat(often.at_first());
        repeat(often.more(measuring::seconds_since<C>(begun)));
        return median(seconds);
    }

    [[nodiscard]] std::size_t short_message() const { return std::min<std::size_t>(16, ranks_.message_limit()); }

    void grow(std::size_t bytes) {
        outgoing_.resize(std::max({outgoing_.size(), bytes, short_message()}));
        incoming_.resize(outgoing_.size());
    }
    [[nodiscard]] std::span<std::byte const> outgoing(std::size_t bytes) const {
        return std::span{outgoing_}.first(bytes);
    }
    [[nodiscard]] std::span<std::byte> incoming(std::size_t bytes) { return std::span{incoming_}.first(bytes); }

    C& ranks_;
    messaging::control_channel<C> data_;
    messaging::control_channel<C> orders_;
    int peer_ = 0;
    bool simulated_ = false;
    std::vector<std::byte> outgoing_;
    std::vector<std::byte> incoming_;
};

}  // namespace tutti::pricing::measuring
