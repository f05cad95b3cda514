// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include <tutti/communicator.hpp>
#include <tutti/element.hpp>
#include <tutti/execution/combiner.hpp>
#include <tutti/execution/failure.hpp>
#include <tutti/execution/mailroom.hpp>
#include <tutti/execution/memories.hpp>
#include <tutti/execution/messages.hpp>
#include <tutti/execution/packed_messages.hpp>
#include <tutti/execution/program.hpp>

namespace tutti {

/// Runs a program: the only code that communicates or applies an operator.
///
/// Instructions that touch the same block run in program order, and messages of one direction to one peer are
/// posted in program order. Everything else overtakes freely within a window of program order, so
/// that a late peer never holds up an unrelated block. Sends that have been posted do not hold the window.
/// The order of combines depends on the program alone. After the first run nothing is allocated (for elements
/// that travel as bytes).
///
/// An operator that throws here, or that threw on the other side, does not end the exchange: messages without
/// elements take the place of the results, and `wait` throws when all is over.
template <communicator C, class T, class Operator = no_operator>
class execution final : private correspondent {
    using transport = std::conditional_t<lends_memory<C> || travels_as_bytes<T>, messages<C, T>, packed_messages<C, T>>;

public:
    execution(C& world, int tag, program run)
        : world_{world},
          room_{world.attached().template get<mailroom<C>>()},
          run_{std::move(run)},
          memories_{run_},
          transport_{world, room_, tag, run_, memories_, *this},
          states_(run_.instructions.size()) {
        held_.reserve(window);
    }

    execution(execution const&) = delete;
    execution& operator=(execution const&) = delete;

    /// A collective that was started takes part until its end, unless an exception is on its way.
    ~execution() {
        if (!running()) { return; }
        try {
            if (std::uncaught_exceptions() == 0) {
                finish();
            } else {
                abandon();
            }
        } catch (...) {  // nobody is left to be told
        }
    }

    /// Begins a run on these memories. They and the operator must stay until it has ended.
    void start(T const* input, T* output, T* second_output, Operator& op) {
        memories_.bind(input, output, second_output);
        combiner_.bind(op);
        failure_ = nullptr;
        head_ = ended_ = open_sends_ = 0;
        for (std::size_t i = 0; i != states_.size(); ++i) {
            auto const& what = run_.instructions[i];
            states_[i] = {what.predecessors, what.elements, false, false};
        }
        held_.clear();
        transport_.reset();
        or_abandon([&] { advance(); });
    }

    [[nodiscard]] bool running() const { return ended_ != states_.size(); }

    /// Makes what progress is possible; true if the run has ended. Throws what `wait` throws.
    bool test() {
        or_abandon([&] {
            while (running() && room_.test(world_)) {}
        });
        return !running() && (report(), true);
    }

    /// Until the run has ended. Throws the operator's exception, or `operand_missing` where it threw elsewhere.
    void wait() {
        finish();
        report();
    }

private:
    static constexpr std::size_t window = 64;
    static constexpr std::size_t receives_ahead = 2;

    struct state {
        std::uint32_t waits_for = 0;   // predecessors that have not ended
        std::size_t remaining = 0;     // elements not yet sent, or received and combined
        bool posted = false;           // all messages of this instruction are under way, or over
        bool open = false;             // a send of which something was posted
    };

    void finish() {
        or_abandon([&] {
            while (running()) {
                if (!room_.wait(world_)) {
                    throw std::logic_error{"tutti: a collective waits for messages of which none is under way; did another "
                                           "one on this communicator fail before?"};
                }
            }
        });
    }

    // Gives everything up where the communicator itself has failed.
    template <class Action>
    void or_abandon(Action action) {
        try {
            action();
        } catch (...) {
            abandon();
            throw;
        }
    }

    void abandon() {
        room_.cancel(world_, *this);
        ended_ = states_.size();
    }

    void report() {
        if (failure_) { std::rethrow_exception(std::exchange(failure_, nullptr)); }
    }

    // Does everything that can be done now. Ending an instruction releases only later ones, so one pass suffices.
    void advance() {
        for (auto i = head_; i < std::min(head_ + window, states_.size()); ++i) {
            if (!settled(i)) { attempt(static_cast<std::uint32_t>(i)); }
            if (i == head_ && settled(i)) { ++head_; }
        }
        auto stuck = head_;
        auto const end = std::min(head_ + window, states_.size());
        while (stuck != end && (settled(stuck) || states_[stuck].open)) { ++stuck; }
        if (stuck != end && run_.instructions[stuck].waits_for_send) {
            for (auto& early : held_) {
                if (early.what.instruction == stuck) { transport_.keep(early); }
            }
        }
    }

    // A posted send needs nothing more from this rank.
    [[nodiscard]] bool settled(std::size_t i) const {
        return states_[i].remaining == 0 || (states_[i].posted && run_.instructions[i].what == action::send);
    }

