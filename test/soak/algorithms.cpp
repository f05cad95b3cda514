// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include "algorithms.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tutti/generator.hpp>
#include <tutti/generators.hpp>

namespace soak {

namespace {

/// What a call may name, with parameters that are drawn.
template <class Collective>
class choices {
public:
    explicit choices(call const& c) : call_{c}, from_{mixed(c.seed, 0xa190)} {}

    /// A parameter of the algorithm that is added next.
    [[nodiscard]] std::size_t number(std::string_view name, std::size_t least, std::size_t most) {
        auto const value = from_.from(least, most);
        (words_ += words_.empty() ? "" : ", ") += std::string{name} + " = " + std::to_string(value);
        return value;
    }
    [[nodiscard]] std::vector<double> arrivals() {
        std::vector<double> result;
        words_ += words_.empty() ? "arrivals =" : ", arrivals =";
        for (int rank = 0; rank != call_.size; ++rank) {
            result.push_back(static_cast<double>(from_.below(4)));
            words_ += ' ' + std::to_string(static_cast<int>(result.back()));
        }
        return result;
    }
    /// Neighbours share nodes; `equal` ones have as many ranks.
    [[nodiscard]] tutti::node_map nodes(bool equal) {
        auto const size = static_cast<std::size_t>(call_.size);
        std::size_t width = from_.from(1, size);
        while (equal && size % width != 0) { width = from_.from(1, size); }
        (words_ += words_.empty() ? "" : ", ") += "nodes of " + std::to_string(width);
        return tutti::node_map::of_width(width);
    }

    template <class Generator>
    void add(Generator const& generator) {
        auto const meant = tutti::algorithm_for(Collective{}, generator);
        tutti::any_generator<Collective> const any{meant};
        auto name = any.name() + (words_.empty() ? "" : " {" + words_ + '}');
        words_.clear();
        if (!any.stated().supports(static_cast<std::size_t>(call_.size))) { return; }
        if (any.stated().requires_commutative && call_.has_operator() && !known_to_commute(call_)) { return; }
        if (any.stated().requires_identity && call_.has_operator() && !known_identity(call_)) { return; }
        all_.push_back({any, std::move(name)});
    }

