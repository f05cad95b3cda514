// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <concepts>
#include <cstddef>

#include <tutti/problem.hpp>
#include <tutti/schedule.hpp>

/// Which blocks belong to which rank in reduce_scatter, all_gather, gather and scatter.
namespace tutti::ownership {

/// Whether every rank owns a part of the vector.
template <class Collective>
inline constexpr bool divides =
    std::same_as<Collective, collective::reduce_scatter> || std::same_as<Collective, collective::all_gather> ||
    std::same_as<Collective, collective::gather> || std::same_as<Collective, collective::scatter>;

/// The blocks of `rank`: [floor(rank * blocks / size), floor((rank + 1) * blocks / size)), so block r for as many
/// blocks as ranks.
[[nodiscard]] constexpr block_range blocks_of(std::size_t rank, std::size_t size, std::size_t blocks) {
    return {rank * blocks / size, (rank + 1) * blocks / size};
}

/// The rank whose range contains `block`.
[[nodiscard]] constexpr std::size_t owner_of(std::size_t block, std::size_t size, std::size_t blocks) {
    return ((block + 1) * size - 1) / blocks;
}

}  // namespace tutti::ownership
