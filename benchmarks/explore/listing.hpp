// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <bit>

#include <tutti/analysis/draw/text.hpp>
#include <tutti/collective/explain.hpp>

#include "exploration.hpp"
#include "lookup.hpp"

namespace tutti::explore {

/// For which numbers of ranks, as far as trying tells.
[[nodiscard]] inline std::string sizes(facts const& stated) {
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

[[nodiscard]] inline std::string parameters(algorithm& of) {
    std::string result;
    std::set<std::string_view> seen;
    for (auto const& each : of.parameters()) {
        if (!seen.insert(each.name).second) { continue; }
        result += (result.empty() ? "" : " ") + std::string{each.name} + '=' + each.value;
    }
    return result.empty() ? "-" : result;
}

[[nodiscard]] inline std::string remarks(algorithm const& of, bool combines) {
    std::string result = of.composition == of.name ? "" : of.composition;
    auto const add = [&](std::string const& remark) { result += (result.empty() ? "" : "; ") + remark; };
    if (combines && !of.stated.identical_on_all_ranks) { add("ranks may round differently"); }
    if (!of.stated.one_ported) { add("not in lock step"); }
    return result;
}

/// A table of all algorithms of these collectives, or those that are named, and what they require.
[[nodiscard]] inline std::string listing(std::vector<family> const& all, options const& wanted) {
    bool const one = wanted.algorithm != "automatic";
    analysis::draw::table table{8};
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
        if (!one) {
            table.add({std::string{each.collective}, "automatic", "-", "-", "-", "any", "-", "tutti's choice"});
        }
    }
    return table.text();
}

/// A table of all algorithms of these collectives, or those that are named, and what they cost for the ranks and blocks
/// that are asked for. Throws as `exploration` does; if no collective is named, those are left out that have no part
/// for each rank although --counts says how large it is.
[[nodiscard]] inline std::string comparison(std::vector<family>& all, options const& wanted) {
    check_ranks(wanted);
    analysis::draw::table table{2};
    table.add({"collective", "algorithm", "blocks", "rounds", "messages", "elements sent", "combined",
               "time (" + times_in_words(wanted) + ")"});
    for (auto& of : all) {
        if (wanted.collective.empty() ? wanted.counts && !of.divides : of.collective != wanted.collective) { continue; }
        for (auto& by : of.algorithms) {
            if (wanted.algorithm != "automatic" && !goes_by(*by, wanted.algorithm)) { continue; }
            if (!by->stated.supports(*wanted.size)) {
                table.add({std::string{of.collective}, by->name, "-", "-", "-", "-", "-", "-"});
                continue;
            }
            exploration const found{wanted, of, *by};
            table.add({std::string{of.collective}, by->name, std::to_string(found.cut.blocks()),
                       std::to_string(found.schedules.rounds.front()), std::to_string(found.verdict.messages),
                       std::to_string(found.verdict.volume), std::to_string(found.verdict.combines),
                       analysis::draw::number(found.line.makespan())});
        }
    }
    return table.text();
}

/// All that tutti chooses from, with what it is expected to take. Throws `usage_error`.
[[nodiscard]] inline std::string choosing(std::vector<family>& all, options const& wanted) {
    if (wanted.algorithm != "automatic") {
        throw usage_error{"--choose lists what tutti chooses from; leave --algorithm out"};
    }
    if (wanted.format != format::text) { throw usage_error{"--choose knows the format text only"}; }
    if (wanted.list || wanted.verify) { throw usage_error{"--choose stands alone; leave --list and --verify out"}; }
    check_ranks(wanted);
    if (!wanted.bytes) { throw usage_error{"--bytes must be given: of the whole vector"}; }
    auto const& of = find_family(all, wanted);
    if (wanted.commutative && !of.combines) { throw usage_error{std::string{of.collective} + " has no operator"}; }
    auto const commutes = wanted.commutative.value_or(true);
    auto const now = call_parameters_of(wanted, of.collective, *wanted.bytes);
    auto const [list, why] = of.expect(now, commutes);
    auto const chosen =
        std::find_if(list.begin(), list.end(), [](selection::predicted_cost const& each) { return each.chosen; });
    return std::string{of.collective} + " of " + counted(now.bytes, "byte") + " on " + counted(now.size, "rank") +
           (!of.combines ? ""
            : commutes   ? ", for an operator that commutes"
                         : ", for any operator") +
           "\nchosen: " + selection::to_string(*chosen) + " (" + std::string{why} +
           ")\ncosts: " + selection::costs_in_words(now) + "\n\n" + selection::to_string(list);
}

/// Throws `usage_error` if an option is given that means nothing unless tutti chooses.
inline void refuse_what_is_for_choosing(options const& wanted) {
    if (wanted.bytes) { throw usage_error{"--bytes is for --choose; --elements says how long the vector is"}; }
    if (wanted.commutative) { throw usage_error{"--commutative is for --choose"}; }
    if (wanted.threads) { throw usage_error{"--threads is for --choose"}; }
    if (wanted.ranks_per_node) { throw usage_error{"--ranks-per-node is for --choose"}; }
    if (!wanted.machine.empty() && wanted.algorithm != "automatic") {
        throw usage_error{"--model says what tutti chooses by; leave it or --algorithm out"};
    }
}

}  // namespace tutti::explore
