// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tutti/language.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <tutti/communicator/world.hpp>
#include <tutti/dynamic_array.hpp>
#include <tutti/error.hpp>
#include <tutti/node_map.hpp>

namespace tutti {

/// A request that has ended: its position in the span that was tested, and the bytes received. After `receive_in_place`
/// also the sender's memory, and an opaque lease. `error` is not 0 if the message has failed, and only the message: see
/// `reports_failures`.
struct completion {
    std::size_t index = 0;
    std::size_t bytes = 0;
    int error = 0;
    bool may_change = false;  ///< the lent memory, if the sender gives the message up, see `fetches_memory`
    std::byte const* lent = nullptr;
    void* lease = nullptr;
};

/// The record of a collective call that a rank enters. Communicators that can compare those of all ranks (threads)
/// report a mismatch; others ignore them. The string_views must have static lifetime.
struct call {
    static constexpr std::size_t known_to_root = static_cast<std::size_t>(-1);

    std::string_view collective;
    std::string_view algorithm;
    std::string_view element;          ///< name of the element type
    std::size_t elements = 0;          ///< of the whole vector; or `known_to_root`, since counts are
    std::optional<int> root;
    std::span<std::size_t const> counts = {};  ///< of each rank, where they may differ
};

class held_algorithm;

/// A call, or a run of a plan, in which this rank is, for ranks that wait for it in vain.
class waiting_call {
public:
    waiting_call() = default;
    waiting_call(waiting_call const&) = delete;
    waiting_call& operator=(waiting_call const&) = delete;

    [[nodiscard]] virtual bool is_under_way() const = 0;
    [[nodiscard]] virtual int tag() const = 0;
    /// The number of earlier runs with this tag, of a plan.
    [[nodiscard]] virtual int run() const = 0;
    [[nodiscard]] virtual call const& entered() const = 0;
    /// All ranks whose messages, or receives, are still awaited, or some of them.
    [[nodiscard]] virtual dynamic_array<int> awaited() const = 0;

protected:
    ~waiting_call() = default;
};

/// Objects that others keep on a communicator for as long as it lives, one per type or key. They are destroyed in
/// reverse order of creation.
class attachments {
public:
    attachments() = default;
    attachments(attachments const&) = delete;
    attachments& operator=(attachments const&) = delete;
    ~attachments() { clear(); }

    void clear() {
        while (!kept_.empty()) {
            // removed from the list before it is destroyed, since its destructor may look for other objects
            auto const last = kept_.back();
            kept_.pop_back();
            last.end(last.object);
        }
    }

    template <class T>
    [[nodiscard]] T& get() {
        return get<T>(&key_of<T>);
    }

    /// The object of a key, where there are several of a type: `wanted` is an address that stands for T and stays valid
    /// as long.
    template <class T>
    [[nodiscard]] T& get(void const* wanted) {
        // Every collective call asks for two of a handful: addresses are compared fastest.
        for (auto const& each : kept_) {
            if (each.key == wanted) { return *static_cast<T*>(each.object); }
        }
        kept_.reserve(kept_.size() + 1);  // before there is an object that could get lost
        auto* const fresh = new T();
        kept_.push_back({wanted, fresh, [](void* object) noexcept { delete static_cast<T*>(object); }});
        return *fresh;
    }

    /// Incremented when a setting changes that invalidates prepared calls.
    [[nodiscard]] std::size_t generation() const { return generation_; }
    void begin_generation() { ++generation_; }

    /// A call has failed in communication because of `why`: from now on `require_sound` throws, and what was prepared
    /// before is prepared anew, so that calls on a sound communicator need not ask.
    void fail(std::string_view why) {
        if (failed_) { return; }
        failed_ = true;
        failure_ = why;
        begin_generation();
    }
    void end_failure() {
        failed_ = false;
        begin_generation();
    }
    [[nodiscard]] bool failed() const { return failed_; }
    void require_sound() const {
        if (failed_) { throw communicator_failed{failure_}; }
    }

    /// Whether calls are compared before they begin; all ranks say the same.
    [[nodiscard]] bool checks_calls() const { return checks_calls_; }
    void checks_calls(bool wanted) { checks_calls_ = wanted; }

    /// The function that makes the algorithm of a call that names none, from the name of its collective; null: tutti
    /// chooses.
    using held_by_name = held_algorithm* (*)(std::string_view collective);
    [[nodiscard]] held_by_name held_by_default() const { return held_by_default_; }
    void held_by_default(held_by_name hold) {
        if (hold != held_by_default_) { begin_generation(); }
        held_by_default_ = hold;
    }

