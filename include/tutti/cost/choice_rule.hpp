// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tutti/problem.hpp>

namespace tutti::pricing {

/// The algorithm that `automatic` takes for a collective, for vectors of some lengths.
///
/// A rule is not followed if its algorithm may not be chosen: because it reorders operands and the operator is not
/// known to commute, or because it is not a candidate.
struct choice_rule {
    static constexpr std::size_t no_end = std::numeric_limits<std::size_t>::max();

    std::string collective{};  ///< as in "all_reduce"
    std::size_t from = 0;      ///< bytes of the whole vector
    std::size_t to = no_end;   ///< fewer bytes than these
    std::string algorithm{};   ///< as `name_of` and `explain` call it
    /// Bytes of a segment, for algorithms that cut the vector; messages at once, for those that may send several. 0: as
    /// expected to suit the vector.
    std::size_t segment = 0;
    std::size_t ports = 0;
    std::size_t ranks = 0;  ///< how many it is for; 0: any number

    [[nodiscard]] bool is_for(std::string_view which, std::size_t size, std::size_t bytes) const {
        return which == collective && from <= bytes && bytes < to && (ranks == 0 || ranks == size);
    }

    /// Spaces make no difference.
    [[nodiscard]] bool names(std::string_view other) const {
        std::string_view own = algorithm;
        auto const skip_spaces = [](std::string_view& text) {
            while (text.starts_with(' ')) { text.remove_prefix(1); }
        };
        for (;;) {
            skip_spaces(own);
            skip_spaces(other);
            if (own.empty() || other.empty()) { return own.empty() && other.empty(); }
            if (own.front() != other.front()) { return false; }
            own.remove_prefix(1);
            other.remove_prefix(1);
        }
    }

    friend bool operator==(choice_rule const&, choice_rule const&) = default;
};

/// The first of the rules that is for such a call.
[[nodiscard]] inline std::optional<choice_rule> rule_for(std::vector<choice_rule> const& rules, std::string_view which,
                                                         std::size_t size, std::size_t bytes) {
    for (auto const& each : rules) {
        if (each.is_for(which, size, bytes)) { return each; }
    }
    return std::nullopt;
}

/// Why a rule can never be followed, as far as it tells itself; empty if it can.
[[nodiscard]] inline std::string invalid_reason(choice_rule const& rule) {
    auto const& known = collective::names;
    if (std::find(known.begin(), known.end(), rule.collective) == known.end()) {
        std::string all;
        for (auto const each : known) { all += (all.empty() ? "" : ", ") + std::string{each}; }
        return "there is no collective '" + rule.collective + "' to choose for; there are: " + all;
    }
    if (rule.from >= rule.to) {
        return "no vector has at least " + std::to_string(rule.from) + " and less than " + std::to_string(rule.to) +
               " bytes";
    }
    return rule.algorithm.empty() ? "it names no algorithm" : "";
}

}  // namespace tutti::pricing

namespace tutti {
using pricing::choice_rule;
}  // namespace tutti
