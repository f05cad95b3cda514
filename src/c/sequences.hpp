// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <cstring>
#include <numeric>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include <c/calls.hpp>
#include <c/error.hpp>
#include <c/operators.hpp>
#include <tutti/collective/records.hpp>
#include <tutti/collective/sequence.hpp>
#include <tutti/mpi.hpp>
#include <tutti/operation/sequence.hpp>

/// Collectives on a sequence whose elements are known by their size alone.
namespace tutti::c {

using bytes = std::vector<std::byte>;

/// A sequence's elements on this rank, and their operator.
struct local_sequence {
    std::byte const* first;
    std::size_t count;
    std::size_t extent;
    operator_of_c op;

    /// left ⊕ right of one element each.
    [[nodiscard]] bytes operator()(bytes const& left, bytes const& right) const {
        bytes out = right;
        op.combine_bytes(left.data(), out.data(), out.data(), 1, extent);
        return out;
    }

    [[nodiscard]] bytes element(std::size_t i) const {
        return {first + i * extent, first + (i + 1) * extent};
    }

    /// The perfect tree over `n` elements, a power of two. Levels are combined as vectors: every second element with
    /// the one after it.
    [[nodiscard]] bytes perfect(std::byte const* from, std::size_t n) const {
        constexpr std::size_t block = 4096;  // elements; their memory is used again
        if (n > block) { return (*this)(perfect(from, n / 2), perfect(from + n / 2 * extent, n / 2)); }
        bytes level(from, from + n * extent);
        bytes left(n / 2 * extent), right(n / 2 * extent);
        for (; n > 1; n /= 2) {
            for (std::size_t i = 0; i != n / 2; ++i) {
                std::memcpy(left.data() + i * extent, level.data() + 2 * i * extent, extent);
                std::memcpy(right.data() + i * extent, level.data() + (2 * i + 1) * extent, extent);
            }
            op.combine_bytes(left.data(), right.data(), right.data(), n / 2, extent);
            std::swap(level, right);
            right.resize(left.size());
        }
        level.resize(extent);
        return level;
    }

