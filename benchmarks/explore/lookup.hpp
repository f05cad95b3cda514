// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tutti/cost/file.hpp>
#include <tutti/cost/machine.hpp>

#include "algorithm.hpp"
#include "options.hpp"

namespace tutti::explore {

/// Whether `named` is its name or its composition.
[[nodiscard]] inline bool goes_by(algorithm const& one, std::string named) {
    auto composition = one.composition;
    std::erase(composition, ' ');
    std::erase(named, ' ');
    return one.name == named || composition == named;
}

[[nodiscard]] inline auto position_of(std::vector<std::unique_ptr<algorithm>>& all, std::string const& named) {
    return std::find_if(all.begin(), all.end(), [&](auto const& each) { return goes_by(*each, named); });
}

[[nodiscard]] inline std::vector<std::string> names_of(family const& of) {
    std::vector<std::string> names{"automatic"};
    for (auto const& each : of.algorithms) { names.push_back(each->name); }
    return names;
}

/// Of the whole vector, as far as that is known before it is cut.
[[nodiscard]] inline std::size_t elements_of(options const& wanted) {
    auto const sum = [](auto const& sizes) { return std::accumulate(sizes.begin(), sizes.end(), std::size_t{0}); };
    return wanted.elements ? *wanted.elements
           : wanted.sizes  ? sum(*wanted.sizes)
           : wanted.counts ? sum(*wanted.counts)
                           : wanted.blocks.value_or(0);
}

/// `named` is what of that kind does not exist; `where` says for what.
[[noreturn]] inline void refuse_name(std::string const& kind, std::string const& named, std::string const& where,
                                     std::vector<std::string> const& known) {
    auto const meant = nearest(named, known);
    throw usage_error{"there is no " + kind + ' ' + named + where +
                      (meant == named ? "" : " (did you mean " + meant + "?)") + "; there are: " + listed(known)};
}

[[noreturn]] inline void refuse_algorithm(std::string const& named, family const& of) {
    refuse_name("algorithm", named, " for " + std::string{of.collective}, names_of(of));
}

/// The collective that is asked for; without one, the first that has the algorithm. Throws `usage_error`.
[[nodiscard]] inline family& find_family(std::vector<family>& all, options const& wanted) {
    bool const by_name = !wanted.collective.empty();
    if (!by_name && wanted.algorithm == "automatic") {
        throw usage_error{"--collective or --algorithm must be given; --list shows what there is"};
    }
    std::vector<std::string> known;
    for (auto& each : all) {
        if (by_name ? each.collective == wanted.collective
                    : position_of(each.algorithms, wanted.algorithm) != each.algorithms.end()) {
            return each;
        }
        for (auto const& name : by_name ? std::vector{std::string{each.collective}} : names_of(each)) {
            if (std::find(known.begin(), known.end(), name) == known.end()) { known.push_back(name); }
        }
    }
    if (by_name) { refuse_name("collective", wanted.collective, "", known); }
    refuse_name("algorithm", wanted.algorithm, " for any collective", known);
}

/// Throws `usage_error` if a collective or an algorithm is named that does not exist.
inline void refuse_unknown_names(std::vector<family>& all, options const& wanted) {
    bool const any = wanted.algorithm == "automatic";
    if (any && wanted.collective.empty()) { return; }
    auto& of = find_family(all, wanted);
    if (!any && position_of(of.algorithms, wanted.algorithm) == of.algorithms.end()) {
        refuse_algorithm(wanted.algorithm, of);
    }
}

/// What tutti chooses by, for ranks on nodes or for threads. Throws if there is no such file,
/// or it is wrong.
[[nodiscard]] inline call_parameters call_parameters_of(options const& wanted, std::string_view collective,
                                                        std::size_t bytes) {
    // there is one file, and parameters refer to what it says
    static auto const machine = wanted.machine.empty() ? machine_model{} : load_machine(wanted.machine);
    call_parameters now{.size = *wanted.size,
                        .bytes = bytes,
                        .nodes = wanted.threads ? node_map{} : node_map::of_width(wanted.ranks_per_node.value_or(1)),
                        .lends_objects = wanted.threads};
    now.adopt(machine, collective);
    return now;
}

/// The algorithm that is asked for, by its name or by its composition; tutti's choice for `automatic`.
/// Throws `usage_error`.
[[nodiscard]] inline choice find_algorithm(family& of, options const& wanted) {
    if (wanted.algorithm == "automatic") {
        constexpr std::size_t element_bytes = 8;
        auto result = of.choose(call_parameters_of(wanted, of.collective, elements_of(wanted) * element_bytes));
        auto const same = position_of(of.algorithms, result.chosen->composition);
        if (same != of.algorithms.end()) { result.chosen->name = (*same)->name; }
        return result;
    }
    auto const found = position_of(of.algorithms, wanted.algorithm);
    if (found == of.algorithms.end()) { refuse_algorithm(wanted.algorithm, of); }
    return {std::move(*found), {}};
}

/// Assigns what --param says. Throws `usage_error`.
inline void assign_parameters(algorithm& to, options const& wanted) {
    auto const all = to.parameters();
    for (auto const& [name, value] : wanted.parameters) {
        bool known = false;
        std::vector<std::string> names;
        for (auto const& each : all) {
            if (std::find(names.begin(), names.end(), each.name) == names.end()) { names.emplace_back(each.name); }
            if (each.name != name) { continue; }
            each.assign(value);
            known = true;
        }
        if (known) { continue; }
        throw usage_error{"algorithm " + to.name + " has no parameter " + name +
                          (names.empty() ? "; it has none" : "; it has: " + listed(names))};
    }
}

}  // namespace tutti::explore
