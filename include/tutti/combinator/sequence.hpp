// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <stdexcept>
#include <string_view>
#include <utility>

#include <tutti/dynamic_array.hpp>
#include <tutti/generator.hpp>
#include <tutti/problem.hpp>
#include <tutti/schedule.hpp>

namespace tutti::generators {

/// The names that the buffers of a schedule have where it is one stage of several.
struct stage_buffers {
    buffer result = buffer::result();
    buffer prefix = buffer::prefix();
};

/// The steps of one rank in schedules that follow one another: each begins when the one before has used up its rounds,
/// and has scratch of its own. Only the first may read the input by its name.
class stage_sequence {
public:
    explicit stage_sequence(partition const& blocks) : blocks_{blocks} {}

    /// The steps of `stage`, if this rank takes part; its rounds in any case.
    template <schedules::range_of_steps Steps>
    void append(schedule<Steps> const& stage, stage_buffers const& names = {}, bool takes_part = true) {
        ++stages_;
        begin_ = rounds_;
        first_ = steps_.size();
        append_beside(stage, names, takes_part);
    }

    /// The same in the rounds of the stage that was appended last, in each round behind the steps of that stage.
    template <schedules::range_of_steps Steps>
    void append_beside(schedule<Steps> const& stage, stage_buffers const& names, bool takes_part = true) {
        rounds_ = std::max(rounds_, begin_ + stage.rounds());
        if (!takes_part) { return; }
        auto const scratch = scratch_;
        for (step each : stage) {
            each.round += begin_;
            each.target = renamed(each.target, names, scratch);
            if (!each.communicates()) { each.source = renamed(each.source, names, scratch); }
            steps_.push_back(std::move(each));
        }
        // two stages side by side have few steps in a round
        container::insertion_sort(steps_.begin() + first_, steps_.end(),
                                  [](step const& a, step const& b) { return a.round < b.round; });
    }

    /// A step that needs no other rank, in the last round so far.
    void append(step local) {
        if (!schedules::holds_elements(blocks_, local.blocks)) { return; }
        local.round = std::max<std::size_t>(rounds_, 1) - 1;
        steps_.push_back(std::move(local));
    }

    /// A buffer that no stage so far uses.
    [[nodiscard]] buffer fresh_scratch() { return buffer::scratch(scratch_++); }

    [[nodiscard]] auto as_schedule() && { return stored_schedule(rounds_, std::move(steps_)); }

private:
    [[nodiscard]] buffer renamed(buffer which, stage_buffers const& names, std::uint32_t scratch) {
        if (which == buffer::result()) { return names.result; }
        if (which == buffer::prefix()) { return names.prefix; }
        if (which != buffer::input()) {
            auto const number = scratch + which.index() - buffer::scratch(0).index();
            scratch_ = std::max(scratch_, number + 1);
            return buffer::scratch(number);
        }
        if (stages_ > 1 || names.result != buffer::result()) {
            throw std::invalid_argument{"tutti: an algorithm that reads the input by its name cannot follow another "
                                        "one, whose result it would have to read"};
        }
        return which;
    }

    partition const& blocks_;
    std::size_t stages_ = 0;
    std::size_t rounds_ = 0;
    std::size_t begin_ = 0;  // of the stage appended last: its first round and first step
    std::size_t first_ = 0;
    std::uint32_t scratch_ = 0;
    dynamic_array<step> steps_;
};

/// The facts of stages that follow one another, each in rounds of its own.
[[nodiscard]] constexpr facts facts_of_sequence(std::string_view name, std::initializer_list<facts> stages) {
    facts result{.name = name, .model = stages.begin()->model};
    for (auto const& stage : stages) {
        result.requires_commutative = result.requires_commutative || stage.requires_commutative;
        result.requires_identity = result.requires_identity || stage.requires_identity;
        result.identical_on_all_ranks = result.identical_on_all_ranks && stage.identical_on_all_ranks;
        result.one_ported = result.one_ported && stage.one_ported;
        result.keeps_round_order = result.keeps_round_order || stage.keeps_round_order;
        if (stage.model != result.model) { result.model = ports::bidirectional; }
    }
    return result;
}

/// The steps that one rank takes in several schedules, each begun in a round of its own, in the order of
/// rounds; in the same round those of earlier schedules come first. Both ends of a message sort it alike, so
/// messages between two ranks keep their order.
[[nodiscard, gnu::cold]] inline lazy_schedule merged(dynamic_array<lazy_schedule> const& stages,
                                                     dynamic_array<std::size_t> const& starting_rounds) {
    std::size_t rounds = 0;
    dynamic_array<step> all;
    for (std::size_t i = 0; i != stages.size(); ++i) {
        auto before = std::exchange(all, {});
        auto* next = before.begin();
        for (auto& each : schedules::all_steps(stages[i])) {
            each.round += starting_rounds[i];
            for (; next != before.end() && next->round <= each.round; ++next) { all.push_back(std::move(*next)); }
            all.push_back(std::move(each));
        }
        for (; next != before.end(); ++next) { all.push_back(std::move(*next)); }
        rounds = std::max(rounds, starting_rounds[i] + stages[i].rounds());
    }
    return stored_schedule(rounds, std::move(all));
}

}  // namespace tutti::generators
