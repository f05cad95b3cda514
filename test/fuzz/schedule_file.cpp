// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include "check.hpp"

#include <optional>
#include <string>

#include <tutti/analysis/broken_schedule.hpp>
#include <tutti/analysis/from_file.hpp>
#include <tutti/analysis/json.hpp>
#include <tutti/analysis/read/msccl.hpp>
#include <tutti/analysis/simulate.hpp>

// A file of schedules is refused, or proved or refuted without harm; what is proved is the same after it has been written.

namespace {

template <class Collective>
void check(Collective which, tutti::from_file const& from) {
    auto const& table = from.table();
    if (!table.collective.empty() && table.collective != Collective::name) { return; }
    try {
        if (!from.suits<Collective>(table.size, true)) { return; }
    } catch (tutti::analysis::broken_schedule const& refuted) {
        fuzz::require_sentence(refuted.what());
        return;
    }
    auto const& cut = table.cut;
    auto const line = tutti::simulate(which, from, table.size, table.root, cut, {});
    auto const text = tutti::to_json(which, from, table.size, table.root, cut, line);
    tutti::from_file const again{text, "again"};
    fuzz::require(again.suits<Collective>(table.size, true), "what is proved is refuted when it is read again");
    fuzz::require(again.table().steps == table.steps, "schedules are written as others");
}

}  // namespace

int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    std::optional<tutti::from_file> from;
    try {
        from.emplace(fuzz::text_of(data, size), "file");
    } catch (tutti::analysis::broken_schedule const& refused) {
        fuzz::require_sentence(refused.what(), "tutti: file:");
        return 0;
    }
    if (from->table().size > 64 || from->table().cut.blocks() > 64) { return 0; }  // proofs take long
    check(tutti::collective::all_reduce{}, *from);
    check(tutti::collective::reduce_scatter{}, *from);
    check(tutti::collective::all_gather{}, *from);
    return 0;
}
