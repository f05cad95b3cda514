// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <complex>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <tutti/collectives.hpp>

#include "algorithms.hpp"
#include "call.hpp"
#include "elements.hpp"
#include "oracle.hpp"

namespace soak {

/// A call on one rank: made, started, waited for and compared with the oracle.
class trial {
public:
    trial() = default;
    trial(trial const&) = delete;
    trial& operator=(trial const&) = delete;
    virtual ~trial() = default;

    /// Performs a blocking call, starts one of `async`, and makes the plan of a `plan`.
    virtual void make() = 0;
    virtual void start() = 0;
    virtual bool test() = 0;
    virtual void wait() = 0;
    /// Nothing if this rank's memory is as it should be after run `run`.
    [[nodiscard]] virtual std::optional<std::string> flaw(int run) const = 0;
    /// New operands, for run `run`.
    virtual void fill(int run) = 0;
};

/// A plan, its type forgotten.
class held_plan {
public:
    held_plan() = default;
    held_plan(held_plan const&) = delete;
    held_plan& operator=(held_plan const&) = delete;
    virtual ~held_plan() = default;
    virtual void start() = 0;
    virtual bool test() = 0;
    virtual void wait() = 0;
};

template <class Plan>
class plan_of final : public held_plan {
public:
    explicit plan_of(Plan plan) : plan_{std::move(plan)} {}
    void start() override { plan_.start(); }
    bool test() override { return plan_.test(); }
    void wait() override { plan_.wait(); }

private:
    Plan plan_;
};

/// The three forms of the collectives.
#define TUTTI_SOAK_FORM(name, in_namespace)                                       \
    struct name {                                                                 \
        static constexpr auto& reduce = in_namespace::reduce;                     \
        static constexpr auto& all_reduce = in_namespace::all_reduce;             \
        static constexpr auto& inclusive_scan = in_namespace::inclusive_scan;     \
        static constexpr auto& exclusive_scan = in_namespace::exclusive_scan;     \
        static constexpr auto& scan_reduce = in_namespace::scan_reduce;           \
        static constexpr auto& reduce_scatter = in_namespace::reduce_scatter;     \
        static constexpr auto& broadcast = in_namespace::broadcast;               \
        static constexpr auto& all_gather = in_namespace::all_gather;             \
        static constexpr auto& gather = in_namespace::gather;                     \
        static constexpr auto& scatter = in_namespace::scatter;                   \
    }
TUTTI_SOAK_FORM(blocking_form, tutti);
TUTTI_SOAK_FORM(plan_form, tutti::plan);
TUTTI_SOAK_FORM(async_form, tutti::async);
#undef TUTTI_SOAK_FORM

template <class World, class T>
class trial_of final : public trial {
public:
    trial_of(World& world, int rank, call c) : world_{world}, rank_{rank}, call_{std::move(c)} { fill(0); }

    void make() override {
        switch (call_.how) {
            case form::blocking: make_as<blocking_form>(); break;
            case form::plan: make_as<plan_form>(); break;
            case form::async: make_as<async_form>(); break;
        }
    }
    void start() override { plan_->start(); }
    bool test() override { return plan_->test(); }
    void wait() override { plan_->wait(); }

    void fill(int run) override {
        auto next = oracle<T>{call_, run}.before(rank_);
        if (run == 0) {
            memory_ = std::move(next);
        } else {  // a plan knows where its memory is
            std::move(next.in.begin(), next.in.end(), memory_.in.begin());
            std::move(next.out.begin(), next.out.end(), memory_.out.begin());
            std::move(next.total.begin(), next.total.end(), memory_.total.begin());
        }
    }

    [[nodiscard]] std::optional<std::string> flaw(int run) const override {
        return oracle<T>{call_, run}.flaw(rank_, memory_);
    }

private:
    /// What `issue` gives is nothing where the call blocks.
    template <class Issue>
    void keep(Issue issue) {
        if constexpr (std::is_void_v<std::invoke_result_t<Issue>>) {
            issue();
        } else {
            plan_ = std::make_unique<plan_of<std::invoke_result_t<Issue>>>(issue());
        }
    }

    /// Calls `use()`, or `use(algorithm)` if the call names one.
    template <class Collective, class Use>
    void with_algorithm(Use use) {
        if (call_.names_algorithm) {
            use(algorithm_of<Collective>(call_));
        } else {
            use();
        }
    }

    template <class Use>
    void with_operator(Use use) {
        drawn_operator<T> const op{call_.operation, oracle<T>{call_, 0}.state()};
        switch (call_.kind) {
            case operator_kind::plain: use(op); break;
            case operator_kind::commutative: use(tutti::commutative(op)); break;
            case operator_kind::with_identity:
                use(tutti::with_identity(op, element<T>::identity(op.which, op.state)));
                break;
            case operator_kind::standard: use(standard_operator<T>()); break;
        }
    }

