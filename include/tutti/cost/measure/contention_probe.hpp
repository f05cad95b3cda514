// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include <tutti/communicator.hpp>
#include <tutti/communicator/control_channel.hpp>
#include <tutti/cost/machine.hpp>
#include <tutti/cost/measure/repetitions.hpp>

namespace tutti::pricing::measuring {

/// How much longer messages take where all ranks send at once, by how far they go.
///
/// All ranks send a message to the rank d = 1, 2, 4, ... <= p/2 away, which in many networks is farther away the
/// larger d is, and what it passes is shared by more. How many they can handle is asked with several short ones, to
/// ranks from there on: they are more to handle than as many to one rank, which may travel together. Steps there and
/// back keep the pace of the slowest of all routes, where steps one way keep the mean of those around a circle. Where
/// each d takes its turn, ranks meet messages of others that are a round behind.
template <communicator C>
class contention_probe {
public:
    /// All ranks construct theirs at the same time.
    explicit contention_probe(C& ranks)
        : channel_{ranks},
          limit_{static_cast<std::size_t>(ranks.message_limit())},
          outgoing_(std::max(std::min(long_enough, limit_), many)),
          incoming_(outgoing_.size()) {}

    /// On rank 0, fills in for each d what messages take beside what `model` has for two ranks alone, and what they
    /// take where d changes. What is little more does not count. Messages are no longer than `cut`, the same on all
    /// ranks.
    void measure(machine_model& model, std::size_t cut) {
        auto const& alone = model.between_nodes;
        longest_piece_ = std::min(cut, limit_);
        auto const bytes = outgoing_.size();
        double steady = 0;
        for (int distance = 1; 2 * distance <= channel_.size(); distance *= 2) {
            auto const warm_up = std::min(channel_.size() / std::gcd(distance, channel_.size()), longest_way);
            auto const shortest = median_of(warm_up, [&] { ring_shift(distance, 1); });
            auto const longest = median_of(warm_up, [&] { ring_shift(distance, bytes); }) - shortest;
            auto const another =
                (median_of(warm_up, [&] { scatter(distance); }) - shortest) / static_cast<double>(many - 1);
            auto const there_and_back = median_of(warm_up, [&] {
                ring_shift(distance, 1);
                ring_shift(-distance, 1);
            });
            model.slowest_route = std::max(model.slowest_route, noticeable(there_and_back / 2, alone.transfer(1)));
            model.distances.push_back(
                {.latency = noticeable(shortest, alone.transfer(1)),
                 .per_byte = noticeable(longest, alone.per_byte * static_cast<double>(bytes)),
                 .overhead = noticeable(another, std::max(alone.gap, 2 * alone.overhead))});
            steady += longest * static_cast<double>(share_of(distance)) / static_cast<double>(bytes);
        }
        // where time is simulated ranks are not late, and what two messages meet on is a matter of routes
        if (model.distances.size() > 1 && !messaging::is_simulated<C>()) {
            model.partner_change_factor = std::min(noticeable(alternating_distances(), 2 * steady), 2.0);
        }
    }

private:
    static constexpr std::size_t long_enough = std::size_t{64} * 1024;
    static constexpr std::size_t many = 8;
    static constexpr int longest_way = 32;
    static constexpr int batch = 8;

    [[nodiscard]] int away(int distance) const {
        return (channel_.rank() + distance + channel_.size()) % channel_.size();
    }

    /// Simulated times are exact, but for what messages of other lengths take.
    [[nodiscard]] static double noticeable(double seconds, double alone) {
        auto const noise = messaging::is_simulated<C>() ? 1.02 : 1.2;
        return alone > 0 && seconds > noise * alone ? std::max(seconds / alone, 1.0) : 1;
    }

    void ring_shift(int distance, std::size_t bytes) {
        auto const pieces = (bytes - 1) / longest_piece_ + 1;
        channel_.exchange(away(distance), std::span{outgoing_}.first(bytes), away(-distance),
                          std::span{incoming_}.first(bytes), pieces);
    }

    /// Bytes of `distance`, where messages are the longer the farther they go: of all together, as much.
    [[nodiscard]] std::size_t share_of(int distance) const {
        auto const share =
            outgoing_.size() * static_cast<std::size_t>(distance) / static_cast<std::size_t>(channel_.size());
        return std::max<std::size_t>(share, 1);
    }

    /// All distances and back, as a vector is shared out by halves, and put together again.
    template <class LengthOf>
    void change(LengthOf length_of) {
        auto const farthest = static_cast<int>(std::bit_floor(static_cast<unsigned>(channel_.size() / 2)));
        for (auto distance = farthest; distance != 0; distance /= 2) { ring_shift(distance, length_of(distance)); }
        for (auto distance = 1; distance <= farthest; distance *= 2) { ring_shift(distance, length_of(distance)); }
    }

    /// On rank 0: seconds that the lengths of messages take where distances change, to and fro.
    [[nodiscard]] double alternating_distances() {
        auto const shortest = median_of(1, [&] { change([](int) { return std::size_t{1}; }); });
        return median_of(1, [&] { change([&](int distance) { return share_of(distance); }); }) - shortest;
    }

    /// Short messages to ranks from `distance` on.
    void scatter(int distance) {
        std::vector<typename C::request> all;
        auto const add = [&all](auto const& one) { all.push_back(one.front()); };
        for (std::size_t i = 0; i != many; ++i) {
            auto const each = 1 + (distance - 1 + static_cast<int>(i)) % (channel_.size() - 1);
            add(channel_.post_receives(away(-each), std::span{incoming_}.subspan(i, 1), 1));
            add(channel_.post_sends(away(each), std::span{outgoing_}.first(1), 1));
        }
        channel_.finish_all(all);
    }

    /// On rank 0: seconds from one `step` to the next, if each waits for the one before; the mean over the ranks, since
    /// some may find that all they wait for has come. Ranks do not begin at the same time, and the last one's delay has
    /// to go around, by this many steps, until all are in step.
    template <class Step>
    [[nodiscard]] double median_of(int warm_up, Step step) {
        std::vector<double> times;
        for (int i = 0; i != often_; ++i) {
            channel_.barrier();
            for (int unused = 0; unused != warm_up; ++unused) { step(); }
            auto const begun = C::now();
            for (int timed = 0; timed != batch; ++timed) { step(); }
            times.push_back(mean_of(C::now() - begun) * 1e-9 / batch);
        }
        return median(std::move(times));
    }

    /// On rank 0.
    [[nodiscard]] double mean_of(std::int64_t here) {
        auto const all = channel_.gather(messaging::payload{here});
        double sum = 0;
        for (auto const& each : all) { sum += static_cast<double>(each.front()); }
        return sum / channel_.size();
    }

    messaging::control_channel<C> channel_;
    int often_ = messaging::is_simulated<C>() ? 1 : 5;
    std::size_t limit_;
    std::size_t longest_piece_ = 1;
    std::vector<std::byte> outgoing_;
    std::vector<std::byte> incoming_;
};

}  // namespace tutti::pricing::measuring
