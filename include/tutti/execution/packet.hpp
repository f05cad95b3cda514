// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <tutti/execution/failure.hpp>
#include <tutti/type_name.hpp>

namespace tutti {

/// The types whose elements this program may send packed, so that messages can name what has come.
class packed_type {
public:
    explicit packed_type(std::string_view name) noexcept
        : name_{name}, hash_{hash_of_name(name)}, next_{std::exchange(first_, this)} {}

    [[nodiscard]] static std::string_view name_of(std::uint64_t hash) noexcept {
        for (auto const* each = first_; each != nullptr; each = each->next_) {
            if (each->hash_ == hash) { return each->name_; }
        }
        return "elements of a type that this rank does not know";
    }

private:
    inline static packed_type const* first_ = nullptr;  // of a list that is complete before main begins

    std::string_view name_;
    std::uint64_t hash_;
    packed_type const* next_;
};

template <class T>
inline packed_type const known_packed_type{type_name<T>()};

/// What a packed message begins with. Ranks of other types or numbers of elements must not take it for theirs: nothing
/// in it is believed before it has been checked.
struct packet_header {
    std::uint64_t bytes = 0;  ///< of the whole, this included
    std::uint64_t elements = 0;
    std::uint64_t type = 0;   ///< hash of its name
};

/// What a receiver expects of a packet.
struct packet_expectation {
    int peer = 0;
    std::size_t elements = 0;
    std::string_view type;
    std::uint64_t hash = 0;  ///< of the type's name
};

/// The header of a packet whose first message is `first`; a longer packet has first messages of `longest` bytes. Throws
/// packet_mismatch where it is none, or not the one expected.
[[nodiscard]] inline packet_header checked_header(std::span<std::byte const> first, std::size_t longest,
                                                  packet_expectation const& expected) {
    packet_header header;
    if (first.size() < sizeof header) {
        throw packet_mismatch{expected.peer, std::to_string(first.size()) + " bytes that are no packed elements",
                              expected.elements, expected.type};
    }
    std::memcpy(&header, first.data(), sizeof header);
    if (header.type != expected.hash || header.elements != expected.elements) {
        bool const known = header.type == expected.hash;
        auto const came = known ? expected.type : packed_type::name_of(header.type);
        throw packet_mismatch{expected.peer,
                              std::to_string(header.elements) + " " + std::string{came} + " in " +
                                  std::to_string(header.bytes) + " bytes",
                              expected.elements, expected.type};
    }
    if (header.bytes < sizeof header || first.size() != std::min<std::uint64_t>(header.bytes, longest)) {
        throw packet_mismatch{expected.peer,
                              "a packed message of " + std::to_string(header.bytes) + " bytes that begins with " +
                                  std::to_string(first.size()),
                              expected.elements, expected.type};
    }
    return header;
}

/// Throws packet_mismatch unless a packet consists of its header and `parts` parts, each of its size and so many bytes.
inline void check_parts(std::span<std::byte const> packet, std::size_t parts, packet_expectation const& expected) {
    auto rest = packet.subspan(sizeof(packet_header));
    for (std::size_t part = 0; part != parts; ++part) {
        std::size_t size = 0;
        bool const has_size = rest.size() >= sizeof size;
        if (has_size) {
            std::memcpy(&size, rest.data(), sizeof size);
            rest = rest.subspan(sizeof size);
        }
        if (!has_size || size > rest.size()) {
            throw packet_mismatch{expected.peer,
                                  std::to_string(packet.size()) + " bytes that end in part " +
                                      std::to_string(part + 1) + " of " + std::to_string(parts),
                                  expected.elements, expected.type};
        }
        rest = rest.subspan(size);
    }
    if (!rest.empty()) {
        throw packet_mismatch{expected.peer,
                              std::to_string(packet.size()) + " bytes, " + std::to_string(rest.size()) +
                                  " more than their " + std::to_string(parts) + " parts",
                              expected.elements, expected.type};
    }
}

}  // namespace tutti
