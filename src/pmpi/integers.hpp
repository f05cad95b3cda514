// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

#include <tutti/communicator/mpi/declarations.hpp>

namespace tutti::pmpi {

/// Counts or displacements of all ranks, as the functions of MPI give them, those with large counts too.
class integers {
public:
    integers(std::nullptr_t) {}
    template <std::signed_integral Integer>
    integers(Integer const* first) : first_{reinterpret_cast<std::byte const*>(first)}, bytes_{sizeof(Integer)} {}

    [[nodiscard]] explicit operator bool() const { return first_ != nullptr; }
    [[nodiscard]] MPI_Count operator[](std::size_t r) const {
        return bytes_ == sizeof(int) ? read<int>(r) : read<std::int64_t>(r);
    }

private:
    template <class Integer>
    [[nodiscard]] Integer read(std::size_t r) const {
        Integer value;
        std::memcpy(&value, first_ + r * sizeof value, sizeof value);
        return value;
    }

    std::byte const* first_ = nullptr;
    std::size_t bytes_ = 0;  // of each
};

/// Counts as numbers of elements; nothing if one is negative.
[[nodiscard]] inline std::optional<std::vector<std::size_t>> counts_of(integers counts, int ranks) {
    if (!counts) { return std::nullopt; }
    std::vector<std::size_t> all(static_cast<std::size_t>(ranks));
    for (std::size_t r = 0; r != all.size(); ++r) {
        if (counts[r] < 0) { return std::nullopt; }
        all[r] = static_cast<std::size_t>(counts[r]);
    }
    return all;
}
[[nodiscard]] inline std::size_t sum(std::span<std::size_t const> counts) {
    return std::accumulate(counts.begin(), counts.end(), std::size_t{0});
}

}  // namespace tutti::pmpi
