// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tuple>
#include <variant>

#include <tutti/analysis/draw/number.hpp>
#include <tutti/generator/all.hpp>
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

template <>
struct notation<bool> {
    static constexpr bool whole = false;
    static constexpr std::array<std::string_view, 2> names{"no", "yes"};
    static std::string write(bool value) { return std::string{names[value ? 1 : 0]}; }
    static bool read(std::string const& name, std::string_view text) { return read_name(name, text, names) == 1; }
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

/// The parameters of a generator and of all it is made of. They refer to it.
template <class Generator>
void append_parameters(Generator& generator, std::vector<parameter>& to) {
    generators::for_each_parameter(generator, [&]<class Value>(char const* name, Value& member) {
        to.push_back({name, notation<Value>::write(member), notation<Value>::whole,
                      [&member, what = std::string{"parameter "} + name](std::string const& text) {
                          member = notation<Value>::read(what, text);
                      }});
    });
}

}  // namespace tutti::explore