    /// The trees over the largest subtrees that the elements make up, one after the other.
    [[nodiscard]] bytes subtrees(std::size_t begin) const {
        bytes result;
        sequence::for_each_subtree(begin, begin + count, [&](std::size_t at, std::size_t n) {
            auto const tree = perfect(first + (at - begin) * extent, n);
            result.insert(result.end(), tree.begin(), tree.end());
        });
        return result;
    }
};

[[nodiscard]] inline local_sequence sequence_of(MPI_Comm comm, void const* in, std::size_t count, std::size_t extent,
                                                tutti_operator op) {
    local_sequence result{};
    call_modes::noting_refusal(comm, [&] {
        if (extent == 0) { throw std::invalid_argument{"tutti: elements of 0 bytes; give their extent"}; }
        static_cast<void>(vector("in", in, count, extent));
        result = {static_cast<std::byte const*>(in), count, extent, checked(op, extent)};
    });
    return result;
}

[[nodiscard]] inline sequence::places places_of(MPI_Comm comm, local_sequence const& mine) {
    return sequence::places_of(comm, std::span{reinterpret_cast<packing::record const*>(mine.first), mine.count});
}

/// The subtrees of this rank, and those of all, on `root` or everywhere.
[[nodiscard]] inline std::vector<bytes> gathered(MPI_Comm comm, local_sequence const& mine,
                                                 sequence::places const& where, std::optional<int> root) {
    auto const rank = rank_of(comm);
    auto const own = call_modes::telling_others(comm, "a sequence", [&] { return mine.subtrees(where.begins[rank]); });
    auto const counts = where.subtrees();
    bool const here = !root || static_cast<int>(rank) == *root;
    auto const trees = here ? std::accumulate(counts.begin(), counts.end(), std::size_t{0}) : 0;
    bytes all(trees * mine.extent);
    records const part{own.data(), own.size() / mine.extent, mine.extent};
    records const whole{all.data(), trees, mine.extent};
    if (root) {
        tutti::gather(comm, part, whole, counts, *root);
    } else {
        tutti::all_gather(comm, part, whole, counts);
    }
    std::vector<bytes> result;
    for (auto at = all.begin(); at != all.end(); at += static_cast<std::ptrdiff_t>(mine.extent)) {
        result.emplace_back(at, at + static_cast<std::ptrdiff_t>(mine.extent));
    }
    return result;
}

/// The result comes to `root`, or to every rank.
inline void reduce_sequence(MPI_Comm comm, void const* in, std::size_t count, void* out, std::size_t extent,
                            tutti_operator op, std::optional<int> root = std::nullopt) {
    auto const mine = sequence_of(comm, in, count, extent, op);
    bool const here = !root || static_cast<int>(rank_of(comm)) == *root;
    call_modes::noting_refusal(comm, [&] {
        if (root) { argument::check_root<collective::reduce>(*root, static_cast<int>(size_of(comm))); }
        if (here) { static_cast<void>(vector("out", out, 1, extent)); }
    });
    auto const where = places_of(comm, mine);
    if (!root && where.elements() == 0) {
        throw std::invalid_argument{"tutti: all_reduce_sequence: no rank has an element; give one that does not "
                                    "change the result"};
    }
    auto const parts = gathered(comm, mine, where, root);
    if (!here || where.elements() == 0) { return; }
    std::memcpy(out, sequence::joined(parts, where, where.ranks(), mine).total().data(), extent);
}

inline void scan_sequence(MPI_Comm comm, void const* in, std::size_t count, void* out, std::size_t extent,
                          tutti_operator op, bool exclusive) {
    auto const mine = sequence_of(comm, in_place(in) ? out : in, count, extent, op);
    call_modes::noting_refusal(comm, [&] { static_cast<void>(vector("out", out, count, extent)); });
    auto const where = places_of(comm, mine);
    auto const begin = where.begins[rank_of(comm)];
    auto trees = sequence::joined(gathered(comm, mine, where, std::nullopt), where, rank_of(comm), mine);
    if (count == 0) { return; }
    bytes const before = exclusive && !trees.empty() ? trees.total() : bytes{};
    std::vector<bytes> prefixes;
    for (std::size_t i = 0; i != count; ++i) { prefixes.push_back(mine.element(i)); }
    sequence::for_each_subtree(begin, begin + count, [&](std::size_t at, std::size_t n) {
        trees.scan(prefixes.data() + (at - begin), n);
    });
    auto* const to = static_cast<std::byte*>(out);
    std::size_t const shift = exclusive ? 1 : 0;
    for (std::size_t i = shift; i < count; ++i) { std::memcpy(to + i * extent, prefixes[i - shift].data(), extent); }
    if (!before.empty()) { std::memcpy(to, before.data(), extent); }
}

}  // namespace tutti::c

extern "C" {

int tutti_reduce_sequence(MPI_Comm comm, void const* in, std::size_t count, void* out, std::size_t extent,
                          tutti_operator op, int root) {
    return tutti::c::code_of([&] { tutti::c::reduce_sequence(comm, in, count, out, extent, op, root); });
}

int tutti_all_reduce_sequence(MPI_Comm comm, void const* in, std::size_t count, void* out, std::size_t extent,
                              tutti_operator op) {
    return tutti::c::code_of([&] { tutti::c::reduce_sequence(comm, in, count, out, extent, op); });
}

int tutti_inclusive_scan_sequence(MPI_Comm comm, void const* in, std::size_t count, void* out, std::size_t extent,
                                  tutti_operator op) {
    return tutti::c::code_of([&] { tutti::c::scan_sequence(comm, in, count, out, extent, op, false); });
}

int tutti_exclusive_scan_sequence(MPI_Comm comm, void const* in, std::size_t count, void* out, std::size_t extent,
                                  tutti_operator op) {
    return tutti::c::code_of([&] { tutti::c::scan_sequence(comm, in, count, out, extent, op, true); });
}

}  // extern "C"
