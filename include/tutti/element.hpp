// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tutti/language.hpp>

#include <array>
#include <cstddef>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace tutti {

/// Whether the bytes of a T are all of its value, so that a block of them is a message as it lies in memory.
/// True for trivially copyable types; may be specialised, either way: a trivially copyable type that holds a
/// pointer to its data is better serialised.
template <class T>
inline constexpr bool travels_as_bytes = std::is_trivially_copyable_v<T>;

// The standard's pairs, tuples and arrays of them copy byte by byte, yet assign member by member, and so are not
// trivially copyable.
template <class First, class Second>
inline constexpr bool travels_as_bytes<std::pair<First, Second>> =
    travels_as_bytes<First> && travels_as_bytes<Second> &&
    std::is_trivially_copy_constructible_v<std::pair<First, Second>>;

template <class... Parts>
inline constexpr bool travels_as_bytes<std::tuple<Parts...>> =
    (travels_as_bytes<Parts> && ...) && std::is_trivially_copy_constructible_v<std::tuple<Parts...>>;

template <class Part, std::size_t size>
inline constexpr bool travels_as_bytes<std::array<Part, size>> =
    travels_as_bytes<Part> && std::is_trivially_copy_constructible_v<std::array<Part, size>>;

/// Stands for an element whose size is known only at run time (see `records`): its first byte.
struct record {
    std::byte first;
};

/// Bytes. Elements that are aligned more strictly are not handled as bytes while they are combined.
inline constexpr std::size_t strictest_alignment = 64;

/// How a block of elements that do not travel as bytes becomes one packed message, and back. Specialised for such
/// types, by <tutti/element/boost_serialization.hpp> for all that Boost.Serialization knows:
///
///     static void save(std::span<T const> in, std::vector<std::byte>& packed);     // appends
///     static void load(std::span<std::byte const> packed, std::span<T> out);       // assigns to live objects
template <class T>
struct serialization;

template <class T>
concept serializable = requires(std::span<T const> in, std::span<T> out, std::vector<std::byte>& packed,
                                std::span<std::byte const> bytes) {
    serialization<T>::save(in, packed);
    serialization<T>::load(bytes, out);
};

/// A type whose values can travel between processes.
template <class T>
concept element = travels_as_bytes<T> || serializable<T>;

}  // namespace tutti
