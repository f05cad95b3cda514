// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

namespace tutti::benchmark {

/// How a vector is divided, where every rank has a part.
enum class division {
    equal,  ///< counts that differ by at most one
    skewed  ///< nearly all belongs to the last rank
};

inline constexpr std::array<std::string_view, 2> names_of_divisions{"equal", "skewed"};

/// How many elements of a vector each rank has.
class counts {
public:
    counts(division how, std::size_t elements, std::size_t size) {
        std::size_t offset = 0;
        for (std::size_t rank = 0; rank != size; ++rank) {
            auto next = (rank + 1) * elements / size;
            if (how == division::skewed && rank + 1 != size) { next = (rank + 1) * (elements / (16 * size)); }
            counts_.push_back(next - offset);
            offsets_of_mpi_.push_back(static_cast<int>(offset));
            counts_of_mpi_.push_back(static_cast<int>(next - offset));
            offset = next;
        }
        differ_ = std::adjacent_find(counts_.begin(), counts_.end(), std::not_equal_to<>{}) != counts_.end();
    }

    [[nodiscard]] bool differ() const { return differ_; }

    /// As users of tutti give them.
    [[nodiscard]] std::span<std::size_t const> all() const { return counts_; }
    [[nodiscard]] std::size_t of(std::size_t rank) const { return counts_[rank]; }

    /// As users of MPI give them: elements, and where those of each rank begin.
    [[nodiscard]] std::vector<int> const& for_mpi() const { return counts_of_mpi_; }
    [[nodiscard]] std::vector<int> const& offsets_for_mpi() const { return offsets_of_mpi_; }

    [[nodiscard]] std::size_t offset(std::size_t rank) const { return static_cast<std::size_t>(offsets_of_mpi_[rank]); }
    [[nodiscard]] std::size_t owner(std::size_t element) const {
        auto const after = std::upper_bound(offsets_of_mpi_.begin(), offsets_of_mpi_.end(), static_cast<int>(element));
        return static_cast<std::size_t>(after - offsets_of_mpi_.begin()) - 1;
    }

private:
    std::vector<std::size_t> counts_;
    std::vector<int> counts_of_mpi_;
    std::vector<int> offsets_of_mpi_;
    bool differ_ = false;
};

}  // namespace tutti::benchmark
