// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include "lookup.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "choosing.hpp"
#include "parameters.hpp"
#include "words.hpp"

namespace tutti::explore {

namespace {

[[nodiscard]] std::string without_spaces(std::string_view text) {
    std::string result{text};
    result.erase(std::remove(result.begin(), result.end(), ' '), result.end());
    return result;
}

[[nodiscard]] auto position_of(std::vector<std::unique_ptr<algorithm>>& all, std::string const& named) {
    return std::find_if(all.begin(), all.end(), [&](auto const& each) { return goes_by(*each, named); });
}

[[nodiscard]] std::vector<std::string> names_of(family const& of) {
    std::vector<std::string> names;
    if (of.choose) { names.emplace_back("automatic"); }
    for (auto const& each : of.algorithms) { names.push_back(each->name); }
    return names;
}

/// Of the whole vector, as far as that is known before it is cut.
[[nodiscard]] std::size_t elements_of(options const& wanted) {
    auto const sum = [](auto const& sizes) { return std::accumulate(sizes.begin(), sizes.end(), std::size_t{0}); };
    return wanted.elements ? *wanted.elements
           : wanted.sizes  ? sum(*wanted.sizes)
           : wanted.counts ? sum(*wanted.counts)
                           : wanted.blocks.value_or(0);
}

[[noreturn]] void refuse_algorithm(std::string const& named, std::string_view where,
                                   std::vector<std::string> const& known) {
    auto const meant = nearest(named, known);
    throw refusal{"there is no algorithm " + named + " for " + std::string{where} +
                  (meant == named ? "" : " (did you mean " + meant + "?)") + "; there are: " + listed(known)};
}

}  // namespace

bool goes_by(algorithm const& one, std::string const& named) {
    auto const wanted = without_spaces(named);
    return without_spaces(one.name) == wanted || without_spaces(one.composition) == wanted;
}

family& find_family(std::vector<family>& all, options const& wanted) {
    std::vector<std::string> known;
    if (wanted.collective.empty()) {
        std::vector<std::string> algorithms;
        for (auto& each : all) {
            if (wanted.algorithm == "automatic") {
                throw refusal{"--collective or --algorithm must be given; --list shows what there is"};
            }
            if (position_of(each.algorithms, wanted.algorithm) != each.algorithms.end()) { return each; }
            for (auto const& name : names_of(each)) {
                if (std::find(algorithms.begin(), algorithms.end(), name) == algorithms.end()) {
                    algorithms.push_back(name);
                }
            }
        }
        refuse_algorithm(wanted.algorithm, "any collective", algorithms);
    }
    for (auto& each : all) {
        if (each.collective == wanted.collective) { return each; }
        known.emplace_back(each.collective);
    }
    auto const meant = nearest(wanted.collective, known);
    throw refusal{"there is no collective " + wanted.collective +
                  (meant == wanted.collective ? "" : " (did you mean " + meant + "?)") +
                  "; there are: " + listed(known)};
}

void refuse_unknown_names(std::vector<family>& all, options const& wanted) {
    bool const any = wanted.algorithm == "automatic";
    if (any && wanted.collective.empty()) { return; }
    auto& of = find_family(all, wanted);
    if (!any && position_of(of.algorithms, wanted.algorithm) == of.algorithms.end()) {
        refuse_algorithm(wanted.algorithm, of.collective, names_of(of));
    }
}

choice find_algorithm(family& of, options const& wanted) {
    if (wanted.algorithm == "automatic" && of.choose) {
        constexpr std::size_t element_bytes = 8;
        auto result = of.choose(call_parameters_of(wanted, of.collective, elements_of(wanted) * element_bytes));
        auto const same = position_of(of.algorithms, result.chosen->composition);
        if (same != of.algorithms.end()) { result.chosen->name = (*same)->name; }
        return result;
    }
    auto const found = position_of(of.algorithms, wanted.algorithm);
    if (found == of.algorithms.end()) { refuse_algorithm(wanted.algorithm, of.collective, names_of(of)); }
    return {std::move(*found), {}};
}

void assign_parameters(algorithm& to, options const& wanted) {
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
        throw refusal{"algorithm " + to.name + " has no parameter " + name +
                      (names.empty() ? "; it has none" : "; it has: " + listed(names))};
    }
}

}  // namespace tutti::explore
