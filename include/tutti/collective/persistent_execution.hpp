// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

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
#include <tutti/node_map.hpp>
#include <tutti/program.hpp>
#include <tutti/selection/planner.hpp>

namespace tutti::engine {

/// A plan's program, and the call that it was made for.
template <class C, class Element, class Operator>
class persistent_execution final : public persistent_call {
public:
    explicit persistent_execution(prepared_call<C, Element, Operator> const& what)
        : world_{what.world},
          input_{what.input},
          output_{what.output},
          second_output_{what.second_output},
          op_{what.op},
          algorithm_{held_algorithm_of(what)},
          counts_(what.counts.data(), what.counts.data() + what.counts.size()),
          planned_{planned_call_of(what, algorithm_.get())},
          machine_{*planned_.machine},
          plan_{what.plan},
          tag_{what.world.new_tag()} {
        if (planned_.nodes != nullptr) {
            nodes_ = *planned_.nodes;
            planned_.nodes = &nodes_;
        }
        planned_.machine = &machine_;
        planned_.counts = counts_;
        require_readable(what);
        what.world.enter(entered_call(what, true));
        compare_call(what, tag_, true);
        auto entered = entered_call(what, true);
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
        if (planned_.elements == 0) { executor_->leave_empty(); }
    }
    [[nodiscard]] bool running() const override { return executor_->running(); }
    bool test() override { return executor_->test(); }
    void wait() override { executor_->wait(); }

    [[nodiscard]] std::string explain(explain_call* text) const override {
        return text(planned_, executor_->has_world() ? world_.transport() : std::string{});
    }

private:
    using executor_type = executor<C, Element, Operator>;

    [[nodiscard]] program program_of_plan() {
        in_ready_mode_ = world_.ready_mode();
        return program_of<Element>(world_, plan_, planned_);
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
    return std::make_unique<persistent_execution<C, Element, Operator>>(what);
}

}  // namespace tutti::engine
