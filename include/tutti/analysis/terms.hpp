// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include <tutti/analysis/contract.hpp>
#include <tutti/analysis/schedules_of.hpp>
#include <tutti/analysis/symbolic.hpp>
#include <tutti/generator.hpp>

namespace tutti {

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
[[nodiscard]] result_terms terms_at_end(contract<Collective> const& owed, partition const& cut, Machine const& end) {
    constexpr bool scans = collective::is_scan<Collective>;
    result_terms found;
    value first = nothing;
    for (std::size_t i = 0; i < owed.size; ++i) {
        auto const rank = scans ? owed.size - 1 - i : i;
        for (auto const held : {buffer::result(), buffer::prefix()}) {
            value of_rank = nothing;
            for (std::size_t block = 0; block < cut.blocks(); ++block) {
                if (cut.size(block) == 0 || !owed.owed(rank, held, block)) { continue; }
                auto const holds = end.holds(rank, held, block);
                found.canonical = found.canonical && end.values().is_canonical(holds);
                if (first == nothing) { first = holds; }
                if (of_rank == nothing) { of_rank = scans ? holds : first; }
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
template <class Collective, generator_for<Collective> Generator>
[[nodiscard]] result_terms terms_of(Collective, Generator const& generator, std::size_t size, std::size_t root,
                                    partition const& cut) {
    symbolic::contract<Collective> const owed{size, root, cut.blocks()};
    symbolic::machine machine{schedules_of(Collective{}, generator, size, root, cut), cut,
                              [owed](std::size_t rank, std::size_t block) { return owed.given(rank, block); }};
    machine.run(symbolic::no_observer{});
    return symbolic::terms_at_end(owed, cut, machine);
}

}  // namespace tutti
