// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include "choosing.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <tutti/cost/file.hpp>
#include <tutti/cost/machine.hpp>
#include <tutti/node_map.hpp>
#include <tutti/selection/predicted_cost.hpp>
#include <tutti/collective/explain.hpp>

#include "exploration.hpp"
#include "lookup.hpp"
#include "words.hpp"

namespace tutti::explore {

call_parameters call_parameters_of(options const& wanted, std::string_view collective, std::size_t bytes) {
    auto const machine = wanted.machine.empty() ? machine_model{} : load_machine(wanted.machine);
    call_parameters now{.size = *wanted.size,
                  .bytes = bytes,
                  .nodes = wanted.threads ? node_map{} : node_map::of_width(1),
                  .lends_objects = wanted.threads};
    now.adopt(machine, collective);
    return now;
}

std::string choosing(std::vector<family>& all, options const& wanted) {
    if (wanted.algorithm != "automatic") {
        throw refusal{"--choose lists what tutti chooses from; leave --algorithm out"};
    }
    if (wanted.format != format::text) { throw refusal{"--choose knows the format text only"}; }
    if (wanted.list || wanted.verify) { throw refusal{"--choose stands alone; leave --list and --verify out"}; }
    check_ranks(wanted);
    if (!wanted.bytes) { throw refusal{"--bytes must be given: of the whole vector"}; }
    auto const& of = find_family(all, wanted);
    if (wanted.commutative && !of.combines) { throw refusal{std::string{of.collective} + " has no operator"}; }
    auto const commutes = wanted.commutative.value_or(true);
    auto const now = call_parameters_of(wanted, of.collective, *wanted.bytes);
    auto const [list, why] = of.expect(now, commutes);
    auto const chosen = std::find_if(list.begin(), list.end(), [](predicted_cost const& each) { return each.chosen; });
    return std::string{of.collective} + " of " + counted(now.bytes, "byte") + " on " + counted(now.size, "rank") +
           (!of.combines ? ""
            : commutes   ? ", for an operator that commutes"
                         : ", for any operator") +
           "\nchosen: " + selection::to_string(*chosen) + " (" + std::string{why} +
           ")\ncosts: " + selection::costs_in_words(now) + "\n\n" + selection::to_string(list);
}

void refuse_what_is_for_choosing(options const& wanted) {
    if (wanted.bytes) { throw refusal{"--bytes is for --choose; --elements says how long the vector is"}; }
    if (wanted.commutative) { throw refusal{"--commutative is for --choose"}; }
    if (wanted.threads) { throw refusal{"--threads is for --choose"}; }
    if (!wanted.machine.empty() && wanted.algorithm != "automatic") {
        throw refusal{"--model says what tutti chooses by; leave it or --algorithm out"};
    }
}

}  // namespace tutti::explore
