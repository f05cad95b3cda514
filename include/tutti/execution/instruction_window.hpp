// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <tutti/communicator/call.hpp>
#include <tutti/dynamic_array.hpp>
#include <tutti/program.hpp>
#include <tutti/schedule.hpp>

namespace tutti::engine {

/// How far the instructions of a program have come in a run, and which of them may be attempted now.
///
/// Instructions are attempted within a window of program order, so that a late peer never holds up an unrelated
/// block. Sends that have been posted do not hold the window.
class instruction_window {
public:
    explicit instruction_window(program const& run) : run_{run}, states_(run.instructions.size()) {}

    /// Another run begins, of which the first `over` instructions have ended.
    void reset(std::uint32_t over) {
        head_ = ended_ = open_sends_ = 0;
        passing_ = again_ = false;
        for (std::size_t i = 0; i != states_.size(); ++i) {
            auto const& what = run_.instructions[i];
            states_[i] = {what.predecessors, what.elements, false, false};
        }
        for (std::uint32_t i = 0; i != over; ++i) { end(i, states_[i].remaining); }
    }
    void end_all() { ended_ = states_.size(); }

    [[nodiscard]] bool is_over() const { return ended_ == states_.size(); }

    /// All predecessors have ended.
    [[nodiscard]] bool is_ready(std::size_t i) const { return states_[i].waits_for == 0; }

    /// All messages of the instruction are under way, or over.
    [[nodiscard]] bool is_posted(std::size_t i) const { return states_[i].posted; }
    void posted(std::size_t i, bool all) { states_[i].posted = all; }

    /// Calls `attempt` for the instructions that may have something to do. Ending one releases only later ones, so one
    /// pass suffices, unless messages ended meanwhile: an operator may enter another collective.
    template <class Attempt>
    void pass(Attempt attempt) {
        if (std::exchange(passing_, true)) {
            again_ = true;
            return;
        }
        do {
            again_ = false;
            for (auto i = head_; i < end_of_window(); ++i) {
                if (!is_settled(i)) { attempt(static_cast<std::uint32_t>(i)); }
                if (i == head_ && is_settled(i)) { ++head_; }
            }
        } while (again_);
        passing_ = false;
    }

    /// The first instruction that must still receive before anything behind the window begins; `instruction::none` if
    /// there is none.
    [[nodiscard]] std::uint32_t first_blocked() const {
        auto i = head_;
        auto const end = end_of_window();
        while (i != end && (is_settled(i) || states_[i].open)) { ++i; }
        return i != end ? static_cast<std::uint32_t>(i) : instruction::none;
    }

    /// A digest of the messages between this rank, `self`, and `peer`: how many elements, one after the other, in
    /// either direction. The other one has the same.
    [[nodiscard, gnu::cold]] std::uint64_t traffic(int self, int peer) const {
        std::uint64_t upwards = 0, downwards = 0;  // to the higher of the two ranks, and back
        for (auto const& each : run_.instructions) {
            bool const sends = each.what == action::send;
            if (each.peer != peer || !(sends || each.receives())) { continue; }
            auto& way = sends == (self < peer) ? upwards : downwards;
            way = control::digest_with(way, each.elements);
        }
        return control::digest_with(upwards, downwards);
    }

    /// Messages of one direction to one peer are posted in program order.
    [[nodiscard]] bool is_next_to_peer(instruction const& what) const {
        return what.same_peer == instruction::none || states_[what.same_peer].posted;
    }

    // Two receives from a peer keep its link busy. More would only be matched sooner, and their data be out of the
    // caches again before they are combined. None is posted behind a shorter one: SimGrid's MPI may match a short
    // message with the longest receive that it finds.
    [[nodiscard]] bool within_prefetch_depth(instruction const& what) const {
        auto earlier = what.same_peer;
        for (std::size_t ahead = 1; earlier != instruction::none && states_[earlier].remaining != 0; ++ahead) {
            auto const& pending = run_.instructions[earlier];
            if (ahead == receives_ahead || pending.elements < what.elements) { return false; }
            earlier = pending.same_peer;
        }
        return true;
    }

    // Sends that overtake may not use up the window of the send that all wait for.
    [[nodiscard]] bool send_window_open(std::size_t i) const {
        return states_[i].open || open_sends_ < (i == head_ ? 2 : 1) * schedules::send_window;
    }

    /// The first message of a send is about to be posted; false if that was so before.
    [[nodiscard]] bool open(std::size_t i) {
        if (std::exchange(states_[i].open, true)) { return false; }
        ++open_sends_;
        return true;
    }

    /// `elements` more elements of the instruction are sent, or received and combined.
    void end(std::size_t i, std::size_t elements) {
        auto& now = states_[i];
        now.remaining -= elements;
        if (now.remaining != 0) { return; }
        now.posted = true;
        ++ended_;
        auto const& what = run_.instructions[i];
        for (auto f = what.first_follower; f != what.last_follower; ++f) { --states_[run_.followers[f]].waits_for; }
    }

    /// The last message of a send has left.
    void end_send(std::size_t i) {
        --open_sends_;
        end(i, run_.instructions[i].elements);
    }

private:
    static constexpr std::size_t window = 64;
    static constexpr std::size_t receives_ahead = 2;

    struct state {
        std::uint32_t waits_for = 0;  // predecessors that have not ended
        std::size_t remaining = 0;    // elements not yet sent, or received and combined
        bool posted = false;
        bool open = false;  // the first message of the send was posted
    };

    [[nodiscard]] std::size_t end_of_window() const { return std::min(head_ + window, states_.size()); }

    // A posted send needs nothing more from this rank. Receives that are posted first do not hold the window, or a send
    // behind more of them than it has room for would never begin.
    [[nodiscard]] bool is_settled(std::size_t i) const {
        return states_[i].remaining == 0 ||
               (states_[i].posted && (run_.instructions[i].what == action::send || i < run_.posted_first));
    }

    program const& run_;
    dynamic_array<state> states_;
    std::size_t head_ = 0;  // first instruction in program order that is not settled
    std::size_t ended_ = 0;
    std::size_t open_sends_ = 0;
    bool passing_ = false;
    bool again_ = false;
};

}  // namespace tutti::engine
