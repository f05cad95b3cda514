// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include <tutti/execution/memories.hpp>
#include <tutti/execution/messages.hpp>
#include <tutti/execution/program.hpp>
#include <tutti/operation/combine.hpp>

namespace tutti {

/// In place of the operator where a collective has none.
struct no_operator {};

/// Carries out the parts of instructions: the only code that applies an operator. Operands are read where they lie, in
/// the caller's memory, in workspace, or in what `transport` has just received.
template <class T, class Operator, class Transport>
class combiner {
public:
    combiner(program const& run, memories<T>& where, Transport& transport)
        : run_{run}, memories_{where}, transport_{transport} {}

    void bind(Operator& op) { operator_ = &op; }

    /// Elements [first, first + count) of an instruction; `came` is the message that brings them, or null.
    void apply(instruction const& what, std::size_t first, std::size_t count, arrival<T> const* came) {
        std::size_t begin = 0;
        for (auto p = what.first_part; p != what.last_part; ++p) {
            auto const& whole = run_.parts[p];
            auto const from = std::max(begin, first);
            auto const to = std::min(begin + whole.count, first + count);
            if (from < to) { apply(cut(whole, from - begin, to - from), came); }
            begin += whole.count;
        }
    }

private:
    [[nodiscard]] static part cut(part whole, std::size_t first, std::size_t count) {
        whole.count = count;
        for (auto* operand : {&whole.left, &whole.right, &whole.target}) { operand->offset += first; }
        return whole;
    }

    void apply(part const& what, arrival<T> const* came) {
        auto const left = operand(what.left, what, came);
        if (what.right.memory == place::nowhere) {
            memories_.assign(what.target, what.count, left);
            return;
        }
        if constexpr (!std::is_same_v<Operator, no_operator>) {
            auto const right = operand(what.right, what, came);
            auto const target = memories_.at(what.target);
            auto const there = memories_.alive(what.target, what.count);
            combine(*operator_, left, right, target, there);
            if (there != what.count) {
                auto const rest = cut(what, there, what.count - there);
                combine_into_raw(*operator_, left + there, right + there, target + there, rest.count);
                memories_.now_alive(rest.target, rest.count);
            }
        }
    }

    [[nodiscard]] T const* operand(place where, part const& what, arrival<T> const* came) {
        if (where.memory != place::incoming) { return memories_.at(where); }
        return transport_.incoming(*came, where.offset, what.count, model(what));
    }

    // Some element like those that come in.
    [[nodiscard]] T const* model(part const& what) {
        for (auto const other : {what.left, what.right}) {
            if (other.memory < place::incoming) { return memories_.at(other); }
        }
        return memories_.alive(what.target, what.count) == what.count ? memories_.at(what.target) : memories_.input();
    }

    program const& run_;
    memories<T>& memories_;
    Transport& transport_;
    Operator* operator_ = nullptr;
};

}  // namespace tutti
