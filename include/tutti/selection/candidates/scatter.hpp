// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <concepts>

#include <tutti/collective.hpp>
#include <tutti/cost/call_parameters.hpp>
#include <tutti/cost/price.hpp>
#include <tutti/generator/binomial.hpp>
#include <tutti/generator/linear.hpp>
#include <tutti/generator/postal_tree.hpp>
#include <tutti/selection/candidates.hpp>

namespace tutti::selection {

template <class Collective>
    requires std::same_as<Collective, collective::scatter> || std::same_as<Collective, collective::gather>
struct candidates_of<Collective> {
    [[gnu::cold]] static void add(candidate_list<Collective>& result, call_parameters const& now, bool) {
        if (!now.parts_differ) {  // ranks between need the counts, which the root alone may have
            result.add(binomial{});
            result.add(generators::postal_tree_for(pricing::message_costs::transfer_only(now), now.bytes / now.size));
        }
        result.add(linear{});
    }
};

}  // namespace tutti::selection
