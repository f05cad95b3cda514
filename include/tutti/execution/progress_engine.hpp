// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <span>
#include <utility>

#include <tutti/communicator.hpp>
#include <tutti/dynamic_array.hpp>

namespace tutti::engine {

/// A message, or a piece of one, that is under way for an instruction: elements [first, first + count).
struct fragment {
    std::uint32_t instruction = 0;
    bool outgoing = false;
    std::size_t first = 0;
    std::size_t count = 0;
    std::size_t user = 0;  ///< user of the sender's or receiver's staging ring
};

/// An object that is called back when its messages complete.
class completion_handler {
public:
    virtual void ended(fragment const& what, completion const& how) = 0;

protected:
    ~completion_handler() = default;
};

/// Requests that are waited for together. A wait makes progress for all messages: a plan that was
/// started and not waited for makes progress while the rank waits for another one, as MPI demands of
/// collectives in flight together.
///
/// A progress engine with a `domain` is owned by one thread; others may lock it briefly, see `enter`.
template <communicator C>
class progress_engine {
public:
    // How many messages are under way at once depends on timing: room for more than that, so that a plan which has run
    // once allocates nothing.
    explicit progress_engine(void const* domain = nullptr) : domain_{domain} { reserve(initial_capacity); }

    progress_engine(progress_engine const&) = delete;
    progress_engine& operator=(progress_engine const&) = delete;
    ~progress_engine() = default;

    [[nodiscard]] void const* domain() const { return domain_; }

    /// Whether the calling thread owns this engine. Only the owner may `wait`, since that holds the lock.
    [[nodiscard]] bool is_owner_thread() const {
        if constexpr (C::pools_requests) { return C::progress_domain() == domain_; }
        return true;
    }

    /// Everything below is done while this lock is held. It costs nothing where the engine has no domain.
    using visit = std::unique_lock<std::recursive_mutex>;
    [[nodiscard]] visit enter() { return domain_ != nullptr ? visit{inside_} : visit{inside_, std::defer_lock}; }

    /// For a thread that does not own this: locks unless another thread holds the lock.
    [[nodiscard]] visit try_enter() { return visit{inside_, std::try_to_lock}; }

    /// Reserves room for `messages` more requests.
    void expect(std::size_t messages) {
        if (done_.size() < initial_capacity + messages) { reserve(initial_capacity + messages); }
    }

    void post(typename C::request request, completion_handler& owner, fragment const& what) {
        if (requests_.size() == done_.size()) { reserve(2 * done_.size()); }
        requests_.push_back(request);
        entries_.push_back({&owner, what});
    }

    /// Dispatches the requests that have completed; false if none has.
    bool test(C& world) {
        report();
        if (!requests_.empty()) { collect(world.test_some(requests_, done_)); }
        return dispatch();
    }

    /// Waits until a request has completed and dispatches it; false if none is under way.
    [[nodiscard]] bool wait(C& world) {
        report();
        if (!has_pending()) {
            auto const count = world.wait_some(requests_, done_);
            if (count == 1) { return dispatch(done_.front()), true; }
            collect(count);
        }
        return dispatch();
    }

    /// Dispatches completions of `owner` alone, on any thread; false if no request at all is under way.
    bool test_for(C& world, completion_handler const& owner) {
        report();
        bool const any = !requests_.empty() || has_pending();
        collect(world.test_some(requests_, done_));
        for (auto* next = pending_of(owner); next != completed_.end(); next = pending_of(owner)) {
            auto const [who, how] = *next;
            completed_.erase(next);
            who.owner->ended(who.what, how);
        }
        return any;
    }

    /// Makes progress while the owners of messages compute. Completions and errors are dispatched by the next
    /// test or wait.
    void progress(C& world) noexcept {
        if (requests_.empty() || deferred_error_) { return; }
        try {
            collect(world.test_some(requests_, done_));
        } catch (...) { deferred_error_ = std::current_exception(); }
    }

    /// Gives up all messages of `owner`, which have `tag`; none of them is dispatched any more.
    [[gnu::cold]] void cancel(C& world, completion_handler const& owner, int tag) {
        dynamic_array<typename C::request> given_up;
        for (auto i = entries_.size(); i-- != 0;) {
            if (entries_[i].owner == &owner) {
                given_up.push_back(requests_[i]);
                remove(i);
            }
        }
        world.give_up(std::span{given_up}, tag);
        for (auto* next = pending_of(owner); next != completed_.end(); next = pending_of(owner)) {
            if (next->how.lease != nullptr) { world.give_back(next->how); }
            completed_.erase(next);
        }
    }

private:
    static constexpr std::size_t initial_capacity = 256;

