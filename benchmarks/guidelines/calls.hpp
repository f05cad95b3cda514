// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include <tutti/cost/call_parameters.hpp>
#include <tutti/generator/any_generator.hpp>
#include <tutti/node_map.hpp>
#include <tutti/selection/plan_program.hpp>

#include "machines.hpp"
#include "network.hpp"

namespace tutti::benchmark::guidelines {

inline constexpr std::size_t element_bytes = 8;

/// When each rank has ended.
using ends = std::vector<double>;

[[nodiscard]] inline double last_of(ends const& all) { return *std::max_element(all.begin(), all.end()); }

/// Calls on `size` ranks of a machine, simulated one after another: ranks enter a call when they have ended the one
/// before.
class calls {
public:
    calls(machine const& on, std::size_t size)
        : model_{model_of(on)}, size_{size}, combine_per_element_{on.combine_per_byte * double{element_bytes}} {}

    [[nodiscard]] std::size_t size() const { return size_; }

    /// What tutti chooses for a vector of so many elements, of which rank r has counts[r] where ranks have counts.
    template <class Collective>
    [[nodiscard]] selection::chosen_algorithm<Collective> chosen(Collective which, std::size_t elements,
                                                                 std::vector<std::size_t> const& counts = {}) const {
        selection::call_kind const kind{
            .collective = Collective::name, .element = "double", .element_bytes = element_bytes};
        selection::planned_call const call{.kind = &kind,
                                           .size = size_,
                                           .elements = elements,
                                           .counts = counts,
                                           .machine = &model_,
                                           .nodes = &nodes_};
        return selection::algorithm_of(which, call);
    }

    /// After `before`, if there is anything: as the executor runs it.
    template <class Collective, class Generator>
    [[nodiscard]] ends by(Collective, Generator const& generator, partition const& cut, ends const& before = {}) const {
        generators::any_generator<Collective> const held{generator};
        auto const& facts = held.stated();
        std::vector<engine::program> programs;
        for (std::size_t rank = 0; rank != size_; ++rank) {
            problem const at{rank, size_, 0, cut};
            auto where = collective::place_of(collective::traits<Collective>, selection::rank_view{at, false});
            if (facts.keeps_round_order) { where.may_overtake = bytes_per_latency() / element_bytes; }
            programs.push_back(engine::compiler{cut, where}(held.schedule_of(at)));
        }
        return network{model_, double{element_bytes}}.run(programs, before);
    }
    template <class Collective>
    [[nodiscard]] ends of(Collective which, std::size_t elements, ends const& before = {},
                          std::vector<std::size_t> const& counts = {}) const {
        auto const how = chosen(which, elements, counts);
        return by(which, how.generator, how.blocks, before);
    }

    /// A pass over `elements` elements on every rank.
    [[nodiscard]] ends combined(ends all, std::size_t elements) const {
        for (auto& each : all) { each += static_cast<double>(elements) * combine_per_element_; }
        return all;
    }

private:
    [[nodiscard]] std::size_t bytes_per_latency() const {
        call_parameters now{.size = size_, .nodes = nodes_};
        now.adopt(model_, "");
        return now.bytes_per_latency();
    }

    machine_model model_;
    std::size_t size_;
    double combine_per_element_;
    node_map nodes_ = node_map::of_width(1);
};

}  // namespace tutti::benchmark::guidelines
