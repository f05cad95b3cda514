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

/// A plan of which each run goes by when the ranks came to the runs before. They tell each other when they begin one,
/// by an all_reduce of its own beside the data.
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
        told_.resize(now_.size + 1);
        telling_ = std::make_unique<telling>(invocation<collective::all_reduce, C, std::int64_t, maximum<>, automatic>{
            ranks, told_.data(), told_.data(), told_.size(), 0, maximum<>{}, automatic{}});
    }

    void start() override {
        if (telling_ == nullptr) { return of_->start(); }
        if (auto const newest = of_->recoveries(); newest != recoveries_) {
            recoveries_ = newest;  // of a run that has failed ranks may not all know the same
            choices_ = {};
            last_arrival_ = ended_ = never;
        }
        before_ = choices_.forecast();
        auto const choice = choices_.next(now_).value_or(usual_);
        if (!(choice == taken_)) {
            taken_ = choice;
            of_->choose(&taken_);
        }
        tells_ = choices_.must_know();
        if (tells_) {
            std::fill(told_.begin(), told_.end(), never);
            told_[rank_] = C::now() + offset_;
            told_.back() = ended_;
            telling_->start();
        }
        of_->start();
        is_open_ = true;
    }
    [[nodiscard]] bool running() const override { return of_->running() || is_open_; }
    bool test() override {
        return lost_if_it_throws([&] {
            if (!of_->test()) { return false; }
            note_the_end();
            if (tells_ && !telling_->test()) { return false; }
            return close(), true;
        });
    }
    void wait() override {
        lost_if_it_throws([&] {
            of_->wait();
            note_the_end();
            if (tells_) { telling_->wait(); }
            close();
        });
    }
    void choose(void const* algorithm) override { of_->choose(algorithm); }
    [[nodiscard]] std::size_t recoveries() const override { return of_->recoveries(); }
    [[nodiscard]] std::string explain(explain_call* text) const override { return of_->explain(text); }

private:
    using telling = collective_plan<collective::all_reduce, C, std::int64_t, maximum<>>;
    static constexpr auto never = std::numeric_limits<std::int64_t>::min() / 2;

    /// A run that fails is over.
    template <class Action>
    auto lost_if_it_throws(Action action) {
        try {
            return action();
        } catch (...) {
            is_open_ = is_over_ = tells_ = false;
            throw;
        }
    }

    void note_the_end() {
        if (is_open_ && !is_over_) { ended_ = C::now() + offset_; }
        is_over_ = true;
    }

    /// All of a run is over on this rank.
    void close() {
        if (!is_open_) { return; }
        is_open_ = is_over_ = false;
        if (!std::exchange(tells_, false)) {
            last_arrival_ = never;
            return choices_.arrived({});
        }
        auto const end_before = told_.back();
        if (last_arrival_ != never) { choices_.took(end_before - last_arrival_, before_); }
        std::vector<std::int64_t> arrivals{told_.begin(), told_.end() - 1};
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
    std::int64_t last_arrival_ = never;                          // to the run before; ns
    std::int64_t ended_ = never;                                 // the run before, on this rank
    generators::arrival_choice usual_;
    generators::arrival_choice taken_;
    std::vector<std::int64_t> told_;  // when ranks began this run, and the latest end of the run before
    bool tells_ = false;
    bool is_open_ = false;  // a run has begun
    bool is_over_ = false;  // its result is there
    std::unique_ptr<telling> telling_;
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