    struct entry {
        completion_handler* owner;
        fragment what;
    };
    struct completed_entry {
        entry who;
        completion how;
    };

    void reserve(std::size_t messages) {
        requests_.reserve(messages);
        entries_.reserve(messages);
        done_.resize(messages);
        completed_.reserve(messages);
    }

    void report() {
        if (deferred_error_) { std::rethrow_exception(std::exchange(deferred_error_, nullptr)); }
    }

    [[nodiscard]] bool has_pending() const { return dispatched_ != completed_.size(); }
    [[nodiscard]] auto first_pending() { return completed_.begin() + dispatched_; }
    [[nodiscard]] auto pending_of(completion_handler const& owner) {
        return std::find_if(first_pending(), completed_.end(),
                            [&](completed_entry const& each) { return each.who.owner == &owner; });
    }

    // Handlers post again, and an operator may even enter another collective: completed requests are removed from the
    // list before any handler is called.
    void collect(std::size_t count) {
        auto const done = std::span{done_}.first(count);
        if (count > 1) {
            // most communicators report completions in the order of the requests
            if (done.front().index < done.back().index) { std::reverse(done.begin(), done.end()); }
            container::insertion_sort(done.data(), done.data() + count,
                           [](completion const& a, completion const& b) { return a.index > b.index; });
        }
        if (completed_.size() + count > completed_.capacity()) {
            completed_.erase(completed_.begin(), first_pending());
            dispatched_ = 0;
        }
        for (auto const& how : done) {
            completed_.push_back({entries_[how.index], how});
            remove(how.index);
        }
        if (count > 1) { container::insertion_sort(first_pending(), completed_.end(), precedes); }
    }

    // Combining may take long: completions that other ranks may wait for come first, as in the program.
    [[nodiscard]] static bool precedes(completed_entry const& a, completed_entry const& b) {
        auto const& one = a.who.what;
        auto const& other = b.who.what;
        if (one.outgoing != other.outgoing) { return one.outgoing; }
        if (one.instruction != other.instruction) { return one.instruction < other.instruction; }
        return one.first < other.first;
    }

    // By value: owners post again, and wait again.
    void dispatch(completion how) {
        auto const who = entries_[how.index];
        remove(how.index);
        who.owner->ended(who.what, how);
    }

    bool dispatch() {
        bool const any = has_pending();
        while (has_pending()) {
            auto const [who, how] = completed_[dispatched_++];
            if (!has_pending()) {
                completed_.clear();
                dispatched_ = 0;
            }
            who.owner->ended(who.what, how);
        }
        return any;
    }

    void remove(std::size_t i) {
        requests_[i] = requests_.back();
        entries_[i] = entries_.back();
        requests_.pop_back();
        entries_.pop_back();
    }

    void const* domain_;
    std::recursive_mutex inside_;
    dynamic_array<typename C::request> requests_;
    dynamic_array<entry> entries_;
    dynamic_array<completion> done_;
    dynamic_array<completed_entry> completed_;
    std::size_t dispatched_ = 0;
    std::exception_ptr deferred_error_;
};

/// The progress engines of communicators that share them: one for each domain, until the program ends. They decide who
/// waits for which messages, not which there are.
///
/// A plan that one thread has started and another waits for stays where it was started. A thread that begins at the
/// address of one that has ended takes over its progress engine, so there are no more of them than threads at one time.
template <communicator C>
class engines {
public:
    [[nodiscard]] static progress_engine<C>& of(void const* domain) {
        static auto& all = *new engines;
        auto const lock = std::lock_guard{all.guard_};
        for (auto* const each : all.engines_) {
            if (each->domain() == domain) { return *each; }
        }
        all.engines_.reserve(all.engines_.size() + 1);
        all.engines_.push_back(new progress_engine<C>{domain});
        return *all.engines_.back();
    }

private:
    engines() = default;

    std::mutex guard_;
    dynamic_array<progress_engine<C>*> engines_;
};

/// The progress engine for what the calling thread starts on `world`: its own, or where it `pools_requests` one of all
/// such objects of its type, any of which tests and waits for the requests of all. `progress_domain` is the same for
/// callers whose requests may be mixed; it is null where they never call at the same time, and otherwise differs from
/// thread to thread.
template <communicator C>
[[nodiscard]] progress_engine<C>& engine_of([[maybe_unused]] C& world) {
    if constexpr (C::pools_requests) {
        return engines<C>::of(C::progress_domain());
    } else {
        return world.store().template get<progress_engine<C>>();
    }
}

}  // namespace tutti::engine
