// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

#include <tutti/communicator.hpp>
#include <tutti/element.hpp>
#include <tutti/error.hpp>
#include <tutti/execution/buffers.hpp>
#include <tutti/execution/combiner.hpp>
#include <tutti/execution/instruction_window.hpp>
#include <tutti/execution/messages.hpp>
#include <tutti/execution/pending_call.hpp>
#include <tutti/execution/progress_engine.hpp>
#include <tutti/execution/transport.hpp>
#include <tutti/execution/unexpected_messages.hpp>
#include <tutti/program.hpp>

namespace tutti::engine {

/// Runs a program: the only code that moves the data of collectives or applies an operator.
///
/// Instructions that touch the same block run in program order, and messages of one direction to one peer are
/// posted in program order. Everything else overtakes freely, see `instruction_window`. The order of combines depends
/// on the program alone. After the first run nothing is allocated (for elements that travel as bytes).
///
/// An operator that throws here, or that threw on the other side, does not end the exchange: messages without
/// elements take the place of the results, and `wait` throws when all is over. Where the communicator itself fails, or
/// a message is not what was expected, the run is given up, the other ranks are notified and `wait` throws that; then
/// no other run begins on the communicator until it has recovered.
template <communicator C, class T, class Operator = operators::no_operator>
class executor final : public pending_call<C> {
    using pending = pending_call<C>;
    using transport_type = transport_of<C, T>;
    static_assert(transport<transport_type, C, T>);

public:
    /// `entered` is the record of the call, sent to ranks that ask because they wait without success.
    [[gnu::cold]] executor(C& world, int tag, program run, tutti::control::call const& entered = {})
        : pending{world, tag, entered}, run_{std::move(run)} {
        create_transport();
    }

    /// For further runs of the plan of `before`, by another program. Requires a communicator.
    executor(executor const& before, program run)
        : executor{*before.world_, before.tag_, std::move(run), before.entered()} {
        this->runs_ = before.runs_;
    }

    executor(executor const&) = delete;
    executor& operator=(executor const&) = delete;
    ~executor() { this->end_quietly(); }

    /// Begins a run on these memories. They and the operator must stay until it has ended.
    void start(T const* input, T* output, T* second_output, Operator& op) {
        constexpr auto* gone = "tutti: start() on a plan whose communicator has been freed; free it after its plans";
        if (world_ == nullptr) { throw std::logic_error{gone}; }
        world_->supervisor().require_sound();
        this->note_start();
        begin(input, output, second_output, op);
    }

    /// A run from beginning to end, whose messages have `tag`. Requires a sound communicator.
    void call(int tag, T const* input, T* output, T* second_output, Operator& op) {
        tag_ = tag;
        begin(input, output, second_output, op);
        this->wait();
    }

    [[gnu::cold]] void note_zero_count() { world_->note_zero_count(tag_, this->entered()); }

private:
    using pending::failure_, pending::running_, pending::tag_, pending::world_;

    void begin(T const* input, T* output, T* second_output, Operator& op) {
        auto& engine = this->adopt();
        auto const inside = this->enter();
        failure_ = nullptr;
        this->guard([&] {
            while (!transport_->reset(engine, tag_)) { create_transport(); }
            buffers_.bind(input, output, second_output);
            combiner_.bind(op, *transport_);
            running_.store(true, std::memory_order_relaxed);
            auto const over = run_at_once();
            if (over == run_.instructions.size()) { return window_.end_all(); }
            window_.reset(over);
            unexpected_.clear();
            for (auto i = over; i < run_.posted_first; ++i) { window_.posted(i, transport_->receive(i)); }
            advance();
        });
        note_the_end();
    }

    // Executes instructions in program order as long as each needs no request: most often all those of a short call
    // through memory. Returns how many have ended.
    [[nodiscard]] std::uint32_t run_at_once() {
        std::uint32_t i = 0;
        if constexpr (requires { transport_->are_short(); }) {
            if (!transport_->are_short()) { return 0; }
            for (; i != run_.instructions.size() && !failure_; ++i) {
                auto const& what = run_.instructions[i];
                if (what.what == action::send) {
                    if (!transport_->send_at_once(what)) { break; }
                } else if (what.receives()) {
                    auto const how = transport_->receive_at_once(i);
                    if (!how) { break; }
                    if (how->error != 0) { world_->raise(*how); }
                    consume(*arrived(transport_->whole(i), *how));
                } else {
                    compute(what, 0, what.elements, nullptr);
                }
            }
        }
        return i;
    }

    [[gnu::noinline, gnu::cold]] void create_transport() {
        completion_handler& self = *this;
        transport_ = std::make_unique<transport_type>(*world_, run_, buffers_, self);
    }

    // Of receives for which there is no room yet, the message may have come, and its sender have left the call.
    [[nodiscard, gnu::cold]] dynamic_array<int> awaited() const override {
        dynamic_array<int> result;
        for (std::uint32_t i = 0; i != run_.instructions.size() && result.size() != this->most_awaited; ++i) {
            if (transport_->under_way(i) != 0) { this->add_once(result, run_.instructions[i].peer); }
        }
        return result;
    }

    [[nodiscard]] std::uint64_t traffic_with(int peer) const override { return window_.traffic(world_->rank(), peer); }

