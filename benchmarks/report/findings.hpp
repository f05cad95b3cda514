// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bound.hpp"
#include "comparison.hpp"
#include "tables.hpp"
#include "wording.hpp"

namespace tutti::report {

/// Everything that is found in some files.
struct findings {
    std::optional<network> costs;
    std::vector<std::string> grounds;
    std::vector<setting> settings;
    sheet files;
    sheet noises;
    sheet means;
    sheet behind;
    sheet choices;
    std::size_t cells = 0;
    std::size_t compared = 0;      ///< with a peer
    std::size_t behind_noise = 0;  ///< slower than some peer by more than noise
    std::size_t with_choices = 0;  ///< in which other algorithms of tutti were timed

    findings(std::deque<source> const& senders, std::optional<network> of_network)
        : findings{senders, of_network, with_bounds(settings_of(senders), of_network)} {}

    [[nodiscard]] std::string summary() const {
        auto const number = [](auto count) { return std::to_string(count); };
        return counted(cells, "cell") + ", " + number(compared) + " of them with a peer; tutti's automatic choice is " +
               "behind the best peer in " + number(behind.rows().size()) + ", beyond noise in " + number(behind_noise) +
               "; another algorithm of tutti is faster in " + number(choices.rows().size()) + " of " +
               number(with_choices);
    }

private:
    findings(std::deque<source> const& senders, std::optional<network> of_network, std::vector<setting> all)
        : costs{of_network},
          grounds{grounds_of(senders)},
          settings{std::move(all)},
          files{tables::files(senders)},
          noises{tables::noises(settings, grounds)},
          means{"", {}},
          behind{"", {}},
          choices{"", {}} {
        tables const written{costs.has_value()};
        auto const peers = against_best_peers(settings);
        means = written.means(peers, settings, grounds);
        auto const lost = report::behind(peers);
        behind = written.contests("behind.csv", "peer", lost);
        choices = written.contests("choices.csv", "algorithm", wrong_choices(settings));
        compared = peers.size();
        behind_noise = static_cast<std::size_t>(
            std::count_if(lost.begin(), lost.end(), [](contest const& each) { return each.beyond_noise != nullptr; }));
        for (auto const& where : settings) {
            cells += where.cells.size();
            for (auto const& at : where.cells) { with_choices += files_with_choices(where, at); }
        }
    }

    static std::vector<setting> with_bounds(std::vector<setting> all, std::optional<network> const& costs) {
        if (costs) { add_bounds(all, *costs); }
        return all;
    }

    static std::size_t files_with_choices(setting const& where, cell const& at) {
        return static_cast<std::size_t>(std::count_if(at.timings.begin(), at.timings.end(), [&](timing const& each) {
            return each.is_automatic() && !against_choices(where, at, each.from).empty();
        }));
    }
};

}  // namespace tutti::report
