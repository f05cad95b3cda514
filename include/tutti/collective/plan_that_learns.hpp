// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include <tutti/arrival/clock.hpp>
#include <tutti/collective.hpp>
#include <tutti/collective/invocation.hpp>
#include <tutti/collective/perform.hpp>
#include <tutti/collective/plan.hpp>
#include <tutti/communicator.hpp>
#include <tutti/execution/default_algorithm.hpp>
#include <tutti/learning/call_history.hpp>
#include <tutti/learning/call_records.hpp>
#include <tutti/learning/trials.hpp>
#include <tutti/operation/minmax.hpp>
#include <tutti/selection/algorithm.hpp>
#include <tutti/selection/planner.hpp>

namespace tutti::engine {

/// A plan that learns from its own runs: ranks may start several plans in different orders, so that only the runs of
/// this one are the same on all ranks. For the same reason the ranks agree on times beside a run, not before it.
template <class C>
class plan_that_learns final : public persistent_call {
public:
    /// Called by all ranks, with a record that has several candidates.
    plan_that_learns(C& ranks, std::shared_ptr<selection::call_record> record, bool is_reproducible,
                     std::unique_ptr<persistent_call> of)
        : record_{std::move(record)},
          is_reproducible_{is_reproducible},
          times_(2 * selection::trials::rounds * selection::trial_run{}.calls * record_->names.size()),
          of_{std::move(of)} {
        if constexpr (!control::in_one_process<C>) { offset_ = monitoring::offset_to_rank_0(ranks); }
        using latest = invocation<collective::all_reduce, C, std::int64_t, maximum<>, automatic>;
        exchange_ = std::make_unique<exchange>(
            latest{ranks, times_.data(), times_.data(), times_.size(), 0, maximum<>{}, automatic{}});
    }

    void start() override {
        exchange_->wait();  // a run whose operator has thrown has left it
        if (auto const newest = of_->recoveries(); newest != recoveries_) {
            recoveries_ = newest;  // of a run that has failed ranks may not all know the same
            record_->calls = selection::trials{record_->names.size()};
            run_ = run::none;
        }
        auto& calls = record_->calls;
        bool const agrees = calls.must_agree();
        take(agrees ? calls.chosen() : calls.now());
        begun_ = C::now() + offset_;
        if (agrees) {
            auto const given = calls.given();
            std::fill(std::copy(given.begin(), given.end(), times_.begin()), times_.end(), never);
            exchange_->start();
        }
        of_->start();
        run_ = agrees ? run::agrees : run::counts;
    }
    [[nodiscard]] bool running() const override { return of_->running() || run_ != run::none; }
    bool test() override {
        return advance([](auto& one) { return one.test(); });
    }
    void wait() override {
        advance([](auto& one) { return one.wait(), true; });
    }
    void choose(std::unique_ptr<selection::held_algorithm> algorithm) override { of_->choose(std::move(algorithm)); }
    [[nodiscard]] selection::planned_call const& call() const override { return of_->call(); }
    [[nodiscard]] std::size_t recoveries() const override { return of_->recoveries(); }
    [[nodiscard]] std::string explain(explain_call* text) const override { return of_->explain(text); }

private:
    using exchange = collective_plan<collective::all_reduce, C, std::int64_t, maximum<>>;
    enum class run { none, counts, agrees };
    static constexpr auto never = std::numeric_limits<std::int64_t>::min() / 2;

    void take(std::size_t candidate) {
        if (candidate == taken_) { return; }
        taken_ = candidate;
        record_->is_learning = candidate == record_->calls.now();  // else it is the chosen one
        of_->choose(selection::hold_candidate(record_, of_->call(), is_reproducible_));
    }

    /// `ends(part)` makes progress on a part of the run, and returns whether that has ended. A run that fails is over.
    template <class Ends>
    bool advance(Ends ends) {
        try {
            if (!ends(*of_)) { return false; }
            auto& calls = record_->calls;
            if (run_ == run::counts) {
                run_ = run::none;
                calls.is_usual() ? calls.usual_call_ended() : calls.ended(begun_, C::now() + offset_);
            }
            if (!ends(*exchange_)) { return false; }
            if (std::exchange(run_, run::none) == run::agrees) { calls.agree({times_.begin(), times_.end()}); }
        } catch (...) {
            run_ = run::none;
            throw;
        }
        return true;
    }

    std::shared_ptr<selection::call_record> record_;
    bool is_reproducible_;
    std::size_t recoveries_ = 0;
    std::int64_t offset_ = 0;  // ns, to the clock of rank 0
    std::int64_t begun_ = 0;   // ns, this run
    std::size_t taken_ = 0;    // the candidate
    selection::trials::times times_;
    run run_ = run::none;
    std::unique_ptr<exchange> exchange_;
    std::unique_ptr<persistent_call> of_;  // ends first
};

/// Where a plan has nothing to choose from, it stays as it is.
template <class C>
[[nodiscard]] std::unique_ptr<persistent_call> lead(call_learner& learner, std::unique_ptr<persistent_call> plan) {
    auto& history = static_cast<selection::call_history<C>&>(learner);
    auto record = history.record_of_plan(plan->call());
    if (record == nullptr) { return plan; }
    return std::make_unique<plan_that_learns<C>>(history.ranks(), std::move(record), history.records().reproducible,
                                                 std::move(plan));
}

}  // namespace tutti::engine
