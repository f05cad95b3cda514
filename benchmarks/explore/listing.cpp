// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include "listing.hpp"

#include <bit>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tutti/analysis/draw/number.hpp>
#include <tutti/analysis/draw/text.hpp>
#include <tutti/generator.hpp>

#include "exploration.hpp"
#include "lookup.hpp"
#include "words.hpp"

namespace tutti::explore {

namespace {

/// For which numbers of ranks, as far as trying tells.
[[nodiscard]] std::string sizes(facts const& stated) {
    constexpr std::size_t tried = 64;
    bool any = true;
    bool powers = true;
    std::string some;
    for (std::size_t size = 1; size <= tried; ++size) {
        bool const fits = stated.supports(size);
        any = any && fits;
        powers = powers && fits == std::has_single_bit(size);
        if (fits) { some += (some.empty() ? "" : ",") + std::to_string(size); }
    }
    return any ? "any" : powers ? "powers of two" : some + " of 1.." + std::to_string(tried);
}

[[nodiscard]] std::string parameters(algorithm& of) {
    std::string result;
    std::set<std::string_view> seen;
    for (auto const& each : of.parameters()) {
        if (!seen.insert(each.name).second) { continue; }
        result += (result.empty() ? "" : " ") + std::string{each.name} + '=' + each.value;
    }
    return result.empty() ? "-" : result;
}

[[nodiscard]] std::string remarks(algorithm const& of, bool combines) {
    std::vector<std::string> all;
    if (combines && !of.stated.identical_on_all_ranks) { all.emplace_back("ranks may round differently"); }
    if (!of.stated.one_ported) { all.emplace_back("not in lock step"); }
    std::string result = of.composition == of.name ? "" : of.composition;
    for (auto const& each : all) { result += (result.empty() ? "" : "; ") + each; }
    return result;
}

[[nodiscard]] std::vector<std::string> costs_in_words(options const& wanted, family const& of, algorithm& by) {
    if (!by.stated.supports(*wanted.size)) { return {"-", "-", "-", "-", "-", "-"}; }
    exploration const found{wanted, of, by};
    return {std::to_string(found.cut.blocks()),     std::to_string(found.schedules.rounds.front()),
            std::to_string(found.verdict.messages), std::to_string(found.verdict.volume),
            std::to_string(found.verdict.combines), draw::number(found.line.makespan())};
}

}  // namespace

std::string listing(std::vector<family> const& all, options const& wanted) {
    bool const one = wanted.algorithm != "automatic";
    draw::table table{8};
    table.add({"collective", "algorithm", "operator", "identity", "ports", "sizes", "parameters", "made of, remarks"});
    for (auto const& each : all) {
        if (!wanted.collective.empty() && each.collective != wanted.collective) { continue; }
        for (auto const& of : each.algorithms) {
            if (one && !goes_by(*of, wanted.algorithm)) { continue; }
            table.add({std::string{each.collective}, of->name,
                       !each.combines                    ? "none"
                       : of->stated.requires_commutative ? "commutative"
                                                         : "any, order kept",
                       of->stated.requires_identity ? "needed" : "-", std::string{name(of->stated.model)},
                       sizes(of->stated), parameters(*of), remarks(*of, each.combines)});
        }
        if (each.choose && !one) {
            table.add({std::string{each.collective}, "automatic", "-", "-", "-", "any", "-", "tutti's choice"});
        }
    }
    return table.text();
}

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
