// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>

#include <tutti/communicator.hpp>
#include <tutti/element.hpp>
#include <tutti/execution/progress_engine.hpp>
#include <tutti/execution/unexpected_messages.hpp>
#include <tutti/program.hpp>

namespace tutti::engine {

/// How far a send has come.
enum class sending {
    begun,   ///< a part of it has still to be posted
    posted,  ///< all of it has been
    ended    ///< nothing of it is under way any more
};

/// What the executor asks of a class that moves the messages of a program for elements of type T: `messages`, of
/// elements that travel as bytes, and `packed_messages`, of serialised ones. Instructions are given by their numbers.
///
/// - reset(engine, tag): begins another run, whose messages belong to `engine` and have `tag`; false if the
/// communicator
///   has other limits than this was made for, and another one has to be made.
/// - lends(what): whether what a receive brings stays in the sender's memory until it is released.
/// - prepare(i): runs what of the user's code a send needs, serialisation, which may throw; once, before `send`.
/// - send(i, missing): posts what can be posted of a send, without data if they are missing.
/// - receive(i): posts what can be posted of a receive; true if all of it has been.
/// - under_way(i): the number of messages of instruction i that have been posted and have not completed.
/// - sent(piece): a message of a send has completed; true if it was the last one.
/// - arrived(piece, how): a message of a receive has completed: the elements that are there now, if any.
/// - release(received): these elements are no longer needed.
///
/// One that lends may also `keep` elements that cannot be combined yet, so that their send completes, and
/// `require_unchanged` ones that their sender may have changed meanwhile. How the combiner reads elements that have
/// arrived, `incoming`, is between it and the transport.
template <class X, class C, class T>
concept transport = requires(X& moves, progress_engine<C>& engine, instruction const& what, std::uint32_t i, int tag,
                             fragment const& piece, completion const& how, received_fragment<T> const& received) {
    { moves.reset(engine, tag) } -> std::same_as<bool>;
    { moves.lends(what) } -> std::same_as<bool>;
    moves.prepare(i);
    { moves.send(i, true) } -> std::same_as<sending>;
    { moves.receive(i) } -> std::same_as<bool>;
    { moves.under_way(i) } -> std::same_as<std::size_t>;
    { moves.sent(piece) } -> std::same_as<bool>;
    { moves.arrived(piece, how) } -> std::same_as<std::optional<received_fragment<T>>>;
    moves.release(received);
};

template <communicator C, class T>
class messages;

/// In execution/packed_messages.hpp, which only those include that send serialised elements.
template <communicator C, class T>
class packed_messages;

template <class C, class T>
using transport_of =
    std::conditional_t<control::lends_objects<C> || travels_as_bytes<T>, messages<C, T>, packed_messages<C, T>>;

}  // namespace tutti::engine
