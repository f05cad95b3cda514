// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

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
    void start() override { start_(); }
    bool test() override { return test_(); }
    void wait() override { wait_(); }

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
            auto const plan = std::make_shared<std::invoke_result_t<Issue>>(issue());
            start_ = [plan] { plan->start(); };
            test_ = [plan] { return plan->test(); };
            wait_ = [plan] { plan->wait(); };
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

    /// Calls `issue(world, data..., before..., op, after..., algorithm...)`; `op` is there if `Collective` has one.
    template <class Form, class Collective, class Issue, class... Before, class... After>
    void make_by(Issue& issue, std::tuple<Before&...> const& before, std::tuple<After...> const& after) {
        auto const with = [&](auto const&... op) {
            with_algorithm<Collective>([&](auto const&... algorithm) {
                with_memory<Form>([&](auto&&... data) {
                    auto const behind = std::tuple_cat(std::tie(op...), after, std::tie(algorithm...));
                    auto const call = [&](auto&&... all) { return issue(world_, data..., all...); };
                    return std::apply(call, std::tuple_cat(before, behind));
                });
            });
        };
        if constexpr (tutti::collective::combines<Collective>) {
            with_operator(with);
        } else {
            with();
        }
    }

    /// The same of parts, whose counts are given or not.
    template <class Form, class Collective, class Issue, class... After>
    void make_of_parts(Issue& issue, std::tuple<After...> const& after) {
        if (call_.gives_counts) {
            make_by<Form, Collective>(issue, std::tie(std::as_const(call_.counts)), after);
        } else {
            make_by<Form, Collective>(issue, std::tie(), after);
        }
    }

    template <class Form>
    void make_as() {
        namespace of = tutti::collective;
        auto const nothing = std::tie();
        std::tuple const root{call_.root};
        switch (call_.what) {
            case collective::reduce: make_by<Form, of::reduce>(Form::reduce, nothing, root); break;
            case collective::all_reduce: make_by<Form, of::all_reduce>(Form::all_reduce, nothing, nothing); break;
            case collective::inclusive_scan:
                make_by<Form, of::inclusive_scan>(Form::inclusive_scan, nothing, nothing);
                break;
            case collective::exclusive_scan:
                make_by<Form, of::exclusive_scan>(Form::exclusive_scan, nothing, nothing);
                break;
            case collective::scan_reduce:
                make_by<Form, of::scan_reduce>(Form::scan_reduce, std::tie(memory_.total), nothing);
                break;
            case collective::reduce_scatter:
                make_of_parts<Form, of::reduce_scatter>(Form::reduce_scatter, nothing);
                break;
            case collective::broadcast:
                with_algorithm<of::broadcast>([&](auto const&... algorithm) {
                    keep([&] { return Form::broadcast(world_, memory_.out, call_.root, algorithm...); });
                });
                break;
            case collective::all_gather: make_of_parts<Form, of::all_gather>(Form::all_gather, nothing); break;
            case collective::gather: make_of_parts<Form, of::gather>(Form::gather, root); break;
            case collective::scatter: make_of_parts<Form, of::scatter>(Form::scatter, root); break;
            case collective::barrier: tutti::barrier(world_); break;
        }
    }

    World& world_;
    int rank_;
    call call_;
    memory<T> memory_;
    std::function<void()> start_;
    std::function<bool()> test_;
    std::function<void()> wait_;
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