    template <class Collective, class Use>
    void with_both(Use use) {
        with_operator([&](auto const& op) {
            with_algorithm<Collective>([&](auto const&... algorithm) { use(op, algorithm...); });
        });
    }

    /// `combine(in, out, ...)` or `combine(inplace(x), ...)`; only blocking calls and plans are in place.
    template <class Form, class Issue>
    void with_memory(Issue issue) {
        if constexpr (!std::is_same_v<Form, async_form>) {
            if (call_.in_place) {
                keep([&] { return issue(tutti::inplace(memory_.out)); });
                return;
            }
        }
        keep([&] { return issue(std::as_const(memory_.in), memory_.out); });
    }

    template <class Form>
    void make_as() {
        auto& world = world_;
        auto const root = call_.root;
        auto const& counts = call_.counts;
        switch (call_.what) {
            case collective::reduce:
                with_both<tutti::collective::reduce>([&](auto const& op, auto const&... by) {
                    with_memory<Form>([&](auto&&... data) { return Form::reduce(world, data..., op, root, by...); });
                });
                break;
            case collective::all_reduce:
                with_both<tutti::collective::all_reduce>([&](auto const& op, auto const&... by) {
                    with_memory<Form>([&](auto&&... data) { return Form::all_reduce(world, data..., op, by...); });
                });
                break;
            case collective::inclusive_scan:
                with_both<tutti::collective::inclusive_scan>([&](auto const& op, auto const&... by) {
                    with_memory<Form>([&](auto&&... data) { return Form::inclusive_scan(world, data..., op, by...); });
                });
                break;
            case collective::exclusive_scan:
                with_both<tutti::collective::exclusive_scan>([&](auto const& op, auto const&... by) {
                    with_memory<Form>([&](auto&&... data) { return Form::exclusive_scan(world, data..., op, by...); });
                });
                break;
            case collective::scan_reduce:
                with_both<tutti::collective::scan_reduce>([&](auto const& op, auto const&... by) {
                    with_memory<Form>([&](auto&&... data) {
                        return Form::scan_reduce(world, data..., memory_.total, op, by...);
                    });
                });
                break;
            case collective::reduce_scatter:
                with_both<tutti::collective::reduce_scatter>([&](auto const& op, auto const&... by) {
                    with_memory<Form>([&](auto&&... data) {
                        if (!call_.gives_counts) { return Form::reduce_scatter(world, data..., op, by...); }
                        return Form::reduce_scatter(world, data..., counts, op, by...);
                    });
                });
                break;
            case collective::broadcast:
                with_algorithm<tutti::collective::broadcast>([&](auto const&... by) {
                    keep([&] { return Form::broadcast(world, memory_.out, root, by...); });
                });
                break;
            case collective::all_gather:
                with_algorithm<tutti::collective::all_gather>([&](auto const&... by) {
                    with_memory<Form>([&](auto&&... data) {
                        if (!call_.gives_counts) { return Form::all_gather(world, data..., by...); }
                        return Form::all_gather(world, data..., counts, by...);
                    });
                });
                break;
            case collective::gather:
                with_algorithm<tutti::collective::gather>([&](auto const&... by) {
                    with_memory<Form>([&](auto&&... data) {
                        if (!call_.gives_counts) { return Form::gather(world, data..., root, by...); }
                        return Form::gather(world, data..., counts, root, by...);
                    });
                });
                break;
            case collective::scatter:
                with_algorithm<tutti::collective::scatter>([&](auto const&... by) {
                    with_memory<Form>([&](auto&&... data) {
                        if (!call_.gives_counts) { return Form::scatter(world, data..., root, by...); }
                        return Form::scatter(world, data..., counts, root, by...);
                    });
                });
                break;
            case collective::barrier: tutti::barrier(world); break;
        }
    }

    World& world_;
    int rank_;
    call call_;
    memory<T> memory_;
    std::unique_ptr<held_plan> plan_;
};

/// The trial of a call; strings are no elements where only bytes can travel.
template <bool WithText, class World>
[[nodiscard]] std::unique_ptr<trial> make_trial(World& world, int rank, call const& c) {
    std::unique_ptr<trial> result;
    with_element(c.of, [&]<class T>(T const&) {
        if constexpr (WithText || !std::is_same_v<T, std::string>) {
            result = std::make_unique<trial_of<World, T>>(world, rank, c);
        }
    });
    return result;
}

}  // namespace soak
