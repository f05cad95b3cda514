// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <tutti/analysis/draw/svg_page.hpp>

#include "../chart/chart.hpp"
#include "comparison.hpp"
#include "findings.hpp"

namespace tutti::report {

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
        if (own.points.size() > 1) { own.drawn = charts::mark::line; }
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

}  // namespace tutti::report
