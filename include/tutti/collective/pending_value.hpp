// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include <tutti/collective/arguments.hpp>
#include <tutti/collective/plan.hpp>
#include <tutti/collective/refusal.hpp>

namespace tutti::engine {

/// A collective on a single value that has been started, with the memory of its operand and its result.
template <class Operand, class Result, class Plan>
class pending_value {
public:
    /// `plan_of(operand, result)` gives the plan, which is started here.
    template <class PlanOf>
    pending_value(Operand const& operand, Result const& first_result, PlanOf plan_of)
        : memory_{std::make_unique<memory>(operand, first_result)}, plan_{plan_of(memory_->operand, memory_->result)} {
        plan_.start();
    }

    /// Makes progress without waiting; true if the result is there.
    [[nodiscard]] bool test() { return plan_.test(); }

    /// Waits until the result is there.
    void wait() { plan_.wait(); }

    /// Waits, and gives the result; once.
    [[nodiscard]] Result get() {
        wait();
        return std::move(memory_->result);
    }

    /// As in a plan.
    [[nodiscard]] std::string explain() const { return plan_.explain(); }

private:
    struct memory {
        memory(Operand const& in, Result const& first_result) : operand(in), result(first_result) {}
        Operand operand;
        Result result;
    };

    std::unique_ptr<memory> memory_;
    Plan plan_;  // ends first: until then it refers to the memory
};

template <class Overloads, class World, class In, class... Arguments>
[[nodiscard]] auto make_pending_value(World const& world, In const& in, Arguments&&... arguments) {
    auto const& operand = *argument::as_span(in).data();
    auto first_result = Overloads::first_result(in);
    using Operand = std::remove_cvref_t<decltype(operand)>;
    using Result = decltype(first_result);
    auto const plan_of = [&](Operand const& from, Result& result) {
        auto const one = tutti::value(from);
        auto const make = [&] {
            if constexpr (requires { Overloads{}.value(world, one, result, std::forward<Arguments>(arguments)...); }) {
                return Overloads{}.value(world, one, result, std::forward<Arguments>(arguments)...);
            } else {
                return Overloads{}.value_on_root(world, one, result, std::forward<Arguments>(arguments)...);
            }
        };
        return engine::make_plan(engine::noting_refusal(world, make, true));
    };
    using Plan = std::invoke_result_t<decltype(plan_of), Operand const&, Result&>;
    if constexpr (std::is_same_v<Plan, refused_result>) {
        return refused_result{};
    } else {
        return pending_value<Operand, Result, Plan>{operand, first_result, plan_of};
    }
}

}  // namespace tutti::engine
