// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <vector>

#include <tutti/analysis/contract.hpp>
#include <tutti/analysis/schedules_of.hpp>
#include <tutti/analysis/symbolic.hpp>
#include <tutti/analysis/verify.hpp>

namespace support {

/// What each rank sends, receives and combines, one entry per rank in each list.
struct rank_traffic {
    std::vector<std::size_t> sends;
    std::vector<std::size_t> sent;      ///< elements
    std::vector<std::size_t> combined;  ///< elements
};

template <class Collective, class Generator>
[[nodiscard]] rank_traffic traffic_of(Collective which, Generator const& generator, std::size_t size,
                                      tutti::partition const& cut) {
    tutti::analysis::symbolic::contract<Collective> const owed{size, 0, cut.blocks()};
    tutti::analysis::symbolic::machine machine{tutti::analysis::schedules_of(which, generator, size, 0, cut), cut,
                                     [owed](std::size_t r, std::size_t block) { return owed.given(r, block); }};
    tutti::analysis::symbolic::traffic traffic{size, cut};
    machine.run(traffic);
    rank_traffic result;
    for (auto const& rank : traffic.per_rank()) {
        result.sends.push_back(rank.messages_sent);
        result.sent.push_back(rank.volume_sent);
        result.combined.push_back(rank.combines);
    }
    return result;
}

}  // namespace support
