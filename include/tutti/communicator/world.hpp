// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tutti/language.hpp>

#include <cstdint>
#include <type_traits>

namespace tutti {

/// Whether messages go through memory that the ranks of a node share. `automatic`: if it is faster by the machine in
/// use, see `use`; `always`: if all ranks are on one node and its memory has room.
enum class memory_sharing : std::uint8_t { automatic, always, never };

/// Finds the communicator behind a user's `world`. Specialised for every such type: `static M& get(World const&)`, M a
/// model of `communicator`.
template <class World>
struct communicator_of;

/// The ranks of a call: a communicator, or what `communicator_of` finds one for.
template <class World>
concept world = requires(World& w) {
    { communicator_of<std::remove_cvref_t<World>>::get(w) };
};

namespace control {

/// Whether blocking broadcasts over what the user calls `world` give containers the size that they have on the root, as
/// Boost.MPI's do; that costs a message of the size before the elements.
template <class World>
inline constexpr bool resizes_containers = false;

/// Whether the ranks of a communicator are in one process, so that elements of any type can be handed over.
template <class C>
inline constexpr bool in_one_process = false;

}  // namespace control

}  // namespace tutti
