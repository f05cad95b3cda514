// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include "algorithms.hpp"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <tutti/generator/named.hpp>
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
        auto const meant = tutti::generators::algorithm_for(Collective{}, generator);
        tutti::generators::any_generator<Collective> const any{meant};
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
using namespace tutti::generators;

/// From which values a whole number of this name is drawn; without a range of its own from its default up.
[[nodiscard]] std::pair<std::size_t, std::size_t> range_of(std::string_view name, std::size_t by_default) {
    static std::map<std::string_view, std::pair<std::size_t, std::size_t>> const known{
        {"radix", {2, 9}}, {"ports", {1, 5}}, {"rounds", {0, 4}}, {"at_most", {1, 4}}, {"tcomm", {1, 3}},
        {"tcomp", {0, 3}}, {"transfer", {0, 3}}, {"combine", {1, 3}}, {"started", {0, 1}}};
    if (name == "segments") { return {by_default == 0 ? 0 : 1, 9}; }
    auto const found = known.find(name);
    return found != known.end() ? found->second : std::pair{by_default, by_default + 2};
}

/// The generator with other parameters, drawn: all that are whole numbers, times of arrival, nodes, and a latency.
template <class Generator>
[[nodiscard]] Generator varied(Generator generator, auto& draw) {
    for_each_parameter(generator, [&]<class Value>(std::string_view name, Value& value) {
        if constexpr (std::is_same_v<Value, bool>) {
            value = draw.number(name, 0, 1) != 0;
        } else if constexpr (std::is_integral_v<Value>) {
            auto const [least, most] = range_of(name, value);
            value = draw.number(name, least, most);
        } else if constexpr (std::is_same_v<Value, std::optional<std::size_t>>) {
            value = draw.number(name, 0, 4);
        } else if constexpr (std::is_same_v<Value, std::vector<double>> ||
                             std::is_same_v<Value, std::vector<std::size_t>>) {
            if (name != "arrivals") { return; }
            auto const drawn = draw.arrivals();
            value.assign(drawn.begin(), drawn.end());
        } else if constexpr (std::is_same_v<Value, node_map>) {
            value = draw.nodes(std::is_same_v<Generator, multi_lane>);
        } else if (name == "latency") {
            if constexpr (std::is_same_v<Value, double>) { value = static_cast<double>(draw.number(name, 1, 9)); }
        }
    });
    return generator;
}

}  // namespace

template <class Collective>
drawn_algorithm<Collective> algorithm_of(call const& c) {
    choices<Collective> all{c};
    for_each_algorithm(Collective{}, [&](auto const& each) { all.add(varied(each, all)); });
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
