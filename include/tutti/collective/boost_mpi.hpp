// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <memory>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include <tutti/collective/all_gather.hpp>
#include <tutti/collective/arguments.hpp>
#include <tutti/collective/forms.hpp>
#include <tutti/collective/gather.hpp>
#include <tutti/collective/scatter.hpp>

/// Boost.MPI's calls with the suffix v, whose parts may lie anywhere in memory: `displacements[r]` elements behind its
/// beginning begins the part of rank r. tutti's own take parts that follow one another.
namespace tutti::boost_mpi_shapes {

/// Elements of all parts.
template <argument::counts Sizes>
[[nodiscard]] std::size_t total_of(Sizes const& sizes) {
    return argument::counts_of_ranks{sizes}.total();
}

/// Calls `visit(first, displaced, count)` for every part: of `count` elements, it begins at `first` where parts follow
/// one another, and at `displaced` in the caller's memory.
template <argument::counts Sizes, argument::counts Displacements, class Visit>
void for_each_part(Sizes const& sizes, Displacements const& displacements, Visit visit) {
    argument::counts_of_ranks const counts{sizes};
    argument::counts_of_ranks const places{displacements};
    if (places.size() != counts.size()) {
        throw std::invalid_argument{"tutti: there must be as many displacements as sizes of parts"};
    }
    std::size_t first = 0;
    for (std::size_t rank = 0; rank != counts.size(); ++rank) {
        visit(first, places[rank], counts[rank]);
        first += counts[rank];
    }
}

/// The parts one after the other, of `count` elements together.
template <class T>
[[nodiscard]] std::unique_ptr<T[]> memory_for(std::size_t count) {
    return std::make_unique_for_overwrite<T[]>(count);
}

/// Copies the parts from the places where the caller has them to memory where they follow one another.
template <class T, argument::counts Sizes, argument::counts Displacements>
[[nodiscard]] std::unique_ptr<T[]> packed(T const* from, Sizes const& sizes, Displacements const& displacements) {
    auto result = boost_mpi_shapes::memory_for<T>(boost_mpi_shapes::total_of(sizes));
    boost_mpi_shapes::for_each_part(sizes, displacements,
                                    [&](std::size_t first, std::size_t displaced, std::size_t count) {
                                        std::copy_n(from + displaced, count, result.get() + first);
                                    });
    return result;
}

/// Moves the parts to the places where the caller wants them.
template <class T, argument::counts Sizes, argument::counts Displacements>
void unpack(T* from, T* to, Sizes const& sizes, Displacements const& displacements) {
    boost_mpi_shapes::for_each_part(sizes, displacements,
                                    [&](std::size_t first, std::size_t displaced, std::size_t count) {
                                        std::move(from + first, from + first + count, to + displaced);
                                    });
}

using call_modes::noting_refusal;  // of what comes before the call

/// Where the caller's elements are: a pointer or a vector.
template <class In, class T>
concept source_of = std::same_as<In, std::vector<T>> || std::is_convertible_v<In const&, T const*>;
template <class T>
[[nodiscard]] T const* first_of(T const* first) {
    return first;
}
template <class T>
[[nodiscard]] T const* first_of(std::vector<T> const& all) {
    return all.data();
}

/// In place of sizes where they are not known.
[[nodiscard]] inline std::vector<int> no_sizes() { return {}; }

template <class World>
[[nodiscard]] bool is_root(World const& world, int root) {
    return argument::rank_of(argument::communicator_for(world)) == root;
}

/// How Boost.MPI's `gatherv` may be called.
struct gatherv {
    /// (world, pointer, count, pointer, sizes, root)
    template <world World, class T, std::integral Count, argument::counts Sizes>
    void operator()(World const& world, T const* in, Count n, T* out, Sizes const& sizes, int root) const {
        auto const [part, total] = boost_mpi_shapes::noting_refusal(world, [&] {
            return std::pair{argument::counted(in, n),
                             boost_mpi_shapes::is_root(world, root) ? boost_mpi_shapes::total_of(sizes) : 0};
        });
        gather(world, part, std::span{out, total}, sizes, root);
    }
    /// (world, vector, pointer, sizes, root)
    template <world World, class T, argument::counts Sizes>
    void operator()(World const& world, std::vector<T> const& in, T* out, Sizes const& sizes, int root) const {
        (*this)(world, in.data(), in.size(), out, sizes, root);
    }
    /// (world, pointer, count, pointer, sizes, displacements, root)
    template <world World, class T, std::integral Count, argument::counts Sizes, argument::counts Displacements>
    void operator()(World const& world, T const* in, Count n, T* out, Sizes const& sizes,
                    Displacements const& displacements, int root) const {
        if (!boost_mpi_shapes::is_root(world, root)) { return (*this)(world, in, n, root); }
        auto const parts = boost_mpi_shapes::noting_refusal(
            world, [&] { return boost_mpi_shapes::memory_for<T>(boost_mpi_shapes::total_of(sizes)); });
        (*this)(world, in, n, parts.get(), sizes, root);
        boost_mpi_shapes::unpack(parts.get(), out, sizes, displacements);
    }
    /// (world, vector, pointer, sizes, displacements, root)
    template <world World, class T, argument::counts Sizes, argument::counts Displacements>
    void operator()(World const& world, std::vector<T> const& in, T* out, Sizes const& sizes,
                    Displacements const& displacements, int root) const {
        (*this)(world, in.data(), in.size(), out, sizes, displacements, root);
    }
    /// (world, pointer, count, root): not on the root
    template <world World, class T, std::integral Count>
    void operator()(World const& world, T const* in, Count n, int root) const {
        (*this)(world, in, n, static_cast<T*>(nullptr), no_sizes(), root);
    }
    /// (world, vector, root): not on the root
    template <world World, class T>
    void operator()(World const& world, std::vector<T> const& in, int root) const {
        (*this)(world, in.data(), in.size(), root);
    }
};

/// How Boost.MPI's `scatterv` may be called.
struct scatterv {
    /// (world, pointer or vector, sizes, displacements, pointer, count, root)
    template <world World, class In, class T, argument::counts Sizes, argument::counts Displacements,
              std::integral Count>
        requires source_of<In, T>
    void operator()(World const& world, In const& in, Sizes const& sizes, Displacements const& displacements, T* out,
                    Count n, int root) const {
        if (!boost_mpi_shapes::is_root(world, root)) { return (*this)(world, out, n, root); }
        auto const [parts, part] = boost_mpi_shapes::noting_refusal(world, [&] {
            return std::pair{boost_mpi_shapes::packed<T>(boost_mpi_shapes::first_of(in), sizes, displacements),
                             argument::counted(out, n)};
        });
        scatter(world, std::span{static_cast<T const*>(parts.get()), boost_mpi_shapes::total_of(sizes)}, part, sizes,
                root);
    }
    /// (world, pointer or vector, sizes, pointer, root)
    template <world World, class In, class T, argument::counts Sizes>
        requires source_of<In, T>
    void operator()(World const& world, In const& in, Sizes const& sizes, T* out, int root) const {
        auto const rank = static_cast<std::size_t>(argument::rank_of(argument::communicator_for(world)));
        auto const counts = boost_mpi_shapes::noting_refusal(world, [&] {
            argument::counts_of_ranks result{sizes};
            if (rank >= result.size()) {
                argument::refuse<collective::scatter>(
                    "sizes has no entry for this rank; say how many elements out takes");
            }
            return result;
        });
        auto const total = boost_mpi_shapes::is_root(world, root) ? counts.total() : 0;
        scatter(world, std::span{boost_mpi_shapes::first_of(in), total}, std::span{out, counts[rank]},
                std::span<std::size_t const>{counts}, root);
    }
    /// (world, pointer or vector, pointer, count, root): parts of equal size
    template <world World, class In, class T, std::integral Count>
        requires source_of<In, T>
    void operator()(World const& world, In const& in, T* out, Count n, int root) const {
        if (!boost_mpi_shapes::is_root(world, root)) { return (*this)(world, out, n, root); }
        auto const size = static_cast<std::size_t>(argument::size_of(argument::communicator_for(world)));
        auto const part = boost_mpi_shapes::noting_refusal(world, [&] { return argument::counted(out, n); });
        std::vector<std::size_t> const sizes(size, part.size());
        scatter(world, std::span{boost_mpi_shapes::first_of(in), boost_mpi_shapes::total_of(sizes)}, part, sizes, root);
    }
    /// (world, pointer, count, root): not on the root
    template <world World, class T, std::integral Count>
    void operator()(World const& world, T* out, Count n, int root) const {
        auto const part = boost_mpi_shapes::noting_refusal(world, [&] { return argument::counted(out, n); });
        scatter(world, std::span<T const>{}, part, no_sizes(), root);
    }
};

/// How Boost.MPI's `all_gatherv` may be called.
struct all_gatherv {
    /// (world, pointer, pointer, sizes)
    template <world World, class T, argument::counts Sizes>
    void operator()(World const& world, T const* in, T* out, Sizes const& sizes) const {
        auto const [part, all] = boost_mpi_shapes::noting_refusal(world, [&] {
            return std::pair{std::span{in, part_of_this_rank(world, sizes)},
                             std::span{out, boost_mpi_shapes::total_of(sizes)}};
        });
        all_gather(world, part, all, sizes);
    }
    /// (world, value, pointer, sizes)
    template <world World, class T, argument::counts Sizes>
    void operator()(World const& world, T const& in, T* const& out, Sizes const& sizes) const {
        (*this)(world, &in, out, sizes);
    }
    /// (world, vector, vector, sizes): out grows
    template <world World, class T, argument::counts Sizes>
    void operator()(World const& world, std::vector<T> const& in, std::vector<T>& out, Sizes const& sizes) const {
        boost_mpi_shapes::noting_refusal(world, [&] { out.resize(boost_mpi_shapes::total_of(sizes)); });
        all_gather(world, in, out, sizes);
    }
    /// (world, pointer, pointer, sizes, displacements)
    template <world World, class T, argument::counts Sizes, argument::counts Displacements>
    void operator()(World const& world, T const* in, T* out, Sizes const& sizes,
                    Displacements const& displacements) const {
        auto const parts = boost_mpi_shapes::noting_refusal(
            world, [&] { return boost_mpi_shapes::memory_for<T>(boost_mpi_shapes::total_of(sizes)); });
        (*this)(world, in, parts.get(), sizes);
        boost_mpi_shapes::unpack(parts.get(), out, sizes, displacements);
    }
    /// (world, value, pointer, sizes, displacements)
    template <world World, class T, argument::counts Sizes, argument::counts Displacements>
    void operator()(World const& world, T const& in, T* const& out, Sizes const& sizes,
                    Displacements const& displacements) const {
        (*this)(world, &in, out, sizes, displacements);
    }
    /// (world, vector, vector, sizes, displacements): out grows, as far as parts lie in it
    template <world World, class T, argument::counts Sizes, argument::counts Displacements>
    void operator()(World const& world, std::vector<T> const& in, std::vector<T>& out, Sizes const& sizes,
                    Displacements const& displacements) const {
        auto const parts = boost_mpi_shapes::noting_refusal(
            world, [&] { return boost_mpi_shapes::memory_for<T>(boost_mpi_shapes::total_of(sizes)); });
        all_gather(world, in, std::span{parts.get(), boost_mpi_shapes::total_of(sizes)}, sizes);
        std::size_t end = 0;
        boost_mpi_shapes::for_each_part(
            sizes, displacements,
            [&end](std::size_t, std::size_t displaced, std::size_t count) { end = std::max(end, displaced + count); });
        out.resize(end);
        boost_mpi_shapes::unpack(parts.get(), out.data(), sizes, displacements);
    }

private:
    template <class World, class Sizes>
    [[nodiscard]] static std::size_t part_of_this_rank(World const& world, Sizes const& sizes) {
        auto const rank = static_cast<std::size_t>(argument::rank_of(argument::communicator_for(world)));
        argument::counts_of_ranks const counts{sizes};
        return rank < counts.size() ? counts[rank] : 0;
    }
};

}  // namespace tutti::boost_mpi_shapes

