// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include "comparison.hpp"

#include <string>
#include <utility>
#include <vector>

#include <tutti/analysis/draw/number.hpp>
#include <tutti/analysis/draw/text.hpp>

#include "exploration.hpp"
#include "lookup.hpp"

namespace tutti::explore {

namespace {

[[nodiscard]] std::vector<std::string> costs_in_words(options const& wanted, family const& of, algorithm& by) {
    if (!by.stated.supports(*wanted.size)) { return {"-", "-", "-", "-", "-", "-"}; }
    exploration const found{wanted, of, by};
    return {std::to_string(found.cut.blocks()),     std::to_string(found.schedules.rounds.front()),
            std::to_string(found.verdict.messages), std::to_string(found.verdict.volume),
            std::to_string(found.verdict.combines), draw::number(found.line.makespan())};
}

}  // namespace

std::string comparison(std::vector<family>& all, options const& wanted) {
    check_ranks(wanted);
    draw::table table{2};
    table.add({"collective", "algorithm", "blocks", "rounds", "messages", "elements sent", "combined", "time"});
    for (auto& of : all) {
        if (wanted.collective.empty() ? wanted.counts && !of.divides : of.collective != wanted.collective) { continue; }
        for (auto& by : of.algorithms) {
            if (wanted.algorithm != "automatic" && !goes_by(*by, wanted.algorithm)) { continue; }
            std::vector<std::string> row{std::string{of.collective}, by->name};
            for (auto const& each : costs_in_words(wanted, of, *by)) { row.push_back(each); }
            table.add(std::move(row));
        }
    }
    return table.text();
}

}  // namespace tutti::explore
