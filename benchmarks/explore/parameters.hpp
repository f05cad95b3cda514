// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tuple>
#include <variant>

#include <tutti/analysis/draw/number.hpp>
#include <tutti/generator/split.hpp>
#include <tutti/node_map.hpp>

#include "options.hpp"

namespace tutti::explore {

/// How values of a type are written on the command line.
template <class T>
struct notation;

template <class T>
    requires std::is_arithmetic_v<T>
struct notation<T> {
    static constexpr bool whole = std::integral<T>;
    static std::string write(T value) { return analysis::draw::number(static_cast<double>(value)); }
    static T read(std::string const& name, std::string_view text) { return read_number<T>(name, text); }
};

/// Separated by commas.
template <class T>
struct notation<std::vector<T>> {
    static constexpr bool whole = notation<T>::whole;
    static std::string write(std::vector<T> const& values) {
        std::string result;
        for (auto const& value : values) { result += (result.empty() ? "" : ",") + notation<T>::write(value); }
        return result;
    }
    static std::vector<T> read(std::string const& name, std::string_view text) {
        return read_list<T>(text, [&](std::string_view each) { return notation<T>::read(name, each); });
    }
};

/// What the algorithm chooses itself is `automatic`.
template <class T>
struct notation<std::optional<T>> {
    static constexpr bool whole = notation<T>::whole;
    static std::string write(std::optional<T> const& value) { return value ? notation<T>::write(*value) : "automatic"; }
    static std::optional<T> read(std::string const& name, std::string_view text) {
        return text == "automatic" ? std::nullopt : std::optional{notation<T>::read(name, text)};
    }
};

/// The number of ranks on each node, or the node of each rank. 0: one node for all.
template <>
struct notation<node_map> {
    static constexpr bool whole = false;
    static std::string write(node_map const& nodes) {
        if (nodes.names_ranks() == 0) { return notation<std::size_t>::write(nodes.width()); }
        std::vector<std::size_t> list;
        for (std::size_t rank = 0; rank < nodes.names_ranks(); ++rank) { list.push_back(nodes.node_of(rank)); }
        return notation<std::vector<std::size_t>>::write(list);
    }
    static node_map read(std::string const& name, std::string_view text) {
        auto const list = notation<std::vector<std::size_t>>::read(name, text);
        if (list.size() != 1) { return node_map{list}; }
        return list.front() == 0 ? node_map{} : node_map::of_width(list.front());
    }
};

/// The names of the values 0, 1, ... of an enumeration.
template <class Value>
inline constexpr std::array<std::string_view, 0> names_of_values{};
template <>
inline constexpr std::array<std::string_view, 3> names_of_values<split::placing>{"automatic", "beside", "folded"};

template <class T>
    requires std::is_enum_v<T>
struct notation<T> {
    static constexpr bool whole = false;
    static std::string write(T value) { return std::string{names_of_values<T>[static_cast<std::size_t>(value)]}; }
    static T read(std::string const& name, std::string_view text) {
        return static_cast<T>(read_name(name, text, names_of_values<T>));
    }
};

/// One of several generators, by its name.
template <class... Generators>
struct notation<std::variant<Generators...>> {
    static constexpr bool whole = false;
    static constexpr std::array names{generators::facts_of<collective::reduce_scatter, Generators>.name...};
    static std::string write(std::variant<Generators...> const& value) { return std::string{names[value.index()]}; }
    static std::variant<Generators...> read(std::string const& name, std::string_view text) {
        std::array const all{std::variant<Generators...>{Generators{}}...};
        return all[read_name(name, text, names)];
    }
};

/// A public data member of a generator, or of a generator inside it.
struct parameter {
    std::string_view name;
    std::string value;
    bool whole;                                      ///< counts in whole numbers
    std::function<void(std::string const&)> assign;  ///< throws `usage_error`
};

/// Every name that parameters of generators have, and how a generator's member of that name is found.
#define TUTTI_PARAMETER(name) std::pair{#name, [](auto& g) -> decltype((g.name)) { return g.name; }}
#define TUTTI_PARAMETERS(a, b, c, d) TUTTI_PARAMETER(a), TUTTI_PARAMETER(b), TUTTI_PARAMETER(c), TUTTI_PARAMETER(d)
inline constexpr auto parameter_names = std::tuple{
    TUTTI_PARAMETERS(segments, tcomm, tcomp, alpha),       TUTTI_PARAMETERS(beta, gamma, transfer, combine),
    TUTTI_PARAMETERS(latency, gap, radix, ports),          TUTTI_PARAMETERS(at_most, tau, rounds, factors),
    TUTTI_PARAMETERS(algorithms, placement, halvings, sub_segments), TUTTI_PARAMETER(started),
    TUTTI_PARAMETER(nodes), TUTTI_PARAMETER(arrivals)};
#undef TUTTI_PARAMETERS
#undef TUTTI_PARAMETER

/// The parameters of a generator and of all it is made of. They refer to it.
template <class Generator>
void append_parameters(Generator& generator, std::vector<parameter>& to) {
    auto const consider = [&](auto const& named) {
        if constexpr (requires { named.second(generator); }) {
            auto& member = named.second(generator);
            using value = std::remove_reference_t<decltype(member)>;
            if constexpr (!std::is_const_v<value>) {  // constants of a generator have such names too
                to.push_back({named.first, notation<value>::write(member), notation<value>::whole,
                              [&member, what = std::string{"parameter "} + named.first](std::string const& text) {
                                  member = notation<value>::read(what, text);
                              }});
            }
        }
    };
    std::apply([&](auto const&... named) { (consider(named), ...); }, parameter_names);
    if constexpr (requires { generator.costs; }) { append_parameters(generator.costs, to); }
    if constexpr (requires { generator.generator; }) { append_parameters(generator.generator, to); }
    if constexpr (requires { generator.stages; }) {
        std::apply([&](auto&... stage) { (append_parameters(stage, to), ...); }, generator.stages);
    }
}

}  // namespace tutti::explore
