// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include <laws/schedule_laws.hpp>
#include <tutti/analysis/simulate.hpp>
#include <tutti/combinator/reverse.hpp>
#include <tutti/combinator/then.hpp>
#include <tutti/generator/papers/overlapped_greedy.hpp>
#include <tutti/generator/pattern/tree/greedy.hpp>

/// What every greedy tree under a limit must keep.
namespace laws {

inline std::vector<tutti::generators::overlapped_costs> const tree_costs{{0, 1}, {1, 0}, {1, 1}, {1, 2},
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
                BOOST_TEST(makespan_of(limited, size) == lengths[i]);
            }
        }
    }
}

/// By the number of levels, and of rounds under the limit after them.
template <class Limited>
void check_length_bound() {
    for (auto const& [transfer, combine] : tree_costs) {
        for (std::size_t size = 2; size < 200; size += 3) {
            for (std::size_t limit = 1; limit <= size / 2; ++limit) {
                auto const levels = static_cast<std::size_t>(std::bit_width(limit));
                auto const left = size - std::min(size, std::size_t{1} << levels);
                auto const bound = (levels + (left + limit - 1) / limit) * (transfer + combine);
                BOOST_TEST(makespan_of(Limited{limit, transfer, combine}, size) <= bound);
            }
        }
    }
}

/// A limit of half as many as ranks is none.
template <class Limited>
void check_no_limit() {
    for (auto const& [transfer, combine] : tree_costs) {
        for (std::size_t size = 2; size < 130; ++size) {
            auto const limited = tree_of(Limited{size / 2, transfer, combine}, size);
            BOOST_TEST(limited.receiver == tree_of(tutti::overlapped_greedy{transfer, combine}, size).receiver);
        }
    }
}

/// Calls function(limited, size, makespan) with what simulated reductions take.
template <class Limited, class Function>
void simulate_limited_trees(Function function) {
    auto const cut = tutti::partition::equal(6, 1);
    for (auto const& [transfer, combine] : tree_costs) {
        auto const model = tutti::cost_model::per_block(static_cast<double>(transfer), static_cast<double>(combine),
                                                        tutti::ports::overlapped);
        for (std::size_t size : {1U, 2U, 3U, 6U, 13U, 20U, 64U, 100U}) {
            for (std::size_t limit : {1U, 2U, 5U, 50U}) {
                Limited const limited{limit, transfer, combine};
                auto const line = simulate(tutti::collective::reduce{}, limited, size, size / 3, cut, model);
                function(limited, size, line.makespan());
            }
        }
    }
}

/// A limit of zero is refused in these words.
template <class Limited>
void check_refusal_of_zero(std::string const& sentence) {
    auto const cut = tutti::partition::equal(1, 1);
    auto const says_why = [&](auto const& error) { return error.what() == sentence; };
    Limited const none{.at_most = 0};
    BOOST_CHECK_EXCEPTION(static_cast<void>(generate(tutti::collective::reduce{}, none, {0, 4, 0, cut})),
                          std::invalid_argument, says_why);
    BOOST_CHECK_EXCEPTION(static_cast<void>(makespan_of(none, 1)), std::invalid_argument, says_why);
}

/// Under all limits, in all directions.
template <class Limited>
void check_limited_trees() {
    using namespace tutti;
    using namespace tutti::generators;
    check_schedules(collective::reduce{}, Limited{});
    for (std::size_t limit : {1U, 2U, 3U, 7U}) {
        check_schedules(collective::reduce{}, Limited{.at_most = limit}, {2, 5, 8, 13, 64});
        check_schedules(collective::reduce{}, Limited{.at_most = limit, .combine = 10}, {6, 20, 64});
    }
    check_schedules(collective::broadcast{}, reverse(Limited{}), {1, 2, 3, 8, 13, 33});
    check_schedules(collective::all_reduce{}, then(Limited{}, reverse(Limited{})), {1, 2, 3, 8, 13, 33});
}

}  // namespace laws
