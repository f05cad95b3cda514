// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include "exploration.hpp"

#include <string>

#include <tutti/analysis/broken_schedule.hpp>
#include <tutti/analysis/simulate.hpp>

#include "costs.hpp"
#include "cut.hpp"
#include "lookup.hpp"
#include "words.hpp"

namespace tutti::explore {

namespace {

[[nodiscard]] partition cut_for(options const& wanted, family const& of, algorithm& by) {
    if (*wanted.size > most_ranks_of_schedules) {
        throw refusal{"a schedule can have " + std::to_string(most_ranks_of_schedules) +
                      " ranks at most; for more, --choose says what tutti chooses"};
    }
    if (!by.stated.supports(*wanted.size)) {
        throw refusal{"algorithm " + by.name + " does not support " + counted(*wanted.size, "rank")};
    }
    assign_parameters(by, wanted);
    return cut_of(wanted, of, by);
}

[[nodiscard]] cost_model adopted_costs(options const& wanted, algorithm& by, partition const& cut) {
    auto costs = costs_of(wanted, by.stated);
    costs.transfers_at_once = by.transfers_at_once();
    adopt_costs(by, wanted, costs, cut);
    return costs;
}

}  // namespace

void check_ranks(options const& wanted) {
    if (!wanted.size) { throw refusal{"--size must be given: the number of ranks"}; }
    if (wanted.root >= *wanted.size) {
        throw refusal{"--root " + std::to_string(wanted.root) + " is not one of " + counted(*wanted.size, "rank")};
    }
}

exploration::exploration(options const& wanted, family const& of, algorithm& by)
    : cut{cut_for(wanted, of, by)},
      costs{adopted_costs(wanted, by, cut)},
      schedules{by.record(*wanted.size, of.rooted ? wanted.root : 0, cut)} {
    if (wanted.verify) {
        verdict = by.verify(schedules);
        if (!verdict) {
            throw broken_schedule{std::string{of.collective} + " by " + by.name +
                                  " does not verify: " + verdict.reason};
        }
    }
    line = simulate(collective::reduce{}, stored_generator<promise{}>{&schedules}, schedules.size, schedules.root, cut,
                    costs, wanted.arrivals);
}

}  // namespace tutti::explore
