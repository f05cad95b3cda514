// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <string>
#include <string_view>

#include <tutti/analysis/draw/svg.hpp>
#include <tutti/analysis/timeline.hpp>

#include "exhibit.hpp"

namespace tutti::paper {

/// Every event of a timeline.
[[nodiscard]] inline sheet events_sheet(std::string file, timeline const& line) {
    sheet result{std::move(file), {"kind", "rank", "peer", "block", "start", "end"}};
    for (auto const& each : line.events) {
        result.add(name(each.what), each.rank, each.peer, each.block, each.start, each.end);
    }
    return result;
}

/// A timeline as a picture and a table of its own.
inline void add_gantt(exhibit& to, std::string const& name, timeline const& line, std::string const& title,
                      std::string const& caption) {
    to.pictures.push_back({name + ".svg", to_svg(line, {.title = title}), caption});
    to.sheets.push_back(events_sheet(name + ".csv", line));
}

}  // namespace tutti::paper
