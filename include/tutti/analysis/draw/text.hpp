// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <tutti/analysis/draw/number.hpp>
#include <tutti/analysis/timeline.hpp>

namespace tutti::analysis {

namespace draw {

/// Rows of text, columns aligned: the first `left_columns` to the left, the others to the right.
class table {
public:
    explicit table(std::size_t left_columns = 0) : left_columns_{left_columns} {}

    void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }

    [[nodiscard]] std::string text() const {
        std::vector<std::size_t> widths;
        for (auto const& row : rows_) {
            widths.resize(std::max(widths.size(), row.size()));
            for (std::size_t i = 0; i < row.size(); ++i) { widths[i] = std::max(widths[i], row[i].size()); }
        }
        std::string result;
        for (auto const& row : rows_) {
            std::string line;
            for (std::size_t i = 0; i < row.size(); ++i) {
                std::string const fill(widths[i] - row[i].size(), ' ');
                line += (i == 0 ? "" : "  ") + (i < left_columns_ ? row[i] + fill : fill + row[i]);
            }
            line.erase(line.find_last_not_of(' ') + 1);
            result += line + '\n';
        }
        return result;
    }

private:
    std::size_t left_columns_;
    std::vector<std::vector<std::string>> rows_;
};

/// The last sign of a block's number: 0 .. 9, a .. z, and again.
[[nodiscard]] inline char sign_of(std::size_t block) { return "0123456789abcdefghijklmnopqrstuvwxyz"[block % 36]; }

/// Labels of every tenth of `end` columns, behind `indent` blanks.
[[nodiscard]] inline std::string ruler(std::size_t indent, std::size_t end) {
    std::string result(indent, ' ');
    for (std::size_t time = 0; time <= end; time += 10) {
        auto const label = std::to_string(time);
        result += label + std::string(10 - label.size(), ' ');
    }
    result.erase(result.find_last_not_of(' ') + 1);
    return result;
}

/// A column for each unit of time and up to three lines for each rank: the sign of the block that it sends,
/// receives, combines; '.' where it waits. Empty if times are not whole numbers or go beyond `at_most`.
[[nodiscard]] inline std::string columns(timeline const& line, std::size_t at_most) {
    auto const whole = [](double time) { return time == std::floor(time); };
    bool drawable = line.makespan() <= static_cast<double>(at_most) &&
                    std::all_of(line.arrivals.begin(), line.arrivals.end(), whole);
    for (auto const& each : line.events) { drawable = drawable && whole(each.start) && whole(each.end); }
    if (!drawable || line.events.empty()) { return {}; }
    enum row : std::size_t { sends, receives, combines };
    auto const end = static_cast<std::size_t>(line.makespan());
    std::vector<std::array<std::string, 3>> rows(line.size());
    auto const mark = [&](std::size_t rank, row which, char sign, timeline::event const& each) {
        auto& text = rows[rank][which];
        text.resize(end, ' ');
        for (auto time = static_cast<std::size_t>(each.start); time < static_cast<std::size_t>(each.end); ++time) {
            text[time] = sign;
        }
    };
    for (auto const& each : line.events) {
        bool const transfer = each.what == activity::transfer;
        mark(each.rank, transfer ? sends : combines, sign_of(each.block), each);
        if (transfer) { mark(each.peer, receives, sign_of(each.block), each); }
    }
    auto const width = std::to_string(line.size() - 1).size();
    auto result = draw::ruler(10 + width, end) + '\n';
    constexpr std::array names{"send    ", "receive ", "combine "};
    for (std::size_t rank = 0; rank < line.size(); ++rank) {
        auto label = 'P' + std::to_string(rank);
        label.resize(width + 1, ' ');
        for (auto const which : {sends, receives, combines}) {
            auto text = rows[rank][which];
            if (text.find_first_not_of(' ') == std::string::npos) { continue; }
            text.erase(text.find_last_not_of(' ') + 1);
            for (std::size_t time = 0; time < text.size(); ++time) {
                if (text[time] == ' ' && static_cast<double>(time) >= line.arrivals[rank]) { text[time] = '.'; }
            }
            result += label + ' ' + names[which] + text + '\n';
            label.assign(width + 1, ' ');
        }
    }
    return result;
}

}  // namespace draw

/// A timeline as text: a table of all events, one of all ranks, and, where times are whole numbers and there is
/// room (120 columns), what each rank sends, receives and combines in each unit of time.
[[nodiscard]] inline std::string to_text(timeline const& line) {
    draw::table events{1};
    events.add({"event", "rank", "peer", "block", "blocks", "start", "end"});
    for (auto const& each : line.events) {
        events.add({std::string{name(each.what)}, std::to_string(each.rank), std::to_string(each.peer),
                    std::to_string(each.block), std::to_string(each.blocks), draw::number(each.start),
                    draw::number(each.end)});
    }
    draw::table ranks;
    ranks.add({"rank", "arrival", "finish", "idle"});
    auto const idle = line.idle();
    for (std::size_t rank = 0; rank < line.size(); ++rank) {
        ranks.add({std::to_string(rank), draw::number(line.arrivals[rank]), draw::number(line.finish[rank]),
                   draw::number(idle[rank])});
    }
    auto const chart = draw::columns(line, 120);
    return (chart.empty() ? "" : chart + '\n') + events.text() + '\n' + ranks.text() + "\nmakespan " +
           draw::number(line.makespan()) + '\n';
}

}  // namespace tutti::analysis

namespace tutti {
using analysis::to_text;
}  // namespace tutti
