// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tutti/language.hpp>

#include <array>
#include <cstddef>
#include <ranges>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace tutti {

/// Whether the bytes of a T are its whole value, so that a block of them is a message as it lies in memory. True for
/// trivially copyable types; may be specialised, either way: serialise a trivially copyable type that holds a pointer
/// to its data.
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

/// How it is found out whether the value of a T is the same in another process.
namespace elsewhere {

template <class T>
[[nodiscard]] constexpr bool is_same();

}  // namespace elsewhere

/// Whether the value of a T is the same in every process of a program. An address is not: a pointer, a reference, a
/// view, an iterator, or an object that holds one. The first members of aggregates and the arguments of templates are
/// inspected, private members are not. May be specialised, either way, for members that are not inspected, or for
/// addresses on which the processes have agreed.
template <class T>
inline constexpr bool means_the_same_elsewhere = elsewhere::is_same<T>();

namespace elsewhere {

/// Stands for a member of an aggregate, to find out what it can be initialised with: anything, or an address alone.
template <bool is_address>
struct any_member {
    template <class T>
        requires(!is_address || !means_the_same_elsewhere<T>)
    operator T() const;
};

/// Whether members `numbers` initialise a T if only number `address` must be one. Each number of an array counts.
template <class T, std::size_t address, std::size_t... numbers>
[[nodiscard]] constexpr bool is_initialised(std::index_sequence<numbers...>) {
    return requires { T{any_member<numbers == address>{}...}; };
}

/// How many members initialise a T, at most so many that a compiler does not take long.
template <class T, std::size_t count = 0, bool enough = false>
[[nodiscard]] constexpr std::size_t members() {
    constexpr std::size_t most = sizeof(T) < 24 ? sizeof(T) : 24;
    constexpr bool fits = elsewhere::is_initialised<T, most>(std::make_index_sequence<count>{});
    if constexpr (count == most || (enough && !fits)) {
        return fits ? count : count - 1;
    } else {
        return elsewhere::members<T, count + 1, fits>();
    }
}

template <class T, std::size_t... numbers>
[[nodiscard]] constexpr bool has_address(std::index_sequence<numbers...>) {
    return (elsewhere::is_initialised<T, numbers>(std::make_index_sequence<sizeof...(numbers)>{}) || ...);
}

template <class T>
inline constexpr bool has_address_as_argument = false;
template <template <class...> class Of, class... Parts>
inline constexpr bool has_address_as_argument<Of<Parts...>> = !(means_the_same_elsewhere<Parts> && ...);

/// Iterators and what else is used like a pointer, views, and std::reference_wrapper.
template <class T>
concept refers = requires(T& x) {
    *x, ++x;
}
|| requires(T& x) { *x, x == nullptr; }
|| std::ranges::enable_view<T> || std::ranges::enable_borrowed_range<T> ||
    !std::is_same_v<T, std::unwrap_reference_t<T>>;

template <class T>
constexpr bool is_same() {
    if constexpr (std::is_class_v<T>) {
        if constexpr (has_address_as_argument<T>) {
            return false;
        } else if constexpr (!requires { sizeof(T); }) {  // the name of something, such as of a unit
            return true;
        } else if constexpr (refers<T>) {
            return false;
        } else if constexpr (std::is_aggregate_v<T>) {
            return !elsewhere::has_address<T>(std::make_index_sequence<members<T>()>{});
        } else {
            return true;
        }
    } else {
        using value = std::remove_all_extents_t<T>;
        if constexpr (std::is_array_v<T>) { return means_the_same_elsewhere<value>; }
        return !std::is_pointer_v<T> && !std::is_member_pointer_v<T> && !std::is_null_pointer_v<T> &&
               !std::is_reference_v<T> && !std::is_function_v<T>;
    }
}

}  // namespace elsewhere

namespace packing {

/// Stands for an element whose size is known only at run time (see `records`): its first byte.
struct record {
    std::byte first;
};

/// Bytes. How the executor's own memory is aligned; `byte_operator` copies elements that have to be aligned more
/// strictly.
inline constexpr std::size_t strictest_alignment = 64;

}  // namespace packing

/// Packs a block of elements that do not travel as bytes into one message, and unpacks it. Specialised for such types;
/// by <tutti/element/boost_serialization.hpp> for all that Boost.Serialization knows:
///
///     static void save(std::span<T const> in, std::vector<std::byte>& packed);     // appends
///     static void load(std::span<std::byte const> packed, std::span<T> out);       // assigns to live objects
///     static constexpr bool replaces = true;  // optional: these objects need not be copies of others first
template <class T>
struct serialization;

namespace packing {

template <class T>
concept serializable = requires(std::span<T const> in, std::span<T> out, std::vector<std::byte>& packed,
                                std::span<std::byte const> bytes) {
    serialization<T>::save(in, packed);
    serialization<T>::load(bytes, out);
};

/// Complete where <tutti/execution/packed_messages.hpp> is included, which sends such elements.
template <class T>
struct packing_is_included;

/// A type whose values can travel between processes.
template <class T>
concept element = (travels_as_bytes<T> && means_the_same_elsewhere<T>) || serializable<T>;

}  // namespace packing

}  // namespace tutti
