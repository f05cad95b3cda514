// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tutti::watch {

template <class T>
concept container = requires(T& one) { one.clear(); };
template <class T>
concept lists_members = requires(T& one) { T::members_of(one, [](auto&...) {}); };

/// Appends the bytes of a value that is sent to another rank: of a container its size and its elements, of a class the
/// members that its `members_of(one, use)` passes to `use`, of all else its memory.
template <class T>
void pack(std::string& to, T const& value) {
    if constexpr (container<T>) {
        pack(to, value.size());
        for (auto const& each : value) { pack(to, each); }
    } else if constexpr (requires { value.first; }) {
        pack(to, value.first);
        pack(to, value.second);
    } else if constexpr (lists_members<T>) {
        T::members_of(value, [&](auto const&... each) { (pack(to, each), ...); });
    } else {
        static_assert(std::is_trivially_copyable_v<T>);
        to.append(reinterpret_cast<char const*>(&value), sizeof value);
    }
}

/// Removes a value from the front of such bytes; false if they are too few.
template <class T>
[[nodiscard]] bool unpack(std::string_view& from, T& value) {
    if constexpr (requires { typename T::mapped_type; }) {
        std::vector<std::pair<typename T::key_type, typename T::mapped_type>> all;
        bool const is_whole = unpack(from, all);
        value = T(all.begin(), all.end());
        return is_whole;
    } else if constexpr (container<T>) {
        std::size_t size = 0;
        if (!unpack(from, size) || size > from.size()) { return false; }
        value.resize(size);
        return std::all_of(value.begin(), value.end(), [&](auto& each) { return unpack(from, each); });
    } else if constexpr (requires { value.first; }) {
        return unpack(from, value.first) && unpack(from, value.second);
    } else if constexpr (lists_members<T>) {
        bool is_whole = false;
        T::members_of(value, [&](auto&... each) { is_whole = (unpack(from, each) && ...); });
        return is_whole;
    } else {
        static_assert(std::is_trivially_copyable_v<T>);
        if (from.size() < sizeof value) { return false; }
        std::memcpy(&value, from.data(), sizeof value);
        from.remove_prefix(sizeof value);
        return true;
    }
}

template <class... Values>
[[nodiscard]] std::string packed(Values const&... values) {
    std::string bytes;
    (pack(bytes, values), ...);
    return bytes;
}

}  // namespace tutti::watch
