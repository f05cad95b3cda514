// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tutti/language.hpp>

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
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

/// A completed request: its position in the tested span, and the bytes received. After `receive_lent` also the sender's
/// memory, and an opaque lease. `error` is not 0 if this message alone has failed.
struct completion {
    std::size_t index = 0;
    std::size_t bytes = 0;
    int error = 0;
    bool may_change = false;  ///< the lent memory, if the sender gives the message up, see `fetch`
    std::byte const* lent = nullptr;
    void* lease = nullptr;
};

/// Which threads of a process may call, as MPI's levels: the one that initialised it, one at a time, or all.
enum class thread_level { single, funneled, serialized, multiple };

/// Tags, both ends included.
struct tag_limits {
    int first;
    int last;
};

/// Defaults of the optional members of a `communicator`, so that no other code asks for the abilities of a model.
/// Models derive from it and hide the functions that they implement. The table of communicator/README.md has the
/// meaning of each member, and the test that a model must pass.
template <class C>
class communicator_defaults {
public:
    static constexpr bool one_address_space = false;
    static constexpr bool pools_requests = false;
    static constexpr bool compares_calls = false;
    void enter(control::call const& /*entered*/) {}

    struct waiting_scope {
        explicit waiting_scope(C const& /*world*/) {}
    };

    [[nodiscard]] bool send_at_once(int /*peer*/, int /*tag*/, std::span<std::byte const> /*data*/) { return false; }

    [[nodiscard]] bool lends() const;
    [[nodiscard]] bool lends(int /*peer*/) const { return true; }
    [[nodiscard]] std::size_t lent_limit() const { return static_cast<std::size_t>(self().message_limit()); }
    void give_back(completion const& /*done*/) {}
    static constexpr bool lends_operands = false;
    static constexpr bool fetches_memory = false;
    void fetch(completion const& /*done*/, std::size_t /*offset*/, std::span<std::byte> /*into*/) {}

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

    void sharing(memory_sharing /*how*/) {}
    [[nodiscard]] bool shares_memory() const { return false; }
    bool share_memory(bool /*wanted*/) { return false; }
    [[nodiscard]] std::string transport() const { return {}; }
    [[nodiscard]] bool count_call(std::size_t /*bytes*/) { return false; }
    [[nodiscard]] int sharing_tag() const { return 0; }
    template <class Wait>
    void consider_sharing(Wait /*wait*/) {}

    [[nodiscard]] int new_call_tag() { return 0; }
    [[nodiscard]] std::int64_t number_of(int /*tag*/) const { return 0; }
    void release_tag(int /*tag*/) {}
    void discard_unmatched(int /*tag*/) {}
    [[nodiscard]] int tag_for(int /*peer*/, int tag, std::size_t /*bytes*/) const { return tag; }

    void note_zero_count(int /*tag*/, control::call const& /*entered*/) {}
    void require_no_unmatched_messages() {}
    void require_readable(void const* /*first*/) const {}
    [[nodiscard]] funneled_ranks funneled() const { return {}; }
    void end_exchange() {}

    [[noreturn]] void raise(completion const& /*failed*/) const {
        throw std::runtime_error{"tutti: a message has failed"};
    }
    void notify_all(control::failure_kind /*what*/, int /*tag*/, std::string_view /*why*/) {}
    void poll_notices() {}
    template <class Request>
    void give_up(std::span<Request> requests, int /*tag*/) {
        for (auto const& each : requests) { self().cancel(each); }
    }
    void recover() {}

    [[nodiscard]] static std::int64_t now() {
        return std::chrono::nanoseconds{std::chrono::steady_clock::now().time_since_epoch()}.count();
    }

    [[nodiscard]] node_map const& nodes() const { return nodes_; }
    void nodes(node_map const& map) {
        map.check_size(static_cast<std::size_t>(self().size()));
        nodes_ = map;
    }

    [[nodiscard]] std::unique_ptr<C> duplicate() { return nullptr; }
    [[nodiscard]] static tag_limits duplicate_tags() { return {1 << 29, std::numeric_limits<int>::max()}; }
    [[nodiscard]] static thread_level thread_support() { return thread_level::multiple; }

private:
    [[nodiscard]] C const& self() const { return static_cast<C const&>(*this); }
    [[nodiscard]] C& self() { return static_cast<C&>(*this); }

    node_map nodes_;
};

/// The requirements on a communicator, and no more; see the table of communicator/README.md.
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
    c.discard_unmatched(tag);
    { c.tag_for(peer, tag, std::size_t{}) } -> std::same_as<int>;
    c.note_zero_count(tag, control::call{});
    c.require_no_unmatched_messages();
    c.require_readable(memory.data());
    { (c.end_exchange(), c.funneled()) } -> std::same_as<funneled_ranks>;
    c.raise(done.front());
    c.notify_all(control::failure_kind::call_failed, tag, std::string_view{});
    c.poll_notices();
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

namespace messaging {

/// Whether the clock stands still while a rank computes, because time is simulated.
template <communicator C>
[[nodiscard]] bool is_simulated() {
    auto const begun = C::now();
    for (int i = 0; i < 1000; ++i) {
        if (C::now() != begun) { return false; }
    }
    return true;
}

}  // namespace messaging

}  // namespace tutti
