// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
//
// The predicted time of a reduction of 100000 elements over 64 ranks, by several algorithms, with the best segments.
#include <cstddef>
#include <iostream>

#include <tutti/tutti.hpp>

namespace {

constexpr std::size_t ranks = 64;
constexpr std::size_t elements = 100'000;

// In nanoseconds: a message takes 2000 and 1 for each element, to combine an element takes 1.
constexpr auto network = tutti::cost_model::linear(2000, 1, 1, tutti::ports::bidirectional);

void predict(auto const& algorithm) {
    auto const best = tutti::optimal_segments(algorithm, ranks, elements, network);
    auto const cut = tutti::partition::by_segment(elements, best.segment);
    auto const found = tutti::predict(algorithm, ranks, cut, network);
    std::cout << name_of(tutti::collective::reduce{}, algorithm) << ", q = " << best.segments << ": "
              << found.time / 1000 << " us; any algorithm: at least " << found.lower_bound / 1000 << " us\n";
}

}  // namespace

int main() {
    predict(tutti::binomial{});
    predict(tutti::pipeline{});
    predict(tutti::binary_tree{});
    predict(tutti::two_tree{});
    predict(tutti::round_optimal{});
}
