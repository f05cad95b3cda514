// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include <tutti/analysis/draw/number.hpp>
#include <tutti/analysis/draw/svg_page.hpp>
#include <tutti/analysis/timeline.hpp>

namespace tutti::analysis {

/// How a timeline is drawn.
struct drawing_options {
    std::string title;  ///< if empty, the timeline's own: collective, algorithm, ranks and blocks
    double width = 0;   ///< of the time axis, in pixels; 0: as much as the shortest event needs to be read
    std::string time = "time, in the unit of the costs";  ///< what the axis says
};

namespace draw {

/// A Gantt chart of a timeline: a lane for each rank, a colour for each block.
///
/// One port: sends, receives and combines share the lane. Bidirectional: sends above, receives below, combines
/// over both. Overlapped: the port above, the processor below.
class gantt {
public:
    gantt(timeline const& line, drawing_options const& options)
        : line_{line}, options_{options}, lane_{lane_height()}, width_{axis_width(options.width)},
          left_{14 + 8.2 * static_cast<double>(rank_name(line.size() == 0 ? 0 : line.size() - 1).size())},
          axis_{line.makespan(), left_, width_, 38}, page_{left_ + width_ + 92} {}

    [[nodiscard]] std::string draw() {
        double top = 12;
        auto rest = std::string_view{options_.title.empty() ? line_.title : options_.title};
        while (!rest.empty()) {
            page_.text(left_, top + 18, first_line(rest), {.size = 17, .weight = "600"});
            top += rest.empty() ? 30 : 22;
        }
        top_ = top + 22;
        bottom_ = top_ + lane_ * static_cast<double>(line_.size());
        draw_lanes();
        draw_marks();
        for (auto const& each : line_.events) {
            if (each.end > each.start) { draw_event(each); }
        }
        draw_ends();
        return page_.finish(draw_legend(bottom_ + 62));
    }

private:
    static std::string rank_name(std::size_t rank) { return 'P' + std::to_string(rank); }

    /// Takes from `rest` as many words as fit beside each other.
    [[nodiscard]] std::string_view first_line(std::string_view& rest) const {
        constexpr double wide_character = 9.5;
        auto const fit = static_cast<std::size_t>((width_ + 80) / wide_character);
        auto const space = rest.size() <= fit ? std::string_view::npos : rest.rfind(' ', fit);
        auto const line = rest.substr(0, space);
        rest.remove_prefix(space == std::string_view::npos ? rest.size() : space + 1);
        return line;
    }

    [[nodiscard]] bool halves() const { return line_.model != ports::unidirectional; }

    [[nodiscard]] double lane_height() const {
        auto const full = halves() ? 42.0 : 28.0;
        auto const least = halves() ? 26.0 : 16.0;
        return std::clamp(1100.0 / static_cast<double>(std::max<std::size_t>(line_.size(), 1)), least, full);
    }

    [[nodiscard]] double axis_width(double wanted) const {
        if (wanted > 0) { return wanted; }
        auto shortest = line_.makespan();
        for (auto const& each : line_.events) {
            if (each.end > each.start) { shortest = std::min(shortest, each.end - each.start); }
        }
        return shortest > 0 ? std::clamp(20 * line_.makespan() / shortest, 560.0, 1800.0) : 560.0;
    }

    [[nodiscard]] double lane_top(std::size_t rank) const { return top_ + lane_ * static_cast<double>(rank); }

    void draw_lanes() {
        for (std::size_t rank = 0; rank < line_.size(); ++rank) {
            auto const y = lane_top(rank);
            page_.box(left_, y, width_, lane_, {.fill = rank % 2 == 0 ? "#f5f6f8" : "#ffffff"});
            page_.text(left_ - 8, y + lane_ / 2 + 4, rank_name(rank), {.size = 12, .anchor = "end", .weight = "600"});
            auto const arrival = std::min(line_.arrivals[rank], line_.makespan());
            if (arrival > 0) {
                page_.box(left_, y + 1, axis_.at(arrival) - left_, lane_ - 2, {.fill = "url(#away)"});
                page_.line(axis_.at(arrival), y + 1, axis_.at(arrival), y + lane_ - 1, {.colour = "#8b93a0"});
            }
        }
    }

