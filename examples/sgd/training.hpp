// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include "network.hpp"
#include "ranks.hpp"
#include "shapes.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <tutti/arrival/monitor.hpp>

namespace sgd {

inline constexpr std::uint32_t images = 1024;  // to learn from
inline constexpr std::uint32_t others = 500;   // to see what has been learned
inline constexpr std::uint32_t batch = 32;     // all ranks together learn from so many in an iteration

/// A network that all ranks train together by stochastic gradient descent: all have the same weights, each sums up the
/// derivatives for its share of the images, and all change their weights by the total.
template <class World>
class training {
public:
    training(World& world, std::string name) : algorithm{std::move(name)}, world_{world} {}

    /// `all_reduce(gradient)` makes the vector its sum over all ranks. One rank, each time another one, is late by
    /// `imbalance` milliseconds: it sleeps, as if its processor was slow or had other work. The monitor, if there is
    /// one, is told how far this rank is.
    template <class AllReduce>
    void iterate(int imbalance, tutti::arrival_monitor* monitor, AllReduce const& all_reduce) {
        auto const rank = static_cast<std::uint32_t>(world_.rank());
        auto const size = static_cast<std::uint32_t>(world_.size());
        auto const iteration = static_cast<std::uint32_t>(losses.size());
        std::chrono::microseconds const late{iteration % size == rank ? 1000 * imbalance : 0};

        // The loss is the last element, and needs no all_reduce of its own.
        std::vector<float> gradient(network::size + 1);
        auto const learn = [&](std::uint32_t from, std::uint32_t to) {
            for (auto i = from + rank; i < to; i += size) {
                gradient.back() += model.learn(draw((iteration * batch + i) % images), gradient.data());
            }
            std::this_thread::sleep_for(late / 2);
        };

        tutti::barrier(world_);  // so that one training does not wait for another one's late rank
        timer const whole;
        if (monitor) { monitor->begin_compute(); }
        learn(0, batch / 2);
        if (monitor) { monitor->edge(0.5); }  // tells the others when to expect this rank
        learn(batch / 2, batch);
        if (monitor) { monitor->end_compute(); }

        timer const reduction;
        all_reduce(gradient);
        reducing += reduction.elapsed();

        losses.push_back(gradient.back() / batch);
        for (std::size_t i = 0; i < network::size; ++i) { model.weights[i] -= 0.1f / batch * gradient[i]; }
        iterating += whole.elapsed();
    }

    /// How many images of those that nobody has learned from are recognised. Each rank looks at some.
    [[nodiscard]] int recognised() const {
        int result = 0;
        auto const size = static_cast<std::uint32_t>(world_.size());
        for (auto i = static_cast<std::uint32_t>(world_.rank()); i < others; i += size) {
            result += model.recognises(draw(images + i)) ? 1 : 0;
        }
        return tutti::all_reduce(world_, result, std::plus<>{});
    }

    /// Whether all ranks have the weights of rank 0, to the last bit.
    [[nodiscard]] bool is_the_same_on_all_ranks() const {
        auto weights = model.weights;
        tutti::broadcast(world_, weights, 0);
        return tutti::all_reduce(world_, weights == model.weights ? 0 : 1, std::plus<>{}) == 0;
    }

    std::string algorithm;
    network model;
    std::vector<float> losses;  ///< of each iteration
    double reducing = 0;        ///< seconds that this rank spent in all_reduce
    double iterating = 0;       ///< seconds that this rank spent in iterations, with all_reduce

private:
    World& world_;
};

}  // namespace sgd
