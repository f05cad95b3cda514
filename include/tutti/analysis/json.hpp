// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <tutti/analysis/draw/number.hpp>
#include <tutti/analysis/escaped.hpp>
#include <tutti/analysis/schedules_of.hpp>
#include <tutti/analysis/timeline.hpp>
#include <tutti/generator/named.hpp>
#include <tutti/problem.hpp>

namespace tutti::analysis {

namespace json {

/// "[" item, item, ... "]" for the items written by `write(item)`, `between` them.
template <class Range, class Write>
[[nodiscard]] std::string list(Range const& items, std::string_view between, Write write) {
    std::string result = "[";
    bool first = true;
    for (auto const& item : items) {
        if (!first) { result += between; }
        first = false;
        result += write(item);
    }
    return result + ']';
}

[[nodiscard]] inline std::string range(block_range const& blocks) {
    return '[' + std::to_string(blocks.first) + ", " + std::to_string(blocks.last) + ']';
}

[[nodiscard]] inline std::string object(step const& it) {
    auto result = "{\"do\": " + quoted_for_json(name(it.what));
    if (it.communicates()) {
        result += ", \"peer\": " + std::to_string(it.peer);
    } else {
        result += ", \"source\": " + quoted_for_json(it.source.name());
    }
    result += ", \"buffer\": " + quoted_for_json(it.target.name()) + ", \"blocks\": " + list(it.blocks, ", ", range);
    if (it.combines()) { result += ", \"side\": " + quoted_for_json(name(it.operand)); }
    return result + '}';
}

[[nodiscard]] inline std::string object(timeline::event const& it) {
    return "{\"rank\": " + std::to_string(it.rank) + ", \"peer\": " + std::to_string(it.peer) +
           ", \"block\": " + std::to_string(it.block) + ", \"kind\": " + quoted_for_json(name(it.what)) +
           ", \"start\": " + draw::number(it.start) + ", \"end\": " + draw::number(it.end) + '}';
}

/// What holds for the schedules of all ranks: the beginning of an object.
template <class Collective, generators::generator_for<Collective> Generator>
[[nodiscard]] std::string header(Collective, Generator const& generator, std::size_t size, std::size_t root,
                                 partition const& cut) {
    std::vector<std::size_t> sizes;
    for (std::size_t block = 0; block < cut.blocks(); ++block) { sizes.push_back(cut.size(block)); }
    auto result = "{\"collective\": " + analysis::quoted_for_json(Collective::name) +
                  ", \"algorithm\": " + analysis::quoted_for_json(name_of(Collective{}, generator)) +
                  ", \"size\": " + std::to_string(size) + ", \"root\": " + std::to_string(root) +
                  ",\n \"partition\": " +
                  json::list(sizes, ", ", [](std::size_t elements) { return std::to_string(elements); });
    if constexpr (collective::divides<Collective>) {
        std::vector<block_range> owned;
        for (std::size_t rank = 0; rank < size; ++rank) {
            owned.push_back(ownership::blocks_of(rank, size, cut.blocks()));
        }
        result += ",\n \"blocks_of\": " + json::list(owned, ", ", json::range);
    }
    using generators::facts_about;
    bool const reorders = facts_about(Collective{}, generator).requires_commutative;
    return result + ",\n \"requires_commutative\": " + (reorders ? "true" : "false");
}

}  // namespace json

/// The schedules of all ranks and `line`, their timeline, as one JSON object.
/// Requires root < size, else throws std::invalid_argument.
template <class Collective, generators::generator_for<Collective> Generator>
[[nodiscard]] std::string to_json(Collective, Generator const& generator, std::size_t size, std::size_t root,
                                  partition const& cut, timeline const& line) {
    auto const schedules = analysis::schedules_of(Collective{}, generator, size, root, cut);
    auto const as_number = [](auto value) { return draw::number(static_cast<double>(value)); };

    auto result = json::header(Collective{}, generator, size, root, cut);
    result += ",\n \"ranks\": [\n   ";
    for (std::size_t rank = 0; rank < size; ++rank) {
        if (rank != 0) { result += ",\n   "; }
        result += json::list(schedules[rank], ", ", [](step const& it) { return json::object(it); });
    }
    auto const rounds_of = [](auto const& of_rank) {
        return json::list(of_rank, ", ", [](step const& it) { return std::to_string(it.round); });
    };
    result += "],\n \"rounds_of_steps\": " + json::list(schedules, ", ", rounds_of) + ",\n \"timeline\": " +
              json::list(line.events, ",\n   ", [](timeline::event const& it) { return json::object(it); }) +
              ",\n \"finish\": " + json::list(line.finish, ", ", as_number) +
              ", \"makespan\": " + draw::number(line.makespan()) +
              ", \"rounds\": " + std::to_string(schedules.front().rounds()) + "}\n";
    return result;
}

}  // namespace tutti::analysis

namespace tutti {
using analysis::to_json;
}  // namespace tutti
