// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
//
// Data-parallel training of a small network: one all_reduce of the gradient in each iteration, which ends after the
// last rank has arrived. It compares a ring with two algorithms that know the late rank in advance. One source: over
// threads, and over Boost.MPI.

#include "sgd/options.hpp"
#include "sgd/ranks.hpp"
#include "sgd/report.hpp"
#include "sgd/training.hpp"

#include <functional>
#include <type_traits>

#include <tutti/measure.hpp>
#include <tutti/tutti.hpp>

int main(int argc, char** argv) {
    return sgd::on_ranks(argc, argv, [](auto& world, sgd::options const& chosen) {
        using training = sgd::training<std::remove_reference_t<decltype(world)>>;
        training ring{world, "ring"};
        training pre_reduced_ring{world, "pre_reduced_ring"};
        training arrival_aware{world, "arrival_aware"};
        tutti::arrival_monitor monitor{world};
        auto const machine = tutti::measure(world);

        for (int i = 0; i < chosen.iterations; ++i) {
            ring.iterate(chosen.imbalance, nullptr, [&](auto& gradient) {
                tutti::all_reduce(world, tutti::inplace(gradient), std::plus<>{}, tutti::ring{});
            });
            pre_reduced_ring.iterate(chosen.imbalance, &monitor, [&](auto& gradient) {
                auto const& expected = monitor.pattern();
                auto const& times = expected.arrivals;
                auto const part = gradient.size() * sizeof(float) / times.size();
                tutti::pre_reduced_ring const known{.arrivals = {times.begin(), times.end()},
                                                    .tau = machine.within_node.transfer(part) * 1e9};
                tutti::all_reduce(world, tutti::inplace(gradient), std::plus<>{}, known);
            });
            arrival_aware.iterate(chosen.imbalance, &monitor, [&](auto& gradient) {
                tutti::all_reduce(world, tutti::inplace(gradient), std::plus<>{}, tutti::arrival_aware{monitor});
            });
        }

        return sgd::report(world, chosen, {&ring, &pre_reduced_ring, &arrival_aware});
    });
}
