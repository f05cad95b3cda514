// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include <tutti/communicator.hpp>
#include <tutti/communicator/call.hpp>
#include <tutti/execution/call_learner.hpp>
#include <tutti/learning/held_learned.hpp>
#include <tutti/arrival/latest_of_ranks.hpp>
#include <tutti/learning/trials.hpp>
#include <tutti/selection/call_parameters_of.hpp>
#include <tutti/selection/earlier_calls.hpp>
#include <tutti/selection/planner.hpp>

namespace tutti::selection {

/// Learns from the calls on a communicator; kept with it.
template <communicator C>
class learner final : public engine::call_learner {
public:
    /// Kinds of calls of which something is learned, the first ones: a search among more would take longer than a short
    /// call. Ranks meet kinds in one order, and drop none alone.
    static constexpr std::size_t most_kinds = 64;

    learner(C& ranks, bool is_reproducible) : ranks_{ranks} { kinds_->reproducible = is_reproducible; }

    void begin(planned_call const& call) override {
        if (auto const now = ranks_.supervisor().generation(); now != kinds_->generation) {
            kinds_->generation = now;  // other costs, nodes or ways of messages, or a failure: what was learned is void
            latest_.emplace(ranks_);
            kinds_->all.clear();
            kinds_->machines = std::make_shared<supposed_machines>(*call.machine);
            last_ = nullptr;
        }
        if (last_ == nullptr || !last_->is_of(call)) { last_ = find_or_make(call); }
        if (last_ == nullptr) { return; }
        last_->by_arrivals.reset();
        if (!last_->calls.is_usual()) {
            if (last_->calls.must_agree()) { last_->calls.agree((*latest_)(last_->calls.given())); }
            begun_ = C::now();
        } else if (last_->may_go_by_arrivals()) {
            last_->by_arrivals = earlier_.begin(ranks_, call, call_parameters_of(collective::all_reduce{}, call));
            if (last_->by_arrivals) {
                last_->last_by_arrivals = last_->by_arrivals;
                ++last_->calls_by_arrivals;
            }
        }
        kinds_->current = last_;  // from here on nothing fails
    }

    void moved() override {
        auto const* const of = kinds_->current;
        if (of != nullptr && of->calls.is_usual() && of->may_go_by_arrivals()) { earlier_.end(ranks_); }
    }

    void end() override {
        auto* const of = std::exchange(kinds_->current, nullptr);
        if (of == nullptr) { return; }
        if (of->calls.is_usual()) {
            of->calls.usual_call_ended();
        } else {
            of->calls.ended(begun_, C::now());
        }
    }

    [[nodiscard]] learned_kinds const& kinds() const { return *kinds_; }

private:
    [[nodiscard]] learned_kind* find_or_make(planned_call const& call) {
        if (auto const found = kinds_->find(call)) { return found.get(); }
        if (kinds_->all.size() == most_kinds || !call.counts.empty()) { return nullptr; }
        kinds_->all.push_back(std::make_shared<learned_kind>(*call.kind, call.elements, call.root));
        return kinds_->all.back().get();
    }

    C& ranks_;
    std::shared_ptr<learned_kinds> kinds_ = std::make_shared<learned_kinds>(ranks_.supervisor().generation());
    learned_kind* last_ = nullptr;
    std::optional<monitoring::latest_of_ranks<C>> latest_;
    earlier_calls<C> earlier_;
    std::int64_t begun_ = 0;
};

}  // namespace tutti::selection
