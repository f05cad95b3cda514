// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <array>
#include <memory>
#include <span>

#include <tutti/arrival/monitor.hpp>
#include <tutti/arrival/pattern.hpp>
#include <tutti/collective/all_reduce.hpp>
#include <tutti/combinator/reverse.hpp>
#include <tutti/combinator/then.hpp>
#include <tutti/cost/call_parameters.hpp>
#include <tutti/cost/in_use.hpp>
#include <tutti/cost/machine.hpp>
#include <tutti/generator/any_generator.hpp>
#include <tutti/generator/circulant.hpp>
#include <tutti/learning/arrival_aware.hpp>

#include "options.hpp"

namespace tutti::benchmark::arrivals {

using any_all_reduce = generators::any_generator<collective::all_reduce>;

/// What algorithms are made for.
struct arrival_estimate {
    std::vector<double> arrivals;
    double tau;  ///< what a p-th of the vector takes to send and combine
};

struct named {
    std::string_view name;
    bool needs_arrivals;
    any_all_reduce (*make)(arrival_estimate const&);
};

template <std::size_t SubSegments, std::size_t Started>
[[nodiscard]] any_all_reduce front_loaded(arrival_estimate const& of) {
    return front_loaded_ring{.arrivals = of.arrivals, .sub_segments = SubSegments, .started = Started};
}

inline constexpr std::string_view ring_name = "ring";
inline constexpr std::string_view pre_reduced_name = "pre_reduced_ring";
inline constexpr std::string_view automatic_name = "automatic";
inline constexpr std::string_view aware_name = "arrival_aware";
inline constexpr std::string_view earlier_name = "arrival_aware_by_earlier_calls";

inline constexpr std::array<named, 9> named_algorithms{{
    {ring_name, false, [](arrival_estimate const&) -> any_all_reduce { return ring{}; }},
    {"circulant", false,
     [](arrival_estimate const&) -> any_all_reduce { return then(circulant{}, reverse(circulant{})); }},
    {"recursive_doubling", false,
     [](arrival_estimate const&) -> any_all_reduce { return recursive_multiplying{.radix = 2}; }},
    {"sorted_linear_tree", true,
     [](arrival_estimate const& of) -> any_all_reduce { return sorted_linear_tree{.arrivals = of.arrivals}; }},
    {pre_reduced_name, true,
     [](arrival_estimate const& of) -> any_all_reduce {
         return pre_reduced_ring{.arrivals = of.arrivals, .tau = of.tau};
     }},
    {"front_loaded_ring_2_1", true, &front_loaded<2, 1>},
    {"front_loaded_ring_4_1", true, &front_loaded<4, 1>},
    {"front_loaded_ring_4_0", true, &front_loaded<4, 0>},
    {"late_rank", true,
     [](arrival_estimate const& of) -> any_all_reduce { return late_rank{.arrivals = of.arrivals}; }},
}};

[[nodiscard]] inline std::vector<std::string> names_of_algorithms() {
    std::vector<std::string> result;
    for (auto const& each : named_algorithms) { result.emplace_back(each.name); }
    result.emplace_back(automatic_name);
    result.emplace_back(aware_name);
    result.emplace_back(earlier_name);
    return result;
}

/// Of a message between neighbours that is combined.
[[nodiscard]] inline double seconds_of(machine_model const& model, std::size_t bytes) {
    return model.between_nodes.transfer(bytes) + static_cast<double>(bytes) * model.combine_per_byte;
}

/// One way to reduce, on this rank.
struct contender {
    std::string algorithm;
    std::string implementation;
    arrival_monitor* monitor;  ///< to be told of what this rank computes; may be null
    /// `believed` is for those without a monitor.
    std::function<void(std::span<float const> in, std::span<float> out, process_arrival_pattern const& believed)> run;
};

/// All that takes part, each with a communicator of its own, so that none displaces another's programs, and with a
/// monitor of its own, so that what one learns is not for all. `Ranks` is ranks_of_mpi or ranks_of_threads.
template <class Ranks>
[[nodiscard]] std::vector<contender> contenders(Ranks& ranks, options const& asked, machine_model const& model) {
    struct place {
        std::shared_ptr<typename Ranks::world> world;
        std::optional<arrival_monitor> monitor = std::nullopt;
    };
    using input = std::span<float const>;
    using output = std::span<float>;
    std::vector<contender> result;
    for (auto const& name : asked.has("tutti") ? asked.algorithms : std::vector<std::string>{}) {
        auto const* const known = std::find_if(named_algorithms.begin(), named_algorithms.end(),
                                               [&](named const& each) { return each.name == name; });
        auto const* const one = known == named_algorithms.end() ? nullptr : known;
        bool const learns = one != nullptr ? one->needs_arrivals : name == aware_name;
        auto const here = std::make_shared<place>(place{ranks.new_world()});
        use(*here->world, model);
        if (learns && asked.is_monitored()) { here->monitor.emplace(*here->world); }
        auto run = [=, op = Ranks::sum(asked.gamma, asked.with_data)](input in, output out,
                                                                      process_arrival_pattern const& believed) {
            auto const by = [&](auto const& algorithm) { all_reduce(*here->world, in, out, op, algorithm); };
            if (one != nullptr) {
                auto const& expected = here->monitor ? here->monitor->pattern() : believed;
                auto const segment = (in.size_bytes() - 1) / expected.arrivals.size() + 1;
                auto const tau = seconds_of(model, segment) * expected.time_scale.value() * 1e9;
                by(generators::arrival_choice{
                    one->make({{expected.arrivals.begin(), expected.arrivals.end()}, tau}), "named"});
            } else if (name == earlier_name) {
                by(arrival_aware{});
            } else if (name == automatic_name) {
                by(automatic{});
            } else if (here->monitor) {
                by(arrival_aware{*here->monitor});
            } else {
                call_parameters now{.size = believed.arrivals.size(), .bytes = in.size_bytes()};
                now.nodes = control::complete_communicator_of(*here->world).nodes();
                now.adopt(model, "all_reduce");
                by(selection::choose_by_arrivals(believed, now));
            }
        };
        result.push_back({name, "tutti", here->monitor ? &*here->monitor : nullptr, std::move(run)});
    }
    if constexpr (Ranks::has_mpi) {
        if (asked.has("mpi")) {
            auto const run = ranks.all_reduce_of_mpi(asked.gamma, asked.with_data);
            result.push_back({std::string{automatic_name}, "mpi", nullptr,
                              [run](input in, output out, process_arrival_pattern const&) { run(in, out); }});
        }
    }
    return result;
}

}  // namespace tutti::benchmark::arrivals
