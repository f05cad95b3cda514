// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <tutti/analysis/broken_schedule.hpp>
#include <tutti/analysis/contract.hpp>
#include <tutti/analysis/schedules_of.hpp>
#include <tutti/analysis/symbolic.hpp>
#include <tutti/analysis/terms.hpp>
#include <tutti/generator/named.hpp>
#include <tutti/partition.hpp>
#include <tutti/text.hpp>

namespace tutti::analysis::symbolic {

/// Watches a run and counts what every rank sends, receives and combines.
class traffic {
public:
    struct counts {
        std::size_t messages_sent = 0;
        std::size_t messages_received = 0;
        std::size_t volume_sent = 0;      ///< elements
        std::size_t volume_received = 0;  ///< elements
        std::size_t combines = 0;         ///< elements
    };

    traffic(std::size_t size, partition const& cut) : cut_{cut}, ranks_(size) {}

    void reached(event const&) const {}

    void delivered(event const& sent, event const& received) {
        std::size_t elements = 0;
        for (auto const& range : sent.what.blocks) { elements += cut_.size(range.first, range.last); }
        ++ranks_[sent.rank].messages_sent;
        ++ranks_[received.rank].messages_received;
        ranks_[sent.rank].volume_sent += elements;
        ranks_[received.rank].volume_received += elements;
    }

    void combined(event const& at, std::size_t elements) { ranks_[at.rank].combines += elements; }

    [[nodiscard]] std::vector<counts> const& per_rank() const { return ranks_; }

private:
    partition const& cut_;
    std::vector<counts> ranks_;
};

/// Watches a run: rounds never decrease on a rank and stay below the number of rounds, no message is received in an
/// earlier round than it is sent, and, if the generator states that ranks are one-ported, none in a later one, and in a
/// round a rank uses its ports as often as its model allows. Throws `broken_schedule` otherwise.
class round_rules {
public:
    round_rules(facts const& stated, std::size_t size, std::size_t rounds)
        : stated_{stated}, rounds_{rounds}, ranks_(size) {}

