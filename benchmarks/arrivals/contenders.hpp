// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tutti/arrival/monitor.hpp>
#include <tutti/arrival/pattern.hpp>
#include <tutti/collective/all_reduce.hpp>
#include <tutti/selection/arrival_aware.hpp>
#include <tutti/generator/any_generator.hpp>
#include <tutti/selection/arrival_choice.hpp>

#include "options.hpp"

namespace tutti::benchmark::arrivals {

using any_all_reduce = any_generator<collective::all_reduce>;

/// A named algorithm for a vector of `bytes` bytes, made for what is expected.
struct named {
    std::string_view name;
    bool needs_arrivals;
    any_all_reduce (*make)(process_arrival_pattern const& expected, std::size_t bytes);
};

[[nodiscard]] inline std::vector<double> as_numbers(process_arrival_pattern const& expected) {
    return {expected.arrivals.begin(), expected.arrivals.end()};
}

template <std::size_t SubSegments, std::size_t Started>
[[nodiscard]] any_all_reduce front_loaded(process_arrival_pattern const& expected, std::size_t) {
    return front_loaded_ring{.arrivals = as_numbers(expected), .sub_segments = SubSegments, .started = Started};
}

inline constexpr std::string_view ring_name = "ring";
inline constexpr std::string_view pre_reduced_name = "pre_reduced_ring";
inline constexpr std::string_view automatic_name = "automatic";
inline constexpr std::string_view aware_name = "arrival_aware";

using expected_arrivals = process_arrival_pattern const&;
inline constexpr std::array<named, 9> named_algorithms{{
    {ring_name, false, [](expected_arrivals, std::size_t) -> any_all_reduce { return ring{}; }},
    {"circulant", false,
     [](expected_arrivals, std::size_t) -> any_all_reduce { return selection::there_and_back(circulant{}); }},
    {"recursive_doubling", false,
     [](expected_arrivals, std::size_t) -> any_all_reduce { return recursive_multiplying{.radix = 2}; }},
    {"sorted_linear_tree", true,
     [](expected_arrivals expected, std::size_t) -> any_all_reduce {
         return sorted_linear_tree{.arrivals = as_numbers(expected)};
     }},
    {pre_reduced_name, true,
     [](expected_arrivals expected, std::size_t bytes) -> any_all_reduce {
         auto const longest_segment = (bytes - 1) / expected.arrivals.size() + 1;
         auto const tau = static_cast<double>(expected.costs.transfer(longest_segment));
         return pre_reduced_ring{.arrivals = as_numbers(expected), .tau = tau};
     }},
    {"front_loaded_ring_2_1", true, &front_loaded<2, 1>},
    {"front_loaded_ring_4_1", true, &front_loaded<4, 1>},
    {"front_loaded_ring_4_0", true, &front_loaded<4, 0>},
    {"late_rank", true,
     [](expected_arrivals expected, std::size_t) -> any_all_reduce {
         return late_rank{.arrivals = as_numbers(expected)};
     }},
}};

[[nodiscard]] inline std::vector<std::string> names_of_algorithms() {
    std::vector<std::string> result;
    for (auto const& each : named_algorithms) { result.emplace_back(each.name); }
    result.emplace_back(automatic_name);
    result.emplace_back(aware_name);
    return result;
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
[[nodiscard]] std::vector<contender> contenders(Ranks& ranks, options const& asked, arrival_options const& watching) {
    using world_type = typename Ranks::world;
    struct place {
        std::shared_ptr<world_type> world;
        std::optional<arrival_monitor> monitor = std::nullopt;
    };
    std::vector<contender> result;
    auto const new_place = [&](bool with_monitor) {
        auto here = std::make_shared<place>(place{ranks.new_world()});
        if (with_monitor) { here->monitor.emplace(*here->world, watching); }
        return here;
    };
    auto const add = [&](std::string_view name, std::shared_ptr<place> const& here, auto run) {
        result.push_back({std::string{name}, "tutti", here->monitor ? &*here->monitor : nullptr, std::move(run)});
    };
    using input = std::span<float const>;
    using output = std::span<float>;
    auto const op = Ranks::sum(asked.gamma, asked.with_data);

    auto const add_named = [&](named const& one) {
        auto const here = new_place(one.needs_arrivals && asked.is_monitored());
        add(one.name, here, [=, make = one.make](input in, output out, process_arrival_pattern const& believed) {
            auto const& expected = here->monitor ? here->monitor->pattern() : believed;
            all_reduce(*here->world, in, out, op, arrival_choice{make(expected, in.size_bytes()), "named"});
        });
    };
    auto const add_aware = [&] {
        auto const here = new_place(asked.is_monitored());
        add(aware_name, here, [=](input in, output out, process_arrival_pattern const& believed) {
            if (here->monitor) {
                all_reduce(*here->world, in, out, op, arrival_aware{*here->monitor});
            } else {
                all_reduce(*here->world, in, out, op, selection::choose_by_arrivals(believed, in.size_bytes()));
            }
        });
    };
    auto const add_automatic = [&] {
        auto const here = new_place(false);
        add(automatic_name, here,
            [=](input in, output out, process_arrival_pattern const&) { all_reduce(*here->world, in, out, op); });
    };

    if (asked.has("tutti")) {
        for (auto const& name : asked.algorithms) {
            if (name == aware_name) {
                add_aware();
            } else if (name == automatic_name) {
                add_automatic();
            } else {
                add_named(*std::find_if(named_algorithms.begin(), named_algorithms.end(),
                                        [&](named const& each) { return each.name == name; }));
            }
        }
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
