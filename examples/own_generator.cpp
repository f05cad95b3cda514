// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
//
// An algorithm of your own: a chain that ends at the root, root <- root + 1 <- ... <- root - 1, block by block.
#include <cstddef>
#include <functional>
#include <iostream>
#include <type_traits>
#include <vector>

#include <tutti/tutti.hpp>

namespace mine {

struct chain {
    std::size_t segments = 0;  // into how many blocks the vector is cut; 0: blocks of 128 KiB
    friend bool operator==(chain const&, chain const&) = default;
};

constexpr tutti::facts describe(tutti::collective::reduce, std::type_identity<chain>) {
    return {.name = "chain", .requires_commutative = true};  // operands stand in the order root, root + 1, ...
}

/// The steps of one rank. Block b leaves the far end of the chain in round b, and moves by one rank a round.
auto generate(tutti::collective::reduce, chain const&, tutti::problem const& at) {
    auto const place = (at.rank + at.size - at.root) % at.size;  // 0 is the root
    auto const next = (at.rank + at.size - 1) % at.size;
    auto const previous = (at.rank + 1) % at.size;
    auto const behind = at.size - 1 - place;  // number of ranks that are farther from the root
    bool const receives = behind != 0;
    bool const sends = place != 0;
    auto const blocks = at.blocks.blocks();
    auto const rounds = at.size == 1 || blocks == 0 ? 0 : at.size - 1 + blocks - 1;
    auto const per_block = std::size_t{receives} + std::size_t{sends};

    auto const step_number = [=](std::size_t i) {
        auto const block = i / per_block;
        if (receives && i % per_block == 0) {
            return tutti::step::receive_combine(behind - 1 + block, previous, tutti::buffer::result(), block,
                                                tutti::side::right);
        }
        return tutti::step::send(behind + block, next, tutti::buffer::result(), block);
    };
    auto const all = tutti::schedules::indexed_schedule(rounds, per_block * blocks, step_number);
    // Leaves out blocks without elements: they are never sent.
    return tutti::schedules::without_empty_blocks(at.blocks, all);
}

}  // namespace mine

int main() {
    // Proven for every number of ranks up to 12 and every root, without running it.
    for (std::size_t size = 1; size <= 12; ++size) {
        for (std::size_t root = 0; root < size; ++root) {
            auto const found =
                tutti::verify(tutti::collective::reduce{}, mine::chain{}, size, root, tutti::partition::equal(20, 5));
            if (!found) {
                std::cout << found.reason << '\n';
                return 1;
            }
            if (size == 12 && root == 7) {
                std::cout << "12 ranks: " << found.rounds << " rounds, " << found.max_volume_sent
                          << " elements sent and " << found.max_combines << " combined by a rank at most\n";
            }
        }
    }

    // It is an algorithm like any other now; reversed it is a broadcast, and both together are an all_reduce.
    tutti::threads::run(6, [](auto& world) {
        std::vector<long> const values(1000, world.rank());
        std::vector<long> sums(1000);
        tutti::all_reduce(world, values, sums, std::plus<>{}, mine::chain{.segments = 8});
        if (world.rank() == 3) { std::cout << "on rank 3: " << sums.front() << " ... " << sums.back() << '\n'; }
    });
}