    void reached(event const& at) {
        auto& rank = ranks_[at.rank];
        auto const round = at.what.round;
        if (round >= rounds_) {
            fail(at, text::joined({"round ", round, " of a schedule of ", text::word(rounds_, "round")}));
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

}  // namespace tutti::analysis::symbolic

namespace tutti::analysis {

/// Whether the schedules of all ranks implement their collective, the first mistake, and the costs.
struct verification {
    bool ok = true;
    std::string reason;                 ///< one sentence, empty if ok
    std::size_t rounds = 0;             ///< as the schedules say
    std::size_t rounds_used = 0;        ///< one more than the last round that has a step
    std::size_t messages = 0;           ///< of all ranks together
    std::size_t volume = 0;             ///< elements sent, all ranks
    std::size_t combines = 0;           ///< elements combined, all ranks
    std::size_t max_messages_sent = 0;  ///< the largest of all ranks, like everything below
    std::size_t max_messages_received = 0;
    std::size_t max_volume_sent = 0;
    std::size_t max_volume_received = 0;
    std::size_t max_combines = 0;
    /// The term of the first block of the result, on the root, on rank 0, or of scans on the last rank, e.g.
    /// "((0+1)+2)"; numbers are those of ranks.
    std::string term;
    bool one_term = false;   ///< the blocks of a rank all have one term; on all ranks, but for scans, the same one
    bool canonical = false;  ///< every result has the canonical term, see symbolic::expressions

    explicit operator bool() const { return ok; }
};

namespace symbolic {

/// Two observers of one run.
template <class First, class Second>
struct observer_pair {
    First& first;
    Second& second;
    void reached(event const& at) { first.reached(at), second.reached(at); }
    void delivered(event const& sent, event const& received) {
        first.delivered(sent, received);
        second.delivered(sent, received);
    }
    void combined(event const& at, std::size_t elements) {
        first.combined(at, elements);
        second.combined(at, elements);
    }
};

/// Throws unless every rank ends with what the collective owes it.
template <class Collective, class Machine>
void check_results(contract<Collective> const& owed, facts const& stated, partition const& cut, Machine const& end) {
    auto const ordered = collective::combines<Collective> && !stated.requires_commutative;
    auto const one_tree = std::same_as<Collective, collective::all_reduce> && stated.identical_on_all_ranks;
    // many ranks and blocks hold the same expression, and long ones are long to walk through
    std::map<std::tuple<value, std::size_t, std::size_t>, std::string> complaints;
    for (std::size_t rank = 0; rank < owed.size; ++rank) {
        for (auto const held : {buffer::result(), buffer::prefix()}) {
            for (std::size_t block = 0; block < cut.blocks(); ++block) {
                if (cut.size(block) == 0 || !owed.owed(rank, held, block)) { continue; }
                auto const found = end.holds(rank, held, block);
                auto const due = owed.due(rank, held, block);
                auto const where = [&] {
                    return "rank " + std::to_string(rank) + ", block " + std::to_string(block) + ": " + held.name() +
                           ' ';
                };
                auto const [known, is_new] = complaints.try_emplace({found, due.first, due.last});
                if (is_new) { known->second = end.values().complaint(found, due.first, due.last, ordered); }
                if (!known->second.empty()) { throw broken_schedule{where() + known->second}; }
                if (one_tree && found != end.holds(0, held, block)) {
                    throw broken_schedule{where() + "is bracketed differently than on rank 0"};
                }
            }
        }
    }
}

template <class Schedules>
std::size_t common_rounds(Schedules const& schedules) {
    auto const rounds = schedules.front().rounds();
    for (std::size_t rank = 1; rank < schedules.size(); ++rank) {
        if (schedules[rank].rounds() != rounds) {
            throw broken_schedule{"rank " + std::to_string(rank) + " counts " +
                                  std::to_string(schedules[rank].rounds()) + " rounds, rank 0 counts " +
                                  std::to_string(rounds)};
        }
    }
    return rounds;
}

}  // namespace symbolic

/// Proves, for this size, root and partition, that `generator` implements the collective: every contribution
/// exactly once in every block that is owed, in rank order unless the generator requires a commutative operator,
/// bracketed alike on all ranks of an all_reduce where that is stated; messages match and none is left over; no
/// deadlock even if a send ends only when it is received; rounds and ports as stated.
/// Requires root < size, else throws std::invalid_argument.
/// Result: the verdict, with one sentence that names rank, step and block if it fails, and the cost.
/// Cost: one pass over all steps; memory for the blocks of all ranks.
template <class Collective, generators::generator_for<Collective> Generator>
[[nodiscard]] verification verify(Collective, Generator const& generator, std::size_t size, std::size_t root,
                                  partition const& cut) {
    verification verdict;
    using generators::facts_about;
    auto const& stated = facts_about(Collective{}, generator);
    try {
        if (!stated.supports(size)) {
            throw broken_schedule{text::joined({stated.name, " does not support ", text::word(size, "rank")})};
        }
        auto schedules = analysis::schedules_of(Collective{}, generator, size, root, cut);
        verdict.rounds = symbolic::common_rounds(schedules);
        symbolic::contract<Collective> const owed{size, root, cut.blocks()};
        symbolic::machine machine{std::move(schedules), cut,
                                  [owed](std::size_t rank, std::size_t block) { return owed.given(rank, block); }};
        symbolic::round_rules round_rules{stated, size, verdict.rounds};
        symbolic::traffic traffic{size, cut};
        machine.run(symbolic::observer_pair<symbolic::round_rules, symbolic::traffic>{round_rules, traffic});
        symbolic::check_results(owed, stated, cut, machine);
        auto terms = symbolic::terms_at_end(owed, cut, machine);
        verdict.term = std::move(terms.first);
        verdict.one_term = terms.same_everywhere;
        verdict.canonical = terms.canonical;
        verdict.rounds_used = round_rules.rounds_used();
        for (auto const& rank : traffic.per_rank()) {
            verdict.messages += rank.messages_sent;
            verdict.volume += rank.volume_sent;
            verdict.combines += rank.combines;
            verdict.max_messages_sent = std::max(verdict.max_messages_sent, rank.messages_sent);
            verdict.max_messages_received = std::max(verdict.max_messages_received, rank.messages_received);
            verdict.max_volume_sent = std::max(verdict.max_volume_sent, rank.volume_sent);
            verdict.max_volume_received = std::max(verdict.max_volume_received, rank.volume_received);
            verdict.max_combines = std::max(verdict.max_combines, rank.combines);
        }
    } catch (broken_schedule const& broken) {
        verdict.ok = false;
        verdict.reason = broken.reason();
    }
    return verdict;
}

/// For each block the expression that `rank` holds at the end in `held`, e.g. "((0+1)+(2+3))"; "" if it holds nothing.
/// Requires root < size and a schedule that can be carried out; throws std::invalid_argument, broken_schedule.
template <class Collective, generators::generator_for<Collective> Generator>
[[nodiscard]] std::vector<std::string> bracketings(Collective, Generator const& generator, std::size_t size,
                                                   std::size_t root, partition const& cut, std::size_t rank,
                                                   buffer held) {
    symbolic::contract<Collective> const owed{size, root, cut.blocks()};
    symbolic::machine machine{analysis::schedules_of(Collective{}, generator, size, root, cut), cut,
                              [owed](std::size_t r, std::size_t block) { return owed.given(r, block); }};
    machine.run(symbolic::no_observer{});
    std::vector<std::string> texts;
    for (std::size_t block = 0; block < cut.blocks(); ++block) {
        texts.push_back(machine.values().text(machine.holds(rank, held, block)));
    }
    return texts;
}

/// The same of what the collective owes: result, or prefix for an exclusive_scan.
template <class Collective, generators::generator_for<Collective> Generator>
[[nodiscard]] std::vector<std::string> bracketings(Collective which, Generator const& generator, std::size_t size,
                                                   std::size_t root, partition const& cut, std::size_t rank) {
    bool const has_result = collective::traits<Collective>.is_owed != collective::holder::none;
    auto const held = has_result ? buffer::result() : buffer::prefix();
    return analysis::bracketings(which, generator, size, root, cut, rank, held);
}

}  // namespace tutti::analysis

namespace tutti {
using analysis::verify;
}  // namespace tutti
