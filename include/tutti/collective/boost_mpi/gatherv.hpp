// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <concepts>
#include <span>
#include <vector>

#include <tutti/collective/boost_mpi/displaced.hpp>
#include <tutti/collective/gather.hpp>

namespace tutti {

namespace boost_mpi_shapes {

/// How Boost.MPI's `gatherv` may be called.
struct gatherv {
    /// (world, pointer, count, pointer, sizes, root)
    template <world World, class T, std::integral Count, argument::counts Sizes>
    void operator()(World const& ranks, T const* in, Count n, T* out, Sizes const& sizes, int root) const {
        auto const total = is_root(ranks, root) ? total_of(sizes) : 0;
        gather(ranks, argument::counted(in, n), std::span{out, total}, sizes, root);
    }
    /// (world, vector, pointer, sizes, root)
    template <world World, class T, argument::counts Sizes>
    void operator()(World const& ranks, std::vector<T> const& in, T* out, Sizes const& sizes, int root) const {
        (*this)(ranks, in.data(), in.size(), out, sizes, root);
    }
    /// (world, pointer, count, pointer, sizes, displacements, root)
    template <world World, class T, std::integral Count, argument::counts Sizes, argument::counts Displacements>
    void operator()(World const& ranks, T const* in, Count n, T* out, Sizes const& sizes,
                    Displacements const& displacements, int root) const {
        if (!is_root(ranks, root)) { return (*this)(ranks, in, n, root); }
        auto const parts = memory_for<T>(total_of(sizes));
        (*this)(ranks, in, n, parts.get(), sizes, root);
        unpack(parts.get(), out, sizes, displacements);
    }
    /// (world, vector, pointer, sizes, displacements, root)
    template <world World, class T, argument::counts Sizes, argument::counts Displacements>
    void operator()(World const& ranks, std::vector<T> const& in, T* out, Sizes const& sizes,
                    Displacements const& displacements, int root) const {
        (*this)(ranks, in.data(), in.size(), out, sizes, displacements, root);
    }
    /// (world, pointer, count, root): not on the root
    template <world World, class T, std::integral Count>
    void operator()(World const& ranks, T const* in, Count n, int root) const {
        (*this)(ranks, in, n, static_cast<T*>(nullptr), no_sizes(), root);
    }
    /// (world, vector, root): not on the root
    template <world World, class T>
    void operator()(World const& ranks, std::vector<T> const& in, int root) const {
        (*this)(ranks, in.data(), in.size(), root);
    }

private:
    template <class World>
    [[nodiscard]] static bool is_root(World const& ranks, int root) {
        return argument::rank_of(argument::communicator_for(ranks)) == root;
    }
};

}  // namespace boost_mpi_shapes

/// As boost::mpi::gatherv: out + displacements[r] on rank `root` = in(r), of sizes[r] elements, for every rank r;
/// without displacements, parts follow one another.
/// Requires: the same root on all ranks; sizes and displacements on the root, not negative.
/// Result: on the root; `out` elsewhere is neither read nor written, and may be left out.
/// Errors, cost: as `gather` with counts. With displacements the root needs memory for all parts, and copies them.
/// Source: Boost.MPI 1.74.
inline constexpr boost_mpi_shapes::gatherv gatherv{};

}  // namespace tutti
