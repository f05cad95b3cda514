// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include <tutti/accelerator/call.hpp>
#include <tutti/accelerator/datatype.hpp>
#include <tutti/accelerator/environment.hpp>
#include <tutti/accelerator/exact_operator.hpp>
#include <tutti/accelerator/handles.hpp>
#include <tutti/accelerator/rule.hpp>
#include <tutti/accelerator/standing.hpp>
#include <tutti/accelerator/tuning_file.hpp>
#include <tutti/accelerator/watch/call_facts.hpp>
#include <tutti/accelerator/watch/recent_call.hpp>
#include <tutti/communicator/mpi/duplicates.hpp>
#include <tutti/arrival/latest_of_ranks.hpp>
#include <tutti/learning/trials.hpp>
#include <tutti/mpi.hpp>

namespace tutti::accelerator {

/// Calls of one function on one communicator, of this many bytes, with one operator, of which times decide whether
/// tutti or MPI performs them. The first way is the rule's. Runs are long, since the root of a loop is ahead by what
/// its messages wait in: that is used up before calls count.
class learned_call {
    static constexpr std::size_t by_mpi = 1;  // where the rule takes the call

public:
    learned_call(function which, std::size_t bytes, MPI_Op op, int ranks, bool take_turns, bool is_taken_by_rule)
        : calls{2, {24, 12}, is_taken_by_rule ? by_mpi : 0},
          which_{which},
          bytes_{bytes},
          op_{op},
          ranks_{ranks},
          take_turns_{take_turns},
          is_taken_by_rule_{is_taken_by_rule} {}
    learned_call(learned_call const&) = delete;
    learned_call& operator=(learned_call const&) = delete;
    ~learned_call() {
        if (calls.made() != 0 && environment::get().learn_file) {
            bool const is_taken = (calls.chosen() == 0) == is_taken_by_rule_;
            tuning_file::add(which_, bytes_, ranks_, is_taken ? "automatic" : tuning_file::by_mpi);
        }
    }

    [[nodiscard]] bool is_of(function which, std::size_t bytes, MPI_Op op) const {
        return which == which_ && bytes == bytes_ && op == op_;
    }
    /// Whether tutti performs the next one.
    [[nodiscard]] bool is_taken() const { return (calls.now() == 0) == is_taken_by_rule_; }

    selection::trials calls;

    /// A call of a trial begins now. Where ranks take turns on processors a call that leaves another rank without one
    /// takes long between two calls: there they are counted from the end of the one before.
    [[nodiscard]] std::int64_t begun(std::int64_t now) const { return take_turns_ && ended_ != 0 ? ended_ : now; }
    void ended(std::int64_t begun, std::int64_t end) {
        calls.ended(begun, end);
        ended_ = end;
    }

private:
    function which_;
    std::size_t bytes_;  // of the whole vector
    MPI_Op op_;
    int ranks_;
    bool take_turns_;
    bool is_taken_by_rule_;
    std::int64_t ended_ = 0;  // ns, the last call of a trial
};

/// Those of a communicator; kept with its private one.
class learned_calls {
public:
    /// What has to be known to begin a call of a trial; gives the time.
    [[nodiscard]] static std::int64_t begin(learned_call& one, MPI_Comm comm) {
        if (one.calls.must_agree()) {
            auto& own = communicator_of<MPI_Comm>::get(comm);
            auto& of = own.store().get<learned_calls>();
            if (!of.latest_) { of.latest_.emplace(own); }
            try {
                one.calls.agree((*of.latest_)(one.calls.given()));
            } catch (std::exception const& wrong) {  // a message has failed; the next one reports it
                std::fprintf(stderr, "%s\n", wrong.what());
                one.calls.give_up();
            }
        }
        return one.begun(mpi::communicator::now());
    }

    /// The time at which a call of a trial ends, in ns, less what the reading takes: a short call takes little longer.
    [[nodiscard]] static std::int64_t end() {
        static auto const reading = [] {
            auto least = std::numeric_limits<std::int64_t>::max();
            for (int i = 0; i != 16; ++i) {
                auto const now = mpi::communicator::now();
                least = std::min(least, mpi::communicator::now() - now);
            }
            return least;
        }();
        return mpi::communicator::now() - reading;
    }

    /// A number that changes whenever a communicator ends, and when a private one is made.
    [[nodiscard]] static unsigned epoch() {
        return mpi::duplicates::ended() + mpi::duplicates::made() + standing::ended();
    }

