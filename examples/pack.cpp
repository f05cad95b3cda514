// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
//
// Fortran 90's PACK and UNPACK: the elements of a distributed array that a mask selects become a vector in equal
// blocks, and return. One scan_reduce gives every rank the position of its elements and the length of the vector.
#include <algorithm>
#include <cstddef>
#include <functional>
#include <iostream>
#include <vector>

#include <tutti/threads.hpp>

using integers = std::vector<int>;

/// Joins what comes from several ranks, in their order: associative, but not commutative.
struct concatenate {
    integers operator()(integers left, integers const& right) const {
        left.insert(left.end(), right.begin(), right.end());
        return left;
    }
};

/// Moves a distributed vector: `mine` are its elements from `begin` on, the result is this rank's block of `to`.
/// No counts are exchanged; an element passes through at most ⌈log2 p⌉ ranks; an all-to-all would take it straight.
template <class World>
integers redistribute(World const& world, integers const& mine, std::size_t begin, tutti::partition const& to) {
    auto const end = begin + mine.size();
    auto const at = [&](std::size_t element) { return mine.data() + (std::clamp(element, begin, end) - begin); };
    std::vector<integers> pieces;
    for (std::size_t r = 0; r < to.blocks(); ++r) { pieces.emplace_back(at(to.offset(r)), at(to.offset(r + 1))); }
    integers result;
    tutti::reduce_scatter(world, pieces, result, concatenate{});
    return result;
}

/// This rank's block of the vector of all elements that are selected.
template <class World>
integers pack(World const& world, integers const& array, std::vector<bool> const& mask) {
    integers selected;
    for (std::size_t i = 0; i < array.size(); ++i) {
        if (mask[i]) { selected.push_back(array[i]); }
    }
    auto const [before, all] = tutti::scan_reduce(world, selected.size(), std::plus<>{});
    return redistribute(world, selected, before, tutti::partition::equal(all, static_cast<std::size_t>(world.size())));
}

/// The field, with the elements of the vector in the places that are selected. Needs every rank's count: p numbers.
template <class World>
integers unpack(World const& world, integers const& vector, std::vector<bool> const& mask, integers field) {
    std::vector<std::size_t> selected;
    tutti::all_gather(world, static_cast<std::size_t>(std::count(mask.begin(), mask.end(), true)), selected);
    auto const before = tutti::exclusive_scan(world, vector.size(), std::plus<>{});
    auto const mine = redistribute(world, vector, before, tutti::partition::of_sizes(selected));
    for (std::size_t i = 0, next = 0; i < field.size(); ++i) {
        if (mask[i]) { field[i] = mine[next++]; }
    }
    return field;
}

int main() {
    tutti::threads::run(5, [](auto& world) {
        integers array;
        std::vector<bool> mask;
        for (int i = 7 * world.rank(); i < 7 * (world.rank() + 1); ++i) {
            array.push_back(i * 37 % 100);
            mask.push_back(array.back() % 3 == 0);
        }
        auto const vector = pack(world, array, mask);
        for (auto const& part : {array, vector, unpack(world, vector, mask, integers(array.size()))}) {
            std::vector<integers> parts;
            tutti::gather(world, part, parts, 0);
            for (auto const& of_rank : parts) {
                std::cout << '|';
                for (int const x : of_rank) { std::cout << ' ' << x; }
                std::cout << (&of_rank == &parts.back() ? " |\n" : " ");
            }
        }
    });
}
