// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include "loss_curve.hpp"
#include "options.hpp"
#include "ranks.hpp"
#include "training.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <fstream>
#include <functional>
#include <iomanip>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

namespace sgd {

/// The loss in the first iteration and in about ten more.
inline void print(std::vector<float> const& losses) {
    std::cout << "iteration    loss\n" << std::fixed << std::setprecision(2);
    for (std::size_t i = 1; i <= losses.size(); ++i) {
        if (i == 1 || i % ((losses.size() + 9) / 10) == 0) {
            std::cout << std::setw(9) << i << std::setw(8) << losses[i - 1] << '\n';
        }
    }
}

/// Whether two trainings had the same losses, but for what comes of another order of operands.
[[nodiscard]] inline bool are_alike(std::vector<float> const& a, std::vector<float> const& b) {
    bool alike = a.size() == b.size();
    for (std::size_t i = 0; alike && i < a.size(); ++i) { alike = std::abs(a[i] - b[i]) < 0.01f; }
    return alike;
}

inline void print_row(std::string const& name, double reducing, double iterating) {
    std::cout << std::left << std::setw(18) << name << std::right << std::fixed << std::setprecision(3) << std::setw(12)
              << reducing << std::setw(12) << iterating << '\n';
}

/// The times of an all_reduce and of a whole iteration, means over all ranks and iterations.
template <class World>
void print_times(World& world, training<World> const& done) {
    std::array<double, 2> seconds{done.reducing, done.iterating};
    tutti::all_reduce(world, tutti::inplace(seconds), std::plus<>{});
    auto const ms = 1000 / (static_cast<double>(done.losses.size()) * world.size());
    if (world.rank() == 0) { print_row(done.algorithm, seconds[0] * ms, seconds[1] * ms); }
}

/// What has been learned by trainings with different algorithms, and how long they took. True if the ranks agree.
template <class World>
bool report(World& world, options const& chosen, std::vector<training<World> const*> const& trainings) {
    auto const& first = *trainings.front();
    auto const recognised = first.recognised();
    bool same = true;
    bool alike = true;
    for (auto const* each : trainings) {
        same = each->is_the_same_on_all_ranks() && same;
        alike = are_alike(first.losses, each->losses) && alike;
    }
    if (world.rank() == 0) {
        auto const ranks = std::to_string(world.size()) + ' ' + kind_of_ranks;
        print(first.losses);
        std::cout << recognised << " of " << others << " other images are recognised\n"
                  << "weights are " << (same ? "the same" : "different") << " on all ranks, losses "
                  << (alike ? "the same" : "different") << " with all algorithms\n\non " << ranks;
        if (chosen.imbalance > 0) { std::cout << ", in turn " << chosen.imbalance << " ms late"; }
        std::cout << "\nmean time in ms     all_reduce   iteration\n";
        if (chosen.imbalance > 0) {
            // all but the late rank wait in all_reduce, and no algorithm can help that
            print_row("delay alone", chosen.imbalance * (1 - 1.0 / world.size()), chosen.imbalance);
        }
        if (!chosen.loss.empty()) {
            std::ofstream file{chosen.loss};
            file << loss_curve(first.losses, "mean loss of " + std::to_string(batch) + " images, on " + ranks)
                 << std::flush;
            if (!file) { throw std::runtime_error{"cannot write " + chosen.loss}; }
        }
    }
    for (auto const* each : trainings) { print_times(world, *each); }
    return same;
}

}  // namespace sgd
