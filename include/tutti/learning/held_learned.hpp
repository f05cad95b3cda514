// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <tutti/collective.hpp>
#include <tutti/execution/options.hpp>
#include <tutti/generator/named.hpp>
#include <tutti/learning/candidates_to_try.hpp>
#include <tutti/learning/trials.hpp>
#include <tutti/selection/call_parameters_of.hpp>
#include <tutti/selection/canonical.hpp>
#include <tutti/selection/choice_by_arrivals.hpp>
#include <tutti/selection/planner.hpp>

namespace tutti::selection {

/// What is learned of calls of one kind, on vectors of one length, with one root. Its candidates are found when the
/// first program is made.
class learned_kind {
public:
    learned_kind(call_kind const& kind, std::size_t elements, std::size_t root)
        : kind_{kind}, elements_{elements}, root_{root} {}
    learned_kind(learned_kind const&) = delete;
    learned_kind& operator=(learned_kind const&) = delete;

    [[nodiscard]] bool is_of(planned_call const& call) const {
        // of calls with counts the root alone may know the number of elements
        return kind_.is_like(*call.kind) && elements_ == call.elements && root_ == call.root && call.counts.empty();
    }
    [[nodiscard]] call_kind const& kind() const { return kind_; }
    [[nodiscard]] std::size_t bytes() const { return elements_ * kind_.element_bytes; }

    /// Whether arrivals may choose the algorithm: results have the same bits by all of them.
    [[nodiscard]] bool may_go_by_arrivals() const {
        return kind_.exact && kind_.commutes && kind_.collective == collective::all_reduce::name &&
               bytes() > longest_unwatched;
    }

    trials calls{1};
    std::optional<generators::arrival_choice> by_arrivals;  ///< for the call that is under way, if that is chosen so
    std::optional<generators::arrival_choice> last_by_arrivals;
    std::size_t calls_by_arrivals = 0;

    /// Of the candidates, each is named, and expected to take this many seconds.
    struct name {
        std::string algorithm;
        std::size_t blocks;
        std::size_t ports;
        double expected;
    };
    std::vector<name> names;
    std::shared_ptr<void const> candidates;  ///< a vector of candidate_to_try<Collective>
    std::shared_ptr<supposed_machines const> machines;

private:
    call_kind const& kind_;
    std::size_t elements_;
    std::size_t root_;
};

/// All that is learned on a communicator.
struct learned_kinds : std::enable_shared_from_this<learned_kinds> {
    explicit learned_kinds(std::size_t const& now) : newest{&now} {}

    std::size_t const* newest;   ///< `supervisor::generation`, as long as the communicator lives
    std::size_t generation = 0;  ///< of what was learned
    std::vector<std::shared_ptr<learned_kind>> all;
    std::shared_ptr<supposed_machines const> machines;
    learned_kind* current = nullptr;  ///< of the blocking call that is under way
    bool reproducible = false;        ///< calls that name no algorithm have the terms of the canonical tree

    /// Nothing of another generation: of that ranks may not all know the same.
    [[nodiscard]] std::shared_ptr<learned_kind> find(planned_call const& call) const {
        if (generation != *newest) { return nullptr; }
        for (auto const& each : all) {
            if (each->is_of(call)) { return each; }
        }
        return nullptr;
    }
};

inline constexpr std::string_view why_learned = "chosen by the times of earlier calls";
inline constexpr std::string_view why_tried = "tried in this call, to learn how long it takes";

/// Stands for the candidate that a call of the kind takes now.
template <class Collective>
class held_learned final : public held_generator<Collective> {
public:
    held_learned(std::shared_ptr<learned_kinds const> all, std::shared_ptr<learned_kind> of, planned_call const& call)
        : all_{std::move(all)}, of_{std::move(of)} {
        if (of_->candidates == nullptr) {
            of_->machines = all_->machines;
            auto found = selection::candidates_to_try(Collective{}, call, *all_->machines, all_->reproducible);
            auto const now = selection::call_parameters_of(Collective{}, call);
            for (auto const& [each, machine] : found) {
                of_->names.push_back({each.generator.name(), each.generator.blocks(now.size, now.bytes),
                                      each.generator.ports(), each.seconds});
            }
            of_->calls = trials{found.size()};
            of_->candidates = std::make_shared<std::vector<candidate_to_try<Collective>>>(std::move(found));
        }
        candidate_ = is_current() ? of_->calls.now() : of_->calls.chosen();
        if (is_current()) { by_arrivals_ = of_->by_arrivals; }
    }

    [[nodiscard]] bool is(void const* /*named*/) const override {
        return is_current() && of_->by_arrivals == by_arrivals_ && (by_arrivals_ || of_->calls.now() == candidate_);
    }
    [[nodiscard]] picked_generator<Collective> pick(call_parameters const&) const override {
        auto const& [of, machine] = candidates()[candidate_];
        if constexpr (std::is_same_v<Collective, collective::all_reduce>) {
            if (by_arrivals_) { return {by_arrivals_->algorithm, by_arrivals_->why, &of_->machines->as_is}; }
        }
        auto const why = candidate_ != of_->calls.chosen() ? why_tried
                         : of_->calls.made() != 0          ? why_learned
                         : all_->reproducible              ? why_reproducible
                                                           : why_least_time;
        return {of.generator, why, machine};
    }
    [[nodiscard]] generator_choice<Collective> choice(call_parameters const&) const override {
        generator_choice<Collective> result;
        auto const& all = candidates();
        result.among.push_back(all[candidate_].of);
        for (std::size_t i = 0; i != all.size(); ++i) {
            if (i != candidate_) { result.among.push_back(all[i].of); }
        }
        result.one_term = all_->reproducible;
        return result;
    }

private:
    [[nodiscard]] bool is_current() const { return all_->current == of_.get(); }
    [[nodiscard]] std::vector<candidate_to_try<Collective>> const& candidates() const {
        return *static_cast<std::vector<candidate_to_try<Collective>> const*>(of_->candidates.get());
    }

    std::shared_ptr<learned_kinds const> all_;  // a plan may outlive both
    std::shared_ptr<learned_kind> of_;
    std::size_t candidate_ = 0;
    std::optional<generators::arrival_choice> by_arrivals_;
};

/// For calls that name no algorithm; null where nothing is learned of such calls.
inline held_algorithm* hold_learned(planned_call const& call, void const* kinds) {
    auto const& all = *static_cast<learned_kinds const*>(kinds);
    auto const of = all.find(call);
    if (of == nullptr) { return all.reproducible ? hold_reproducible<>(call, nullptr) : nullptr; }
    held_algorithm* result = nullptr;
    selection::with_collective(call.kind->collective, [&]<class Collective>(Collective) {
        result = new held_learned<Collective>{all.shared_from_this(), of, call};
    });
    return result;
}

}  // namespace tutti::selection
