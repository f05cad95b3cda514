// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
//
// x[i + 1] = a[i] x[i] + b[i], solved in parallel. Every rank has a block of a and b. All steps of a block together are
// a map x -> a x + b, too. An exclusive scan of these maps gives each rank the map from x[0] to its first element.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <vector>

#include <tutti/threads.hpp>

/// x -> a x + b modulo 2^64. Of such maps composition is associative to the last bit, unlike that of floating point.
struct affine {
    std::uint64_t a = 1;
    std::uint64_t b = 0;
    std::uint64_t operator()(std::uint64_t x) const { return a * x + b; }
};

/// The operator: first the left map, then the right one. It does not commute.
struct compose {
    affine operator()(affine const& left, affine const& right) const {
        return {right.a * left.a, right.a * left.b + right.b};
    }
};

/// x[i + 1] for the steps i of this rank, where x is x[0]. Every rank goes over its steps twice, and sends about log2 p
/// messages of 16 bytes.
template <class World>
std::vector<std::uint64_t> solve(World const& world, std::vector<affine> const& steps, std::uint64_t x) {
    affine mine;
    for (auto const& step : steps) { mine = compose{}(mine, step); }
    // Rank 0 has no predecessor: its result is the identity.
    auto const before = tutti::exclusive_scan(world, mine, tutti::with_identity(compose{}, affine{}));

    std::vector<std::uint64_t> result;
    x = before(x);
    for (auto const& step : steps) { result.push_back(x = step(x)); }
    return result;
}

int main() {
    constexpr std::size_t steps = 1'000'000;
    constexpr std::size_t size = 7;
    auto const step_number = [](std::uint64_t i) { return affine{4 * i + 5, 2 * i + 1}; };
    auto const blocks = tutti::partition::equal(steps, size);

    std::vector<std::uint64_t> in_parallel(steps + 1, 2023);  // x[0], x[1], ...
    tutti::threads::run(size, [&](auto& world) {
        auto const rank = static_cast<std::size_t>(world.rank());
        std::vector<affine> mine;
        for (auto i = blocks.offset(rank); i < blocks.offset(rank + 1); ++i) { mine.push_back(step_number(i)); }
        auto const solved = solve(world, mine, in_parallel[0]);
        std::copy(solved.begin(), solved.end(), &in_parallel[blocks.offset(rank) + 1]);
    });

    std::uint64_t x = in_parallel[0];
    for (std::size_t i = 0; i < steps; ++i) {
        x = step_number(i)(x);
        if (x != in_parallel[i + 1]) {
            std::cout << "x[" << i + 1 << "] is wrong\n";
            return 1;
        }
    }
    std::cout << "x[1] = " << in_parallel[1] << ", x[1000] = " << in_parallel[1000] << ", x[1000000] = " << x
              << ": the same on 7 ranks as one after the other\n";
}
