// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include <tutti/collective/all_gather.hpp>
#include <tutti/collective/arguments.hpp>
#include <tutti/collective/forms.hpp>
#include <tutti/collective/gather.hpp>
#include <tutti/collective/invocation.hpp>
#include <tutti/collective/perform.hpp>
#include <tutti/communicator/world.hpp>
#include <tutti/operation.hpp>
#include <tutti/operation/sequence.hpp>
#include <tutti/text.hpp>

namespace tutti {

namespace sequence {

/// Where each rank's elements stand among those of all ranks, in rank order.
struct places {
    std::vector<std::size_t> begins;  ///< of each rank; the last one is the number of all elements

    [[nodiscard]] std::size_t ranks() const { return begins.size() - 1; }
    [[nodiscard]] std::size_t elements() const { return begins.back(); }

    /// How many subtrees each rank's elements make up.
    [[nodiscard]] std::vector<std::size_t> subtrees() const {
        std::vector<std::size_t> result;
        for (std::size_t rank = 0; rank != ranks(); ++rank) {
            result.push_back(subtrees_of(begins[rank], begins[rank + 1]));
        }
        return result;
    }
};

/// What ranks tell all others first: how many elements they have, and these themselves, if they are few and short.
template <class T>
struct head {
    static constexpr std::size_t most =
        std::is_trivially_copyable_v<T> && std::is_default_constructible_v<T> && travels_as_bytes<T> && sizeof(T) <= 16
            ? 2
            : 0;

