// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.

// failing CONFIGURATION SEED SECONDS, or CONFIGURATION SEED ROUNDS rounds: ranks that are threads make the same calls,
// until one of them throws, leaves a call out, makes another one, is late, or dies, somewhere. No rank may wait for
// ever or get a wrong result; and unless one is dead all recover, and go on.

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <support/channel_ranks.hpp>

#include <tutti/collective/all_reduce.hpp>
#include <tutti/collective/barrier.hpp>
#include <tutti/collective/broadcast.hpp>
#include <tutti/collective/plan.hpp>
#include <tutti/communicator/recover.hpp>

#include "limits.hpp"
#include "random.hpp"
#include "steady_call.hpp"

namespace {

using ranks = support::channels::communicator;
using soak::kind;
using soak::number;
using soak::perform;
using soak::steady_call;

enum class misfortune { none, throws, leaves_out, other_length, other_call, wrong_root, drops_plan, late, dies, kinds };

/// What a round is made of, the same on all ranks.
struct script {
    explicit script(std::uint64_t seed) {
        soak::draw from{seed};
        size = static_cast<int>(from.from(2, 8));
        network = from.one_in(4) ? 0 : from.bits() >> 32U;
        calls.resize(from.from(4, 20));
        for (auto& each : calls) { each = soak::drawn_call(from, size); }
        what = static_cast<misfortune>(from.below(static_cast<std::size_t>(misfortune::kinds)));
        where = from.below(calls.size());
        who = static_cast<int>(from.below(static_cast<std::size_t>(size)));
        steps = from.below(400);
        pause = std::chrono::microseconds{from.below(150'000)};
    }

    int size;
    std::uint64_t network;
    std::vector<steady_call> calls;
    misfortune what;
    std::size_t where;
    int who;
    std::size_t steps;  // of the communicator until a rank dies or is late
    std::chrono::microseconds pause;  // longer than until ranks ask what holds it up, or shorter
};

struct own_trouble : std::runtime_error {
    own_trouble() : std::runtime_error{"trouble of this rank's own"} {}
};

/// What the unfortunate rank does in place of a call.
void suffer(ranks& world, script const& all, steady_call one) {
    switch (all.what) {
    case misfortune::throws: throw own_trouble{};
    case misfortune::leaves_out: throw own_trouble{};  // and goes to `recover`
    case misfortune::other_length: {
        std::vector<number> both(one.elements + 1, 1);
        return tutti::all_reduce(world, tutti::inplace(both), std::plus<>{});
    }
    case misfortune::other_call: {
        std::vector<int> both(3, 1);
        return tutti::broadcast(world, both, 0);
    }
    case misfortune::wrong_root: {
        std::vector<number> both(one.elements);
        return tutti::broadcast(world, both, world.size());
    }
    case misfortune::drops_plan: {
        std::vector<number> both(one.elements, 1);
        auto sum = tutti::plan::all_reduce(world, tutti::inplace(both), std::plus<>{});
        sum.start();
        throw own_trouble{};
    }
    case misfortune::late:
    case misfortune::dies:
    case misfortune::none:
    case misfortune::kinds: return perform(world, world.rank(), world.size(), one);
    }
}

/// Whether results of the call in which it happens mean something on other ranks.
[[nodiscard]] bool has_results(misfortune what) {
    return what == misfortune::none || what == misfortune::late || what == misfortune::dies;
}

/// Calls that were right. Throws what is a fault of tutti.
std::size_t play_on(ranks& world, script const& all) {
    bool const unlucky = world.rank() == all.who;
    std::size_t passed = 0;
    bool in_trouble = false;
    try {
        for (std::size_t i = 0; i != all.calls.size(); ++i) {
            bool const here = i == all.where;
            if (here && unlucky && all.what == misfortune::dies) { world.die_after(all.steps); }
            if (here && unlucky && all.what == misfortune::late) { world.pause_after(all.steps % 50, all.pause); }
            if (here && unlucky) {
                suffer(world, all, all.calls[i]);
                if (!has_results(all.what)) { break; }  // its calls are not the others' any more
            } else if (here && !has_results(all.what)) {
                in_trouble = true;
                auto replaced = all.calls[i];
                if (all.what == misfortune::other_length) { replaced.what = kind::all_reduce; }
                perform(world, world.rank(), world.size(), replaced);
            } else {
                perform(world, world.rank(), world.size(), all.calls[i]);
                passed += 1;
            }
        }
    } catch (std::logic_error const& wrong) {
        if (std::string{wrong.what()}.starts_with("a wrong") && !in_trouble) { throw; }
    } catch (std::exception const&) {  // is what is to happen
        bool const expected = !(all.what == misfortune::none || all.what == misfortune::late);
        if (!expected) { throw; }
    }
    try {
        tutti::recover(world);
    } catch (tutti::rank_is_dead const&) {
        if (all.what != misfortune::dies) { throw; }
        return passed;
    }
    for (auto const& each : all.calls) {
        perform(world, world.rank(), world.size(), each);
        ++passed;
    }
    return passed;
}

std::size_t play(std::uint64_t seed) {
    script const all{soak::mixed(seed, 6)};
    std::atomic<std::size_t> passed = 0;
    auto const said =
        support::channels::run(all.size, all.network, [&](ranks& world) { passed += play_on(world, all); });
    for (auto const& each : said) {
        if (!each.empty() && each != "killed" && all.what != misfortune::dies) { throw std::runtime_error{each}; }
        if (each.starts_with("a wrong")) { throw std::runtime_error{each}; }
    }
    return passed;
}

/// Ends the program if a round takes too long.
class watchdog {
public:
    explicit watchdog(std::string const& name)
        : name_{name}, thread_{[this](std::stop_token const& ends) { watch(ends); }} {}
    void round(std::uint64_t seed) {
        seed_ = seed;
        begun_ = std::chrono::steady_clock::now().time_since_epoch().count();
    }

private:
    static constexpr std::chrono::seconds longest{120};

    void watch(std::stop_token const& ends) const {
        while (!ends.stop_requested()) {
            std::this_thread::sleep_for(std::chrono::milliseconds{200});
            auto const now = std::chrono::steady_clock::now().time_since_epoch();
            if (begun_ == 0 || now - std::chrono::steady_clock::duration{begun_} < longest) { continue; }
            std::cout << soak::reproduction(name_, seed_, 0, "ranks wait for ever") << std::endl
                      << soak::verdict(name_, 0, 1) << std::endl;
            std::_Exit(1);
        }
    }

    std::string name_;
    std::atomic<std::uint64_t> seed_ = 0;
    std::atomic<std::chrono::steady_clock::rep> begun_ = 0;
    std::jthread thread_;
};

}  // namespace

int main(int argc, char* argv[]) {
    auto const asked = soak::read_limits(argc, argv);
    if (!asked) { return 2; }
    watchdog dog{asked->configuration};
    return soak::play_rounds(*asked, [&](std::uint64_t seed) {
        dog.round(seed);
        return play(seed);
    });
}
