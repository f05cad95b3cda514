// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <functional>

#include <tutti/collective/all_reduce.hpp>
#include <tutti/operation/annotated.hpp>

/// Apart from the room's templates, which would find the operator for operands of theirs.
namespace tutti::engine::barriers {

/// The element of a barrier, by which texts know it.
enum class barrier : unsigned char {};
[[nodiscard]] constexpr barrier operator&(barrier left, barrier /*right*/) { return left; }

}  // namespace tutti::engine::barriers

namespace tutti {

/// Returns on no rank before it was called on every rank.
/// Errors: the communicator's.
/// Cost: an all_reduce of one byte.
template <world World>
void barrier(World const& world) {
    static_cast<void>(all_reduce(world, engine::barriers::barrier{}, commutative(std::bit_and<>{})));
}

}  // namespace tutti
