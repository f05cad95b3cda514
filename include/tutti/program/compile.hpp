// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include <tutti/dynamic_array.hpp>
#include <tutti/partition.hpp>
#include <tutti/program.hpp>
#include <tutti/program/data_layout.hpp>
#include <tutti/program/dependences.hpp>
#include <tutti/program/merge_blocks.hpp>
#include <tutti/schedule.hpp>

namespace tutti::engine {

/// Turns the steps of one rank into a program.
///
/// `result` starts as a copy of the input, but no copy is made: a block is read from the input until it is
/// first written. Blocks that are wanted and never written are copied at the end. Where steps handle one block at a
/// time, workspace holds only the blocks in use.
class block_compiler {
public:
    [[gnu::cold]] block_compiler(partition const& blocks, data_layout where)
        : blocks_{blocks}, where_{where}, dependences_{blocks.blocks(), where.may_overtake} {
        block_range const all{0, blocks.blocks()};
        bool const in_place = where.result == location::input && !where.compact_result;
        auto& result = state_of(buffer::result());
        if (where.compact_result) {
            result.lie_in(location::first_workspace, where.required, first_required());
            program_.workspaces.push_back(count_required());
        } else {
            result.lie_in(where.result, in_place ? all : where.required, where.result_offset);
        }
        result.fill(where.provided, in_place ? contents::result : contents::input);
        state_of(buffer::prefix()).lie_in(where.prefix, all, 0);
        auto& input = state_of(buffer::input());
        input.lie_in(location::input, where.provided, where.input_offset);
        input.fill(where.provided, contents::result);
    }

    /// The program of these steps.
    [[nodiscard]] program operator()(std::span<step const> steps, std::size_t rounds) && {
        last_uses const uses{steps, blocks_.blocks()};
        in_slots_ = uses.single_blocks();
        if (in_slots_) { find_longest_block(steps); }
        if (uses.any_of(buffer::input())) { keep_input(); }
        program_.instructions.reserve(steps.size());
        program_.ranges.reserve(steps.size());
        std::size_t index = 0;
        for (step const& next : steps) {
            add(next);
            release_slots(next, uses, index++);
        }
        copy_untouched();
        fill_prefix();
        move_to_front();
        for (auto const& state : buffers_) {
            if (in_slots_ && state.work != location::nowhere) {
                program_.workspaces[state.work - location::first_workspace] = state.slots.count() * longest_block_;
            }
        }
        program_.rounds = rounds;
        program_.longest_message = where_.longest_message;
        dependences_.write_to(program_);
        return std::move(program_);
    }

private:
    using contents = buffer_layout::contents;

    [[gnu::cold]] void find_longest_block(std::span<step const> steps) {
        for (step const& each : steps) {
            for (auto const range : each.blocks) {
                longest_block_ = std::max(longest_block_, blocks_.size(range.first));
            }
        }
    }

    [[nodiscard]] std::size_t first_required() const { return blocks_.offset(where_.required.first); }
    [[nodiscard]] std::size_t count_required() const { return blocks_.offset(where_.required.last) - first_required(); }

    buffer_layout& state_of(buffer which) {
        auto const index = which.index();
        if (buffers_.size() <= index) { add_buffers(index); }
        return buffers_[index];
    }
    [[gnu::cold, gnu::noinline]] void add_buffers(std::size_t last) {
        while (buffers_.size() <= last) { buffers_.push_back(buffer_layout{blocks_.blocks()}); }
    }

    // The place of a block that has been written, or is about to be.
    [[nodiscard]] location place_of(buffer_layout const& state, std::size_t block) const {
        if (state.is_callers(block)) { return {state.callers, blocks_.offset(block) - state.callers_offset}; }
        return {state.work, in_slots_ ? state.slot_of[block] * longest_block_ : blocks_.offset(block)};
    }

    // The number under which dependences on a block are tracked: its slot's, which several blocks may use.
    [[nodiscard]] std::size_t unit(buffer_layout const& state, std::size_t block) const {
        return in_slots_ && !state.is_callers(block) ? state.slot_of[block] : block;
    }

