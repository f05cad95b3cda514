// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <array>

#include <tutti/problem.hpp>

#include "../support/each_collective.hpp"
#include "../support/options.hpp"
#include "machine.hpp"

namespace tutti::benchmark {

[[nodiscard]] inline std::vector<std::string> names_of_collectives() {
    return {collective::names.begin(), collective::names.end()};
}

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

/// The rank that sends or receives for all, where a collective has one.
inline constexpr int root = 0;

/// The vectors of one call on this rank. What it does not give or get is empty.
struct vectors {
    std::span<double> in;     ///< what the rank gives; a broadcast has `out` alone
    std::span<double> out;    ///< what it gets
    std::span<double> total;  ///< what it gets besides, of a scan_reduce
    counts const* parts;      ///< of the ranks
    std::size_t in_begins;    ///< where in the whole vector the first element of `in` stands
    std::size_t out_begins;   ///< the same of `out`
};

/// MPI counts elements in int.
inline constexpr command_line::bounds bytes_of_vectors{1, command_line::largest<int> * sizeof(double)};

[[nodiscard]] inline std::size_t elements_of(std::size_t bytes) { return (bytes - 1) / sizeof(double) + 1; }

/// Memory of this rank for each of the vectors, each at least as long as the longest whole vector.
struct memory {
    machine::vector in;
    machine::vector out;
    machine::vector total;

    memory(std::size_t elements, bool with_total, bool with_data)
        : in{elements, with_data}, out{elements, with_data}, total{with_total ? elements : 1, with_data} {}
};

/// What a rank gives and gets in a call of `Collective` on a whole vector of `n` elements, which begins at `place`.
template <class Collective>
[[nodiscard]] vectors vectors_of(memory const& whole, std::size_t n, counts const& parts, std::size_t rank,
                                 std::size_t place = 0) {
    auto const block = [&](machine::vector const& of) { return of.first(place + n).last(n); };
    constexpr bool gathers =
        std::same_as<Collective, collective::all_gather> || std::same_as<Collective, collective::gather>;
    bool const is_root = rank == static_cast<std::size_t>(root);
    vectors v{block(whole.in), block(whole.out), {}, &parts, 0, 0};
    if (std::same_as<Collective, collective::broadcast> ||
        (std::same_as<Collective, collective::scatter> && !is_root)) {
        v.in = {};
    }
    if (std::same_as<Collective, collective::gather> && !is_root) { v.out = {}; }
    if (std::same_as<Collective, collective::scan_reduce>) { v.total = block(whole.total); }
    if constexpr (collective::divides<Collective>) {
        auto& part = gathers ? v.in : v.out;
        part = part.first(parts.of(rank));
        (gathers ? v.in_begins : v.out_begins) = parts.offset(rank);
    }
    return v;
}

}  // namespace tutti::benchmark