    /// Finds out whether times decide of calls like this one. What decides that is the same on all ranks: of what is
    /// moved they have the same number of bytes, and of what is combined the same type and operator.
    [[gnu::cold, gnu::noinline]] static void look(watch::recent_call& to, watch::call_facts const& facts,
                                                  unsigned epoch) {
        bool const keeps = facts.type != MPI_DATATYPE_NULL && is_predefined(facts.type);
        auto const which = function_of(facts.name);
        auto const& asked = environment::get();
        to.count = keeps ? facts.count : -1;
        to.type = facts.type;
        to.op = facts.op;
        to.epoch = epoch;
        to.generation_of = nullptr;
        to.left = nullptr;
        to.waits_for = nullptr;
        to.is_taken = false;
        to.learned = nullptr;
        to.may_be_left = false;
        if (!which || !facts.equal || facts.count <= 0 || !is_on()) { return; }
        auto const ranks = ranks_of(facts.comm);
        if (ranks == 0) { return; }
        to.may_be_left = true;
        auto const bytes = static_cast<std::size_t>(facts.bytes()) * parts_of(*which, ranks);
        if (asked.use_file) {
            auto const takes = tuning_file::takes(*which, bytes, ranks);
            if (takes == false) { to.left = "named in the tuning file"; }
            to.is_taken = takes == true;
            if (takes) { return; }
        }
        auto* const set_up = standing::set_up_of(facts.comm);
        if (set_up != nullptr && !set_up->is_due() && !wanted_from(*which) &&
            gives_same_bits(facts.op, facts.type, ranks) && bounds_of(*which, facts.op).hold(bytes)) {
            to.left = too_few_calls;
            to.waits_for = set_up;
        }
        bool const is_fixed = asked.fixed || asked.all || asked.names_some || asked.reproducible || asked.use_file;
        if (is_fixed || !standing::has_own_by_now(facts.comm)) { return; }
        auto& own = communicator_of<MPI_Comm>::get(facts.comm);
        to.generation_of = &own.supervisor().generation();
        to.generation = *to.generation_of;
        bool const may_share = own.will_share_memory() && own.nodes().count(static_cast<std::size_t>(ranks)) == 1;
        if ((may_share && !own.shares_memory()) || mpi::device_memory::mpi_takes_it()) { return; }
        if (!gives_same_bits(facts.op, facts.type, ranks)) {
            bool const is_mpis = keeps && !is_users(facts.op);
            if (!is_mpis || !asked.learn_file) { return; }
        }
        to.left = nullptr;
        to.waits_for = nullptr;
        to.learned = own.store().get<learned_calls>().find_or_make(*which, bytes, facts);
    }

private:
    /// Kinds of calls of which something is learned.
    static constexpr std::size_t most = 64;

    [[nodiscard]] static std::optional<function> function_of(std::string_view name) {
        for (std::size_t i = 0; i != function_names.size(); ++i) {
            std::string_view const known = function_names[i];
            bool const is_large = name.size() == known.size() + 2 && name.ends_with("_c") && name.starts_with(known);
            if (name == known || is_large) { return static_cast<function>(i); }
        }
        return std::nullopt;
    }

    /// How many such vectors the whole one is, of which `facts` have a part.
    [[nodiscard]] static std::size_t parts_of(function which, int ranks) {
        switch (which) {
        case function::reduce_scatter_block:
        case function::gather:
        case function::scatter:
        case function::all_gather: return static_cast<std::size_t>(ranks);
        default: return 1;
        }
    }

    [[nodiscard]] learned_call* find_or_make(function which, std::size_t bytes, watch::call_facts const& facts) {
        for (auto const& each : all_) {
            if (each->is_of(which, bytes, facts.op)) { return each.get(); }
        }
        if (all_.size() == most) { return nullptr; }
        bool const is_taken_by_rule = why_left(which, bytes, facts.op, facts.type, facts.comm) == nullptr;
        auto const take_turns = known_ranks_of(facts.comm).take_turns;
        all_.push_back(
            std::make_unique<learned_call>(which, bytes, facts.op, ranks_of(facts.comm), take_turns, is_taken_by_rule));
        return all_.back().get();
    }

    std::vector<std::unique_ptr<learned_call>> all_;
    std::optional<monitoring::latest_of_ranks<mpi::communicator>> latest_;
};

}  // namespace tutti::accelerator
