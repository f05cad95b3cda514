// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>

#include <tutti/collective/control.hpp>
#include <tutti/collective/perform.hpp>
#include <tutti/collective/persistent_execution.hpp>
#include <tutti/collective/planned_program.hpp>
#include <tutti/communicator.hpp>
#include <tutti/dynamic_array.hpp>
#include <tutti/execution.hpp>
#include <tutti/execution/set_options.hpp>
#include <tutti/selection/plan_program.hpp>

namespace tutti::engine {

template <class Element>
struct execution_is_included {};

/// The last few programs of one kind of call on one communicator, ready to run again.
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
        if (last_ != nullptr && last_->fits(what)) { return last_->executor; }
        return look_or_make(what, tag);
    }

private:
    static constexpr std::size_t most = 8;

    struct entry {
        [[gnu::cold]] explicit entry(call_type const& what)
            : elements{what.elements},
              root{what.root},
              in_place{what.in_place()},
              algorithm{held_algorithm_of(what)},
              counts{what.counts.data(), what.counts.data() + what.counts.size()},
              executor{what.world, 0,
                       program_of<Element>(what.world, what.plan, planned_call_of(what, algorithm.get())),
                       entered_call(what.kind, elements, root, counts)},
              generation{what.world.supervisor().generation()} {}

        std::size_t elements;
        int root;
        bool in_place;
        std::unique_ptr<selection::held_algorithm> algorithm;
        dynamic_array<std::size_t> counts;
        executor_type executor;
        std::size_t generation;

        [[nodiscard]] bool fits(call_type const& what) const {
            return generation == what.world.supervisor().generation() && elements == what.elements &&
                   root == what.root && in_place == what.in_place() && !executor.running() &&
                   (algorithm == nullptr || algorithm->is(what.algorithm)) &&
                   std::equal(counts.begin(), counts.end(), what.counts.begin(), what.counts.end());
        }
    };

    // Moves the entry that is found, or made, to the front.
    [[gnu::noinline, gnu::cold]] executor_type& look_or_make(call_type const& what, int tag) {
        what.world.supervisor().require_sound();  // nothing fits that was prepared before a failure
        auto* found = kept_.begin();
        while (found != kept_.end() && !(*found)->fits(what)) { ++found; }
        entry* first = nullptr;
        if (found != kept_.end()) {
            first = *found;
            kept_.erase(found);
        } else {
            kept_.reserve(most);
            beside_data(what.world, tag, [&] { require_readable(what); });
            first = new entry{what};
            if (kept_.size() == most) {
                delete kept_.back();
                kept_.pop_back();
            }
        }
        kept_.insert(kept_.begin(), first);
        last_ = first;
        if (leaves_ranks_out(what)) {
            last_ = nullptr;  // the next such call comes here again
            what.world.leave_empty(tag, entered_call(what));
        }
        return first->executor;
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
[[gnu::cold, gnu::noinline]] void run_watched_call(prepared_call<C, Element, Operator> const& what, int tag) {
    begin_watched(what, tag);
    run_call(what, tag);
    end_watched(what, tag);
}

template <class C, class Element, class Operator>
void perform_prepared(prepared_call<C, Element, Operator> const& what) {
    auto const tag = what.world.new_call_tag();
    if constexpr (C::compares_calls) { what.world.enter(entered_call(what)); }
    if (!C::compares_calls && what.world.supervisor().watches_calls()) { return run_watched_call(what, tag); }
    run_call(what, tag);
}

}  // namespace tutti::engine
