// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include <tutti/dynamic_array.hpp>
#include <tutti/node_map.hpp>
#include <tutti/program.hpp>
#include <tutti/program/dependences.hpp>

namespace tutti::engine {

/// Makes a program for ranks of which one alone may exchange messages with others, as threads have to where MPI has
/// MPI_THREAD_FUNNELED. It posts the messages of the rest while it waits, so its own program must end last: each of the
/// rest notifies it by a message without data when its messages with others have ended.
///
/// Cost: one α between ranks of the group.
class funneled_pass {
public:
    funneled_pass(program&& from, funneled_ranks const& group, int self)
        : result_{std::move(from)}, group_{group}, self_{self} {}

    [[nodiscard, gnu::cold]] program operator()() && {
        for (std::uint32_t i = 0; i != result_.instructions.size(); ++i) { take_edges(i); }
        if (self_ != group_.through) {
            auto const before = static_cast<std::uint32_t>(result_.instructions.size());
            add(action::send, group_.through);
            for (std::uint32_t i = 0; i != before; ++i) {
                if (is_with_others(result_.instructions[i])) { edges_.push_back({i, before}); }
            }
        } else {
            for (int peer = group_.first; peer != group_.last; ++peer) {
                if (peer != self_) { add(action::receive, peer); }
            }
        }
        lay_out_followers(result_, edges_);
        return std::move(result_);
    }

private:
    void take_edges(std::uint32_t i) {
        auto& each = result_.instructions[i];
        for (auto f = each.first_follower; f != each.last_follower; ++f) {
            edges_.push_back({i, result_.followers[f]});
        }
        each.first_follower = each.last_follower = each.predecessors = 0;
        order_.next(each, i);
    }

    void add(action what, int peer) {
        instruction fresh;
        fresh.what = what;
        fresh.peer = peer;
        fresh.elements = result_.unit;
        fresh.first_range = fresh.last_range = static_cast<std::uint32_t>(result_.ranges.size());
        fresh.same_peer = order_.next(fresh, static_cast<std::uint32_t>(result_.instructions.size()));
        result_.instructions.push_back(fresh);
    }

    [[nodiscard]] bool is_with_others(instruction const& what) const {
        return (what.what == action::send || what.receives()) && !group_.has(what.peer);
    }

    program result_;
    funneled_ranks group_;
    int self_;
    dynamic_array<dependence> edges_;
    peer_order order_;
};

}  // namespace tutti::engine
