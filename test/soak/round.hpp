// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "algorithms.hpp"
#include "call.hpp"
#include "random.hpp"
#include "trial.hpp"

namespace soak {

/// A result that is not the oracle's, or an exception, with the call that it is about.
struct failure : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Many calls on one communicator. Each round of a soak has the seed of the one before plus 1, so that a round that
/// fails is the first of a soak with its seed.
template <bool WithText, class World>
class round_of_calls {
public:
    /// `about_to(words)` is told what comes next.
    round_of_calls(World& world, int rank, int size, std::uint64_t seed,
                   std::function<void(std::string const&)> about_to)
        : world_{world},
          rank_{rank},
          size_{size},
          from_{seed},
          own_{mixed(seed, 77 + static_cast<std::uint64_t>(rank))},
          about_to_{std::move(about_to)} {}

    /// Calls that were right.
    std::size_t play() {
        std::size_t passed = 0;
        for (auto groups = from_.from(4, 12); groups != 0; --groups) { passed += play_group(); }
        return passed;
    }

private:
    struct one {
        std::string words;
        call what;
        std::unique_ptr<trial> on_rank;
    };

    /// A few calls, of which the plans are under way together, while the others block. Plans are started and waited
    /// for in an order that each rank draws for itself.
    std::size_t play_group() {
        std::vector<one> all;
        for (auto count = from_.one_in(3) ? from_.from(2, 5) : 1; count != 0; --count) {
            auto const what = draw_call(from_.bits(), size_, WithText);
            all.push_back({"call " + std::to_string(++number_) + ": " + to_string(what), what,
                           make_trial<WithText>(world_, rank_, what)});
        }
        std::vector<one*> waiting;
        for (auto& each : all) {
            if (each.what.how == form::blocking) { continue; }
            about(each, [&] { each.on_rank->make(); });
            waiting.push_back(&each);
        }
        int longest = 1;
        for (int run = 0; run != longest; ++run) {
            std::vector<one*> now;
            for (auto* const each : waiting) {
                longest = std::max(longest, each->what.runs);
                if (run < each->what.runs) { now.push_back(each); }
            }
            own_.shuffle(now);
            for (auto* const each : now) {
                if (each->what.how == form::async) { continue; }
                if (run != 0) { each->on_rank->fill(run); }
                about(*each, [&] { each->on_rank->start(); });
            }
            if (run == 0) { play_blocking(all); }
            own_.shuffle(now);
            for (auto* const each : now) {
                about(*each, [&] {
                    for (auto looks = own_.below(4); looks != 0 && !each->on_rank->test(); --looks) {}
                    each->on_rank->wait();
                });
                compare(*each, run);
            }
        }
        return all.size();
    }

    void play_blocking(std::vector<one>& all) {
        for (auto& each : all) {
            if (each.what.how != form::blocking) { continue; }
            about(each, [&] { each.on_rank->make(); });
            compare(each, 0);
        }
    }

    template <class Action>
    void about(one const& which, Action action) {
        about_to_(which.words);
        try {
            action();
        } catch (std::exception const& thrown) {
            throw failure{which.words + ": rank " + std::to_string(rank_) + " threw: " + thrown.what()};
        }
    }

    void compare(one const& which, int run) const {
        if (auto const wrong = which.on_rank->flaw(run)) {
            throw failure{which.words + (run == 0 ? "" : ", run " + std::to_string(run + 1)) + ": " + *wrong};
        }
    }

    World& world_;
    int rank_;
    int size_;
    draw from_;  ///< as all ranks draw
    draw own_;   ///< as this rank draws
    std::function<void(std::string const&)> about_to_;
    std::size_t number_ = 0;
};

}  // namespace soak
