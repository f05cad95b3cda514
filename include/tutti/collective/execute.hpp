// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <type_traits>

#include <tutti/collective/control.hpp>
#include <tutti/collective/perform.hpp>
#include <tutti/collective/planned_program.hpp>
#include <tutti/communicator.hpp>
#include <tutti/cost/machine.hpp>
#include <tutti/dynamic_array.hpp>
#include <tutti/execution.hpp>
#include <tutti/execution/set_options.hpp>
#include <tutti/node_map.hpp>
#include <tutti/program.hpp>
#include <tutti/selection/plan_program.hpp>
#include <tutti/selection/planner.hpp>

namespace tutti::engine {

/// A plan's program, and the call that it was made for.
template <class C, class Element, class Operator>
class persistent_execution final : public persistent_call {
public:
    persistent_execution(prepared_call<C, Element, Operator> const& what, int tag)
        : world_{what.world},
          input_{what.input},
          output_{what.output},
          second_output_{what.second_output},
          op_{what.op},
          algorithm_{engine::held_algorithm_of(what)},
          counts_(what.counts.data(), what.counts.data() + what.counts.size()),
          planned_{engine::planned_call_of(what, algorithm_.get())},
          machine_{*planned_.machine},
          plan_{what.plan},
          tag_{tag} {
        if (planned_.nodes != nullptr) {
            nodes_ = *planned_.nodes;
            planned_.nodes = &nodes_;
        }
        planned_.machine = &machine_;
        planned_.counts = counts_;
        engine::require_readable(what);
        what.world.enter(engine::entered_call(what, true));
        engine::compare_call(what, tag_, true);
        auto entered = engine::entered_call(what, true);
        if (!entered.counts.empty()) { entered.counts = counts_; }
        executor_ = std::make_unique<executor_type>(world_, tag_, program_of_plan(), entered);
    }
    ~persistent_execution() override {
        bool const has_world = executor_->has_world();
        executor_.reset();  // its run ends
        if (has_world) { world_.release_tag(tag_); }
    }

    void start() override {
        // a communicator that has been freed cannot be asked for its mode
        if (executor_->has_world() && world_.ready_mode() != in_ready_mode_ && !executor_->running()) {
            executor_ = std::make_unique<executor_type>(*executor_, program_of_plan());
        }
        executor_->start(input_, output_, second_output_, op_);
        if (planned_.elements == 0) { executor_->note_zero_count(); }
    }
    [[nodiscard]] bool running() const override { return executor_->running(); }
    bool test() override { return executor_->test(); }
    void wait() override { executor_->wait(); }
    [[nodiscard]] std::size_t recoveries() const override {
        return executor_->has_world() ? world_.supervisor().recoveries() : 0;
    }
    void choose(std::unique_ptr<selection::held_algorithm> algorithm) override {
        if (!executor_->has_world()) { return; }  // start() reports that
        algorithm_ = std::move(algorithm);
        planned_.algorithm = algorithm_.get();
        executor_ = std::make_unique<executor_type>(*executor_, program_of_plan());
    }

    [[nodiscard]] selection::planned_call const& call() const override { return planned_; }

    [[nodiscard]] std::string explain(explain_call* text) const override {
        return text(planned_, executor_->has_world() ? world_.transport() : std::string{});
    }

private:
    using executor_type = executor<C, Element, Operator>;

    [[nodiscard]] program program_of_plan() {
        in_ready_mode_ = world_.ready_mode();
        return engine::program_of<Element>(world_, plan_, planned_);
    }

    C& world_;
    Element const* input_;
    Element* output_;
    Element* second_output_;
    std::conditional_t<std::is_same_v<Operator, operators::byte_operator>, operators::byte_operator, Operator&> op_;
    std::unique_ptr<selection::held_algorithm> algorithm_;
    dynamic_array<std::size_t> counts_;
    selection::planned_call planned_;  // refers to the members around it
    machine_model machine_;
    node_map nodes_;
    program (*plan_)(selection::planned_call const&);
    int tag_;
    bool in_ready_mode_ = false;
    std::unique_ptr<executor_type> executor_;
};

template <class C, class Element, class Operator>
std::unique_ptr<persistent_call> make_persistent(prepared_call<C, Element, Operator> const& what) {
    auto const tag = what.world.new_tag();  // first, so that all ranks count the plan, whatever fails
    try {
        return std::make_unique<persistent_execution<C, Element, Operator>>(what, tag);
    } catch (std::exception const& why) {
        engine::refuse(what.world, tag, why.what());
        what.world.release_tag(tag);
        throw;
    }
}

template <class Element>
struct execution_is_included {};

/// The last few programs of one kind of call on one communicator, ready to run again. Ranks may have dropped others:
/// a program depends on the call and on what all ranks agree on, so that it is made the same again.
template <class C, class Element, class Operator>
class recent_executions {
    using call_type = prepared_call<C, Element, Operator>;
    using executor_type = executor<C, Element, Operator>;

public:
    recent_executions() = default;
    recent_executions(recent_executions const&) = delete;
    recent_executions& operator=(recent_executions const&) = delete;
    ~recent_executions() {
        for (auto* const each : kept_) { delete each; }
    }

