// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <map>
#include <vector>

#include <laws/schedule_laws.hpp>
#include <tutti/combinator/reverse.hpp>
#include <tutti/combinator/then.hpp>
#include <tutti/generator/pattern/tree/greedy.hpp>

/// What every greedy tree under a limit must keep.
namespace laws {

inline std::vector<tutti::overlapped_costs> const tree_costs{{0, 1}, {1, 0}, {1, 1}, {1, 2},
                                                             {2, 1}, {3, 4}, {4, 1}, {1, 10}};

/// Lengths at some costs: by size, under the limits 1, 2, 3 and 5.
struct lengths_of_trees {
    std::size_t transfer;
    std::size_t combine;
    std::map<std::size_t, std::vector<std::size_t>> by_size;
};

template <class Limited>
void check_lengths(std::vector<lengths_of_trees> const& published) {
    std::vector<std::size_t> const limits{1, 2, 3, 5};
    for (auto const& [transfer, combine, by_size] : published) {
        for (auto const& [size, lengths] : by_size) {
            for (std::size_t i = 0; i < lengths.size(); ++i) {
                Limited const limited{.at_most = limits[i], .transfer = transfer, .combine = combine};
                BOOST_TEST(length(limited, size) == lengths[i]);
            }
        }
    }
}

/// Under all limits, in all directions.
template <class Limited>
void check_limited_trees() {
    using namespace tutti;
    check_schedules(collective::reduce{}, Limited{});
    for (std::size_t limit : {1U, 2U, 3U, 7U}) {
        check_schedules(collective::reduce{}, Limited{.at_most = limit}, {2, 5, 8, 13, 64});
        check_schedules(collective::reduce{}, Limited{.at_most = limit, .combine = 10}, {6, 20, 64});
    }
    check_schedules(collective::broadcast{}, reverse(Limited{}), {1, 2, 3, 8, 13, 33});
    check_schedules(collective::all_reduce{}, then(Limited{}, reverse(Limited{})), {1, 2, 3, 8, 13, 33});
}

}  // namespace laws