    void draw_marks() {
        for (auto const time : axis_.marks()) {
            auto const x = axis_.at(time);
            page_.line(x, top_, x, bottom_ + 5, {.colour = "#d4d8de", .width = 0.8});
            page_.text(x, bottom_ + 19, axis::label(time), {.size = 11, .anchor = "middle", .fill = "#4a5260"});
        }
        page_.line(left_, bottom_, left_ + width_, bottom_, {.colour = "#4a5260"});
        page_.text(left_ + width_ / 2, bottom_ + 37, options_.time,
                   {.size = 12, .anchor = "middle", .fill = "#4a5260"});
    }

    /// Where in its lane an event of `rank` stands: distance from the top, and height.
    [[nodiscard]] std::pair<double, double> place(timeline::event const& each, std::size_t rank) const {
        auto const half = (lane_ - 4) / 2;
        bool const computes = each.what != activity::transfer;
        if (!halves() || (computes && line_.model == ports::bidirectional)) { return {2, lane_ - 4}; }
        bool const below = line_.model == ports::overlapped ? computes : each.rank != rank;
        return {below ? 2 + half : 2, half};
    }

    void draw_event(timeline::event const& each) {
        auto const& colour = colour_of(each.block);
        auto const times = ", " + number(each.start) + " to " + number(each.end);
        auto const blocks = each.blocks == 1 ? ", block " + std::to_string(each.block)
                                             : ", " + std::to_string(each.blocks) + " blocks, the first of them " +
                                                   std::to_string(each.block);
        if (each.what == activity::transfer) {
            auto const note = rank_name(each.rank) + " to " + rank_name(each.peer) + blocks + times;
            bar(each, each.rank, {.fill = colour.full, .stroke = colour.dark}, note);
            label(each, each.rank, "→", each.peer, "#ffffff");
            bar(each, each.peer, {.fill = colour.light, .stroke = colour.full}, note);
            label(each, each.peer, "←", each.rank, colour.dark);
        } else {
            auto const note = rank_name(each.rank) + ' ' + std::string{name(each.what)} + blocks + times;
            bar(each, each.rank, {.fill = colour.light, .stroke = colour.dark, .stroke_width = 1.3}, note);
            bar(each, each.rank, {.fill = "url(#hatch" + std::to_string(each.block % palette.size()) + ")"}, note);
        }
    }

    void bar(timeline::event const& each, std::size_t rank, box_style const& style, std::string const& note) {
        auto const [offset, height] = place(each, rank);
        auto const x = axis_.at(each.start);
        page_.box(x + 0.6, lane_top(rank) + offset + 0.6, std::max(axis_.at(each.end) - x - 1.2, 0.4), height - 1.2,
                  style, note);
    }

    /// The peer's number, as large as the bar allows, with an arrow if there is room for it.
    void label(timeline::event const& each, std::size_t rank, std::string_view arrow, std::size_t peer,
               std::string_view fill) {
        auto const [offset, height] = place(each, rank);
        auto const size = std::min(12.0, height - 3);
        auto const room = axis_.at(each.end) - axis_.at(each.start) - 4;
        auto text = std::to_string(peer);
        auto const widest = 0.6 * size * static_cast<double>(std::to_string(line_.size() - 1).size());
        if (size < 7 || 0.6 * size * static_cast<double>(text.size()) > room) { return; }
        if (widest + size <= room) { text = std::string{arrow} + text; }
        page_.text((axis_.at(each.start) + axis_.at(each.end)) / 2, lane_top(rank) + offset + height / 2 + 0.36 * size,
                   text, {.size = size, .anchor = "middle", .fill = fill});
    }

