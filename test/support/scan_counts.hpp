// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <bit>
#include <cctype>
#include <cstddef>
#include <string>
#include <vector>

#include <tutti/analysis/verify.hpp>

namespace support {

/// ⌈log2 n⌉
[[nodiscard]] constexpr std::size_t log2_up(std::size_t n) { return static_cast<std::size_t>(std::bit_width(n - 1)); }

}  // namespace support

/// What the ranks of a scan do and get, rank by rank.
namespace scans {

inline constexpr tutti::collective::exclusive_scan exclusive;
inline constexpr tutti::collective::inclusive_scan inclusive;
inline constexpr tutti::collective::scan_reduce both;

/// How many steps of each rank `counted` says yes to, for a vector of one block.
template <class Collective, class Generator, class Counted>
[[nodiscard]] std::vector<std::size_t> steps_of(Collective which, Generator const& generator, std::size_t size,
                                                Counted counted) {
    auto const cut = tutti::partition::equal(1, 1);
    std::vector<std::size_t> result(size, 0);
    for (std::size_t rank = 0; rank < size; ++rank) {
        for (tutti::step const& each : generate(which, generator, tutti::problem{rank, size, 0, cut})) {
            result[rank] += counted(each) ? 1 : 0;
        }
    }
    return result;
}

template <class Collective, class Generator>
[[nodiscard]] std::vector<std::size_t> sends_of(Collective which, Generator const& generator, std::size_t size) {
    return steps_of(which, generator, size,
                    [](auto const& each) { return each.what == tutti::schedules::action::send; });
}

/// Right if the generator never combines into a block that is empty.
template <class Collective, class Generator>
[[nodiscard]] std::vector<std::size_t> combines_of(Collective which, Generator const& generator, std::size_t size) {
    return steps_of(which, generator, size, [](auto const& each) { return each.combines(); });
}

/// What each rank holds in the end if rank r, one of at most ten, gives the r-th letter and letters are concatenated.
template <class Collective, class Generator>
[[nodiscard]] std::vector<std::string> terms(Collective which, Generator const& generator, std::size_t size,
                                             tutti::buffer held) {
    auto const cut = tutti::partition::equal(1, 1);
    std::vector<std::string> result(size);
    for (std::size_t rank = 0; rank < size; ++rank) {
        auto const brackets = tutti::analysis::bracketings(which, generator, size, 0, cut, rank, held);
        for (char const each : brackets.front()) {
            if (std::isdigit(static_cast<unsigned char>(each)) != 0) {
                result[rank] += static_cast<char>(each - '0' + 'a');
            }
        }
    }
    return result;
}

}  // namespace scans