    /// Adds a call for as long as it may be under way. Calls that are left when the communicator ends are forgotten.
    void add(waiting_call const& one) { calls_.push_back(&one); }
    void remove(waiting_call const& one) {
        calls_.erase_if([&](waiting_call const* each) { return each == &one; });
    }

    /// The call that is under way with this tag; null if there is none.
    [[nodiscard]] waiting_call const* under_way(int tag) const {
        for (auto const* const each : calls_) {
            if (each->is_under_way() && each->tag() == tag) { return each; }
        }
        return nullptr;
    }

    [[nodiscard]] bool any_under_way() const {
        for (auto const* const each : calls_) {
            if (each->is_under_way()) { return true; }
        }
        return false;
    }

    /// The innermost call in which this rank waits; null if there is none.
    [[nodiscard]] waiting_call const* waiting() const { return waiting_; }

    /// Lives while this rank waits in a call.
    class waiting_scope {
    public:
        waiting_scope(attachments& here, waiting_call const& where)
            : here_{here}, outer_{std::exchange(here.waiting_, &where)} {}
        waiting_scope(waiting_scope const&) = delete;
        waiting_scope& operator=(waiting_scope const&) = delete;
        ~waiting_scope() { here_.waiting_ = outer_; }

    private:
        attachments& here_;
        waiting_call const* outer_;
    };

    /// Seconds after which a rank that waits in vain gives up; 0: never.
    [[nodiscard]] double timeout() const { return timeout_; }
    void timeout(double seconds) { timeout_ = seconds; }

private:
    template <class T>
    static inline char key_of = 0;

    struct attachment {
        void const* key;
        void* object;
        void (*end)(void*) noexcept;
    };

