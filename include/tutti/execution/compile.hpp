// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include <tutti/execution/cells.hpp>
#include <tutti/execution/dependences.hpp>
#include <tutti/execution/program.hpp>
#include <tutti/partition.hpp>
#include <tutti/schedule.hpp>

namespace tutti {

/// Where the caller's data is on this rank, and which results the caller wants.
struct placement {
    std::uint32_t result = place::nowhere;  ///< memory of buffer `result`; nowhere: workspace
    std::uint32_t prefix = place::nowhere;  ///< memory of buffer `prefix`
    bool has_input = true;                  ///< otherwise `result` starts empty (broadcast, not the root)
    block_range wanted_result;              ///< blocks of `result` that the caller reads at the end
    bool block_by_block = false;            ///< one part per block, on both sides of a message alike
};

/// Turns the steps of one rank into a program.
///
/// `result` starts as a copy of the input, but no copy is made: a block is read from the input until it is
/// first written. Blocks that are wanted and never written are copied at the end. Where steps handle one block at a
/// time, workspace holds only the blocks in use.
class compiler {
public:
    compiler(partition const& blocks, placement where)
        : blocks_{blocks}, where_{where}, dependences_{blocks.blocks()} {
        for (std::size_t block = 0; block != blocks.blocks(); ++block) {
            longest_block_ = std::max(longest_block_, blocks.size(block));
        }
        auto& result = state_of(buffer::result());
        result.memory = where.result;
        std::fill(result.content.begin(), result.content.end(),
                  where.result == place::input && where.has_input ? holds::result
                  : where.has_input                               ? holds::input
                                                                  : holds::nothing);
        state_of(buffer::prefix()).memory = where.prefix;
        auto& input = state_of(buffer::input());
        input.memory = place::input;
        std::fill(input.content.begin(), input.content.end(), holds::result);
    }

    /// The program of one rank's schedule.
    template <range_of_steps Steps>
    [[nodiscard]] program operator()(Steps const& steps) && {
        std::vector<step> all;
        for (step const& each : steps) { all.push_back(each); }
        return std::move(*this)(all, steps.rounds());
    }

    [[nodiscard]] program operator()(std::span<step const> steps, std::size_t rounds) && {
        last_uses const uses{steps, blocks_.blocks()};
        in_cells_ = uses.single_blocks();
        std::size_t index = 0;
        for (step const& next : steps) {
            add(next);
            leave_cells(next, uses, index++);
        }
        copy_untouched();
        for (auto const& state : buffers_) {
            if (in_cells_ && is_workspace(state.memory)) {
                program_.workspaces[state.memory - place::first_workspace] = state.places.count() * longest_block_;
            }
        }
        program_.rounds = rounds;
        dependences_.write_to(program_);
        return std::move(program_);
    }

private:
    enum class holds : std::uint8_t { nothing, input, result };

    struct buffer_state {
        std::uint32_t memory = place::nowhere;
        std::vector<holds> content;
        cells places{};
        std::vector<std::uint32_t> cell{};  // of each block, where they have cells
    };

    [[nodiscard]] static bool is_workspace(std::uint32_t memory) {
        return memory != place::nowhere && memory >= place::first_workspace;
    }

    buffer_state& state_of(buffer which) {
        auto const index = which.index();
        while (buffers_.size() <= index) {
            buffers_.push_back({place::nowhere, std::vector<holds>(blocks_.blocks(), holds::nothing), {}, {}});
        }
        return buffers_[index];
    }

    std::uint32_t memory_for_writing(buffer which) {
        auto& memory = state_of(which).memory;
        if (memory == place::nowhere) {
            memory = place::first_workspace + static_cast<std::uint32_t>(program_.workspaces.size());
            program_.workspaces.push_back(blocks_.elements());
        }
        return memory;
    }

    [[nodiscard]] place read(buffer which, std::size_t block) {
        auto const& state = state_of(which);
        switch (state.content[block]) {
        case holds::nothing: return {};
        case holds::input: dependences_.read(place::input, block); return {place::input, blocks_.offset(block)};
        case holds::result: break;
        }
        dependences_.read(state.memory, unit(state, block));
        return {state.memory, offset(state, block)};
    }

    [[nodiscard]] place write(buffer which, std::size_t block) {
        auto const memory = memory_for_writing(which);
        auto& state = state_of(which);
        if (in_cells_ && is_workspace(memory) && state.content[block] != holds::result) {
            state.cell.resize(blocks_.blocks());
            state.cell[block] = state.places.take(round_, sends_);
        }
        state.content[block] = holds::result;
        dependences_.write(memory, unit(state, block));
        return {memory, offset(state, block)};
    }

    // What stands for a block where dependences are concerned: its cell, if others will use that too.
    [[nodiscard]] std::size_t unit(buffer_state const& state, std::size_t block) const {
        return in_cells_ && is_workspace(state.memory) ? state.cell[block] : block;
    }

