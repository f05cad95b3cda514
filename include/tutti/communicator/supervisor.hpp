// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include <tutti/communicator/call.hpp>
#include <tutti/dynamic_array.hpp>
#include <tutti/error.hpp>

namespace tutti::control {

/// Thrown by `fetch` of a communicator where the message is out of reach: the sender's memory is gone.
struct fetch_failed : std::runtime_error, needs_recovery {
    using std::runtime_error::runtime_error;
};

/// Thrown by `fetch` where the sender has given the message up.
struct message_withdrawn final : fetch_failed, secondary_error {
    [[gnu::cold]] message_withdrawn()
        : fetch_failed{"tutti: another rank has given up the call whose message this rank was reading"} {}
};

/// What calls on a communicator do beside moving their data.
enum class call_hook : unsigned {
    counting = 1,     ///< they are counted, until ranks have decided whether to share memory
    comparing = 2,    ///< they are compared before they begin; the same on all ranks
    zero_counts = 4,  ///< they look for unmatched messages: in an earlier call this rank had no elements to exchange
    stamping = 8,     ///< the times at which they begin are kept; the same on all ranks
    learning = 16     ///< their durations decide how later ones are performed; the same on all ranks
};

/// A call, or a run of a plan, in which this rank is: what ranks that wait for it without success are sent, and what
/// becomes of it when the communicator fails or ends.
class supervised_call {
public:
    supervised_call() = default;
    supervised_call(supervised_call const&) = delete;
    supervised_call& operator=(supervised_call const&) = delete;

    [[nodiscard]] virtual bool is_under_way() const = 0;
    [[nodiscard]] virtual int tag() const = 0;
    /// The number of the call, or plan, that has the tag now, see `communicator_defaults::number_of`; in the lower 32
    /// bits the number of the run: 0 before the data, then 1, or 2, 3, ... of a plan.
    [[nodiscard]] virtual std::int64_t run() const = 0;
    [[nodiscard]] virtual call const& entered() const = 0;
    /// The ranks to or from which a message is under way, or some of them: those that cannot complete this call any
    /// more if they have left it.
    [[nodiscard]] virtual dynamic_array<int> awaited() const = 0;

    /// A digest of the messages that this rank exchanges with `peer`, which has to find the same.
    [[nodiscard]] virtual std::uint64_t traffic_with(int peer) const = 0;

    /// Gives up what is under way; null if its caller learns otherwise why.
    virtual void abandon(std::exception_ptr why) noexcept = 0;
    /// All ranks have recovered: runs are counted anew, since some may have begun more of them than others.
    virtual void on_recover() noexcept {}
    /// The last moment at which the communicator can be used.
    virtual void on_close() noexcept {}

protected:
    ~supervised_call() = default;
};

/// What becomes of the calls on one communicator: whether one has failed, so that others must not begin, and which are
/// under way. The data of a call never passes here.
class supervisor {
public:
    supervisor() = default;
    supervisor(supervisor const&) = delete;
    supervisor& operator=(supervisor const&) = delete;
    ~supervisor() { close(); }

    /// Incremented when a setting changes that invalidates prepared calls.
    [[nodiscard]] std::size_t const& generation() const { return generation_; }
    void begin_generation() { ++generation_; }

    /// A call has failed in communication because of `why`: from now on `require_sound` throws, and what was prepared
    /// before is prepared anew, so that calls on a sound communicator need not ask.
    void fail(std::string_view why) {
        if (failed_) { return; }
        failed_ = true;
        failure_ = why;
        begin_generation();
    }
    [[nodiscard]] bool failed() const { return failed_; }
    [[nodiscard]] std::string const& failure() const { return failure_; }
    void require_sound() const {
        if (failed_) { throw communicator_failed{failure_}; }
    }

    /// Runs `action`, of a call with this tag. If it throws, the communicator has failed: other ranks are notified,
    /// unless they know, and `abandon()` gives up what is under way.
    template <class C, class Action, class Abandon>
    void guard(C& world, int tag, Action const& action, Abandon const& abandon) {
        try {
            action();
        } catch (...) {
            auto const why = announce(world, tag, std::current_exception());
            abandon();
            std::rethrow_exception(why);
        }
    }

    /// The communicator has failed in a call with this tag. A failure that another rank has announced is not announced
    /// again. Result: what to throw.
    template <class C>
    [[gnu::noinline, gnu::cold]] std::exception_ptr announce(C& world, int tag, std::exception_ptr const& why) {
        auto cause = cause_of(world, why);
        try {
            std::rethrow_exception(cause);
        } catch (secondary_error const& follows) {
            auto const* const known = dynamic_cast<std::exception const*>(&follows);
            fail(known != nullptr ? known->what() : "another rank has failed");
        } catch (std::exception const& wrong) {
            announce(world, tag, failure_kind::call_failed, wrong.what());
        } catch (...) { announce(world, tag, failure_kind::call_failed, "an unknown exception"); }
        return cause;
    }
    template <class C>
    void announce(C& world, int tag, failure_kind what, std::string_view why) {
        fail(why);
        world.notify_all(what, tag, why);
    }

