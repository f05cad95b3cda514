// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tutti/analysis.hpp>
#include <tutti/analysis/goal.hpp>

#include "exploration.hpp"

namespace tutti::explore {

/// All that is to be told.
struct findings {
    options const& wanted;
    family const& of;
    algorithm const& by;
    std::string_view why;  ///< it was chosen; empty if it was named
    exploration const& found;
};

[[nodiscard]] inline std::string vector_in_words(partition const& cut) {
    auto result = counted(cut.elements(), "element") + " in " + counted(cut.blocks(), "block");
    if (cut.blocks() == 0) { return result; }
    auto least = cut.size(0);
    auto most = least;
    for (std::size_t block = 1; block < cut.blocks(); ++block) {
        least = std::min(least, cut.size(block));
        most = std::max(most, cut.size(block));
    }
    return result + " of " + std::to_string(least) + (least == most ? "" : " to " + std::to_string(most));
}

[[nodiscard]] inline std::string parameters_in_words(options const& wanted) {
    std::string result;
    for (auto const& [name, value] : wanted.parameters) {
        result += std::string{result.empty() ? " with " : ", "} + name + '=' + value;
    }
    return result;
}

[[nodiscard]] inline std::string blocks_in_words(schedules::block_list const& blocks) {
    std::string result;
    for (auto const& range : blocks) {
        result += (result.empty() ? "" : ",") + std::to_string(range.first);
        if (range.last - range.first > 1) { result += '-' + std::to_string(range.last - 1); }
    }
    return result;
}

/// The schedule of every rank, one step a line.
[[nodiscard]] inline std::string steps(schedule_table const& all) {
    analysis::draw::table table{7};
    table.add({"rank", "round", "step", "peer", "buffer", "blocks", "operand"});
    for (std::size_t rank = 0; rank < all.size; ++rank) {
        for (auto const& each : all.steps[rank]) {
            table.add({std::to_string(rank), std::to_string(each.round), std::string{name(each.what)},
                       each.communicates() ? std::to_string(each.peer) : each.source.name(), each.target.name(),
                       blocks_in_words(each.blocks), each.combines() ? std::string{name(each.operand)} : ""});
        }
    }
    return table.text();
}

[[nodiscard]] inline std::string verdict(analysis::verification const& found) {
    auto const most = [](std::size_t sent, std::size_t received) {
        return std::to_string(sent) + " sent, " + std::to_string(received) + " received";
    };
    return "verified: " + counted(found.messages, "message") + " (" +
           most(found.max_messages_sent, found.max_messages_received) + " by a rank at most), " +
           counted(found.volume, "element") + " sent (" + most(found.max_volume_sent, found.max_volume_received) +
           "), " + std::to_string(found.combines) + " combined (" + std::to_string(found.max_combines) + ")\n";
}

/// The time, and what no algorithm stays below; empty if no costs are asked for.
[[nodiscard]] inline std::string prediction(findings const& all) {
    auto const& wanted = all.wanted;
    if (!(wanted.tcomm || wanted.tcomp || wanted.alpha || wanted.beta || wanted.gamma || wanted.tau)) { return ""; }
    auto const least = all.of.lower_bound(all.found.schedules, all.found.costs);
    return "predicted time: " + analysis::draw::number(all.found.line.makespan()) +
           "; for these blocks any algorithm takes at least " + analysis::draw::number(least) + '\n';
}

/// One line that names collective, algorithm, ranks and blocks.
[[nodiscard]] inline std::string headline(findings const& all) {
    auto const& schedules = all.found.schedules;
    return std::string{all.of.collective} + " by " + all.by.name + parameters_in_words(all.wanted) + ": " +
           counted(schedules.size, "rank") + (all.of.rooted ? ", root " + std::to_string(schedules.root) : "") + ", " +
           counted(schedules.cut.blocks(), "block");
}

[[nodiscard]] inline std::string text(findings const& all) {
    auto const& stated = all.by.stated;
    auto const& [cut, costs, schedules, proven, line] = all.found;
    auto result = headline(all) + '\n';
    if (all.by.composition != all.by.name) { result += "made of: " + all.by.composition + '\n'; }
    if (!all.why.empty()) { result += "chosen: " + std::string{all.why} + '\n'; }
    result += "vector: " + vector_in_words(cut) + '\n';
    if (all.of.combines) {
        result += std::string{"operator: "} +
                  (stated.requires_commutative ? "must be commutative" : "any, operands stay in rank order") +
                  (stated.requires_identity ? "; needs an identity" : "") + '\n';
    }
    result += "costs: " + description(all.wanted, costs) + '\n';
    result += prediction(all);
    result += "rounds: " + std::to_string(schedules.rounds.front()) + '\n';
    if (all.wanted.verify) { result += verdict(proven); }
    return result + "\nsteps of each rank, in program order\n\n" + steps(schedules) + "\nwhat happens when (" +
           times_in_words(all.wanted) + ")\n\n" +
           to_text(line);
}

[[nodiscard]] inline std::string goal(findings const& all) {
    constexpr std::size_t element_bytes = 8;
    auto const per_byte = all.wanted.gamma ? *all.wanted.gamma / static_cast<double>(element_bytes) : 1.0;
    auto const& schedules = all.found.schedules;
    return to_goal(collective::reduce{}, tabulated{&schedules}, schedules.size, schedules.root,
                   schedules.cut, element_bytes, per_byte);
}

/// In the format that is asked for.
[[nodiscard]] inline std::string report(findings const& all) {
    switch (all.wanted.format) {
    case format::json: return all.of.json(all.found.schedules, all.found.line);
    case format::svg:
        return to_svg(all.found.line, {.title = headline(all), .time = "time; " + times_in_words(all.wanted)});
    case format::trace: return to_trace(all.found.line);
    case format::goal: return goal(all);
    case format::text: break;
    }
    return text(all);
}

}  // namespace tutti::explore
