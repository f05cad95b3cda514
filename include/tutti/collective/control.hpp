// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <exception>
#include <optional>
#include <span>
#include <string_view>

#include <tutti/collective/perform.hpp>
#include <tutti/collective/planned_program.hpp>
#include <tutti/communicator.hpp>
#include <tutti/communicator/call_stamps.hpp>
#include <tutti/error.hpp>
#include <tutti/execution/check_call.hpp>
#include <tutti/execution/control_requests.hpp>
#include <tutti/execution/default_algorithm.hpp>

/// What belongs to a call beside its data: it is recorded, counted, compared and refused here.
namespace tutti::engine {

/// The record of a call that this rank enters, for comparison with other ranks.
[[nodiscard]] inline control::call entered_call(selection::call_kind const& kind, std::size_t elements, int root,
                                       std::span<std::size_t const> counts) {
    control::call result{kind.collective, kind.algorithm, kind.element, elements, std::nullopt, counts, kind.combine};
    result.words = &kind;
    if (kind.rooted) {
        result.root = root;
        if (!counts.empty() && kind.hold == nullptr) { result.elements = control::call::known_to_root; }
    }
    return result;
}

template <class C, class Element, class Operator>
[[nodiscard]] control::call entered_call(prepared_call<C, Element, Operator> const& what, bool is_plan = false) {
    auto result = engine::entered_call(what.kind, what.elements, what.root, what.counts);
    result.is_plan = is_plan;
    return result;
}

/// Counts a call, and every now and then considers with all ranks whether messages are to go through memory.
template <class C>
void count_call(C& world, control::call const& entered, std::size_t bytes, int number) {
    if (!world.count_call(bytes)) { return; }
    world.consider_sharing([&](typename C::request one, int peer) {
        control_requests<C> waiting{world, world.sharing_tag(), number, entered};
        waiting.add(one, peer);
        waiting.finish();
    });
}

/// Compares a call, or plan, with those of other ranks, if these are to be compared; `number` is its tag.
template <class C, class Element, class Operator>
[[gnu::cold, gnu::noinline]] void compare_call(prepared_call<C, Element, Operator> const& what, int number,
                                               bool is_plan) {
    if (!what.world.supervisor().has_hook(control::call_hook::comparing)) { return; }
    engine::beside_data(what.world, number, [&] {
        what.world.store().template get<call_checks>().compare(what.world, number, engine::entered_call(what, is_plan));
        if (is_plan) { what.world.end_exchange(); }
    });
}

template <class C, class Element, class Operator>
void require_readable(prepared_call<C, Element, Operator> const& what) {
    for (Element const* const each : {what.input, static_cast<Element const*>(what.output)}) {
        what.world.require_readable(each);
    }
}

/// Whether this rank exchanges nothing with some ranks, since it has no elements for them. Where only the root of a
/// call knows the counts, other ranks exchange messages with the root alone.
template <class C, class Element, class Operator>
[[nodiscard]] bool leaves_ranks_out(prepared_call<C, Element, Operator> const& what) {
    bool const knows_counts = !what.kind.rooted || what.kind.hold != nullptr || what.world.rank() == what.root;
    auto const has_none = [](std::size_t count) { return count == 0; };
    return what.elements == 0 || (knows_counts && std::any_of(what.counts.begin(), what.counts.end(), has_none));
}

/// A call begins. Result: what learns from it, to be notified when it ends; null if nothing does. What fails beside the
/// data of a call has failed for all ranks: these have to count alike.
template <class C, class Element, class Operator>
[[nodiscard]] call_learner* begin_learning(prepared_call<C, Element, Operator> const& what, int tag) {
    if (!what.world.supervisor().has_hook(control::call_hook::learning) || what.kind.hold != nullptr) {
        return nullptr;
    }
    auto* const learner = what.world.store().template get<learner_in_use>().learner;
    engine::beside_data(what.world, tag, [&] { learner->begin(engine::planned_call_of(what, nullptr)); });
    return learner;
}

/// What a call with hooks does before its data moves.
template <class C, class Element, class Operator>
void run_hooks_before(prepared_call<C, Element, Operator> const& what, int tag) {
    auto const& here = what.world.supervisor();
    if (here.has_hook(control::call_hook::stamping)) { what.world.store().template get<call_stamps>().note(C::now()); }
    if constexpr (!C::compares_calls) {
        if (here.has_hook(control::call_hook::counting)) {
            bool const all_know = !what.kind.rooted || what.counts.empty();
            engine::beside_data(what.world, tag, [&] {
                engine::count_call(what.world, engine::entered_call(what),
                                   all_know ? what.elements * what.kind.element_bytes : 0, tag);
            });
        }
        engine::compare_call(what, tag, false);
    }
}

/// What it does afterwards.
template <class C, class Element, class Operator>
void run_hooks_after(prepared_call<C, Element, Operator> const& what, int tag) {
    if constexpr (!C::compares_calls) {
        if (what.elements != 0 && what.world.supervisor().has_hook(control::call_hook::zero_counts)) {
            engine::beside_data(what.world, tag, [&] { what.world.require_no_unmatched_messages(); });
        }
    }
}

/// This rank takes no part in the call, or plan, that has the tag, and says so. What all ranks refuse changes nothing,
/// unless earlier calls decide how later ones are performed: the others may have made this one.
template <class C>
[[gnu::cold, gnu::noinline]] void refuse(C& ranks, int tag, std::string_view why) {
    auto& here = ranks.supervisor();
    if (here.failed()) { return; }
    if (here.remembers_calls()) { return here.announce(ranks, tag, control::failure_kind::call_failed, why); }
    ranks.notify_all(control::failure_kind::call_refused, tag, why);
    if (here.has_hook(control::call_hook::comparing)) { ranks.store().template get<call_checks>().refuse(tag, why); }
}

/// What `make` makes of a call, or plan, that has been counted; if it throws, the others are notified.
template <class C, class Make>
decltype(auto) or_refuse(C& ranks, int tag, Make make) {
    try {
        return make();
    } catch (std::exception const& why) {
        engine::refuse(ranks, tag, why.what());
        throw;
    }
}

template <class C>
void note_refusal(C& ranks, std::string_view why, bool is_plan) {
    if (is_plan) {
        auto const tag = ranks.new_tag();
        engine::refuse(ranks, tag, why);
        return ranks.release_tag(tag);
    }
    auto const tag = ranks.new_call_tag();
    auto& here = ranks.supervisor();
    if (here.has_hook(control::call_hook::stamping)) { ranks.store().template get<call_stamps>().note(C::now()); }
    if (here.has_hook(control::call_hook::counting) && !here.failed()) {
        try {
            engine::beside_data(ranks, tag, [&] {
                engine::count_call(ranks, control::call{"refused call", "none", "elements", 0, std::nullopt, {}}, 0,
                                   tag);
            });
        } catch (std::exception const&) {  // the communicator has failed; the next call throws that
        }
    }
    engine::refuse(ranks, tag, why);
}

}  // namespace tutti::engine
