// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <concepts>
#include <cstddef>
#include <span>
#include <vector>

#include <tutti/collective/boost_mpi/displaced.hpp>
#include <tutti/collective/scatter.hpp>

namespace tutti {

namespace boost_mpi_shapes {

/// How Boost.MPI's `scatterv` may be called.
struct scatterv {
    /// (world, pointer, sizes, displacements, pointer, count, root)
    template <world World, class T, argument::counts Sizes, argument::counts Displacements, std::integral Count>
    void operator()(World const& ranks, T const* in, Sizes const& sizes, Displacements const& displacements, T* out,
                    Count n, int root) const {
        if (!is_root(ranks, root)) { return (*this)(ranks, out, n, root); }
        auto const parts = packed(in, sizes, displacements);
        scatter(ranks, std::span{static_cast<T const*>(parts.get()), total_of(sizes)}, argument::counted(out, n), sizes,
                root);
    }
    /// (world, vector, sizes, displacements, pointer, count, root)
    template <world World, class T, argument::counts Sizes, argument::counts Displacements, std::integral Count>
    void operator()(World const& ranks, std::vector<T> const& in, Sizes const& sizes,
                    Displacements const& displacements, T* out, Count n, int root) const {
        (*this)(ranks, in.data(), sizes, displacements, out, n, root);
    }
    /// (world, pointer, sizes, pointer, root)
    template <world World, class T, argument::counts Sizes>
    void operator()(World const& ranks, T const* in, Sizes const& sizes, T* out, int root) const {
        counts_of_ranks const counts{sizes};
        auto const rank = static_cast<std::size_t>(argument::rank_of(argument::communicator_for(ranks)));
        if (rank >= counts.size()) {
            argument::refuse<collective::scatter>("sizes has no entry for this rank; say how many elements out takes");
        }
        auto const total = is_root(ranks, root) ? counts.total() : 0;
        scatter(ranks, std::span{in, total}, std::span{out, counts[rank]}, std::span<std::size_t const>{counts}, root);
    }
    /// (world, vector, sizes, pointer, root)
    template <world World, class T, argument::counts Sizes>
    void operator()(World const& ranks, std::vector<T> const& in, Sizes const& sizes, T* out, int root) const {
        (*this)(ranks, in.data(), sizes, out, root);
    }
    /// (world, pointer, pointer, count, root): parts of equal size
    template <world World, class T, std::integral Count>
    void operator()(World const& ranks, T const* in, T* out, Count n, int root) const {
        if (!is_root(ranks, root)) { return (*this)(ranks, out, n, root); }
        auto const size = static_cast<std::size_t>(argument::size_of(argument::communicator_for(ranks)));
        std::vector<std::size_t> const sizes(size, argument::counted(out, n).size());
        scatter(ranks, std::span{in, total_of(sizes)}, argument::counted(out, n), sizes, root);
    }
    /// (world, vector, pointer, count, root): parts of equal size
    template <world World, class T, std::integral Count>
    void operator()(World const& ranks, std::vector<T> const& in, T* out, Count n, int root) const {
        (*this)(ranks, in.data(), out, n, root);
    }
    /// (world, pointer, count, root): not on the root
    template <world World, class T, std::integral Count>
    void operator()(World const& ranks, T* out, Count n, int root) const {
        scatter(ranks, std::span<T const>{}, argument::counted(out, n), no_sizes(), root);
    }

private:
    template <class World>
    [[nodiscard]] static bool is_root(World const& ranks, int root) {
        return argument::rank_of(argument::communicator_for(ranks)) == root;
    }
};

}  // namespace boost_mpi_shapes

/// As boost::mpi::scatterv: out on rank r = the sizes[r] elements from in + displacements[r] on rank `root`; without
/// displacements, parts follow one another.
/// Requires: the same root on all ranks; sizes and displacements on the root, not negative; in the forms without a
/// count for `out`, sizes on all ranks.
/// Result: on every rank its part; `in` elsewhere than on the root is not read, and may be left out.
/// Errors, cost: as `scatter` with counts. With displacements the root needs memory for all parts, and copies them.
/// Source: Boost.MPI 1.74.
inline constexpr boost_mpi_shapes::scatterv scatterv{};

}  // namespace tutti
