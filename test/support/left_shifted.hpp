// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <vector>

#include <range/v3/range/conversion.hpp>

#include <tutti/analysis/schedules_of.hpp>
#include <tutti/generator/named.hpp>

namespace tutti::test {

/// When the last rank ends if a rank sends, receives or combines one block at a time, in program order, each
/// operation as early as its two ranks allow; a transfer takes `transfer`, a combine after it `combine`.
template <class Generator>
[[nodiscard]] std::size_t left_shifted(Generator const& generator, std::size_t size, std::size_t blocks,
                                       std::size_t transfer, std::size_t combine) {
    auto const cut = partition::equal(blocks, blocks);
    std::vector<std::vector<step>> programs;
    for (auto const& each : analysis::schedules_of(collective::reduce{}, generator, size, 0, cut)) {
        programs.push_back(ranges::to<std::vector>(each));
    }
    std::vector<std::size_t> next(size, 0);
    std::vector<std::size_t> time(size, 0);
    auto const ended = [&](std::size_t rank) { return next[rank] == programs[rank].size(); };
    auto const meets = [&](std::size_t receiver) {
        if (ended(receiver) || !programs[receiver][next[receiver]].receives()) { return false; }
        auto const sender = programs[receiver][next[receiver]].peer;
        if (ended(sender)) { return false; }
        auto const& sent = programs[sender][next[sender]];
        return sent.what == schedules::action::send && sent.peer == receiver;
    };
    for (bool moved = true; moved;) {
        moved = false;
        for (std::size_t receiver = 0; receiver < size; ++receiver) {
            while (meets(receiver)) {
                auto const sender = programs[receiver][next[receiver]].peer;
                auto const start = std::max(time[sender], time[receiver]);
                time[sender] = start + transfer;
                time[receiver] = start + transfer + combine;
                ++next[sender];
                ++next[receiver];
                moved = true;
            }
        }
    }
    for (std::size_t rank = 0; rank < size; ++rank) {
        if (!ended(rank)) { throw std::logic_error{"a rank never ends"}; }
    }
    return *std::max_element(time.begin(), time.end());
}

}  // namespace tutti::test