    void attempt(std::uint32_t i) {
        auto const& what = run_.instructions[i];
        auto& now = states_[i];
        switch (what.what) {
        case action::send:
            if (now.waits_for == 0 && may_open(i) && turn(what)) {
                if (!std::exchange(now.open, true)) {
                    ++open_sends_;
                    guarded([&] { transport_.prepare(i); });
                }
                now.posted = transport_.send(i, failure_ != nullptr);
            }
            break;
        case action::receive:
        case action::receive_combine:
            if (now.waits_for == 0) { apply_held(i); }
            if (!now.posted && turn(what) && near(what) && (now.waits_for == 0 || !receives_into_place(what))) {
                now.posted = transport_.receive(i);
            }
            break;
        case action::combine:
        case action::copy:
            if (now.waits_for == 0) {
                guarded([&] { combiner_.apply(what, 0, what.elements, nullptr); });
                end(i, what.elements);
            }
            break;
        }
    }

    // Sends that overtake may not use up the allowance of the one that all wait for.
    [[nodiscard]] bool may_open(std::size_t i) const {
        return states_[i].open || open_sends_ < (i == head_ ? 2 : 1) * send_window;
    }

    [[nodiscard]] bool turn(instruction const& what) const {
        return what.same_peer == instruction::none || states_[what.same_peer].posted;
    }

    // Two receives from a peer keep its link busy. More would only be matched sooner, and their data be out of the
    // caches again before they are combined.
    [[nodiscard]] bool near(instruction const& what) const {
        auto earlier = what.same_peer;
        for (std::size_t i = 1; i != receives_ahead && earlier != instruction::none; ++i) {
            earlier = run_.instructions[earlier].same_peer;
        }
        return earlier == instruction::none || states_[earlier].remaining == 0;
    }

    // Such a receive overwrites its blocks the moment it is posted.
    [[nodiscard]] static bool receives_into_place(instruction const& what) {
        return what.what == action::receive && !lends_memory<C> && travels_as_bytes<T>;
    }

    // For what the user's code does, serialisation or the operator. After a failure nothing is computed any more.
    template <class Work>
    void guarded(Work work) {
        if (failure_) { return; }
        try {
            work();
        } catch (...) {
            fail(std::current_exception());
        }
    }

    void ended(posting const& what, completion const& how) override {
        auto const i = what.instruction;
        if (what.outgoing) {
            if (transport_.sent(what)) {
                --open_sends_;
                end(i, run_.instructions[i].elements);
            }
        } else if (auto const came = arrived(what, how)) {
            if (states_[i].waits_for == 0) {
                take(i, *came);
            } else {
                held_.push_back(*came);
            }
        }
        advance();
    }

    std::optional<arrival<T>> arrived(posting const& what, completion const& how) {
        try {
            return transport_.arrived(what, how);
        } catch (count_mismatch const&) {
            fail(std::current_exception());
            return arrival<T>{what, how, nullptr, true};
        }
    }

    void apply_held(std::uint32_t i) {
        for (std::size_t h = 0; h != held_.size();) {
            if (held_[h].what.instruction != i) {
                ++h;
                continue;
            }
            auto const came = std::exchange(held_[h], held_.back());
            held_.pop_back();
            take(i, came);
        }
    }

    void take(std::uint32_t i, arrival<T> const& came) {
        auto const& what = run_.instructions[i];
        if (came.missing && !failure_) { fail(std::make_exception_ptr(operand_missing{what.peer})); }
        if (came.elements != nullptr || !travels_as_bytes<T>) {
            guarded([&] { combiner_.apply(what, came.what.first, came.what.count, &came); });
        }
        transport_.release(came);
        end(i, came.what.count);
    }

    void end(std::uint32_t i, std::size_t elements) {
        auto& now = states_[i];
        now.remaining -= elements;
        if (now.remaining != 0) { return; }
        now.posted = true;
        ++ended_;
        auto const& what = run_.instructions[i];
        for (auto f = what.first_follower; f != what.last_follower; ++f) { --states_[run_.followers[f]].waits_for; }
    }

    void fail(std::exception_ptr why) {
        if (!failure_) { failure_ = std::move(why); }
    }

    C& world_;
    mailroom<C>& room_;
    program run_;
    memories<T> memories_;
    transport transport_;
    combiner<T, Operator, transport> combiner_{run_, memories_, transport_};
    std::exception_ptr failure_;
    std::vector<state> states_;
    std::vector<arrival<T>> held_;  // came before their instruction's predecessors had ended
    std::size_t head_ = 0;          // first instruction in program order that is not settled
    std::size_t ended_ = states_.size();
    std::size_t open_sends_ = 0;
};

}  // namespace tutti