    std::size_t generation_ = 0;
    bool failed_ = false;
    bool checks_calls_ = false;
    held_by_name held_by_default_ = nullptr;
    std::string failure_;  // the first one
    dynamic_array<waiting_call const*> calls_;
    waiting_call const* waiting_ = nullptr;
    double timeout_ = 0;
    dynamic_array<attachment> kept_;
};

/// What the executor needs of a communicator, and no more.
///
/// A `request` is a small copyable value; `C::inactive()` is one without an operation. Messages between
/// two ranks with one tag arrive in the order in which they were sent. `send` and `receive` return at once;
/// the memory belongs to the communicator until `test_some` or `wait_some` has reported the request, which makes it
/// inactive. Both write completions to the front of `done` and return how many; `wait_some` blocks until
/// there is at least one; without an active request both return 0 at once. A message may be shorter than the
/// memory that receives it; `completion::bytes` is its length. `cancel` gives up a request for good: after an
/// error only. `message_limit` is the largest number of bytes one message may have. `new_tag` gives the same
/// sequence of tags on all ranks; tag 0 is not among them. `attached` keeps what others store with the communicator.
template <class C>
concept communicator = requires(C& c, int peer, int tag, std::span<std::byte const> data, std::span<std::byte> memory,
                                std::span<typename C::request> requests, std::span<completion> done) {
    requires std::copyable<typename C::request>;
    { C::inactive() } -> std::same_as<typename C::request>;
    { c.rank() } -> std::convertible_to<int>;
    { c.size() } -> std::convertible_to<int>;
    { c.send(peer, tag, data) } -> std::same_as<typename C::request>;
    { c.receive(peer, tag, memory) } -> std::same_as<typename C::request>;
    { c.test_some(requests, done) } -> std::same_as<std::size_t>;
    { c.wait_some(requests, done) } -> std::same_as<std::size_t>;
    { c.cancel(requests.front()) };
    { c.message_limit() } -> std::convertible_to<std::size_t>;
    { c.new_tag() } -> std::same_as<int>;
    { c.attached() } -> std::same_as<attachments&>;
};

/// A communicator that lends the receiver the memory in which a message lies: no copy there, no scratch. The request
/// ends when the message is there; `completion::lent` is that memory from then until `give_back`, for which the send
/// may wait. `bytes` is the length that the receiver expects; a shorter message is allowed. Bytes only, see
/// `lends_objects`. A communicator that lends at times only says when: `lends_now`.
template <class C>
concept lends_memory = communicator<C> && requires(C& c, int peer, int tag, std::size_t bytes, completion const& done) {
    { c.receive_in_place(peer, tag, bytes) } -> std::same_as<typename C::request>;
    { c.give_back(done) };
};

/// Thrown by `fetch` where the message is out of reach: the sender's memory is gone.
struct fetch_failed : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Thrown by `fetch` where the sender has given the message up.
struct message_withdrawn final : fetch_failed, secondary_error {
    [[gnu::cold]] message_withdrawn()
        : fetch_failed{"tutti: another rank has given up the call whose message this rank was reading"} {}
};

/// A communicator that may lend memory that only it can read: where `completion::lent` is null although there is a
/// lease, `fetch` copies a part of the message, from the byte `offset` on, until it is given back. Where lent memory
/// `may_change`, an empty `fetch` after reading throws if it may have changed.
template <class C>
concept fetches_memory =
    lends_memory<C> && requires(C& c, completion const& done, std::size_t offset, std::span<std::byte> into) {
        { c.fetch(done, offset, into) };
    };

/// Whether programs started now may receive in place from some rank; the same on all ranks.
template <class C>
[[nodiscard]] constexpr bool lends_now(C const& c) {
    if constexpr (requires { c.lends(); }) {
        return c.lends();
    } else {
        return lends_memory<C>;
    }
}

/// Whether messages of that rank, and to it, may be received in place, where some may. The same on both ranks.
template <class C>
[[nodiscard]] constexpr bool lends_between(C const& c, int peer) {
    if constexpr (requires { c.lends(peer); }) {
        return c.lends(peer);
    } else {
        return true;
    }
}

/// Bytes of the longest message that may be received in place, where some may. The same on both ranks.
template <communicator C>
[[nodiscard]] constexpr std::size_t lent_limit(C const& c) {
    if constexpr (requires { c.lent_limit(); }) {
        return c.lent_limit();
    } else {
        return static_cast<std::size_t>(c.message_limit());
    }
}

/// A communicator that lends the sender's own memory, within one process: what lies there are the sender's elements, of
/// any type.
template <class C>
concept lends_objects = lends_memory<C> && C::one_address_space;

/// A communicator whose requests any object of its type tests and waits for, together with those of all others.
/// `progress_domain` is the same for callers whose requests may be mixed; it is null where they never call at the same
/// time, and otherwise differs from thread to thread.
template <class C>
concept pools_requests = communicator<C> && requires {
    { C::progress_domain() } -> std::same_as<void const*>;
};

/// A communicator whose messages and ranks can fail by themselves. A message that has failed is reported by
/// `completion::error`, and thrown when asked to: `raise`; all others throw from `test_some` and `wait_some`, in whichever
/// call happens to be waiting. `tell_all` tells all other ranks what has happened to the messages with `tag`, without
/// waiting; ranks that would wait in vain throw it from `wait_some`, and from `hear`, which does not wait. `give_up` gives
/// up several requests whose messages have `tag`, as `cancel` does one, and meanwhile throws away messages with that tag:
/// ranks that give up each other's messages do not wait for each other.
template <class C>
concept reports_failures = communicator<C> &&
    requires(C& c, completion const& done, std::string_view why, int tag, std::span<typename C::request> requests) {
    c.raise(done);
    c.tell_all(failure_kind::call_failed, tag, why);
    c.hear();
    c.give_up(requests, tag);
};

/// A communicator that compares the calls of ranks that enter a collective, and throws on a mismatch: from `enter`, or
/// from its next function that matches messages or waits, but before a message of another call is received.
template <class C>
concept compares_calls = communicator<C> && requires(C& c, call const& entered) { c.enter(entered); };

/// The tag of the next blocking call. Where the communicator numbers them, `new_call_tag` gives the same sequence on all
/// ranks, of which `new_tag` gives none. One may come again once the calls before are over, so that messages of two calls
/// never meet, even where one of them was left out or refused on some ranks.
template <communicator C>
[[nodiscard]] int call_tag(C& ranks) {
    if constexpr (requires { ranks.new_call_tag(); }) {
        return ranks.new_call_tag();
    } else {
        return 0;  // a tag that new_tag never gives
    }
}

/// A communicator that can be used again after a failure: `recover` is called by all ranks, none of which has anything
/// under way; no message from before is received later.
template <class C>
concept recoverable = communicator<C> && requires(C& c) { c.recover(); };

/// A communicator that can send in ready mode. `send_ready` is `send` for a message whose receive is posted already,
/// and an error for others. `clear_to_send_tag` gives, for each tag, 0 included, a tag for the clear-to-send messages.
/// `ready_mode` keeps whether the user wants it, for the executor.
template <class C>
concept sends_ready =
    communicator<C> && requires(C& c, int peer, int tag, std::span<std::byte const> data, bool wanted) {
        { c.send_ready(peer, tag, data) } -> std::same_as<typename C::request>;
        { c.clear_to_send_tag(tag) } -> std::same_as<int>;
        { c.ready_mode() } -> std::same_as<bool>;
        { c.ready_mode(wanted) };
    };

/// A communicator that may send without a request: `send_at_once` says whether the message has left, as by `send`, and
/// its memory may be used again. If not, nothing has happened.
template <class C>
concept sends_at_once = communicator<C> && requires(C& c, int peer, int tag, std::span<std::byte const> data) {
    { c.send_at_once(peer, tag, data) } -> std::same_as<bool>;
};

/// Exists during a loop of waits: prepares once what the communicator would otherwise prepare for each wait_some and
/// test_some. Empty, unless the communicator has a `waiting_scope`.
template <class C>
struct waiting_scope {
    explicit waiting_scope(C& /*world*/) {}
};
template <class C>
    requires requires { typename C::waiting_scope; }
struct waiting_scope<C> : C::waiting_scope {
    using C::waiting_scope::waiting_scope;
};

/// A communicator with a clock: `now` is in nanoseconds, on a monotonic clock of this rank.
/// Where ranks are simulated it is the simulated time.
template <class C>
concept tells_time = communicator<C> && requires {
    { C::now() } -> std::same_as<std::int64_t>;
};

/// A communicator that knows which ranks share a node. The first time all ranks have to ask, and may find out together.
/// `nodes(map)` sets another map, on all ranks; a map for another number of ranks is an error.
template <class C>
concept tells_nodes = communicator<C> && requires(C& c, node_map const& map) {
    { c.nodes() } -> std::same_as<node_map const&>;
    { c.nodes(map) };
};

/// A communicator whose messages can go through memory that all its ranks share. `sharing(how)` says when they do.
/// `share_memory(wanted)` says whether they do from now on; all ranks call it, while nothing is under way. Memory that
/// has been shared once stays. `transport()` says which way messages go, and why. `count_call(bytes)` is called for
/// every blocking call, on all ranks alike, as long as `counts_calls`: it may share memory by itself.
template <class C>
concept may_share_memory = tells_nodes<C> && requires(C& c, bool wanted) {
    c.sharing(memory_sharing::automatic);
    { c.counts_calls() } -> std::same_as<bool>;
    { c.count_call(std::size_t{}) } -> std::same_as<bool>;
    { c.sharing_tag() } -> std::same_as<int>;
    { c.transport() } -> std::same_as<std::string>;
    { c.share_memory(wanted) } -> std::same_as<bool>;
    { c.shares_memory() } -> std::same_as<bool>;
};

/// A communicator of which another one can be made: the same ranks, and messages that never meet those of the first.
/// `duplicate` is called by all ranks. `allows_threads` says whether the two may be used at the same time, each by a
/// thread of its own.
template <class C>
concept duplicates_itself = communicator<C> && requires(C& c) {
    { c.duplicate() } -> std::same_as<std::unique_ptr<C>>;
    { c.allows_threads() } -> std::same_as<bool>;
};

/// A communicator that must not end while messages are on their way. `drain` receives and discards messages until all
/// ranks have called it and all of their `sends` have ended.
template <class C>
concept drains = communicator<C> && requires(C& c, std::span<typename C::request> sends) { c.drain(sends); };

namespace argument {

template <class C>
int rank_of(C const& world) {
    return world.rank();
}
template <class C>
int size_of(C const& world) {
    return world.size();
}

}  // namespace argument

/// The communicator behind `ranks`, for code that needs more of it than its name.
template <world World>
[[nodiscard]] auto& complete_communicator_of(World const& ranks) {
    auto& found = communicator_of<World>::get(ranks);
    using C = std::remove_cvref_t<decltype(found)>;
    static_assert(requires { sizeof(C); },
                  "tutti: where TUTTI_COMPILED is defined, this call needs one header more for MPI; include "
                  "<tutti/communicator/mpi/communicator.hpp>");
    return found;
}

}  // namespace tutti