    [[nodiscard, gnu::cold]] location read(buffer which, std::size_t block) {
        auto const& state = state_of(which);
        switch (state.content[block]) {
        case contents::nothing: return {};
        case contents::input:
            dependences_.read(location::input, block);
            return {location::input, blocks_.offset(block) - where_.input_offset};
        case contents::result: break;
        }
        auto const found = place_of(state, block);
        dependences_.read(found.memory, unit(state, block));
        return found;
    }

    [[nodiscard, gnu::cold]] location write(buffer which, std::size_t block) {
        auto& state = state_of(which);
        if (!state.is_callers(block)) {
            if (state.work == location::nowhere) {
                state.work = location::first_workspace + static_cast<std::uint32_t>(program_.workspaces.size());
                program_.workspaces.push_back(blocks_.elements());
            }
            if (in_slots_ && state.content[block] != contents::result) {
                state.slot_of.resize(blocks_.blocks());
                state.slot_of[block] = state.slots.allocate(round_, sends_);
            }
        }
        state.content[block] = contents::result;
        auto const found = place_of(state, block);
        dependences_.write(found.memory, unit(state, block));
        return found;
    }

    void release_slots(step const& done, last_uses const& uses, std::size_t index) {
        sends_ += done.what == action::send;
        if (!in_slots_) { return; }
        auto const release = [&](buffer which) {
            auto& state = state_of(which);
            for (auto const range : done.blocks) {
                if (state.is_callers(range.first) || state.content[range.first] != contents::result ||
                    !uses.is_last(which, range.first, index)) {
                    continue;
                }
                state.slots.release(state.slot_of[range.first], round_, sends_);
                state.content[range.first] = contents::nothing;
            }
        };
        release(done.target);
        if (!done.communicates()) { release(done.source); }
    }

    [[gnu::cold]] void add(step const& next) {
        round_ = next.round;
        if (next.what != action::send) { save_input_from(next.target, next.blocks); }
        begin(next.what, static_cast<int>(next.peer));
        for (auto const range : next.blocks) {
            for (auto block = range.first; block != range.last; ++block) {
                if (blocks_.size(block) != 0) { add(next, block); }
            }
        }
        end();
    }

    [[gnu::cold]] void add(step const& next, std::size_t block) {
        location const incoming{location::incoming, program_.instructions.back().elements};
        element_range range{blocks_.size(block), {}, {}, {}};
        switch (next.what) {
        case action::send: range.left = read(next.target, block); break;
        case action::receive:
            range.left = incoming;
            range.target = write(next.target, block);
            break;
        case action::copy:
            range.left = read(next.source, block);
            range.target = write(next.target, block);
            break;
        case action::receive_combine:
        case action::combine: {
            auto const other = next.what == action::combine ? read(next.source, block) : incoming;
            auto const own = read(next.target, block);
            range.left = next.operand == side::left ? other : own;
            range.right = next.operand == side::left ? own : other;
            if (range.left.memory == location::nowhere) { std::swap(range.left, range.right); }
            range.target = write(next.target, block);
            break;
        }
        }
        append(range);
    }

    // Another buffer that shares the caller's input memory is about to be written: `result` needs a copy of its initial
    // value first.
    [[gnu::cold]] void save_input_from(buffer written, block_list const& list) {
        if (written == buffer::result() || state_of(written).callers != location::input) { return; }
        block_list endangered;
        auto const& content = state_of(buffer::result()).content;
        for (auto const range : list) {
            for (auto block = range.first; block != range.last; ++block) {
                if (content[block] == contents::input) { endangered.append({block, block + 1}); }
            }
        }
        if (!endangered.empty()) { add(step::copy(round_, buffer::result(), buffer::result(), endangered)); }
    }

    // The schedule reads the input by its name, and the results will overwrite it.
    [[gnu::cold]] void keep_input() {
        if ((where_.result != location::input || where_.compact_result) && where_.prefix != location::input) { return; }
        auto& input = state_of(buffer::input());
        input.callers = location::nowhere;
        input.fill(where_.provided, contents::input);
        add(step::copy(0, buffer::input(), buffer::input(), where_.provided));
    }