    [[nodiscard]] std::size_t offset(buffer_state const& state, std::size_t block) const {
        return in_cells_ && is_workspace(state.memory) ? state.cell[block] * longest_block_ : blocks_.offset(block);
    }

    void leave_cells(step const& done, last_uses const& uses, std::size_t index) {
        sends_ += done.what == action::send;
        if (!in_cells_) { return; }
        auto const leave = [&](buffer which) {
            auto& state = state_of(which);
            for (auto const range : done.blocks) {
                if (!is_workspace(state.memory) || state.content[range.first] != holds::result ||
                    !uses.is_last(which, range.first, index)) {
                    continue;
                }
                state.places.leave(state.cell[range.first], round_, sends_);
                state.content[range.first] = holds::nothing;
            }
        };
        leave(done.target);
        if (!done.communicates()) { leave(done.source); }
    }

    void add(step const& next) {
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

    void add(step const& next, std::size_t block) {
        place const incoming{place::incoming, program_.instructions.back().elements};
        part piece{blocks_.size(block), {}, {}, {}};
        switch (next.what) {
        case action::send: piece.left = read(next.target, block); break;
        case action::receive:
            piece.left = incoming;
            piece.target = write(next.target, block);
            break;
        case action::copy:
            piece.left = read(next.source, block);
            piece.target = write(next.target, block);
            break;
        case action::receive_combine:
        case action::combine: {
            auto const other = next.what == action::combine ? read(next.source, block) : incoming;
            auto const own = read(next.target, block);
            piece.left = next.operand == side::left ? other : own;
            piece.right = next.operand == side::left ? own : other;
            if (piece.left.memory == place::nowhere) { std::swap(piece.left, piece.right); }
            piece.target = write(next.target, block);
            break;
        }
        }
        append(piece);
    }

    // A buffer that shares the caller's input memory is about to be written: whoever still reads its own
    // initial value from there gets a copy first.
    void save_input_from(buffer written, block_list const& list) {
        if (written == buffer::result() || state_of(written).memory != place::input) { return; }
        block_list endangered;
        auto const& content = state_of(buffer::result()).content;
        for (auto const range : list) {
            for (auto block = range.first; block != range.last; ++block) {
                if (content[block] == holds::input) { endangered.append({block, block + 1}); }
            }
        }
        if (!endangered.empty()) { add(step::copy(round_, buffer::result(), buffer::result(), endangered)); }
    }

    void copy_untouched() {
        auto& result = state_of(buffer::result());
        for (auto block = where_.wanted_result.first; block != where_.wanted_result.last; ++block) {
            if (result.content[block] != holds::input) { continue; }
            auto last = block + 1;
            while (last != where_.wanted_result.last && result.content[last] == holds::input) { ++last; }
            add(step::copy(0, buffer::result(), buffer::result(), block_range{block, last}));
            block = last - 1;
        }
    }

    void begin(action what, int peer) {
        instruction fresh;
        fresh.what = what;
        fresh.peer = peer;
        fresh.first_part = static_cast<std::uint32_t>(program_.parts.size());
        program_.instructions.push_back(fresh);
    }

    void append(part const& piece) {
        auto& current = program_.instructions.back();
        current.elements += piece.count;
        if (!where_.block_by_block && program_.parts.size() > current.first_part) {
            auto& previous = program_.parts.back();
            if (previous.left.continues(previous.count, piece.left) &&
                previous.right.continues(previous.count, piece.right) &&
                previous.target.continues(previous.count, piece.target)) {
                previous.count += piece.count;
                return;
            }
        }
        program_.parts.push_back(piece);
    }

    void end() {
        auto& current = program_.instructions.back();
        current.last_part = static_cast<std::uint32_t>(program_.parts.size());
        auto const index = static_cast<std::uint32_t>(program_.instructions.size() - 1);
        if (current.elements == 0) {
            program_.instructions.pop_back();
            dependences_.forget();
            return;
        }
        if (current.receives() || current.what == action::send) {
            auto& last = current.receives() ? last_receive_ : last_send_;
            auto const [found, fresh] = last.try_emplace(current.peer, index);
            if (!fresh) { current.same_peer = std::exchange(found->second, index); }
        }
        dependences_.commit(index, round_);
    }

    partition const& blocks_;
    placement where_;
    program program_;
    std::vector<buffer_state> buffers_;
    dependence_tracker dependences_;
    std::size_t longest_block_ = 0;
    std::size_t round_ = 0;  // of the step in hand
    std::size_t sends_ = 0;
    bool in_cells_ = false;  // blocks of workspace have places for as long as they are in use
    std::unordered_map<int, std::uint32_t> last_send_;
    std::unordered_map<int, std::uint32_t> last_receive_;
};

}  // namespace tutti
