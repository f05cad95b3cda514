// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tutti/language.hpp>

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

#include <tutti/communicator/call.hpp>
#include <tutti/communicator/store.hpp>
#include <tutti/communicator/supervisor.hpp>
#include <tutti/communicator/world.hpp>
#include <tutti/error.hpp>
#include <tutti/node_map.hpp>

namespace tutti {

/// A request that has ended: its position in the span that was tested, and the bytes received. After `receive_lent`
/// also the sender's memory, and an opaque lease. `error` is not 0 if the message has failed, and only the message.
struct completion {
    std::size_t index = 0;
    std::size_t bytes = 0;
    int error = 0;
    bool may_change = false;  ///< the lent memory, if the sender gives the message up, see `fetch`
    std::byte const* lent = nullptr;
    void* lease = nullptr;
};

/// Defaults of what a model of `communicator` may leave out. Models derive from it and hide what they implement, so
/// that no other code asks what a model can do. A class that is derived from a model has the model's.
template <class C>
class communicator_defaults {
public:
    /// A message is the sender's own object, of any type, see `lends_objects`.
    static constexpr bool one_address_space = false;
    /// `progress_domain` is the name of a type, see `engine_of`.
    static constexpr bool pools_requests = false;
    /// `enter` compares the calls of ranks by itself and throws on a mismatch: there, or from the next function that
    /// matches messages or waits, but before a message of another call is received.
    static constexpr bool compares_calls = false;
    void enter(control::call const& /*entered*/) {}

    /// Exists during a loop of waits: prepares once what would otherwise be prepared for each wait_some and test_some.
    struct waiting_scope {
        explicit waiting_scope(C const& /*world*/) {}
    };

    /// Sends without a request, if that is possible now: whether the message has left, as by `send`, and its memory may
    /// be used again. If not, nothing has happened.
    [[nodiscard]] bool send_at_once(int /*peer*/, int /*tag*/, std::span<std::byte const> /*data*/) { return false; }

    /// Whether programs started now may receive memory that is lent: from some rank, the same on all ranks; from that
    /// rank, and by it, the same on both. And the longest message of which that is true, in bytes.
    [[nodiscard]] bool lends() const;
    [[nodiscard]] bool lends(int /*peer*/) const { return true; }
    [[nodiscard]] std::size_t lent_limit() const { return static_cast<std::size_t>(self().message_limit()); }
    /// Memory that was lent with a completion is not read any more.
    void give_back(completion const& /*done*/) {}
    /// Whether it may lend memory that only it can read: where `completion::lent` is null although there is a lease,
    /// `fetch` copies a part of the message, from the byte `offset` on, until it is given back. Where lent memory
    /// `may_change`, an empty `fetch` after reading throws if it may have changed.
    static constexpr bool fetches_memory = false;
    void fetch(completion const& /*done*/, std::size_t /*offset*/, std::span<std::byte> /*into*/) {}

    /// Whether the user wants messages in ready mode, and `send` for one whose receive is posted already.
    [[nodiscard]] bool ready_mode() const { return false; }
    void ready_mode(bool wanted) {
        if (!wanted) { return; }
        throw std::invalid_argument{
            "tutti: the ranks of this world have no ready mode (they read what they receive where the sender has it); "
            "configure an MPI_Comm or a boost::mpi::communicator, and leave others as they are"};
    }
    [[nodiscard]] auto send_ready(int peer, int tag, std::span<std::byte const> data) {
        return self().send(peer, tag, data);
    }

    /// Whether messages go through memory that ranks of a node share, where they can: how that is decided; from now on,
    /// which all ranks call while nothing is under way; and which way they go, and why.
    void sharing(memory_sharing /*how*/) {}
    [[nodiscard]] bool shares_memory() const { return false; }
    bool share_memory(bool /*wanted*/) { return false; }
    [[nodiscard]] std::string transport() const { return {}; }
    /// A blocking call of `bytes` bytes begins, see `call_watch::counting`: whether all ranks have to consider sharing
    /// now; `wait(request, peer)` waits for one of the messages by which they do, of that tag.
    [[nodiscard]] bool count_call(std::size_t /*bytes*/) { return false; }
    [[nodiscard]] int sharing_tag() const { return 0; }
    template <class Wait>
    void consider_sharing(Wait /*wait*/) {}

    /// The tag of the next blocking call: where calls are numbered, the same sequence on all ranks, none of which
    /// `new_tag` gives. One may come again once the calls before are over, so that messages of two calls never meet,
    /// even where one of them was left out or refused on some ranks. Else 0, which `new_tag` never gives.
    [[nodiscard]] int new_call_tag() { return 0; }
    /// Of the newest call that had the tag, or of the plan that has it: where tags come again, one number never does.
    [[nodiscard]] std::int64_t number_of(int /*tag*/) const { return 0; }

    /// This rank needs a tag of `new_tag` no more, which may be given again once no rank does.
    void release_tag(int /*tag*/) {}

    /// The tag of a message of `bytes` bytes of a call or plan with `tag`, on both sides: a communicator may keep those
    /// of another length from being received.
    [[nodiscard]] int tag_for(int /*peer*/, int tag, std::size_t /*bytes*/) const { return tag; }