    [[gnu::cold]] void copy_untouched() {
        auto& result = state_of(buffer::result());
        for (auto block = where_.required.first; block != where_.required.last; ++block) {
            if (result.content[block] != contents::input) { continue; }
            auto last = block + 1;
            while (last != where_.required.last && result.content[last] == contents::input) { ++last; }
            add(step::copy(0, buffer::result(), buffer::result(), block_range{block, last}));
            block = last - 1;
        }
    }

    [[gnu::cold]] void fill_prefix() {
        if (!where_.fills_prefix || where_.prefix == location::nowhere) { return; }
        begin(action::copy, 0);
        auto const empty = state_of(buffer::prefix()).content;
        for (std::size_t block = 0; block != blocks_.blocks(); ++block) {
            if (empty[block] == contents::nothing && blocks_.size(block) != 0) {
                append({blocks_.size(block), {}, {}, write(buffer::prefix(), block)});
            }
        }
        end();
    }

    [[gnu::cold]] void move_to_front() {
        if (!where_.compact_result || count_required() == 0) { return; }
        begin(action::copy, 0);
        for (auto block = where_.required.first; block != where_.required.last; ++block) {
            dependences_.read(location::first_workspace, block);
        }
        for (std::size_t block = 0; blocks_.offset(block) < count_required(); ++block) {
            dependences_.write(where_.result, block);
        }
        append({count_required(), {location::first_workspace, 0}, {}, {where_.result, 0}});
        end();
    }

    void begin(action what, int peer) {
        instruction fresh;
        fresh.what = what;
        fresh.peer = peer;
        fresh.first_range = static_cast<std::uint32_t>(program_.ranges.size());
        program_.instructions.push_back(fresh);
    }

    void append(element_range const& range) {
        auto& current = program_.instructions.back();
        current.elements += range.count;
        if (!where_.block_by_block && program_.ranges.size() > current.first_range) {
            auto& previous = program_.ranges.back();
            if (previous.left.continues(previous.count, range.left) &&
                previous.right.continues(previous.count, range.right) &&
                previous.target.continues(previous.count, range.target)) {
                previous.count += range.count;
                return;
            }
        }
        program_.ranges.push_back(range);
    }

    void end() {
        auto& current = program_.instructions.back();
        current.last_range = static_cast<std::uint32_t>(program_.ranges.size());
        auto const index = static_cast<std::uint32_t>(program_.instructions.size() - 1);
        if (current.elements == 0) {
            program_.instructions.pop_back();
            dependences_.forget();
            return;
        }
        current.same_peer = order_.next(current, index);
        dependences_.commit(index, round_, current);
    }

    partition const& blocks_;
    data_layout where_;
    program program_;
    dynamic_array<buffer_layout> buffers_;
    dependence_tracker dependences_;
    std::size_t longest_block_ = 0;  // that steps use, where blocks have slots
    std::size_t round_ = 0;  // of the current step
    std::size_t sends_ = 0;
    bool in_slots_ = false;  // blocks of workspace have slots, for as long as they are in use
    peer_order order_;
};

/// Makes the program of one rank's schedule: `compiler{blocks, where}(steps)`.
class compiler {
public:
    compiler(partition const& blocks, data_layout where) : blocks_{blocks}, where_{where} {}

    template <schedules::range_of_steps Steps>
    [[nodiscard]] program operator()(Steps const& steps) const {
        return compile(schedules::all_steps(steps), steps.rounds());
    }

private:
    [[nodiscard, gnu::cold]] program compile(dynamic_array<step> steps, std::size_t rounds) const {
        std::size_t ranges = 1;
        for (step const& each : steps) { ranges += each.blocks.ranges(); }
        // blocks of which each is one message of its own stay what they are
        if (where_.block_by_block || blocks_.blocks() <= 4 * ranges) {
            return block_compiler{blocks_, where_}(steps, rounds);
        }
        merged_blocks const merged{blocks_, where_, steps};
        auto where = where_;
        where.provided = merged(where.provided);
        where.required = merged(where.required);
        for (step& each : steps) { each = merged(each); }
        auto const cut = merged.cut();
        return block_compiler{cut, where}(steps, rounds);
    }

    partition const& blocks_;
    data_layout where_;
};

}  // namespace tutti::engine