    void give_back_unexpected() override {
        for (std::uint32_t i = 0; i != run_.instructions.size(); ++i) {
            unexpected_.dispatch(i, [&](auto const& received) { transport_->release(received); });
        }
    }

    // The last thing a thread does here: another one may wait to end the executor itself.
    void note_the_end() {
        if (window_.is_over()) { running_.store(false, std::memory_order_release); }
    }

    void advance() {
        window_.pass([&](std::uint32_t i) { attempt(i); });
        if constexpr (requires(received_fragment<T>& early) { transport_->keep(early); }) {
            if (!transport_->lends()) { return; }
            auto const first_blocked = window_.first_blocked();
            if (first_blocked != instruction::none && run_.instructions[first_blocked].waits_for_send) {
                unexpected_.visit_new(first_blocked, [&](auto& received) { transport_->keep(received); });
            }
        }
    }

    void attempt(std::uint32_t i) {
        auto const& what = run_.instructions[i];
        switch (what.what) {
        case action::send:
            if (window_.is_ready(i) && window_.send_window_open(i) && window_.is_next_to_peer(what)) {
                if (window_.open(i)) {
                    guarded([&] { transport_->prepare(i); });
                }
                auto const how_far = transport_->send(i, failure_ != nullptr);
                window_.posted(i, how_far != sending::begun);
                if (how_far == sending::ended) { window_.end_send(i); }
            }
            break;
        case action::receive:
        case action::receive_combine:
            if (window_.is_ready(i)) {
                unexpected_.dispatch(i, [&](auto const& received) { take(i, received); });
            }
            if (!window_.is_posted(i) && window_.is_next_to_peer(what) && window_.within_prefetch_depth(what) &&
                (window_.is_ready(i) || !receives_into_place(what))) {
                window_.posted(i, transport_->receive(i));
            }
            break;
        case action::combine:
        case action::copy:
            if (window_.is_ready(i)) {
                compute(what, 0, what.elements, nullptr);
                window_.end(i, what.elements);
            }
            break;
        }
    }

    // Whether a receive overwrites its blocks the moment it is posted.
    [[nodiscard]] bool receives_into_place(instruction const& what) const {
        return what.what == action::receive && !transport_->lends(what) && travels_as_bytes<T>;
    }

    // Runs the user's code, serialisation or the operator. After a failure nothing is computed any more.
    template <class Work>
    void guarded(Work const& work) {
        if (failure_) { return; }
        try {
            work();
        } catch (control::fetch_failed const&) {
            throw;  // not the user's code
        } catch (...) { fail(std::current_exception()); }
    }

    void compute(instruction const& what, std::size_t first, std::size_t count, received_fragment<T> const* received) {
        guarded([&] {
            combiner_.apply(what, first, count, received, [&] {
                // Messages between threads need no progress.
                if constexpr (!control::lends_objects<C>) { this->progress(); }
            });
        });
    }

    // Errors are stored in this executor, not thrown into the call that happens to be waiting.
    void ended(fragment const& what, completion const& how) override {
        try {
            if (how.error != 0) { world_->raise(how); }
            deliver(what, how);
            if (!window_.is_over()) { advance(); }
            note_the_end();
        } catch (...) {
            this->abandon(world_->supervisor().announce(*world_, tag_, std::current_exception()));
            // After a communicator that lends memory has failed, no rank may read what was lent.
            if constexpr (control::lends_objects<C>) { throw; }
        }
    }

    void deliver(fragment const& what, completion const& how) {
        auto const i = what.instruction;
        if (what.outgoing) {
            if (transport_->sent(what)) { window_.end_send(i); }
        } else if (auto const received = arrived(what, how)) {
            if (window_.is_ready(i)) {
                take(i, *received);
            } else {
                unexpected_.hold(*received);
            }
        }
    }

    std::optional<received_fragment<T>> arrived(fragment const& what, completion const& how) {
        try {
            return transport_->arrived(what, how);
        } catch (...) {
            transport_->release(received_fragment<T>{what, how});
            throw;
        }
    }

    void take(std::uint32_t i, received_fragment<T> const& received) {
        consume(received);
        window_.end(i, received.what.count);
    }

    // Combines what has come, or copies it to its place.
    void consume(received_fragment<T> const& received) {
        auto const& what = run_.instructions[received.what.instruction];
        if (received.missing && !failure_) { fail(std::make_exception_ptr(operand_missing{what.peer})); }
        try {
            if (received.elements != nullptr || !travels_as_bytes<T> || received.is_remote()) {
                compute(what, received.what.first, received.what.count, &received);
            }
            if constexpr (requires { transport_->require_unchanged(received); }) {
                transport_->require_unchanged(received);
            }
        } catch (...) {
            transport_->release(received);
            throw;
        }
        transport_->release(received);
    }

    void fail(std::exception_ptr why) {
        if (!failure_) { failure_ = std::move(why); }
    }

    program run_;
    buffers<T> buffers_{run_};
    unexpected_messages<T> unexpected_{run_.instructions.size()};
    std::unique_ptr<transport_type> transport_;
    combiner<T, Operator, transport_type> combiner_{run_, buffers_};
    instruction_window window_{run_};
};

}  // namespace tutti::engine