    [[nodiscard]] drawn_algorithm<Collective> one() { return all_[from_.below(all_.size())]; }

private:
    call const& call_;
    draw from_;
    std::string words_;
    std::vector<drawn_algorithm<Collective>> all_;
};

using namespace tutti;

void add_reductions(auto& all) {
    all.add(linear{});
    all.add(binomial{});
    all.add(pipeline{.segments = all.number("segments", 0, 9)});
    all.add(binary_tree{.segments = all.number("segments", 0, 9)});
    all.add(two_tree{.segments = all.number("segments", 0, 9)});
    all.add(uni_greedy{.segments = all.number("segments", 0, 9), .tcomm = all.number("tcomm", 1, 3),
                       .tcomp = all.number("tcomp", 0, 3)});
    all.add(bi_greedy{.segments = all.number("segments", 0, 9)});
    all.add(butterfly{});
    all.add(overlapped_greedy{.transfer = all.number("transfer", 0, 3), .combine = all.number("combine", 1, 3)});
    all.add(limited_transfers{.at_most = all.number("at_most", 1, 4)});
    all.add(limited_reducers{.at_most = all.number("at_most", 1, 4)});
    all.add(fibonacci{});
    all.add(postal_tree{.latency = static_cast<double>(all.number("latency", 1, 9)), .gap = 1});
    all.add(round_optimal{.segments = all.number("segments", 0, 9)});
    all.add(arrival_ordered{.arrivals = all.arrivals(), .segments = all.number("segments", 0, 9)});
    all.add(hierarchical{.nodes = all.nodes(false)});
    all.add(multi_lane{.nodes = all.nodes(true)});
}

void add_reduce_scatters(auto& all) {
    all.add(circulant{});
    all.add(ported_circulant{.ports = all.number("ports", 1, 5)});
    all.add(ordered{});
    all.add(split{});
    all.add(bucket{.segments = all.number("segments", 1, 5)});
    all.add(pairwise{});
    all.add(short_vector{});
    all.add(mesh{});
    all.add(ordered_mesh{});
    all.add(round_optimal{.segments = all.number("segments", 0, 9)});
    all.add(multi_lane{.nodes = all.nodes(true)});
}

void add_scans(auto& all) {
    all.add(direct{});
    all.add(doubling{.rounds = all.number("rounds", 0, 4)});
    all.add(recursive_multiplying{.radix = all.number("radix", 2, 9)});
    all.add(split{.halvings = all.number("halvings", 0, 4)});
    all.add(linear{.segments = all.number("segments", 0, 9)});
    all.add(two_tree{.segments = all.number("segments", 0, 9)});
    all.add(hierarchical{.nodes = all.nodes(false)});
    all.add(multi_lane{.nodes = all.nodes(true)});
}

void add(choices<tutti::collective::reduce>& all) { add_reductions(all); }
void add(choices<tutti::collective::broadcast>& all) { add_reductions(all); }
void add(choices<tutti::collective::reduce_scatter>& all) { add_reduce_scatters(all); }
void add(choices<tutti::collective::all_gather>& all) { add_reduce_scatters(all); }
void add(choices<tutti::collective::inclusive_scan>& all) { add_scans(all); }
void add(choices<tutti::collective::exclusive_scan>& all) { add_scans(all); }
void add(choices<tutti::collective::scan_reduce>& all) { add_scans(all); }

void add(choices<tutti::collective::scatter>& all) {
    all.add(linear{});
    all.add(binomial{});
}
void add(choices<tutti::collective::gather>& all) {
    all.add(linear{});
    all.add(binomial{});
}

void add(choices<tutti::collective::all_reduce>& all) {
    all.add(recursive_doubling{});
    all.add(recursive_multiplying{.radix = all.number("radix", 2, 9)});
    all.add(direct_exchange{.segments = all.number("segments", 0, 5)});
    all.add(doubling{});
    all.add(ring{.sub_segments = all.number("sub_segments", 1, 4)});
    all.add(sorted_linear_tree{.arrivals = all.arrivals(), .segments = all.number("segments", 0, 9)});
    all.add(pre_reduced_ring{.arrivals = all.arrivals()});
    all.add(front_loaded_ring{.arrivals = all.arrivals(), .sub_segments = all.number("sub_segments", 2, 4)});
    all.add(late_rank{.arrivals = all.arrivals(), .segments = all.number("segments", 0, 9)});
    all.add(circulant{});
    all.add(ported_circulant{.ports = all.number("ports", 1, 5)});
    all.add(ordered{});
    all.add(split{.halvings = all.number("halvings", 0, 4)});
    all.add(bucket{.segments = all.number("segments", 1, 5)});
    all.add(mesh{});
    // reductions, there and back
    all.add(binomial{});
    all.add(pipeline{.segments = all.number("segments", 0, 9)});
    all.add(two_tree{.segments = all.number("segments", 0, 9)});
    all.add(uni_greedy{.segments = all.number("segments", 0, 9)});
    all.add(butterfly{});
    all.add(fibonacci{});
    all.add(round_optimal{.segments = all.number("segments", 0, 9)});
    all.add(hierarchical{.nodes = all.nodes(false)});
    all.add(multi_lane{.nodes = all.nodes(true)});
}

}  // namespace

template <class Collective>
drawn_algorithm<Collective> algorithm_of(call const& c) {
    choices<Collective> all{c};
    add(all);
    return all.one();
}

template drawn_algorithm<tutti::collective::reduce> algorithm_of(call const&);
template drawn_algorithm<tutti::collective::all_reduce> algorithm_of(call const&);
template drawn_algorithm<tutti::collective::inclusive_scan> algorithm_of(call const&);
template drawn_algorithm<tutti::collective::exclusive_scan> algorithm_of(call const&);
template drawn_algorithm<tutti::collective::scan_reduce> algorithm_of(call const&);
template drawn_algorithm<tutti::collective::reduce_scatter> algorithm_of(call const&);
template drawn_algorithm<tutti::collective::broadcast> algorithm_of(call const&);
template drawn_algorithm<tutti::collective::all_gather> algorithm_of(call const&);
template drawn_algorithm<tutti::collective::gather> algorithm_of(call const&);
template drawn_algorithm<tutti::collective::scatter> algorithm_of(call const&);

std::string to_string(call const& c) {
    if (!c.names_algorithm) { return to_string(c, ""); }
    switch (c.what) {
        case collective::reduce: return to_string(c, algorithm_of<tutti::collective::reduce>(c).words);
        case collective::all_reduce: return to_string(c, algorithm_of<tutti::collective::all_reduce>(c).words);
        case collective::inclusive_scan: return to_string(c, algorithm_of<tutti::collective::inclusive_scan>(c).words);
        case collective::exclusive_scan: return to_string(c, algorithm_of<tutti::collective::exclusive_scan>(c).words);
        case collective::scan_reduce: return to_string(c, algorithm_of<tutti::collective::scan_reduce>(c).words);
        case collective::reduce_scatter: return to_string(c, algorithm_of<tutti::collective::reduce_scatter>(c).words);
        case collective::broadcast: return to_string(c, algorithm_of<tutti::collective::broadcast>(c).words);
        case collective::all_gather: return to_string(c, algorithm_of<tutti::collective::all_gather>(c).words);
        case collective::gather: return to_string(c, algorithm_of<tutti::collective::gather>(c).words);
        case collective::scatter: return to_string(c, algorithm_of<tutti::collective::scatter>(c).words);
        default: return to_string(c, "");
    }
}

}  // namespace soak
