// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <tutti/collective.hpp>
#include <tutti/cost/machine.hpp>
#include <tutti/execution/options.hpp>
#include <tutti/generator/named.hpp>
#include <tutti/learning/candidates_to_try.hpp>
#include <tutti/learning/choices_by_earlier_calls.hpp>
#include <tutti/learning/trials.hpp>
#include <tutti/selection/call_parameters_of.hpp>
#include <tutti/selection/canonical.hpp>
#include <tutti/selection/choice_by_arrivals.hpp>
#include <tutti/selection/planner.hpp>

namespace tutti::selection {

template <class... Collectives>
std::variant<std::monostate, std::vector<candidate_to_try<Collectives>>...> any_candidates(
    collective::list<Collectives...>);

/// What is remembered of calls with the same key: the same kind, length of the vector, and root.
class call_record {
public:
    call_record(call_kind const& kind, std::size_t elements, std::size_t root)
        : kind_{kind}, elements_{elements}, root_{root} {}
    call_record(call_record const&) = delete;
    call_record& operator=(call_record const&) = delete;

    /// Calls with counts have no record: the root alone may know their number of elements.
    [[nodiscard]] bool is_of(planned_call const& call) const {
        return elements_ == call.elements && root_ == call.root && kind_.is_like(*call.kind) && call.counts.empty();
    }
    [[nodiscard]] call_kind const& kind() const { return kind_; }
    [[nodiscard]] std::size_t bytes() const { return elements_ * kind_.element_bytes; }

    /// Whether arrivals may choose the algorithm of calls that name none: results have the same bits by all of them.
    [[nodiscard]] bool may_go_by_arrivals() const {
        return kind_.exact && kind_.commutes && kind_.collective == collective::all_reduce::name &&
               bytes() > longest_unwatched;
    }

    /// A candidate changes places with the first one, which is taken at first.
    void put_first(std::size_t candidate) {
        std::swap(names.front(), names[candidate]);
        std::visit(
            [=](auto& all) {
                if constexpr (requires { all.front(); }) { std::swap(all.front(), all[candidate]); }
            },
            candidates);
    }

    bool is_learning = false;  ///< a blocking call that names no algorithm is under way
    trials calls{1};
    choices_by_earlier_calls arrivals;
    std::optional<generators::arrival_choice> by_arrivals;       ///< of that call, if arrivals have chosen it
    std::optional<generators::arrival_choice> last_by_arrivals;  ///< the last such choice
    std::size_t calls_by_arrivals = 0;

    /// A candidate in words, and the seconds that it is expected to take.
    struct name {
        std::string algorithm;
        std::size_t blocks;
        std::size_t ports;
        double expected;
    };
    std::vector<name> names;  ///< of the candidates, which are found when the first program is made
    decltype(selection::any_candidates(collective::all{})) candidates;
    std::shared_ptr<perturbed_models const> models;

private:
    call_kind const& kind_;
    std::size_t elements_;
    std::size_t root_;
};

/// The records of a communicator.
struct call_records {
    /// Keys that have a record, the first ones: a search among more would take longer than a short call. All ranks meet
    /// keys in the same order, and none drops one alone.
    static constexpr std::size_t most = 64;

    std::size_t const* newest = nullptr;  ///< `supervisor::generation`
    std::size_t generation = 0;           ///< of the records
    std::vector<std::shared_ptr<call_record>> all;
    std::shared_ptr<perturbed_models const> models;
    bool reproducible = false;  ///< calls that name no algorithm have the terms of the canonical tree

    /// No record of another generation: ranks may not all know the same of it.
    [[nodiscard]] std::shared_ptr<call_record> find(planned_call const& call) const {
        if (newest == nullptr || generation != *newest) { return nullptr; }
        for (auto const& each : all) {
            if (each->is_of(call)) { return each; }
        }
        return nullptr;
    }
};

inline constexpr std::string_view why_learned = "chosen by the times of earlier calls";
inline constexpr std::string_view why_tried = "tried in this call, to learn how long it takes";

/// Stands for the candidate that a call with that record takes now.
template <class Collective>
class held_learned final : public held_generator<Collective> {
public:
    held_learned(std::shared_ptr<call_record> of, planned_call const& call, bool is_reproducible)
        : of_{std::move(of)}, is_reproducible_{is_reproducible} {
        if (of_->names.empty()) {
            auto found = selection::candidates_to_try(Collective{}, call, *of_->models, is_reproducible);
            auto const now = selection::call_parameters_of(Collective{}, call);
            for (auto const& [each, machine] : found) {
                of_->names.push_back({each.generator.name(), each.generator.blocks(now.size, now.bytes),
                                      each.generator.ports(), each.seconds});
            }
            of_->calls = trials{found.size()};
            of_->candidates = std::move(found);
        }
        candidate_ = of_->is_learning ? of_->calls.now() : of_->calls.chosen();
        if (of_->is_learning) { by_arrivals_ = of_->by_arrivals; }
    }

    [[nodiscard]] bool is(void const* /*named*/) const override {
        return of_->is_learning && of_->by_arrivals == by_arrivals_ && (by_arrivals_ || of_->calls.now() == candidate_);
    }
    [[nodiscard]] picked_generator<Collective> pick(call_parameters const&) const override {
        auto const& [of, machine] = candidates()[candidate_];
        if constexpr (std::is_same_v<Collective, collective::all_reduce>) {
            if (by_arrivals_) { return {by_arrivals_->algorithm, by_arrivals_->why, &of_->models->as_is}; }
        }
        auto const why = candidate_ != of_->calls.chosen() ? why_tried
                         : of_->calls.made() != 0          ? why_learned
                         : is_reproducible_                ? why_reproducible
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
        result.one_term = is_reproducible_;
        return result;
    }

private:
    [[nodiscard]] std::vector<candidate_to_try<Collective>> const& candidates() const {
        return std::get<std::vector<candidate_to_try<Collective>>>(of_->candidates);
    }

    std::shared_ptr<call_record> of_;  // a plan may outlive the communicator
    bool is_reproducible_;
    std::size_t candidate_ = 0;
    std::optional<generators::arrival_choice> by_arrivals_;
};

/// The candidate that a call with this record takes now.
inline std::unique_ptr<held_algorithm> hold_candidate(std::shared_ptr<call_record> of, planned_call const& call,
                                                      bool is_reproducible) {
    std::unique_ptr<held_algorithm> result;
    selection::with_collective(call.kind->collective, [&]<class Collective>(Collective) {
        result = std::make_unique<held_learned<Collective>>(std::move(of), call, is_reproducible);
    });
    return result;
}

/// For calls that name no algorithm; null for those of which nothing is learned. `records` are those of the
/// communicator.
inline held_algorithm* hold_learned(planned_call const& call, void const* records) {
    auto const& all = *static_cast<call_records const*>(records);
    auto of = all.find(call);
    if (of == nullptr || all.models == nullptr) {
        return all.reproducible ? selection::hold_reproducible<>(call, nullptr) : nullptr;
    }
    if (of->models == nullptr) { of->models = all.models; }
    return selection::hold_candidate(std::move(of), call, all.reproducible).release();
}

}  // namespace tutti::selection