    std::size_t count = 0;
    std::array<T, most> elements{};
};

template <class World, class T>
[[nodiscard]] std::vector<head<T>> heads(World const& world, std::span<T const> mine) {
    std::vector<head<T>> all(static_cast<std::size_t>(argument::size_of(argument::communicator_for(world))));
    head<T> own{.count = mine.size()};
    if (mine.size() <= own.most) { std::copy(mine.begin(), mine.end(), own.elements.begin()); }
    all_gather(world, tutti::value(own), all);
    return all;
}

template <class T>
[[nodiscard]] places places_of(std::vector<head<T>> const& all) {
    places result{{0}};
    for (auto const& each : all) { result.begins.push_back(result.begins.back() + each.count); }
    return result;
}

/// All elements, if every rank has sent its own; else nothing.
template <class T>
[[nodiscard]] std::vector<T> elements_in(std::vector<head<T>> const& all) {
    std::vector<T> result;
    for (auto const& each : all) {
        if (each.count > each.most) { return {}; }
        result.insert(result.end(), each.elements.begin(), each.elements.begin() + each.count);
    }
    return result;
}

template <class World, class T>
[[nodiscard]] places places_of(World const& world, std::span<T const> mine) {
    return sequence::places_of(sequence::heads(world, mine));
}

/// The trees over the largest subtrees that a rank's elements make up.
template <class T, class Op>
[[nodiscard]] std::vector<T> subtrees(std::span<T const> local, std::size_t begin, Op& op) {
    std::vector<T> result;
    sequence::for_each_subtree(begin, begin + local.size(), [&](std::size_t first, std::size_t count) {
        result.push_back(sequence::perfect(local.data() + (first - begin), count, op));
    });
    return result;
}

/// The trees over all elements of ranks before `end`, of whose subtrees those of the first rank come first.
template <class T, class Op>
[[nodiscard]] trees_so_far<T, Op> joined(std::vector<T> const& parts, places const& where, std::size_t end, Op& op) {
    trees_so_far<T, Op> result{op};
    std::size_t next = 0;
    for (std::size_t rank = 0; rank != end; ++rank) {
        sequence::for_each_subtree(where.begins[rank], where.begins[rank + 1],
                                   [&](std::size_t, std::size_t count) { result.add(parts[next++], count); });
    }
    return result;
}

/// Room for as many elements as travel.
template <class T>
[[nodiscard]] std::vector<T> room_for(std::vector<std::size_t> const& counts) {
    static_assert(
        std::is_default_constructible_v<T>,
        "tutti: sequences over several ranks need elements with a default, for the place of what is received");
    std::size_t all = 0;
    for (auto const count : counts) { all += count; }
    return std::vector<T>(all);
}

/// Subtrees of all ranks, on all ranks.
template <class World, class T>
[[nodiscard]] std::vector<T> gathered(World const& world, std::vector<T> const& mine, places const& where) {
    auto const counts = where.subtrees();
    auto all = sequence::room_for<T>(counts);
    all_gather(world, mine, all, counts);
    return all;
}

template <class Local>
using element = argument::element_of<Local const&>;

template <class World, class Local, class Out, class Op>
void inclusive_scan(World const& world, char const* what, Local const& local, Out&& out, Op& op, bool exclusive) {
    using T = element<Local>;
    auto const in = std::span<T const>{argument::as_span(local)};
    std::span<T> const to = argument::as_span(out);
    call_modes::telling_others(world, what, [&] {
        if (to.size() == in.size()) { return; }
        throw std::invalid_argument{
            text::joined({"tutti: the range has ", text::word(in.size(), "element"), ", but out has room for ",
                          to.size(), "; give both the same number"})};
    });
    auto const where = sequence::places_of(world, in);
    auto const rank = static_cast<std::size_t>(argument::rank_of(argument::communicator_for(world)));
    auto const begin = where.begins[rank];
    auto const mine = call_modes::telling_others(world, what, [&] { return sequence::subtrees(in, begin, op); });
    auto trees = sequence::joined(sequence::gathered(world, mine, where), where, rank, op);
    if (in.empty()) { return; }
    std::optional<T> first;
    if (exclusive) {
        if (!trees.empty()) {
            first = trees.total();
        } else if constexpr (operators::has_identity_v<Op, T>) {
            first = operators::identity_of<T>(op);
        }
    }
    std::vector<T> prefixes(in.begin(), in.end());
    sequence::for_each_subtree(begin, begin + in.size(), [&](std::size_t at, std::size_t count) {
        trees.scan(prefixes.data() + (at - begin), count);
    });
    std::size_t const shift = exclusive ? 1 : 0;
    for (std::size_t i = shift; i != in.size(); ++i) { to[i] = std::move(prefixes[i - shift]); }
    if (first) { to[0] = std::move(*first); }
}

}  // namespace sequence

/// x_0 ⊕ x_1 ⊕ … ⊕ x_{n-1} on rank `root`. The sequence x consists of the elements of `local` on all ranks, in rank
/// order.
/// Requires: ⊕ associative; the same root on all ranks; a range on every rank, perhaps empty.
/// Result: on the root, nothing if n = 0; nothing elsewhere.
/// Order: as in the sequence, by the canonical tree over positions 0 … n - 1, see `reduce_sequence(range, op)`. Bits
/// depend on the elements and on ⊕ alone: not on the number of ranks, nor on how the elements are distributed.
/// Errors: exceptions of ⊕, on the rank where it throws; std::invalid_argument if the root is no rank; errors of the
/// communicator.
/// Cost: n/p combines, an all_gather of p numbers, and a gather of at most 2 log2(n/p) elements of each rank.
template <world World, class Local, class Op>
    requires operators::operator_on<Op, sequence::element<Local>>
[[nodiscard]] std::optional<sequence::element<Local>> reduce_sequence(World const& world, Local const& local, Op&& op,
                                                                      int root) {
    using T = sequence::element<Local>;
    auto const in = std::span<T const>{argument::as_span(local)};
    auto& ranks = argument::communicator_for(world);
    call_modes::telling_others(world, "reduce_sequence",
                               [&] { argument::check_root<collective::reduce>(root, argument::size_of(ranks)); });
    auto const where = sequence::places_of(world, in);
    auto const rank = static_cast<std::size_t>(argument::rank_of(ranks));
    auto const mine = call_modes::telling_others(world, "reduce_sequence",
                                                 [&] { return sequence::subtrees(in, where.begins[rank], op); });
    auto const counts = where.subtrees();
    auto all = sequence::room_for<T>(argument::rank_of(ranks) == root ? counts : std::vector<std::size_t>{});
    gather(world, mine, all, counts, root);
    if (argument::rank_of(ranks) != root || where.elements() == 0) { return std::nullopt; }
    return sequence::joined(all, where, where.ranks(), op).total();
}

/// x_0 ⊕ x_1 ⊕ … ⊕ x_{n-1} on every rank. The sequence x consists of the elements of `local` on all ranks, in rank
/// order.
/// Requires: ⊕ associative; a range on every rank, perhaps empty.
/// Result: on every rank; if n = 0, the identity of ⊕, if it is known.
/// Order: as in the sequence, by the canonical tree over positions 0 … n - 1, see `reduce_sequence(range, op)`. Bits
/// depend on the elements and on ⊕ alone: not on the number of ranks, nor on how the elements are distributed.
/// Errors: std::invalid_argument on all ranks if n = 0 and no identity is known; exceptions of ⊕, on the rank where it
/// throws; errors of the communicator.
/// Cost: n/p combines, an all_gather of p numbers, one of at most 2 log2(n/p) elements of each rank, and as many
/// combines; if no rank has more than two short elements, the first all_gather alone.
template <world World, class Local, class Op>
    requires operators::operator_on<Op, sequence::element<Local>>
[[nodiscard]] sequence::element<Local> all_reduce_sequence(World const& world, Local const& local, Op&& op) {
    using T = sequence::element<Local>;
    auto const in = std::span<T const>{argument::as_span(local)};
    auto const heads = sequence::heads(world, in);
    auto const where = sequence::places_of(heads);
    if (where.elements() == 0) {
        if constexpr (operators::has_identity_v<Op, T>) {
            return operators::identity_of<T>(op);
        } else {
            throw std::invalid_argument{
                "tutti: all_reduce_sequence: no rank has an element, and the operator's identity is not known; write "
                "tutti::with_identity(op, value)"};
        }
    }
    if (auto const all = sequence::elements_in(heads); !all.empty()) {
        return sequence::canonical(all.data(), all.size(), op);
    }
    auto const rank = static_cast<std::size_t>(argument::rank_of(argument::communicator_for(world)));
    auto const mine = call_modes::telling_others(world, "all_reduce_sequence",
                                                 [&] { return sequence::subtrees(in, where.begins[rank], op); });
    return sequence::joined(sequence::gathered(world, mine, where), where, where.ranks(), op).total();
}

/// out[i] = x_0 ⊕ x_1 ⊕ … ⊕ x_j, where x_j is `local[i]`. The sequence x consists of the elements of `local` on all
/// ranks, in rank order.
/// Requires: ⊕ associative; `out` as long as `local`, or the same memory.
/// Result: on every rank, for its own elements.
/// Order: as in the sequence. Prefix j has the bits of `reduce_sequence` of the first j + 1 elements, for any number
/// of ranks and any distribution of the elements.
/// Errors: std::invalid_argument if `out` has another length; exceptions of ⊕, on the rank where it throws; errors of
/// the communicator.
/// Cost: up to log2(n) / 2 + 1 combines for each element, and the messages of `all_reduce_sequence`.
template <world World, class Local, class Out, class Op>
    requires operators::operator_on<Op, sequence::element<Local>>
void inclusive_scan_sequence(World const& world, Local const& local, Out&& out, Op&& op) {
    sequence::inclusive_scan(world, "inclusive_scan_sequence", local, out, op, false);
}

/// The same without x_j itself. The first element of the sequence gets the identity of ⊕ if it is known; otherwise it
/// is unchanged.
template <world World, class Local, class Out, class Op>
    requires operators::operator_on<Op, sequence::element<Local>>
void exclusive_scan_sequence(World const& world, Local const& local, Out&& out, Op&& op) {
    sequence::inclusive_scan(world, "exclusive_scan_sequence", local, out, op, true);
}

}  // namespace tutti
