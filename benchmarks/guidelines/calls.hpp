// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <map>

#include <tutti/combinator/reverse.hpp>
#include <tutti/combinator/then.hpp>
#include <tutti/cost/call_parameters.hpp>
#include <tutti/generator/any_generator.hpp>
#include <tutti/generator/circulant.hpp>
#include <tutti/generator/papers/pairwise.hpp>
#include <tutti/generator/round_optimal.hpp>
#include <tutti/node_map.hpp>
#include <tutti/partition.hpp>
#include <tutti/selection/candidates/all.hpp>
#include <tutti/selection/plan_program.hpp>

#include "../support/each_collective.hpp"
#include "list.hpp"
#include "network.hpp"

namespace tutti::benchmark::guidelines {

inline constexpr std::size_t element_bytes = 8;

/// One rank a node: what messages cost as `measure` finds it on the simulated clusters of `./dev bench regret` (SMPI of
/// SimGrid 3.32, November 2026), and γ in seconds per byte.
struct machine {
    std::string_view name;
    loggp link;
    double combine_per_byte;
};

inline constexpr loggp infiniband{.latency = 0.9039e-6, .overhead = 0.3e-6, .gap = 0.3e-6, .per_byte = 0.2502e-9};

inline constexpr std::array<machine, 4> machines{
    {{"eth1g", {.latency = 30.12e-6, .overhead = 10e-6, .gap = 10e-6, .per_byte = 8.009e-9}, 0.1e-9},
     {"ib32g", infiniband, 0.1e-9},
     {"fat100g", {.latency = 0.3019e-6, .overhead = 0.2e-6, .gap = 0.2e-6, .per_byte = 0.07905e-9}, 0.02e-9},
     {"functor", infiniband, 0.25e-9}}};

[[nodiscard]] inline machine_model model_of(machine const& one) {
    machine_model result;
    result.between_nodes = result.within_node = one.link;
    result.handling = 0;
    result.combine_per_byte = one.combine_per_byte;
    // In SMPI a message that waits for a link keeps others from being used; here it does not. Fitted to the fewest
    // violations of six sets of these, 9 numbers of ranks, 2026-11-28: ./dev bench guidelines --ranks
    // 5,7,9,12,16,21,27,33,48 --bytes 1000,10000,30000,65536,200000,1000000. Simulated: the same on every machine.
    result.fitted.circulants = 1.05;
    result.fitted.several_ports = 1;
    result.fitted.each_port = 0;
    result.fitted.messages_of_two_tree_scans = 3.3;
    return result;
}

/// When each rank has ended.
using ends = std::vector<double>;

[[nodiscard]] inline double last_of(ends const& all) { return *std::max_element(all.begin(), all.end()); }

/// Calls on `size` ranks of a machine, simulated one after another: ranks enter a call when they have ended the one
/// before.
class calls {
public:
    calls(machine const& on, std::size_t size)
        : model_{model_of(on)}, size_{size}, combine_per_element_{on.combine_per_byte * double{element_bytes}} {}

    /// By what tutti chooses for a vector of this many elements, of which rank r has counts[r] where ranks have counts.
    /// After `before`, if there is anything.
    template <class Collective>
    [[nodiscard]] ends of(Collective which, std::size_t elements, ends const& before = {},
                          std::vector<std::size_t> const& counts = {}) const {
        auto const how = chosen(which, elements, counts);
        return by(which, how.generator, how.blocks, before);
    }

    /// What each side of `all_guidelines` takes, for vectors of `n` elements, a multiple of the number of ranks.
    [[nodiscard]] std::function<double(guideline const&, std::string_view side)> sides(std::size_t n) const {
        using namespace collective;
        using call = std::function<ends(ends const&)>;
        std::map<std::string, call> known;
        std::vector<std::size_t> const equal(size_, n / size_);
        std::vector<std::size_t> at_root(size_, 0);
        at_root.front() = n;
        auto const add = [&]<class C>(C which) {
            auto const name = std::string{C::name};
            known[name] = [=, this](ends const& before) { return of(which, n, before); };
            if constexpr (divides<C>) {
                known[name + std::string{equal_counts}] = [=, this](ends const& b) { return of(which, n, b, equal); };
                known[name + std::string{all_at_root}] = [=, this](ends const& b) { return of(which, n, b, at_root); };
            }
        };
        for_each_collective(add);
        auto const parts = partition::equal(n, size_);
        auto const parts_by = [=, this](auto which, auto const& by_what) {
            return [=, this](ends const&) { return by(which, by_what, parts); };
        };
        known["combine"] = [=, this](ends all) {
            for (auto& each : all) { each += static_cast<double>(n) * combine_per_element_; }
            return all;
        };
        known["alltoall of the parts"] = parts_by(all_gather{}, reverse(pairwise{}));
        known["round_optimal in as many blocks"] = [=, this](ends const&) {
            auto const cut = chosen(broadcast{}, n).blocks;
            return by(broadcast{}, round_optimal{.segments = cut.blocks()}, cut);
        };
        known["circulant all_gather"] = parts_by(all_gather{}, reverse(circulant{}));
        known["circulant reduce_scatter"] = parts_by(reduce_scatter{}, circulant{});
        known["circulant all_reduce"] = parts_by(all_reduce{}, then(circulant{}, reverse(circulant{})));
        return [known, found = std::map<std::string, ends>{}](guideline const& one, std::string_view side) mutable {
            std::string done;
            ends last;
            for (auto each : calls_of(side)) {
                if (each == "circulant") { each += ' ' + std::string{one.left}; }
                done += each + ';';
                auto const at = found.find(done);
                last = at != found.end() ? at->second : found[done] = known.at(each)(last);
            }
            return last_of(last);
        };
    }

private:
    template <class Collective>
    [[nodiscard]] selection::chosen_algorithm<Collective> chosen(Collective which, std::size_t elements,
                                                                 std::vector<std::size_t> const& counts = {}) const {
        selection::call_kind const kind{
            .collective = Collective::name, .element = "double", .element_bytes = element_bytes};
        return selection::algorithm_of(which, selection::planned_call{.kind = &kind,
                                                                      .size = size_,
                                                                      .elements = elements,
                                                                      .counts = counts,
                                                                      .machine = &model_,
                                                                      .nodes = &nodes_});
    }

    /// As the executor runs it.
    template <class Collective, class Generator>
    [[nodiscard]] ends by(Collective, Generator const& generator, partition const& cut, ends const& before = {}) const {
        generators::any_generator<Collective> const held{generator};
        call_parameters now{.size = size_, .nodes = nodes_};
        now.adopt(model_, "");
        std::vector<engine::program> programs;
        for (std::size_t rank = 0; rank != size_; ++rank) {
            problem const at{rank, size_, 0, cut};
            auto where = collective::place_of(collective::traits<Collective>, selection::rank_view{at, false});
            if (held.stated().keeps_round_order) { where.may_overtake = now.bytes_per_latency() / element_bytes; }
            programs.push_back(engine::compiler{cut, where}(held.schedule_of(at)));
        }
        return network{model_, double{element_bytes}}.run(programs, before);
    }

    machine_model model_;
    std::size_t size_;
    double combine_per_element_;
    node_map nodes_ = node_map::of_width(1);
};

}  // namespace tutti::benchmark::guidelines