    /// This rank exchanges nothing with some ranks in this call, for want of elements; if they have some, that is
    /// noticed later: the second function, at the end of another call, throws if it has been.
    void leave_empty(int /*tag*/, control::call const& /*entered*/) {}
    void require_empty_calls() {}

    /// Throws for memory that the processor cannot read. Asked before a call of new vectors, and not of each.
    void require_readable(void const* /*first*/) const {}

    /// Throws the error of a message that has failed by itself, which its `completion::error` describes. All other
    /// errors are thrown by `test_some` and `wait_some`, in whichever call happens to be waiting.
    [[noreturn]] void raise(completion const& /*failed*/) const {
        throw std::runtime_error{"tutti: a message has failed"};
    }
    /// Tells all other ranks, without waiting, what has happened to the messages with `tag`: ranks that would wait in
    /// vain throw it from `wait_some`, and from `hear`, which does not wait.
    void tell_all(control::failure_kind /*what*/, int /*tag*/, std::string_view /*why*/) {}
    void hear() {}
    /// Gives up requests whose messages have `tag`, as `cancel` does one, and meanwhile throws away messages with that
    /// tag: ranks that give up each other's messages do not wait for each other.
    template <class Request>
    void give_up(std::span<Request> requests, int /*tag*/) {
        for (auto const& each : requests) { self().cancel(each); }
    }
    /// After a failure: called by all ranks, none of which has anything under way; no message from before is received
    /// later.
    void recover() {}

    /// Nanoseconds on a monotonic clock of this rank; where ranks are simulated, the simulated time.
    [[nodiscard]] static std::int64_t now() {
        return std::chrono::nanoseconds{std::chrono::steady_clock::now().time_since_epoch()}.count();
    }

    /// Which ranks share a node: one for all, unless another map is set, on all ranks. The first time all ranks have to
    /// ask, and may find out together. A map for another number of ranks is an error.
    [[nodiscard]] node_map const& nodes() const { return nodes_; }
    void nodes(node_map const& map) {
        map.check_size(static_cast<std::size_t>(self().size()));
        nodes_ = map;
    }

private:
    [[nodiscard]] C const& self() const { return static_cast<C const&>(*this); }
    [[nodiscard]] C& self() { return static_cast<C&>(*this); }

    node_map nodes_;
};

/// What everything else needs of a communicator, and no more: the following, and what `communicator_defaults` has.
///
/// A `request` is a small copyable value; `C::inactive()` is one without an operation. Messages between
/// two ranks with one tag arrive in the order in which they were sent. `send` and `receive` return at once;
/// the memory belongs to the communicator until `test_some` or `wait_some` has reported the request, which makes it
/// inactive. Both write completions to the front of `done` and return how many; `wait_some` blocks until
/// there is at least one; without an active request both return 0 at once. A message may be shorter than the
/// memory that receives it; `completion::bytes` is its length. `cancel` gives up a request for good: after an
/// error only. `message_limit` is the largest number of bytes one message may have. `new_tag` gives the same
/// sequence of tags on all ranks; tag 0 is not among them, nor is one that a rank still holds, see `release_tag`.
/// `store` keeps what others keep with the communicator, `supervisor` what becomes of its calls; this ends first.
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
    { c.store() } -> std::same_as<tutti::control::store&>;
    { c.supervisor() } -> std::same_as<tutti::control::supervisor&>;

    // by default:
    typename C::waiting_scope;
    { c.send_at_once(peer, tag, data) } -> std::same_as<bool>;
    { c.lends() } -> std::same_as<bool>;
    { c.lends(peer) } -> std::same_as<bool>;
    { c.lent_limit() } -> std::same_as<std::size_t>;
    c.give_back(done.front());
    { c.new_call_tag() } -> std::same_as<int>;
    { c.number_of(tag) } -> std::same_as<std::int64_t>;
    c.release_tag(tag);
    { c.tag_for(peer, tag, std::size_t{}) } -> std::same_as<int>;
    c.leave_empty(tag, control::call{});
    c.require_empty_calls();
    c.require_readable(memory.data());
    c.raise(done.front());
    c.tell_all(control::failure_kind::call_failed, tag, std::string_view{});
    c.hear();
    c.give_up(requests, tag);
    c.recover();
    { C::now() } -> std::same_as<std::int64_t>;
    { c.nodes() } -> std::same_as<node_map const&>;
    c.nodes(node_map{});
};

namespace control {

/// A communicator that lends the receiver the memory in which a message lies: no copy there, no scratch. The request
/// ends when the message is there; `completion::lent` is that memory from then until `give_back`, for which the send
/// may wait. `bytes` is the length that the receiver expects; a shorter message is allowed. Bytes only, see
/// `lends_objects`. A communicator that lends at times only has `lends()`.
template <class C>
concept lends_memory = communicator<C> && requires(C& c, int peer, int tag, std::size_t bytes) {
    { c.receive_lent(peer, tag, bytes) } -> std::same_as<typename C::request>;
};

}  // namespace control

template <class C>
bool communicator_defaults<C>::lends() const {
    return control::lends_memory<C>;
}

namespace control {

/// A communicator that lends the sender's own memory, within one process: what lies there are the sender's elements, of
/// any type.
template <class C>
concept lends_objects = lends_memory<C> && C::one_address_space;

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

}  // namespace control

}  // namespace tutti
