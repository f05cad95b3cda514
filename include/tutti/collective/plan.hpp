// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include <tutti/collective/explain.hpp>
#include <tutti/collective/perform.hpp>
#include <tutti/execution.hpp>

namespace tutti {

/// A collective that can be run many times on the same memory, and waited for later.
///
/// Made by `tutti::plan::…` and `tutti::async::…`, on all ranks in the same order; plans may then be started and
/// waited for in any order, several at once. Waiting for one makes progress on all that this process has started over
/// MPI, on whatever communicators; with MPI_THREAD_MULTIPLE, on all that this thread has. Another thread may take a
/// plan over, but one thread at a time uses the plans of a communicator.
///
/// The caller's memory must stay where it is while a plan lives; the plan keeps a copy of the operator, or refers to
/// the caller's given `std::ref(op)`. After the first run nothing is allocated for elements that travel as bytes. A
/// plan that is destroyed, or whose communicator is freed, while it runs is waited for.
template <class C, class T, class Operator>
class collective_plan {
public:
    template <class Invocation>
    explicit collective_plan(Invocation&& what)
        : op_{std::make_unique<Operator>(std::forward<Invocation>(what).op)},
          input_{what.input},
          output_{what.output},
          second_output_{what.second_output},
          explain_{explanation(what)} {
        announce(what);
        executor_ = std::make_unique<executor<C, T, Operator>>(what.world, what.world.new_tag(), program_of(what));
    }

    collective_plan(collective_plan&&) noexcept = default;
    /// A run that is under way here ends first, while its operator is still there.
    collective_plan& operator=(collective_plan&& other) noexcept {
        executor_ = std::move(other.executor_);
        op_ = std::move(other.op_);
        input_ = other.input_;
        output_ = other.output_;
        second_output_ = other.second_output_;
        explain_ = std::move(other.explain_);
        return *this;
    }
    ~collective_plan() = default;

    /// Begins a run; the result is there when `test` or `wait` say so. Not to be called while a run is under way.
    void start() {
        if (executor_->running()) {
            throw std::logic_error{"tutti: start() on a plan that is still running; wait() for it first"};
        }
        executor_->start(input_, output_, second_output_, *op_);
    }

    /// Makes progress without waiting; true if no run is under way any more.
    [[nodiscard]] bool test() { return executor_->test(); }

    /// Waits until the run has ended; returns at once if none is under way.
    void wait() { executor_->wait(); }

    /// Which algorithm runs, why, and what it is predicted to cost.
    [[nodiscard]] std::string explain() const { return explain_(); }

private:
    std::unique_ptr<Operator> op_;
    T const* input_;
    T* output_;
    T* second_output_;
    std::function<std::string()> explain_;
    std::unique_ptr<executor<C, T, Operator>> executor_;
};

template <class Invocation>
[[nodiscard]] auto make_plan(Invocation&& what) {
    using plain = std::remove_cvref_t<Invocation>;
    using plan = collective_plan<typename plain::communicator_type, typename plain::element_type,
                                 std::decay_t<typename plain::operator_type>>;
    if constexpr (is_undecided<plain>) {
        return plan{decided(what)};
    } else {
        return plan{std::forward<Invocation>(what)};
    }
}

}  // namespace tutti
