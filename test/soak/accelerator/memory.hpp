// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../random.hpp"
#include "datatype.hpp"

namespace soak {

using bytes = std::vector<std::byte>;

/// The same from the same seed on every rank.
[[nodiscard]] inline bytes noise(std::uint64_t seed, std::size_t length) {
    bytes result(length);
    for (std::size_t i = 0; i < length; i += sizeof seed) {
        auto const next = mixed(seed, i);
        std::memcpy(result.data() + i, &next, std::min(sizeof next, length - i));
    }
    return result;
}

/// Elements of a datatype in memory that begins and ends with bytes which belong to no element; it holds noise.
class memory {
public:
    /// Elements number `first` to `first + count` of each of these ranges.
    struct range {
        MPI_Aint first;
        std::size_t count;
    };

    memory(datatype const& type, std::vector<range> ranges, std::uint64_t seed) : ranges_{std::move(ranges)} {
        std::erase_if(ranges_, [](range const& each) { return each.count == 0; });
        MPI_Aint least = 0;
        MPI_Aint most = 0;
        for (auto const& each : ranges_) {
            auto const from = each.first * type.extent() + type.first();
            auto const to = (each.first + static_cast<MPI_Aint>(each.count) - 1) * type.extent() + type.end();
            if (&each == ranges_.data()) { least = from, most = to; }
            least = std::min(least, from);
            most = std::max(most, to);
        }
        auto const aligned = (static_cast<std::size_t>(-least) + 1024 * alignment) % alignment;  // of the base
        all_ = noise(seed, static_cast<std::size_t>(most - least) + 2 * guard + 2 * alignment);
        auto const start = reinterpret_cast<std::uintptr_t>(all_.data() + guard);
        auto const skipped = (2 * alignment - start % alignment - aligned) % alignment;
        base_ = all_.data() + guard + skipped - least;
    }
    memory(memory&&) = default;
    memory& operator=(memory&&) = default;

    [[nodiscard]] std::byte* base() const { return base_; }
    [[nodiscard]] bytes const& all() const { return all_; }

    template <class Visit>
    void for_each_element(MPI_Aint extent, Visit visit) const {
        for (auto const& each : ranges_) {
            for (std::size_t i = 0; i != each.count; ++i) {
                visit(base_ + (each.first + static_cast<MPI_Aint>(i)) * extent);
            }
        }
    }
    /// Calls `visit(address, bytes)` for each number, in the order of the signature.
    template <class Visit>
    void for_each(datatype const& type, Visit visit) const {
        for_each_element(type.extent(), [&](std::byte* element) {
            for (auto const& number : type.entries()) { visit(element + number.at, number.bytes); }
        });
    }
    /// Writes numbers in a row to the first elements.
    void put(datatype const& type, bytes const& packed) {
        auto const* from = packed.data();
        auto const* const end = from + packed.size();
        for_each(type, [&](std::byte* to, std::size_t n) {
            if (from == end) { return; }
            std::memcpy(to, from, n);
            from += n;
        });
    }
    /// What the memory is to be after that.
    [[nodiscard]] bytes all_after_put(datatype const& type, bytes const& packed) {
        auto const before = all_;
        put(type, packed);
        auto const after = all_;
        std::copy(before.begin(), before.end(), all_.begin());
        return after;
    }
    [[nodiscard]] bytes get(datatype const& type) const {
        bytes packed;
        for_each(type, [&](std::byte const* from, std::size_t n) { packed.insert(packed.end(), from, from + n); });
        return packed;
    }

private:
    static constexpr std::size_t guard = 128;
    static constexpr std::size_t alignment = 16;

    std::vector<range> ranges_;
    bytes all_;
    std::byte* base_ = nullptr;
};

}  // namespace soak