namespace tutti {

/// As boost::mpi::gatherv: out + displacements[r] on rank `root` = in(r), of sizes[r] elements, for every rank r;
/// without displacements, parts follow one another.
/// Requires: the same root on all ranks; sizes and displacements on the root, not negative.
/// Result: on the root; `out` elsewhere is neither read nor written, and may be left out.
/// Errors, cost: as `gather` with counts. With displacements the root needs memory for all parts, and copies them.
/// Source: Boost.MPI 1.74.
inline constexpr boost_mpi_shapes::gatherv gatherv{};

/// As boost::mpi::scatterv: out on rank r = the sizes[r] elements from in + displacements[r] on rank `root`; without
/// displacements, parts follow one another.
/// Requires: the same root on all ranks; sizes and displacements on the root, not negative; in the forms without a
/// count for `out`, sizes on all ranks.
/// Result: on every rank its part; `in` elsewhere than on the root is not read, and may be left out.
/// Errors, cost: as `scatter` with counts. With displacements the root needs memory for all parts, and copies them.
/// Source: Boost.MPI 1.74.
inline constexpr boost_mpi_shapes::scatterv scatterv{};

/// As boost::mpi::all_gatherv: out + displacements[r] on every rank = in(r), of sizes[r] elements, for every rank r;
/// without displacements, parts follow one another.
/// Requires: the same sizes on all ranks; sizes and displacements not negative.
/// Result: on every rank. A vector `out` grows.
/// Errors, cost: as `all_gather` with counts. With displacements each rank needs memory for all parts, and copies them.
/// Source: Boost.MPI 1.74.
inline constexpr boost_mpi_shapes::all_gatherv all_gatherv{};

}  // namespace tutti
