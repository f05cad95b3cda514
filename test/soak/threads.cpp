// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.

// threads CONFIGURATION SEED SECONDS, or CONFIGURATION SEED ROUNDS rounds: random calls over threads, against the
// oracle. They are perturbed if the configuration is called so, and under the sanitizers.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <tutti/threads.hpp>

#include "limits.hpp"
#include "machine.hpp"
#include "round.hpp"
#include "threads_trials.hpp"

namespace {

/// One team of ranks, and what it does; calls that were right.
std::size_t play(std::uint64_t seed, bool perturbed) {
    soak::draw from{soak::mixed(seed, 3)};
    auto const size = static_cast<int>(from.one_in(8) ? from.from(9, 17) : from.from(1, 8));
    tutti::threads::options how{.timeout = std::chrono::minutes{2}};
    if (perturbed) { how.perturb = from.bits(); }
    if (from.one_in(4)) { how.message_limit = from.from(64, 5000); }
    if (from.one_in(3)) { how.nodes = tutti::node_map::of_width(from.from(1, static_cast<std::size_t>(size))); }
    std::size_t passed = 0;
    tutti::threads::run(
        size,
        [&](auto& world) {
            soak::draw same{soak::mixed(seed, 4)};  // on all ranks
            soak::use_some_machine(world, same);
            soak::round_of_calls<true, std::remove_reference_t<decltype(world)>> round{
                world, world.rank(), world.size(), seed, [](std::string const&) {}};
            auto const right = round.play();
            if (world.rank() == 0) { passed = right; }
        },
        how);
    return passed;
}

}  // namespace

int main(int argc, char* argv[]) {
    auto const asked = soak::read_limits(argc, argv);
    if (!asked) { return 2; }
    bool const perturbed = asked->configuration != "threads";
    return soak::play_rounds(*asked, [&](std::uint64_t seed) { return play(seed, perturbed); });
}
