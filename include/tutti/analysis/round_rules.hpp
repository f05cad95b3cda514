// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include <tutti/analysis/broken_schedule.hpp>
#include <tutti/analysis/symbolic.hpp>
#include <tutti/analysis/step_text.hpp>
#include <tutti/generator.hpp>

namespace tutti::symbolic {

/// Watches a run: rounds never decrease on a rank and stay below the number of rounds, no message is received in an
/// earlier round than it is sent, and, if the generator says that ranks are one-ported, none in a later one, and in a
/// round a rank uses its ports as often as its model allows. Throws `broken_schedule` otherwise.
class round_rules {
public:
    round_rules(facts const& stated, std::size_t size, std::size_t rounds)
        : stated_{stated}, rounds_{rounds}, ranks_(size) {}

    void reached(event const& at) {
        auto& rank = ranks_[at.rank];
        auto const round = at.what.round;
        if (round >= rounds_) {
            fail(at, "round " + std::to_string(round) + " of a schedule of " + std::to_string(rounds_) + " rounds");
        }
        if (round < rank.round) {
            fail(at, "round " + std::to_string(round) + " after round " + std::to_string(rank.round));
        }
        if (round != rank.round) { rank = {round, 0, 0}; }
        used_ = std::max(used_, round + 1);
        if (!at.what.communicates()) { return; }
        ++(at.what.receives() ? rank.receives : rank.sends);
        if (stated_.one_ported) { check_ports(at, rank); }
    }

    void delivered(event const& sent, event const& received) const {
        if (received.what.round < sent.what.round ||
            (stated_.one_ported && received.what.round != sent.what.round)) {
            fail(received, "round " + std::to_string(received.what.round) + ", but the message was sent in round " +
                               std::to_string(sent.what.round) + " by " +
                               step_text::place(sent.rank, sent.index, sent.what));
        }
    }

    void combined(event const&, std::size_t) const {}

    /// One more than the last round that had a step.
    [[nodiscard]] std::size_t rounds_used() const { return used_; }

private:
    struct port_use {
        std::size_t round = 0;
        std::size_t sends = 0;
        std::size_t receives = 0;
    };

    void check_ports(event const& at, port_use const& use) const {
        if (stated_.model != ports::bidirectional) {
            if (use.sends + use.receives > 1) { fail(at, "the second message of round " + std::to_string(use.round)); }
        } else if (use.sends > 1) {
            fail(at, "the second send of round " + std::to_string(use.round));
        } else if (use.receives > 1) {
            fail(at, "the second receive of round " + std::to_string(use.round));
        }
    }

    [[noreturn]] static void fail(event const& at, std::string const& why) {
        throw broken_schedule{step_text::place(at.rank, at.index, at.what) + ": " + why};
    }

    facts stated_;
    std::size_t rounds_;
    std::size_t used_ = 0;
    std::vector<port_use> ranks_;
};

}  // namespace tutti::symbolic
