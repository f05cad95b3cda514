// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include <tutti/collective/all_gather.hpp>
#include <tutti/collective/boost_mpi/displaced.hpp>

namespace tutti {

namespace boost_mpi_shapes {

/// How Boost.MPI's `all_gatherv` may be called.
struct all_gatherv {
    /// (world, pointer, pointer, sizes)
    template <world World, class T, argument::counts Sizes>
    void operator()(World const& ranks, T const* in, T* out, Sizes const& sizes) const {
        all_gather(ranks, std::span{in, part_of_this_rank(ranks, sizes)}, std::span{out, total_of(sizes)}, sizes);
    }
    /// (world, value, pointer, sizes): by reference, since an array is no pointer here
    template <world World, class T, argument::counts Sizes>
    void operator()(World const& ranks, T const& in, T* const& out, Sizes const& sizes) const {
        (*this)(ranks, &in, out, sizes);
    }
    /// (world, vector, vector, sizes): out grows
    template <world World, class T, argument::counts Sizes>
    void operator()(World const& ranks, std::vector<T> const& in, std::vector<T>& out, Sizes const& sizes) const {
        out.resize(total_of(sizes));
        all_gather(ranks, in, out, sizes);
    }
    /// (world, pointer, pointer, sizes, displacements)
    template <world World, class T, argument::counts Sizes, argument::counts Displacements>
    void operator()(World const& ranks, T const* in, T* out, Sizes const& sizes,
                    Displacements const& displacements) const {
        auto const parts = memory_for<T>(total_of(sizes));
        (*this)(ranks, in, parts.get(), sizes);
        unpack(parts.get(), out, sizes, displacements);
    }
    /// (world, value, pointer, sizes, displacements)
    template <world World, class T, argument::counts Sizes, argument::counts Displacements>
    void operator()(World const& ranks, T const& in, T* const& out, Sizes const& sizes,
                    Displacements const& displacements) const {
        (*this)(ranks, &in, out, sizes, displacements);
    }
    /// (world, vector, vector, sizes, displacements): out grows, as far as parts lie in it
    template <world World, class T, argument::counts Sizes, argument::counts Displacements>
    void operator()(World const& ranks, std::vector<T> const& in, std::vector<T>& out, Sizes const& sizes,
                    Displacements const& displacements) const {
        auto const parts = memory_for<T>(total_of(sizes));
        all_gather(ranks, in, std::span{parts.get(), total_of(sizes)}, sizes);
        std::size_t end = 0;
        for_each_part(sizes, displacements, [&end](std::size_t, std::size_t displaced, std::size_t count) {
            end = std::max(end, displaced + count);
        });
        out.resize(end);
        unpack(parts.get(), out.data(), sizes, displacements);
    }

private:
    template <class World, class Sizes>
    [[nodiscard]] static std::size_t part_of_this_rank(World const& ranks, Sizes const& sizes) {
        auto const rank = static_cast<std::size_t>(argument::rank_of(argument::communicator_for(ranks)));
        counts_of_ranks const counts{sizes};
        return rank < counts.size() ? counts[rank] : 0;
    }
};

}  // namespace boost_mpi_shapes

/// As boost::mpi::all_gatherv: out + displacements[r] on every rank = in(r), of sizes[r] elements, for every rank r;
/// without displacements, parts follow one another.
/// Requires: the same sizes on all ranks; sizes and displacements not negative.
/// Result: on every rank. A vector `out` grows.
/// Errors, cost: as `all_gather` with counts. With displacements each rank needs memory for all parts, and copies them.
/// Source: Boost.MPI 1.74.
inline constexpr boost_mpi_shapes::all_gatherv all_gatherv{};

}  // namespace tutti
