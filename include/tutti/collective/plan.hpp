// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <tutti/collective/perform.hpp>
#include <tutti/execution/default_algorithm.hpp>

namespace tutti::engine {

/// Behind the planner boundary, as `plan_program`; defined in `collective/explain.hpp`, which needs the simulator.
template <class Collective>
[[nodiscard]] std::string explain_program(selection::planned_call const& call, std::string_view way);

/// Complete where that definition is included.
template <class Collective>
struct explanation_is_included;

/// The same plan, each run of which uses the arrival times of earlier runs; defined in
/// `collective/plan_by_arrivals.hpp`. Called by all ranks.
template <class C>
[[nodiscard]] std::unique_ptr<persistent_call> follow_arrivals(C& ranks, selection::planned_call const& call,
                                                               std::unique_ptr<persistent_call> of);

/// Complete where that definition is included.
template <class C>
struct plan_by_arrivals_is_included;

/// A collective that can be run many times on the same memory.
///
/// `tutti::plan::…` and `tutti::async::…` create it. All ranks create their plans in the same order, and other calls
/// between the same plans. They may start plans and wait for them in any order, several at once. Waiting for one plan
/// makes progress on all plans of the process over MPI, on all communicators; with MPI_THREAD_MULTIPLE, on all plans of
/// the thread. Another thread may take over a plan, but only one thread at a time uses the plans of a communicator.
///
/// The caller's memory must stay in place while a plan lives. The plan keeps a copy of the operator, or refers to the
/// caller's if it gets `std::ref(op)`. After the first run nothing is allocated for elements that travel as bytes. If a
/// running plan is destroyed, or its communicator freed, the run ends first.
template <class Collective, class C, class T, class Operator>
class collective_plan {
public:
    template <class Invocation>
    explicit collective_plan(Invocation&& what) : op_{std::make_unique<Operator>(std::forward<Invocation>(what).op)} {
        call_ = engine::with_prepared(what, *op_, [](auto const& call) { return engine::make_persistent(call); });
    }

    /// From now on each run uses the arrival times of earlier runs.
    void go_by_arrivals(C& ranks, selection::planned_call const& call) {
        call_ = engine::follow_arrivals(ranks, call, std::move(call_));
    }

    /// Learns how long its runs take by which algorithm, where the communicator learns.
    void learn(C& ranks) {
        if (!ranks.supervisor().has_hook(control::call_hook::learning)) { return; }
        auto const& in_use = ranks.store().template get<learner_in_use>();
        call_ = in_use.lead(*in_use.learner, std::move(call_));
    }

    collective_plan(collective_plan&&) noexcept = default;
    /// If this plan is running, the run ends first: it needs its operator.
    collective_plan& operator=(collective_plan&& other) noexcept {
        call_ = std::move(other.call_);
        op_ = std::move(other.op_);
        return *this;
    }
    ~collective_plan() = default;

    /// Starts a run, which `test` or `wait` completes. Throws std::logic_error while a run is in progress.
    void start() {
        if (call_->running()) {
            throw std::logic_error{"tutti: start() on a plan that is still running; wait() for it first"};
        }
        call_->start();
    }

    /// Makes progress without waiting; true if no run is in progress any more.
    [[nodiscard]] bool test() { return call_->test(); }

    /// Waits until the run has ended; returns at once if none is in progress.
    void wait() { call_->wait(); }

    /// The algorithm, the reason for it, and its predicted cost, as text.
    [[nodiscard]] std::string explain() const {
        static_assert(
            is_linked || requires { sizeof(explanation_is_included<Collective>); },
            "tutti: explain() of a plan needs #include <tutti/collective/explain.hpp>, which <tutti/mpi.hpp> "
            "and <tutti/threads.hpp> bring, too");
        return call_->explain(explain_program<Collective>);
    }

private:
    std::unique_ptr<Operator> op_;
    std::unique_ptr<persistent_call> call_;
};

/// What happens to a plan.
enum class plan_use {
    runs_again,
    runs_once  ///< it is a nonblocking call
};

template <plan_use Use = plan_use::runs_once, class Invocation>
[[nodiscard]] auto make_plan(Invocation&& what) {
    using plain = std::remove_cvref_t<Invocation>;
    using C = typename plain::communicator_type;
    using plan = collective_plan<typename plain::collective_type, C, typename plain::element_type,
                                 std::decay_t<typename plain::operator_type>>;
    if constexpr (is_deferred<plain>) {
        auto const call = engine::undecided(what);
        auto chosen = engine::noting_refusal(what.world, [&] { return engine::decided(what); }, true);
        plan made{std::move(chosen)};
        if constexpr (Use == plan_use::runs_again && !std::is_same_v<decltype(chosen.algorithm), automatic>) {
            static_assert(
                requires { sizeof(plan_by_arrivals_is_included<C>); },
                "tutti: a plan by arrival_aware needs #include <tutti/arrivals.hpp>");
            if (!what.algorithm.has_monitor()) { made.go_by_arrivals(what.world, call); }
        }
        return made;
    } else {
        engine::compare_digests(what.world, what.algorithm);
        auto& ranks = what.world;
        plan made{std::forward<Invocation>(what)};
        if constexpr (Use == plan_use::runs_again && std::is_same_v<decltype(what.algorithm), automatic>) {
            made.learn(ranks);
        }
        return made;
    }
}

}  // namespace tutti::engine
