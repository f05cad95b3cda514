// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <tutti/analysis/broken_schedule.hpp>
#include <tutti/analysis/expression.hpp>
#include <tutti/analysis/in_flight.hpp>
#include <tutti/partition.hpp>
#include <tutti/schedule.hpp>

namespace tutti::analysis::symbolic {

/// A step of a rank: its place in the program, and what it is.
struct event {
    std::size_t rank;
    std::size_t index;
    step const& what;
};

/// An observer that does nothing.
struct no_observer {
    void reached(event const&) {}
    void delivered(event const& /*sent*/, event const& /*received*/) {}
    void combined(event const&, std::size_t /*elements*/) {}
};

/// Runs the schedules of all ranks on blocks that hold expressions in the place of elements, with sends that end
/// only when the receiver takes the message, so that whatever gets through needs no buffering. Throws
/// `broken_schedule` at the first step that no rank could carry out, at a mismatch, at a deadlock, and when
/// messages are left over.
///
/// A rank that reaches `receive` first waits until its own sends of those blocks have ended, then for the
/// message; `receive_combine` takes the message, then waits for those sends; `combine` and `copy` wait for them.
/// A send waits until no more than `send_window` of its rank's are under way.
template <class Schedule>
class machine {
public:
    using initial_value = std::function<value(std::size_t rank, std::size_t block)>;

    /// `schedules[r]` is what rank r does; `given` is what its input holds. `cut` must outlive the machine.
    machine(std::vector<Schedule> schedules, partition const& cut, initial_value given)
        : schedules_{std::move(schedules)}, cut_{cut}, given_{std::move(given)}, values_{schedules_.size()},
          blank_(cut.blocks()), messages_{schedules_.size()} {
        for (std::size_t block = 0; block < blank_.size(); ++block) { blank_[block] = cut.size(block) == 0; }
        for (std::size_t rank = 0; rank < schedules_.size(); ++rank) {
            processes_.push_back({schedules_[rank].begin(), schedules_[rank].end()});
            auto& result = cells(processes_.back(), buffer::result());
            for (std::size_t block = 0; block < blank_.size(); ++block) { result[block].holds = given_(rank, block); }
        }
    }

    machine(machine const&) = delete;
    machine& operator=(machine const&) = delete;

    /// Tells `observer` of every step as its rank reaches it, every message as it is taken, every combine.
    template <class Observer>
    void run(Observer&& observer) {
        for (auto rank = processes_.size(); rank-- > 0;) { ready_.push_back(rank); }
        while (!ready_.empty()) {
            auto const rank = ready_.back();
            ready_.pop_back();
            advance(rank, observer);
        }
        for (std::size_t rank = 0; rank < processes_.size(); ++rank) {
            if (processes_[rank].waits != waiting::no) { throw broken_schedule{"deadlock: " + standstill(rank)}; }
        }
        if (auto const [from, message] = messages_.left_over(); message != nullptr) {
            throw broken_schedule{step_text::place(from, message->index, message->what) +
                                  ": the message is never received"};
        }
    }

    [[nodiscard]] value holds(std::size_t rank, buffer which, std::size_t block) const {
        if (which == buffer::input()) { return given_(rank, block); }
        auto const& buffers = processes_[rank].buffers;
        auto const index = which.index() - 1;
        return index < buffers.size() && !buffers[index].empty() ? buffers[index][block].holds : nothing;
    }

    [[nodiscard]] expressions const& values() const { return values_; }

private:
    enum class waiting : std::uint8_t { no, message, own_sends };

    struct cell {
        value holds = nothing;
        std::uint32_t unsent = 0;  // own sends of this block that have not ended
    };

    struct process {
        decltype(std::declval<Schedule const&>().begin()) next;
        decltype(std::declval<Schedule const&>().end()) last;
        step now{};
        std::size_t index = 0;
        bool reached = false;
        bool taken = false;                      // the message of `now` has been taken
        waiting waits = waiting::no;
        std::vector<value> message{};            // what it held
        std::size_t sends = 0;
        std::bitset<schedules::send_window> ended =
            std::bitset<schedules::send_window>{}.set();  // the last sends, by number
        std::vector<std::vector<cell>> buffers{};  // result, prefix, scratch 0, ...
    };

    template <class Observer>
    void advance(std::size_t rank, Observer& observer) {
        auto& self = processes_[rank];
        self.waits = waiting::no;
        while (true) {
            if (!self.reached) {
                if (self.next == self.last) { return; }
                self.now = *self.next;
                if (auto const why = symbolic::malformed(self.now, rank, processes_.size(), cut_); !why.empty()) {
                    fail(rank, why);
                }
                self.reached = true;
                observer.reached(event{rank, self.index, self.now});
            }
            self.waits = perform(rank, observer);
            if (self.waits != waiting::no) { return; }
            ++self.next;
            ++self.index;
            self.reached = self.taken = false;
        }
    }

    template <class Observer>
    waiting perform(std::size_t rank, Observer& observer) {
        auto& self = processes_[rank];
        auto const& now = self.now;
        if (now.what == action::send) {
            if (!self.ended[self.sends % schedules::send_window]) { return waiting::own_sends; }
            send(rank);
            return waiting::no;
        }
        if (now.what != action::receive_combine && !overwritable(self)) { return waiting::own_sends; }
        if (now.receives() && !self.taken) {
            if (!take(rank, observer)) { return waiting::message; }
            self.taken = true;
        }
        if (now.what == action::receive_combine && !overwritable(self)) { return waiting::own_sends; }
        if (!now.receives()) {
            self.message.clear();
            each_block(now.blocks, [&](auto block) { self.message.push_back(read(rank, now.source, block)); });
        }
        write(rank, observer);
        return waiting::no;
    }