    void draw_ends() {
        for (std::size_t rank = 0; rank < line_.size(); ++rank) {
            auto const x = axis_.at(line_.finish[rank]);
            auto const y = lane_top(rank);
            if (line_.finish[rank] > line_.arrivals[rank]) {
                page_.line(x, y + 1, x, y + lane_ - 1, {.colour = "#20262e", .width = 2.2});
            }
        }
        auto const x = axis_.at(line_.makespan());
        page_.line(x, top_ - 6, x, bottom_ + 5, {.colour = "#c0272d", .width = 1.2, .dashes = "5 3"});
        page_.text(x, top_ - 10, "makespan " + axis::label(line_.makespan()),
                   {.size = 12, .anchor = "middle", .weight = "600", .fill = "#c0272d"});
    }

    /// Draws an entry of the legend at (x, y), on a new line if it does not fit, and moves (x, y) behind it.
    void draw_entry(double& x, double& y, box_style const& style, box_style const& over, std::string const& text) {
        auto const wide = 24 + 6.6 * static_cast<double>(text.size()) + 16;
        if (x + wide > left_ + width_ + 78) {
            x = left_;
            y += 22;
        }
        page_.box(x, y - 10, 18, 13, style);
        if (!over.fill.empty()) { page_.box(x, y - 10, 18, 13, over); }
        page_.text(x + 24, y + 1, text, {.size = 12});
        x += wide;
    }

    /// Returns the height of the whole page.
    double draw_legend(double y) {
        std::size_t blocks = 0;
        bool combines = false;
        bool late = false;
        for (auto const& each : line_.events) {
            blocks = std::max(blocks, each.block + 1);
            combines = combines || (each.what != activity::transfer && each.end > each.start);
        }
        for (auto const arrival : line_.arrivals) { late = late || arrival > 0; }
        auto x = left_;
        auto const entry = [&](box_style const& style, box_style const& over, std::string const& text) {
            draw_entry(x, y, style, over, text);
        };
        auto const& sample = palette[8];
        entry({.fill = sample.full, .stroke = sample.dark}, {}, halves() ? "send (top)" : "send");
        bool const below = line_.model == ports::bidirectional;
        entry({.fill = sample.light, .stroke = sample.full}, {}, below ? "receive (below)" : "receive");
        if (combines) {
            entry({.fill = sample.light, .stroke = sample.dark, .stroke_width = 1.3}, {.fill = "url(#hatch8)"},
                  line_.model == ports::overlapped ? "combine (below)" : "combine");
        }
        if (late) { entry({.fill = "url(#away)", .stroke = "#8b93a0"}, {}, "before arrival"); }
        page_.line(x + 9, y - 11, x + 9, y + 4, {.colour = "#20262e", .width = 2.2});
        page_.text(x + 18, y + 1, "finish", {.size = 12});
        x = left_;
        y += 24;
        for (std::size_t block = 0; block < std::min(blocks, palette.size()); ++block) {
            entry({.fill = palette[block].full}, {}, (block == 0 ? "block " : "") + std::to_string(block));
        }
        if (blocks > palette.size()) {
            page_.text(x, y + 1, "and again for every " + std::to_string(palette.size()) + " blocks", {.size = 12});
        }
        return y + 20;
    }

    timeline const& line_;
    drawing_options const& options_;
    double lane_;
    double width_;
    double left_;
    double top_ = 0;
    double bottom_ = 0;
    axis axis_;
    svg_page page_;
};

}  // namespace draw

/// A timeline as an SVG picture, as in papers on scheduling. Each rank has a lane with its sends (full colour, the
/// receiver's number), receives (light, the sender's number) and combines (hatched), in a colour for each block; with
/// the time axis, the finish of each rank and the makespan.
[[nodiscard]] inline std::string to_svg(timeline const& line, drawing_options const& options = {}) {
    return draw::gantt{line, options}.draw();
}

}  // namespace tutti::analysis

namespace tutti {
using analysis::to_svg;
}  // namespace tutti
