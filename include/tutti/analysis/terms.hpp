// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <tutti/analysis/contract.hpp>
#include <tutti/analysis/schedules_of.hpp>
#include <tutti/analysis/symbolic.hpp>
#include <tutti/generator/named.hpp>
#include <tutti/partition.hpp>
#include <tutti/text.hpp>

namespace tutti::analysis {

/// Which operands are combined with which in the results of a collective.
struct result_terms {
    /// Of the first block of the result on the root, on rank 0 or, of a scan, on the last rank, e.g. "((0+1)+2)";
    /// numbers are those of ranks.
    std::string first;
    bool same_everywhere = true;  ///< the blocks of a rank all have one term; on all ranks, but for scans, the same one
    bool canonical = true;        ///< every result has the canonical term, see symbolic::expressions
};

namespace symbolic {

/// What the terms of a run that has ended have in common.
template <class Collective, class Machine>
[[nodiscard]] result_terms terms_at_end(symbolic::contract<Collective> const& owed, partition const& cut,
                                        Machine const& end) {
    constexpr bool scans = collective::is_scan<Collective>;
    result_terms found;
    value first = symbolic::nothing;
    for (std::size_t i = 0; i < owed.size; ++i) {
        auto const rank = scans ? owed.size - 1 - i : i;
        for (auto const held : {buffer::result(), buffer::prefix()}) {
            value of_rank = symbolic::nothing;
            for (std::size_t block = 0; block < cut.blocks(); ++block) {
                if (cut.size(block) == 0 || !owed.owed(rank, held, block)) { continue; }
                auto const holds = end.holds(rank, held, block);
                found.canonical = found.canonical && end.values().is_canonical(holds);
                if (first == symbolic::nothing) { first = holds; }
                if (of_rank == symbolic::nothing) { of_rank = scans ? holds : first; }
                found.same_everywhere = found.same_everywhere && holds == of_rank;
            }
        }
    }
    found.first = end.values().text(first);
    return found;
}

}  // namespace symbolic

/// What the terms of all results have in common. Requires root < size, else throws std::invalid_argument, and schedules
/// that can be carried out, else throws broken_schedule.
template <class Collective, generators::generator_for<Collective> Generator>
[[nodiscard]] result_terms terms_of(Collective, Generator const& generator, std::size_t size, std::size_t root,
                                    partition const& cut) {
    symbolic::contract<Collective> const owed{size, root, cut.blocks()};
    symbolic::machine machine{analysis::schedules_of(Collective{}, generator, size, root, cut), cut,
                              [owed](std::size_t rank, std::size_t block) { return owed.given(rank, block); }};
    machine.run(symbolic::no_observer{});
    return symbolic::terms_at_end(owed, cut, machine);
}

namespace symbolic {

/// The vector cut as the generator wants it where elements have this many bytes.
template <class Collective, class Generator>
[[nodiscard]] partition cut_for(Collective which, Generator const& generator, std::size_t size, std::size_t elements,
                                std::size_t element_bytes) {
    std::size_t const wanted = blocks_for(which, generator, size, elements * element_bytes);
    if constexpr (collective::divides<Collective>) {
        return partition::equal(elements, std::max<std::size_t>(wanted / size, 1) * size);
    } else {
        return partition::equal(elements, std::clamp<std::size_t>(wanted, 1, elements));
    }
}

/// The terms of a run, element by element: of every result, in the order of ranks.
template <class Collective, class Generator>
[[nodiscard]] std::vector<std::string> terms_of_elements(Collective which, Generator const& generator,
                                                         std::size_t size, std::size_t root, std::size_t elements,
                                                         std::size_t element_bytes) {
    auto const cut = symbolic::cut_for(which, generator, size, elements, element_bytes);
    symbolic::contract<Collective> const owed{size, root, cut.blocks()};
    symbolic::machine run{analysis::schedules_of(which, generator, size, root, cut), cut,
                          [owed](std::size_t rank, std::size_t block) { return owed.given(rank, block); }};
    run.run(no_observer{});
    std::vector<std::string> result;
    for (std::size_t rank = 0; rank != size; ++rank) {
        for (auto const held : {buffer::result(), buffer::prefix()}) {
            for (std::size_t block = 0; block != cut.blocks(); ++block) {
                if (cut.size(block) == 0 || !owed.owed(rank, held, block)) { continue; }
                result.insert(result.end(), cut.size(block), run.values().text(run.holds(rank, held, block)));
            }
        }
    }
    return result;
}

}  // namespace symbolic

/// Whether two generators combine the same operands with one another, in the same order, in every element: whether
/// their results have the same bits on any data, whatever the operator, if the root is this one.
/// Requires: both support p ranks, else throws std::invalid_argument, and give schedules that `verify` accepts.
/// Result: true if so on every rank, and for vectors of 1, p - 1, 3 p + 1 and, of elements so long that pipelines cut
/// between them, 9 p elements, each cut as a call by that generator would cut it.
/// Cost: running both symbolically for each vector.
template <class Collective, generators::generator_for<Collective> G, generators::generator_for<Collective> H>
[[nodiscard]] bool same_terms(Collective which, G const& g, H const& h, std::size_t p, std::size_t root) {
    using generators::facts_about;
    for (auto const* stated : {&facts_about(which, g), &facts_about(which, h)}) {
        if (!stated->supports(p)) {
            throw std::invalid_argument{
                text::joined({"tutti: ", stated->name, " does not support ", text::word(p, "rank")})};
        }
    }
    for (auto const& [elements, bytes] : {std::pair<std::size_t, std::size_t>{1, 8},
                                          {p > 2 ? p - 1 : 2, 8},
                                          {3 * p + 1, 8},
                                          {9 * p, generators::default_segment}}) {
        if (symbolic::terms_of_elements(which, g, p, root, elements, bytes) !=
            symbolic::terms_of_elements(which, h, p, root, elements, bytes)) {
            return false;
        }
    }
    return true;
}

/// The same for every root.
template <class Collective, generators::generator_for<Collective> G, generators::generator_for<Collective> H>
[[nodiscard]] bool same_terms(Collective which, G const& g, H const& h, std::size_t p) {
    for (std::size_t root = 0; root != (collective::is_rooted<Collective> ? p : 1); ++root) {
        if (!analysis::same_terms(which, g, h, p, root)) { return false; }
    }
    return true;
}

namespace symbolic {

/// Calls `use(Collective{})` for each of these that combines operands and that both implement; gives their number.
template <class G, class H, class Use, class... Collectives>
std::size_t for_each_common(Use use, Collectives... all) {
    std::size_t count = 0;
    auto const consider = [&]<class Collective>(Collective which) {
        if constexpr (generators::generator_for<G, Collective> && generators::generator_for<H, Collective>) {
            ++count;
            use(which);
        }
    };
    (consider(all), ...);
    return count;
}

}  // namespace symbolic

/// The same in every collective that combines operands and that both implement; there must be one.
template <class G, class H>
[[nodiscard]] bool same_terms(G const& g, H const& h, std::size_t p) {
    bool same = true;
    auto const compare = [&](auto which) { same = same && analysis::same_terms(which, g, h, p); };
    auto const common = symbolic::for_each_common<G, H>(
        compare, collective::reduce{}, collective::all_reduce{}, collective::inclusive_scan{},
        collective::exclusive_scan{}, collective::scan_reduce{}, collective::reduce_scatter{});
    if (common == 0) {
        throw std::invalid_argument{"tutti: no collective that combines operands is implemented by both generators"};
    }
    return same;
}

}  // namespace tutti::analysis