    void send(std::size_t rank) {
        auto& self = processes_[rank];
        each_block(self.now.blocks, [&](auto block) { static_cast<void>(read(rank, self.now.target, block)); });
        if (self.now.target != buffer::input()) {
            auto& from = cells(self, self.now.target);
            each_block(self.now.blocks, [&](auto block) { ++from[block].unsent; });
        }
        self.ended[self.sends % schedules::send_window] = false;
        messages_.post(rank, self.now, self.index, self.sends++);
        auto const& peer = processes_[self.now.peer];
        if (peer.waits == waiting::message && peer.now.peer == rank) { ready_.push_back(self.now.peer); }
    }

    template <class Observer>
    bool take(std::size_t rank, Observer& observer) {
        auto& self = processes_[rank];
        auto const peer = self.now.peer;
        auto const* const oldest = messages_.oldest(peer, rank);
        if (oldest == nullptr) { return false; }
        auto const& what = oldest->what;
        auto const index = oldest->index;
        if (!symbolic::same_blocks(what.blocks, self.now.blocks)) {
            fail(rank, "the matching message is " + step_text::place(peer, index, what) + ", which has other blocks");
        }
        observer.delivered(event{peer, index, what}, event{rank, self.index, self.now});
        self.message.clear();
        each_block(what.blocks, [&](auto block) { self.message.push_back(holds(peer, what.target, block)); });
        if (what.target != buffer::input()) {
            auto& from = cells(processes_[peer], what.target);
            each_block(what.blocks, [&](auto block) { --from[block].unsent; });
        }
        processes_[peer].ended[oldest->number % schedules::send_window] = true;
        messages_.drop_oldest(peer, rank);
        if (processes_[peer].waits == waiting::own_sends) { ready_.push_back(peer); }
        return true;
    }

    template <class Observer>
    void write(std::size_t rank, Observer& observer) {
        auto& self = processes_[rank];
        auto& into = cells(self, self.now.target);
        std::size_t combined = 0;
        std::size_t i = 0;
        each_block(self.now.blocks, [&](auto block) {
            auto const incoming = self.message[i++];
            auto& held = into[block].holds;
            if (!self.now.combines() || held == nothing) {
                held = incoming;
                return;
            }
            held = self.now.operand == side::left ? values_.combine(incoming, held) : values_.combine(held, incoming);
            combined += cut_.size(block);
        });
        if (combined != 0) { observer.combined(event{rank, self.index, self.now}, combined); }
    }

    /// Blocks without elements hold nothing and owe nothing, so they take no part.
    template <class Function>
    void each_block(block_list const& list, Function function) const {
        for (auto const& range : list) {
            for (auto block = range.first; block < range.last; ++block) {
                if (!blank_[block]) { function(block); }
            }
        }
    }

    [[nodiscard]] std::vector<cell>& cells(process& of, buffer which) const {
        auto const index = which.index() - 1;
        if (index >= of.buffers.size()) { of.buffers.resize(index + 1); }
        if (of.buffers[index].empty()) { of.buffers[index].resize(blank_.size()); }
        return of.buffers[index];
    }

    [[nodiscard]] bool overwritable(process& self) const {
        auto const& into = cells(self, self.now.target);
        bool all = true;
        each_block(self.now.blocks, [&](auto block) { all = all && into[block].unsent == 0; });
        return all;
    }

    [[nodiscard]] value read(std::size_t rank, buffer from, std::size_t block) const {
        auto const held = holds(rank, from, block);
        if (held == nothing) { fail(rank, "block " + std::to_string(block) + " of " + from.name() + " is empty"); }
        return held;
    }

    [[noreturn]] void fail(std::size_t rank, std::string const& why) const {
        throw broken_schedule{step_text::place(rank, processes_[rank].index, processes_[rank].now) + ": " + why};
    }

    /// Who waits for whom, from `rank` on until the chain closes or ends at a rank that has finished.
    [[nodiscard]] std::string standstill(std::size_t rank) const {
        std::string text;
        std::vector<char> seen(processes_.size(), 0);
        while (true) {
            auto const& self = processes_[rank];
            if (self.waits == waiting::no) { return text + "; rank " + std::to_string(rank) + " has ended"; }
            if (seen[rank] != 0) { return text; }
            seen[rank] = 1;
            if (!text.empty()) { text += "; "; }
            text += step_text::place(rank, self.index, self.now) + " waits for ";
            if (self.waits == waiting::message) {
                text += "a message from rank " + std::to_string(self.now.peer);
                rank = self.now.peer;
            } else {
                auto const oldest = self.sends - schedules::send_window;
                auto const* const pending =
                    self.now.what == action::send
                        ? messages_.find(rank, [&](sent const& message) { return message.number == oldest; })
                        : messages_.pending(rank, self.now.target, self.now.blocks);
                text += "the end of its own " + step_text::step(pending->what) + " of step " +
                        std::to_string(pending->index);
                rank = pending->what.peer;
            }
        }
    }

    std::vector<Schedule> schedules_;
    partition const& cut_;
    initial_value given_;
    expressions values_;
    std::vector<char> blank_;  // blocks without elements
    std::vector<process> processes_;
    in_flight messages_;
    std::vector<std::size_t> ready_;
};

}  // namespace tutti::analysis::symbolic
