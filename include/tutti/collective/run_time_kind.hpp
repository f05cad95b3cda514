// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <tutti/collective/perform.hpp>
#include <tutti/operation/run_time_operator.hpp>

namespace tutti {

/// The kinds of call of one collective, operator type and algorithm type that have been met so far, which differ in
/// what is known only at run time. They last as long as the process, since their addresses tell them apart.
template <class Collective, class T, class Operator, class Algorithm>
class run_time_kinds {
public:
    [[nodiscard]] static call_kind const& find_or_make(std::size_t element_bytes, bool commutes) {
        auto* const first = newest_.load(std::memory_order_acquire);
        for (auto* each = first; each != nullptr; each = each->next) {
            if (each->kind.element_bytes == element_bytes && each->kind.commutes == commutes) { return each->kind; }
        }
        return make(element_bytes, commutes);
    }

private:
    struct node {
        std::string element;
        call_kind kind;
        node const* next;
    };

    // Two threads may make two of the same: nothing but time is lost.
    [[gnu::cold, gnu::noinline]] static call_kind const& make(std::size_t element_bytes, bool commutes) {
        auto* const fresh = new node{"record of " + std::to_string(element_bytes) + " bytes", {}, nullptr};
        fresh->kind = {.collective = Collective::name,
                       .algorithm = type_name<Algorithm>(),
                       .element = std::is_same_v<T, record> ? std::string_view{fresh->element} : type_name<T>(),
                       .combine = {},
                       .element_bytes = element_bytes,
                       .rooted = collective::is_rooted<Collective>,
                       .travels_as_bytes = travels_as_bytes<T>,
                       .commutes = commutes,
                       .has_identity = false};
        if constexpr (collective::combines<Collective>) {
            fresh->kind.combine = type_name<unwrapped_operator<Operator>>();
        }
        if constexpr (!std::is_same_v<Algorithm, automatic>) {
            fresh->kind.hold = hold_algorithm<Collective, true, false, Algorithm>;  // the planner looks at `commutes`
        }
        fresh->next = newest_.load(std::memory_order_relaxed);
        while (!newest_.compare_exchange_weak(fresh->next, fresh, std::memory_order_acq_rel)) {}
        return fresh->kind;
    }

    inline static std::atomic<node const*> newest_{nullptr};
};

template <class Invocation>
call_kind const& run_time_kind(Invocation const& what) {
    using Collective = typename Invocation::collective_type;
    using T = typename Invocation::element_type;
    using Operator = typename Invocation::operator_type;
    std::size_t bytes = sizeof(T);
    bool commutes = true;
    if constexpr (requires { what.extent; }) { bytes = what.extent; }
    if constexpr (collective::combines<Collective>) {
        unwrapped_operator<Operator> const& op = what.op;
        commutes = op.commutes;
    }
    return run_time_kinds<Collective, T, Operator, std::remove_cvref_t<decltype(what.algorithm)>>::find_or_make(
        bytes, commutes);
}

}  // namespace tutti
