// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tutti/analysis/draw/number.hpp>
#include <tutti/analysis/draw/svg_page.hpp>

#include "../chart/chart.hpp"
#include "../chart/page.hpp"
#include "comparison.hpp"
#include "findings.hpp"

namespace tutti::report {

using charts::paragraph;

/// The curves of a setting. What is drawn in both pictures has the same colour.
class curves {
public:
    explicit curves(setting const& of) : of_{of} {
        for (auto const& at : of.cells) {
            for (auto const* each : at.timings) {
                if (each->is_ours() || std::find(peers_.begin(), peers_.end(), each->label()) != peers_.end()) {
                    continue;
                }
                peers_.push_back(each->label());
            }
        }
    }

    [[nodiscard]] bool has_ratios() const {
        return std::any_of(of_.cells.begin(), of_.cells.end(),
                           [&](cell const& at) { return !against_peers(of_, at).empty(); });
    }

    [[nodiscard]] std::string times() const {
        std::vector<charts::series> all;
        all.push_back(drawn("tutti automatic", 0, [](row const& one) { return one.is_automatic(); }));
        for (auto const& name : peers_) {
            all.push_back(drawn(name, all.size(), [&](row const& one) { return one.label() == name; }));
        }
        auto best = drawn("tutti, best by name", all.size(), [&](row const& one) { return is_choice(of_, one); });
        best.dashed = true;
        all.push_back(std::move(best));
        std::erase_if(all, [](charts::series const& each) { return each.points.empty(); });
        return picture("time", "µs", std::move(all));
    }

    [[nodiscard]] std::string ratios() const {
        std::vector<charts::series> all;
        for (auto const& name : peers_) { all.push_back(line(name, all.size() + 1)); }
        for (auto const& at : of_.cells) {
            for (auto const& each : against_peers(of_, at)) {
                auto const place = std::find(peers_.begin(), peers_.end(), each.other->label()) - peers_.begin();
                add_least(all[static_cast<std::size_t>(place)].points, at, each.ratio());
            }
        }
        auto own = line("tutti automatic", 0);
        for (auto const& at : of_.cells) { add_least(own.points, at, 1); }
        if (own.points.size() > 1) { own.dots = false; }
        all.insert(all.begin(), std::move(own));
        return picture("time of peer / time of tutti automatic", "above 1: tutti is faster", std::move(all));
    }

private:
    static charts::series line(std::string name, std::size_t place) {
        return {.name = std::move(name), .dashed = place >= draw::palette.size()};
    }

    /// Several files can have the same thing.
    static void add_least(std::vector<charts::point>& to, cell const& at, double y) {
        auto const x = static_cast<double>(at.bytes);
        if (!to.empty() && to.back().x == x) {
            to.back().y = std::min(to.back().y, y);
        } else {
            to.push_back({x, y});
        }
    }

    [[nodiscard]] charts::series drawn(std::string name, std::size_t place, auto const& belongs) const {
        auto result = line(std::move(name), place);
        for (auto const& at : of_.cells) {
            for (auto const* each : at.timings) {
                if (belongs(*each)) { add_least(result.points, at, each->median); }
            }
        }
        return result;
    }

    [[nodiscard]] std::string picture(std::string const& what, std::string unit,
                                      std::vector<charts::series> all) const {
        return charts::svg(charts::chart{.title = of_.title() + ": " + what,
                                         .x_label = "length of the vector",
                                         .y_label = std::move(unit),
                                         .log_x = true,
                                         .log_y = true,
                                         .series = std::move(all),
                                         .x_ticks = ticks()});
    }

    /// Powers of two as far apart as there is room; what was measured where there are too few of them.
    [[nodiscard]] std::vector<charts::tick> ticks() const {
        auto const first = static_cast<double>(of_.cells.front().bytes);
        auto const last = static_cast<double>(of_.cells.back().bytes);
        auto const doublings = std::log2(last / first);
        std::vector<charts::tick> result;
        auto const add = [&](std::size_t bytes) { result.push_back({static_cast<double>(bytes), told_bytes(bytes)}); };
        if (doublings < 3) {
            for (auto const& each : of_.cells) { add(each.bytes); }
            return result;
        }
        auto const step = doublings < 6 ? 1U : doublings < 14 ? 2U : 3U;
        for (std::size_t power = step; power < 63; power += step) {
            auto const bytes = std::size_t{1} << power;
            if (bytes >= of_.cells.front().bytes && bytes <= of_.cells.back().bytes) { add(bytes); }
        }
        return result;
    }

    setting const& of_;
    std::vector<std::string> peers_;
};

/// The page of a report.
class page {
public:
    explicit page(findings const& all) : all_{all} {}

