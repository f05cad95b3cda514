// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <tutti/arrival/clock.hpp>
#include <tutti/collective.hpp>
#include <tutti/collective/invocation.hpp>
#include <tutti/collective/perform.hpp>
#include <tutti/collective/plan.hpp>
#include <tutti/communicator.hpp>
#include <tutti/cost/call_parameters.hpp>
#include <tutti/cost/machine.hpp>
#include <tutti/learning/choices_by_earlier_calls.hpp>
#include <tutti/operation/minmax.hpp>
#include <tutti/selection/algorithm.hpp>
#include <tutti/selection/call_parameters_of.hpp>
#include <tutti/selection/choice_by_arrivals.hpp>
#include <tutti/selection/planner.hpp>

namespace tutti::engine {

/// A plan in which the arrival times of earlier runs choose the algorithm of each run. Ranks exchange the times when
/// they begin a run by a separate all_reduce beside the data.
template <class C>
class plan_by_arrivals final : public persistent_call {
public:
    /// Called by all ranks. `of` has been made for an `arrival_choice`.
    plan_by_arrivals(C& ranks, selection::planned_call call, std::unique_ptr<persistent_call> of)
        : machine_{*call.machine}, rank_{static_cast<std::size_t>(ranks.rank())}, of_{std::move(of)} {
        call.machine = &machine_;
        now_ = selection::call_parameters_of(collective::all_reduce{}, call);
        usual_.algorithm = selection::choose_obliviously(now_).generator;
        taken_ = usual_;
        if (!selection::arrivals_matter(now_)) { return; }
        if constexpr (!control::in_one_process<C>) { offset_ = monitoring::offset_to_rank_0(ranks); }
        times_.resize(now_.size + 1);
        using latest = invocation<collective::all_reduce, C, std::int64_t, maximum<>, automatic>;
        exchange_ = std::make_unique<exchange>(
            latest{ranks, times_.data(), times_.data(), times_.size(), 0, maximum<>{}, automatic{}});
    }

    void start() override {
        if (exchange_ == nullptr) { return of_->start(); }
        if (auto const newest = of_->recoveries(); newest != recoveries_) {
            recoveries_ = newest;  // of a run that has failed ranks may not all know the same
            choices_ = {};
            last_arrival_ = ended_ = never;
        }
        exchange_->wait();  // a run whose operator has thrown has left it
        before_ = choices_.forecast();
        auto const choice = choices_.next(now_).value_or(usual_);
        if (!(choice == taken_)) {
            taken_ = choice;
            of_->choose(std::unique_ptr<selection::held_algorithm>{of_->call().kind->hold(&taken_)});
        }
        if (choices_.must_know()) {
            std::fill(times_.begin(), times_.end(), never);
            times_[rank_] = C::now() + offset_;
            times_.back() = ended_;
            exchange_->start();
        }
        of_->start();
        run_ = run::under_way;
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
    enum class run { none, under_way, has_result };
    static constexpr auto never = std::numeric_limits<std::int64_t>::min() / 2;

    /// `ends(part)` makes progress on a part of the run, and returns whether that has ended. A run that fails is over.
    template <class Ends>
    bool advance(Ends ends) {
        try {
            if (!ends(*of_)) { return false; }
            if (run_ == run::under_way) {
                ended_ = C::now() + offset_;
                run_ = run::has_result;
            }
            if (exchange_ != nullptr && !ends(*exchange_)) { return false; }
        } catch (...) {
            run_ = run::none;
            throw;
        }
        if (std::exchange(run_, run::none) != run::none) { learn(); }
        return true;
    }

    void learn() {
        if (!choices_.must_know()) {
            last_arrival_ = never;
            return choices_.arrived({});
        }
        if (last_arrival_ != never) { choices_.took(times_.back() - last_arrival_, before_); }
        std::vector<std::int64_t> arrivals{times_.begin(), times_.end() - 1};
        last_arrival_ = *std::max_element(arrivals.begin(), arrivals.end());
        choices_.arrived(std::move(arrivals));
    }

    machine_model machine_;
    call_parameters now_;
    std::size_t rank_;
    std::size_t recoveries_ = 0;
    std::int64_t offset_ = 0;  // ns, to the clock of rank 0
    selection::choices_by_earlier_calls choices_;
    selection::choices_by_earlier_calls::forecast_time before_;  // of the run before
    std::int64_t last_arrival_ = never;                          // at the run before; ns
    std::int64_t ended_ = never;                                 // the run before, on this rank
    generators::arrival_choice usual_;
    generators::arrival_choice taken_;
    std::vector<std::int64_t> times_;  // when ranks began this run, and the latest end of the run before
    run run_ = run::none;
    std::unique_ptr<exchange> exchange_;
    std::unique_ptr<persistent_call> of_;  // ends first
};

template <class C>
std::unique_ptr<persistent_call> follow_arrivals(C& ranks, selection::planned_call const& call,
                                                 std::unique_ptr<persistent_call> of) {
    return std::make_unique<plan_by_arrivals<C>>(ranks, call, std::move(of));
}

template <class C>
struct plan_by_arrivals_is_included {};

}  // namespace tutti::engine
