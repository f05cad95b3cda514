// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include <tutti/dynamic_array.hpp>
#include <tutti/program.hpp>
#include <tutti/program/dependences.hpp>

namespace tutti::engine {

/// Makes a program whose data can be sent in ready mode, which is allowed where the receive is posted already:
///
/// 1. all receives are posted before anything else begins, in the order of their use. A block that no earlier
/// instruction
///    accesses is received into its place, everything else into memory of its own;
/// 2. a clear-to-send message, without data, goes to every rank from which data will come;
/// 3. the rest is as it was, except that what was received into memory of its own is combined or copied from there, and
///    that data goes to a rank only after the clear to send of that rank has come.
///
/// One clear to send covers all messages of a pair, since it leaves when all receives are posted. It needs no tag of
/// its own: of what a rank receives from another, and of what that one sends, it is the first. All ranks send theirs
/// without waiting, so that there is no cycle of waiting ranks. The order of combines, and so every bit, stays.
/// Cost: one α for each pair, while other things go on; memory for all that is received; a message is combined when all
/// of it has come.
class ready_mode_pass {
public:
    explicit ready_mode_pass(program&& from)
        : from_{std::move(from)},
          memory_{location::first_workspace + static_cast<std::uint32_t>(from_.workspaces.size())},
          received_(from_.instructions.size()),
          ended_(from_.instructions.size()),
          offsets_(from_.instructions.size()) {
        result_.rounds = from_.rounds;
        result_.longest_message = from_.longest_message;
        result_.unit = from_.unit;
        result_.prefers_single_copies = from_.prefers_single_copies;
    }

    [[nodiscard, gnu::cold]] program operator()() && {
        receive_clear_to_sends();
        receive_data();
        result_.posted_first = result_.instructions.size();
        send_clear_to_sends();
        add_the_rest();
        for (std::size_t i = 0; i != from_.instructions.size(); ++i) {
            auto const& each = from_.instructions[i];
            for (auto f = each.first_follower; f != each.last_follower; ++f) {
                edges_.push_back({ended_[i], ended_[from_.followers[f]]});
            }
        }
        lay_out_followers(result_, edges_);
        result_.workspaces = std::move(from_.workspaces);
        result_.workspaces.push_back(used_);
        return std::move(result_);
    }

private:
    static constexpr std::uint32_t none = instruction::none;

    void receive_clear_to_sends() {
        for (auto const& each : from_.instructions) {
            if (each.what == action::send && clear_from_[each.peer] == none) {
                clear_from_[each.peer] = add(action::receive, each.peer, from_.unit);
            }
        }
    }

    [[gnu::cold]] void receive_data() {
        for (std::size_t i = 0; i != from_.instructions.size(); ++i) {
            auto const& each = from_.instructions[i];
            if (!each.receives()) { continue; }
            received_[i] = add(action::receive, each.peer, each.elements);
            if (is_free_from_the_start(each)) {
                append(from_.ranges[each.first_range]);
                ended_[i] = received_[i];
            } else {
                append({each.elements, {location::incoming, 0}, {}, {memory_, used_}});
                offsets_[i] = std::exchange(used_, used_ + each.elements);
            }
        }
    }

    void send_clear_to_sends() {
        instruction_of_peer sent;
        for (auto const& each : from_.instructions) {
            if (each.receives() && sent[each.peer] == none) {
                sent[each.peer] = add(action::send, each.peer, from_.unit);
            }
        }
    }

    [[gnu::cold]] void add_the_rest() {
        for (std::size_t i = 0; i != from_.instructions.size(); ++i) {
            auto const& each = from_.instructions[i];
            if (each.receives() && is_free_from_the_start(each)) { continue; }
            ended_[i] = add(without_message(each.what), each.peer, each.elements);
            for (auto r = each.first_range; r != each.last_range; ++r) {
                append(from_memory(from_.ranges[r], offsets_[i]));
            }
            if (each.receives()) { edges_.push_back({received_[i], ended_[i]}); }
            if (each.what == action::send) {
                result_.instructions.back().is_ready_send = true;
                edges_.push_back({clear_from_[each.peer], ended_[i]});
            }
        }
    }

    [[nodiscard]] static bool is_free_from_the_start(instruction const& what) {
        return what.what == action::receive && what.predecessors == 0 && what.last_range - what.first_range == 1;
    }

    [[nodiscard]] static action without_message(action what) {
        return what == action::receive ? action::copy : what == action::receive_combine ? action::combine : what;
    }

    [[nodiscard]] element_range from_memory(element_range range, std::size_t offset) const {
        for (auto* operand : {&range.left, &range.right}) {
            if (operand->memory == location::incoming) { *operand = {memory_, offset + operand->offset}; }
        }
        return range;
    }

    std::uint32_t add(action what, int peer, std::size_t elements) {
        auto const index = static_cast<std::uint32_t>(result_.instructions.size());
        instruction fresh;
        fresh.what = what;
        fresh.peer = peer;
        fresh.elements = elements;
        fresh.first_range = fresh.last_range = static_cast<std::uint32_t>(result_.ranges.size());
        fresh.same_peer = order_.next(fresh, index);
        result_.instructions.push_back(fresh);
        return index;
    }

    void append(element_range const& range) {
        result_.ranges.push_back(range);
        ++result_.instructions.back().last_range;
    }

    program from_;
    program result_;
    std::uint32_t memory_;  // of what is not received into its place
    std::size_t used_ = 0;  // elements of it
    // of each instruction of `from`: the receive of its message, the one that ends what it did, its place in the memory
    dynamic_array<std::uint32_t> received_;
    dynamic_array<std::uint32_t> ended_;
    dynamic_array<std::size_t> offsets_;
    instruction_of_peer clear_from_;  // the receive of the clear to send
    dynamic_array<dependence> edges_;
    peer_order order_;
};

}  // namespace tutti::engine
