// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include <tutti/arrival/latest_of_ranks.hpp>
#include <tutti/collective.hpp>
#include <tutti/communicator.hpp>
#include <tutti/communicator/call.hpp>
#include <tutti/cost/call_parameters.hpp>
#include <tutti/execution/default_algorithm.hpp>
#include <tutti/learning/call_records.hpp>
#include <tutti/selection/call_parameters_of.hpp>
#include <tutti/selection/choice_by_arrivals.hpp>
#include <tutti/selection/planner.hpp>

namespace tutti::selection {

/// What is remembered of the calls on a communicator, and kept with it: how long they took by which algorithm, and when
/// the ranks arrived. All ranks know the same: they count calls of the communicator, which all make in the same order,
/// and agree on all times. With each generation of the supervisor it begins anew.
template <communicator C>
class call_history final : public engine::call_learner {
public:
    using times = choices_by_earlier_calls::times;

    [[nodiscard]] static call_history& of(C& ranks) {
        auto& result = ranks.store().template get<call_history>();
        result.ranks_ = &ranks;
        result.records_.newest = &ranks.supervisor().generation();
        return result;
    }

    /// A blocking call that names no algorithm begins on this rank, and is learned from.
    void begin(planned_call const& call) override {
        auto* const record = find_or_make(call);
        if (record == nullptr) { return; }
        if (records_.models == nullptr) { records_.models = std::make_shared<perturbed_models>(*call.machine); }
        record->by_arrivals.reset();
        if (!record->calls.is_usual()) {
            if (record->calls.must_agree()) { record->calls.agree(latest_(*ranks_, record->calls.given())); }
            begun_ = C::now();
        } else if (record->may_go_by_arrivals()) {
            record->by_arrivals = next_by_arrivals(*record, call_parameters_of(collective::all_reduce{}, call));
            if (record->by_arrivals) {
                record->last_by_arrivals = record->by_arrivals;
                ++record->calls_by_arrivals;
            }
        }
        record->is_learning = true;  // from here on nothing fails
        current_ = record;
    }

    /// An all_reduce that uses arrival times begins on this rank. Result: its algorithm; nothing if arrivals do not
    /// decide.
    [[nodiscard]] std::optional<generators::arrival_choice> begin_by_arrivals(planned_call const& call,
                                                                              call_parameters const& now) {
        current_ = arrivals_matter(now) ? find_or_make(call) : nullptr;
        return current_ == nullptr ? std::nullopt : next_by_arrivals(*current_, now);
    }

    /// The call has ended on this rank: its data has moved, so no rank waits for a late one when times are exchanged.
    void end() override {
        auto* const record = std::exchange(current_, nullptr);
        if (record == nullptr) { return; }
        if (std::exchange(record->is_learning, false)) {
            record->calls.is_usual() ? record->calls.usual_call_ended() : record->calls.ended(begun_, C::now());
        }
        if (std::exchange(goes_by_arrivals_, false)) { end_by_arrivals(record->arrivals); }
    }

    /// A record of its own for a plan. The candidate that blocking calls have chosen comes first. Null if there is
    /// nothing to choose from. All ranks call.
    [[nodiscard]] std::shared_ptr<call_record> record_of_plan(planned_call const& call) {
        forget_other_generations();
        if (!call.counts.empty()) { return nullptr; }
        if (records_.models == nullptr) { records_.models = std::make_shared<perturbed_models>(*call.machine); }
        auto result = std::make_shared<call_record>(*call.kind, call.elements, call.root);
        result->models = records_.models;
        static_cast<void>(selection::hold_candidate(result, call, records_.reproducible));
        if (result->names.size() < 2) { return nullptr; }
        if (auto const known = records_.find(call)) { result->put_first(known->calls.chosen()); }
        return result;
    }
    [[nodiscard]] C& ranks() const { return *ranks_; }

    /// For each of the times of this rank's clock the latest of all ranks, which call this as they call a collective.
    [[nodiscard]] times latest(times mine) {
        forget_other_generations();
        return latest_(*ranks_, std::move(mine));
    }

    /// Begins anew; calls that name no algorithm have the terms of the canonical tree from now on, or not.
    void forget(bool is_reproducible) {
        records_.reproducible = is_reproducible;
        records_.all.clear();
        records_.models = nullptr;
        last_ = current_ = nullptr;
        latest_ = {};
    }

    [[nodiscard]] call_records const& records() const { return records_; }

private:
    void forget_other_generations() {
        if (records_.generation == *records_.newest) { return; }
        records_.generation = *records_.newest;
        forget(records_.reproducible);
    }

    [[nodiscard]] call_record* find_or_make(planned_call const& call) {
        forget_other_generations();
        current_ = nullptr;
        goes_by_arrivals_ = false;
        if (last_ != nullptr && last_->is_of(call)) { return last_; }
        last_ = records_.find(call).get();
        if (last_ == nullptr && records_.all.size() != call_records::most && call.counts.empty()) {
            ranks_->supervisor().remember_calls(true);
            records_.all.push_back(std::make_shared<call_record>(*call.kind, call.elements, call.root));
            last_ = records_.all.back().get();
        }
        return last_;
    }

    [[nodiscard]] std::optional<generators::arrival_choice> next_by_arrivals(call_record& record,
                                                                             call_parameters const& now) {
        if (!arrivals_matter(now)) { return std::nullopt; }
        goes_by_arrivals_ = true;
        begun_ = C::now();
        return record.arrivals.next(now);
    }

    // by `latest_`: a call may itself have begun a generation, with which `latest` would forget `choices`
    void end_by_arrivals(choices_by_earlier_calls& choices) {
        if (!choices.must_know()) { return choices.arrived({}); }
        auto const size = static_cast<std::size_t>(ranks_->size());
        times all(size + 1, std::numeric_limits<std::int64_t>::min() / 2);
        all[static_cast<std::size_t>(ranks_->rank())] = begun_;
        all[size] = C::now();
        all = latest_(*ranks_, std::move(all));
        auto const end = all.back();
        all.pop_back();
        choices.took(end - *std::max_element(all.begin(), all.end()), choices.forecast());
        choices.arrived(std::move(all));
    }

    C* ranks_ = nullptr;
    call_records records_;
    call_record* last_ = nullptr;     // of the last call
    call_record* current_ = nullptr;  // of the call that is under way
    bool goes_by_arrivals_ = false;   // that call
    std::int64_t begun_ = 0;          // ns, when this rank began it
    monitoring::latest_of_ranks latest_;
};

}  // namespace tutti::selection