    executor_type& find_or_make(call_type const& what, int tag) {
        auto& found = last_ != nullptr && last_->fits(what) ? *last_ : look_or_make(what, tag);
        if (found.leaves_ranks_out) { what.world.note_zero_count(tag, engine::entered_call(what)); }
        return found.executor;
    }

private:
    static constexpr std::size_t most = 8;

    struct entry {
        [[gnu::cold]] explicit entry(call_type const& what)
            : elements{what.elements},
              root{what.root},
              in_place{what.in_place()},
              algorithm{engine::held_algorithm_of(what)},
              counts{what.counts.data(), what.counts.data() + what.counts.size()},
              executor{
                  what.world, 0,
                  engine::program_of<Element>(what.world, what.plan, engine::planned_call_of(what, algorithm.get())),
                  engine::entered_call(what.kind, elements, root, counts)},
              generation{what.world.supervisor().generation()},
              leaves_ranks_out{engine::leaves_ranks_out(what)} {}

        std::size_t elements;
        int root;
        bool in_place;
        std::unique_ptr<selection::held_algorithm> algorithm;
        dynamic_array<std::size_t> counts;
        executor_type executor;
        std::size_t generation;
        bool leaves_ranks_out;

        [[nodiscard]] bool fits(call_type const& what) const {
            return generation == what.world.supervisor().generation() && elements == what.elements &&
                   root == what.root && in_place == what.in_place() && !executor.running() &&
                   (algorithm == nullptr || algorithm->is(what.algorithm)) &&
                   std::equal(counts.begin(), counts.end(), what.counts.begin(), what.counts.end());
        }
    };

    // Moves the entry that is found, or made, to the front.
    [[gnu::noinline, gnu::cold]] entry& look_or_make(call_type const& what, int tag) {
        what.world.supervisor().require_sound();  // nothing fits that was prepared before a failure
        auto* found = kept_.begin();
        while (found != kept_.end() && !(*found)->fits(what)) { ++found; }
        entry* first = nullptr;
        if (found != kept_.end()) {
            first = *found;
            kept_.erase(found);
        } else {
            kept_.reserve(most);
            engine::beside_data(what.world, tag, [&] { engine::require_readable(what); });
            first = engine::or_refuse(what.world, tag, [&] { return new entry{what}; });
            if (kept_.size() == most) {
                delete kept_.back();
                kept_.pop_back();
            }
        }
        kept_.insert(kept_.begin(), first);
        last_ = first;
        return *first;
    }

    dynamic_array<entry*> kept_;
    entry* last_ = nullptr;
};

template <class C, class Element, class Operator>
[[gnu::always_inline]] inline void run_call(prepared_call<C, Element, Operator> const& what, int tag) {
    using recent = recent_executions<C, Element, Operator>;
    auto& run = what.world.store().template get<recent>(&what.kind).find_or_make(what, tag);
    run.call(tag, what.input, what.output, what.second_output, what.op);
}

/// A call on a communicator that watches its calls. Not inlined, so that those on others stay short.
template <class C, class Element, class Operator>
[[gnu::cold, gnu::noinline]] void run_hooked_call(prepared_call<C, Element, Operator> const& what, int tag) {
    engine::run_hooks_before(what, tag);  // first, since ranks may begin to share memory, and learn anew
    auto* const learner = engine::begin_learning(what, tag);
    engine::and_then(
        what.world, [&] { engine::run_call(what, tag); },
        [&] {
            if (learner != nullptr) { engine::beside_data(what.world, tag, [&] { learner->end(); }); }
        });
    engine::run_hooks_after(what, tag);
}

template <class C, class Element, class Operator>
void perform_prepared(prepared_call<C, Element, Operator> const& what) {
    auto const tag = what.world.new_call_tag();
    if constexpr (C::compares_calls) { what.world.enter(engine::entered_call(what)); }
    if (what.world.supervisor().has_hooks()) { return engine::run_hooked_call(what, tag); }
    engine::run_call(what, tag);
}

}  // namespace tutti::engine