    [[nodiscard]] std::string text() const {
        std::vector<charts::part> parts{
            {"Method", method() + table(all_.files)},
            {"Noise", paragraph("The spread of what was timed repeatedly: (slowest - fastest repetition) / median.") +
                          table(all_.noises)},
            {"Geometric means of the ratio to the best peer",
             paragraph("Over all lengths, and over those from 64 KiB on. Above 1 tutti’s automatic choice is faster "
                       "than the best peer, which can be another one in each cell.") +
                 table(all_.means)},
            {"Where tutti is behind", behind() + table(all_.behind)},
            {"Where the choice was wrong", choices() + table(all_.choices)},
        };
        for (auto const& ground : all_.grounds) {
            parts.push_back({ground, ""});
            for (auto const& each : all_.settings) {
                if (each.ground == ground) { parts.back().body += section(each); }
            }
        }
        return charts::document("tutti beside its peers", style, paragraph(all_.summary() + '.'), parts);
    }

private:
    static constexpr std::string_view style = R"(body { max-width: 88rem; }
p { max-width: 62rem; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(38rem, 100%), 1fr)); gap: 1rem; }
.pair figure { margin: .4rem 0; }
)";

    [[nodiscard]] std::string method() const {
        auto result = paragraph(
            R"(All times were taken by tutti’s own benchmark, ./dev bench collectives, not by the makers of the peers.
It times whatever takes part in a run side by side: in each repetition every contender runs once, in an order shuffled
anew, each after a barrier; what counts is the time of the slowest rank by MPI_Wtime, which in a simulation is simulated
time. The first run of each is not timed. Times are medians over the repetitions.)");
        result += paragraph(
            R"(A cell is a collective with an operator on a number of ranks of a ground and a length of vector: what
each rank holds, or the whole vector where every rank has a part. Automatic is the algorithm that tutti chooses itself.
Peers are the MPI’s own call (mpi), Boost.MPI (boost_mpi), and others by their names; a file GROUND@NAME.csv is another
run on that ground, in which the MPI’s own call is called NAME. A ratio is the time of a peer divided by that of
automatic in the same file; where that file has no automatic, in the file of the ground without a name, which is not the
same run. Above 1 tutti is faster. The best peer of a cell is the one whose ratio is least.)");
        if (!all_.costs) { return result; }
        return result +
               paragraph(
                   "The lower bound is the time that no algorithm stays below if a message of m bytes takes α + βm, to "
                   "combine them takes γm, and a rank sends one message and receives one at a time: α = " +
                   draw::number(all_.costs->alpha) + " s, β = " + draw::number(all_.costs->beta) +
                   " s, γ = " + draw::number(all_.costs->gamma) +
                   " s, on every ground. A machine that keeps several messages in flight, or combines while it "
                   "receives, can stay below it. Where every rank has a part of the vector, parts are taken to be of "
                   "nearly one length and cut into at most " +
                   std::to_string(pieces_of_a_part) + " blocks each.");
    }

    [[nodiscard]] std::string behind() const {
        return paragraph(
            "Every cell in which automatic is slower than the best peer, the worst first: by how many per cent of the "
            "peer’s time. Within noise: each median lies between the fastest and the slowest repetition of the other; "
            "but not: another peer is ahead by more than that. There are " +
            counted(all_.behind.rows().size(), "such cell") + " of " + std::to_string(all_.compared) + ".");
    }

    [[nodiscard]] std::string choices() const {
        return paragraph(
            "Every cell of every file in which an algorithm of tutti that the file names is faster than automatic by "
            "more than " +
            draw::number(percent_of_wrong_choice) +
            " %, the worst first; of several the fastest. Left out is what automatic never takes: an all_reduce whose "
            "results may differ between ranks, and another mode of sending (+ready). There are " +
            counted(all_.choices.rows().size(), "such cell") + " of " + std::to_string(all_.with_choices) + ".");
    }

    [[nodiscard]] std::string section(setting const& of) const {
        auto result = charts::tagged("h3", of.ground + ": " + of.title()) + "\n<div class=\"pair\">\n";
        curves const drawn{of};
        result += "<figure>\n" + drawn.times() + "</figure>\n";
        if (drawn.has_ratios()) {
            result += "<figure>\n" + drawn.ratios() + "</figure>\n";
        } else {
            result += paragraph("Nothing to compare: no peer was timed beside automatic.");
        }
        return result + "</div>\n<details><summary>" + counted(of.cells.size(), "cell") + "</summary>\n" +
               table(all_.cells_of(of)) + "</details>\n";
    }

    /// As people read it.
    static std::string table(sheet const& one) {
        auto columns = one.columns();
        std::size_t bytes = columns.size();
        for (std::size_t i = 0; i < columns.size(); ++i) {
            if (columns[i] == "bytes") { bytes = i; }
            std::replace(columns[i].begin(), columns[i].end(), '_', ' ');
            if (columns[i].ends_with(" us")) { columns[i].replace(columns[i].size() - 2, 2, "µs"); }
            if (columns[i].ends_with(" percent")) { columns[i].replace(columns[i].size() - 7, 7, "%"); }
        }
        sheet result{one.file(), columns};
        for (auto row : one.rows()) {
            if (bytes < row.size()) { row[bytes] = told_bytes(std::stoull(row[bytes])); }
            result.add_row(std::move(row));
        }
        if (one.rows().empty()) { return paragraph("None."); }
        return charts::table_of(result) +
               (one.file().empty() ? "" : "<p>" + charts::link_to(one.file(), one.file()) + "</p>\n");
    }

    findings const& all_;
};

}  // namespace tutti::report