    [[nodiscard]] bool has_hooks() const { return hooks_ != 0; }
    [[nodiscard]] bool has_hook(call_hook which) const { return (hooks_ & static_cast<unsigned>(which)) != 0; }
    void set_hook(call_hook which, bool wanted) {
        hooks_ = (hooks_ & ~static_cast<unsigned>(which)) | (wanted ? static_cast<unsigned>(which) : 0U);
    }

    /// Whether earlier calls decide how later ones are performed. Then a rank that refuses a call which the others make
    /// has failed: all recover, and forget.
    void remember_calls(bool wanted) { remembers_calls_ = wanted; }
    [[nodiscard]] bool remembers_calls() const { return remembers_calls_; }

    /// Adds a call for as long as it may be under way.
    void add(supervised_call& one) { calls_.push_back(&one); }
    void remove(supervised_call const& one) {
        calls_.erase_if([&](supervised_call const* each) { return each == &one; });
    }

    /// The call that is under way with this tag; null if there is none.
    [[nodiscard]] supervised_call const* under_way(int tag) const {
        for (auto const* const each : calls_) {
            if (each->is_under_way() && each->tag() == tag) { return each; }
        }
        return nullptr;
    }

    /// Whether this rank has a call, or plan, with this tag and number.
    [[nodiscard]] bool has(int tag, std::int64_t number) const {
        return std::any_of(calls_.begin(), calls_.end(),
                           [&](auto const* each) { return each->tag() == tag && each->run() >> 32 == number; });
    }

    /// That call in a sentence, without counts, which may be many.
    [[nodiscard, gnu::cold]] std::string text_of_call(int tag) const {
        auto const* const found = under_way(tag);
        if (found == nullptr || found->entered().collective.empty()) { return "a message"; }
        auto entered = found->entered();
        entered.counts = {};
        return text_of(entered, true);
    }

    [[nodiscard]] bool any_under_way() const {
        return std::any_of(calls_.begin(), calls_.end(), [](auto const* each) { return each->is_under_way(); });
    }

    /// The innermost call in which this rank waits; null if there is none.
    [[nodiscard]] supervised_call const* waiting() const { return waiting_; }

    /// Lives while this rank waits in a call.
    class waiting_scope {
    public:
        waiting_scope(supervisor& here, supervised_call const& where)
            : here_{here}, outer_{std::exchange(here.waiting_, &where)} {}
        waiting_scope(waiting_scope const&) = delete;
        waiting_scope& operator=(waiting_scope const&) = delete;
        ~waiting_scope() { here_.waiting_ = outer_; }

    private:
        supervisor& here_;
        supervised_call const* outer_;
    };

    /// Seconds after which a rank that waits without success gives up; 0: never.
    [[nodiscard]] double time_limit() const { return time_limit_; }
    void time_limit(double seconds) { time_limit_ = seconds; }

    /// The communicator is about to end: calls `on_close` of its calls, the newest first, and forgets them.
    void close() noexcept {
        while (!calls_.empty()) {
            auto* const last = calls_.back();
            calls_.pop_back();
            last->on_close();
        }
    }

    /// The communicator can be used again after `action()`, in which all ranks meet; calls under way are lost.
    template <class Action>
    void recover(Action action) {
        for (auto* const each : calls_) {
            if (each->is_under_way()) {
                each->abandon(std::make_exception_ptr(
                    communicator_failed{"this plan was running when the communicator recovered"}));
            }
        }
        action();
        for (auto* const each : calls_) { each->on_recover(); }
        failed_ = false;
        ++recoveries_;
        begin_generation();
    }
    /// How often all ranks have done so.
    [[nodiscard]] std::size_t recoveries() const { return recoveries_; }

private:
    // A rank whose message was withdrawn has been sent the reason before, which is the sender's failure.
    template <class C>
    [[nodiscard]] static std::exception_ptr cause_of(C& world, std::exception_ptr const& why) noexcept {
        try {
            std::rethrow_exception(why);
        } catch (message_withdrawn const&) {
            try {
                // MPI_Iprobe may take a message in at one look and report it at the next
                for (int look = 0; look != 10; ++look) { world.poll_notices(); }
            } catch (...) { return std::current_exception(); }
        } catch (...) {  // its type is enough
        }
        return why;
    }

    std::size_t generation_ = 0;
    std::size_t recoveries_ = 0;
    bool failed_ = false;
    unsigned hooks_ = 0;
    bool remembers_calls_ = false;
    std::string failure_;  // the first one
    dynamic_array<supervised_call*> calls_;
    supervised_call const* waiting_ = nullptr;
    double time_limit_ = 0;
};

}  // namespace tutti::control
