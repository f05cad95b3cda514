// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include <tutti/arrival/clock.hpp>
#include <tutti/arrival/link_costs.hpp>
#include <tutti/communicator.hpp>

namespace tutti::monitoring {

/// Measures the costs of messages from each rank to the next, several links at a time, as a ring uses them.
template <communicator C>
class network {
public:
    explicit network(C& ranks)
        : channel_{ranks}, long_(std::clamp(ranks.message_limit() / 1024 * 1024, stream * word, long_message)),
          sum_(long_.size() / sizeof(float)) {}

    /// The median of what the ranks measure, each the least of several times; the same on all ranks. Called by all
    /// ranks.
    [[nodiscard]] link_costs measure() {
        if (channel_.size() < 2) { return {}; }
        auto const own = measure_own();
        payload costs{own.latency, own.gap, own.per_kib};
        auto const all = channel_.gather(costs);
        if (channel_.rank() == 0) {
            for (std::size_t i = 0; i < costs.size(); ++i) { costs[i] = median(all, i); }
        }
        channel_.broadcast(costs);
        return {.latency = costs[0], .gap = costs[1], .per_kib = costs[2]};
    }

private:
    static constexpr int times = 5;
    static constexpr std::size_t long_message = std::size_t{256} * 1024;
    static constexpr std::size_t stream = 32;
    static constexpr std::size_t word = 8;

    /// Even ranks ask the next, then odd ones do; the last of an odd number of ranks asks when they are through.
    [[nodiscard]] link_costs measure_own() {
        auto const rank = channel_.rank();
        auto const size = channel_.size();
        auto const turn_of = [&](int asking) { return asking == size - 1 && size % 2 != 0 ? 2 : asking % 2; };
        auto const previous = (rank + size - 1) % size;
        link_costs result;
        for (int turn = 0; turn < 3; ++turn) {
            if (turn_of(rank) == turn) {
                result = ask((rank + 1) % size);
            } else if (turn_of(previous) == turn) {
                answer(previous);
            }
        }
        return result;
    }

    [[nodiscard]] link_costs ask(int peer) {
        auto const there_and_back = [&](std::span<std::byte> message) {
            channel_.send(peer, message);
            channel_.receive(peer, message);
        };
        auto const latency = least([&] { there_and_back(word_of(long_)); }) / 2;
        auto const streaming = least([&] {
            channel_.send_stream(peer, word_of(long_), stream);
            channel_.receive(peer, word_of(long_));
        });
        auto const transfer = least([&] { there_and_back(long_); }) / 2;
        auto const combination = least([&] { add(); });
        auto const bytes = static_cast<std::int64_t>(long_.size());
        auto const count = static_cast<std::int64_t>(stream - 1);
        return {.latency = std::max<std::int64_t>(1, latency),
                .gap = std::max<std::int64_t>(1, (streaming - 2 * latency) / count),
                .per_kib = std::max<std::int64_t>(1, (transfer - latency + combination) * 1024 / bytes)};
    }

    void answer(int peer) {
        auto const back = [&](std::span<std::byte> message) {
            channel_.receive(peer, message);
            channel_.send(peer, message);
        };
        for (int i = 0; i < times; ++i) { back(word_of(long_)); }
        for (int i = 0; i < times; ++i) {
            channel_.receive_stream(peer, std::span{long_}.first(stream * word), stream);
            channel_.send(peer, word_of(long_));
        }
        for (int i = 0; i < times; ++i) { back(long_); }
    }

    /// Combines a long message, as a sum of floats does.
    void add() {
        auto const* const arrived = reinterpret_cast<float const*>(long_.data());
        std::transform(sum_.begin(), sum_.end(), arrived, sum_.begin(), std::plus<>{});
    }

    template <class Action>
    [[nodiscard]] std::int64_t least(Action action) {
        auto result = std::numeric_limits<std::int64_t>::max();
        for (int i = 0; i < times; ++i) {
            auto const begun = C::now();
            action();
            result = std::min(result, C::now() - begun);
        }
        return result;
    }

    [[nodiscard]] static std::int64_t median(std::vector<payload> const& all, std::size_t which) {
        payload values;
        for (auto const& each : all) { values.push_back(each[which]); }
        auto const middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
        std::nth_element(values.begin(), middle, values.end());
        return *middle;
    }

    [[nodiscard]] static std::span<std::byte> word_of(std::vector<std::byte>& memory) {
        return std::span{memory}.first(word);
    }

    control_channel<C> channel_;
    std::vector<std::byte> long_;
    std::vector<float> sum_;
};

}  // namespace tutti::monitoring
