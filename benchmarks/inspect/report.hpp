// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tutti/analysis/draw/text.hpp>
#include <tutti/analysis/json.hpp>

#include "../support/tables.hpp"
#include "session.hpp"

namespace tutti::inspect {

/// What MPI calls itself, in one line.
[[nodiscard]] inline std::string library_name() {
    std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
    int length = 0;
    MPI_Get_library_version(text.data(), &length);
    std::string name{text.data(), static_cast<std::size_t>(length)};
    std::replace(name.begin(), name.end(), '\t', ' ');
    return name.substr(0, name.find_first_of(",\n"));
}

/// What people are shown of a finding, but for its length: lengths with the same are one row.
[[nodiscard]] inline tables::row cells_of(finding const& of) {
    auto const or_dash = [](std::string const& text) { return text.empty() ? "-" : text; };
    auto const yes_or_no = [](bool holds) { return holds ? "yes" : "no"; };
    return {std::string{kind_names[static_cast<std::size_t>(of.which)]},
            operator_names[static_cast<std::size_t>(of.by)],
            of.same_on_all_ranks ? yes_or_no(*of.same_on_all_ranks) : "-",
            of.by == combining::nothing ? "-" : yes_or_no(of.rank_order),
            or_dash(command_line::listed(of.changes)), or_dash(of.algorithm), or_dash(of.term)};
}

/// Whether a user's operator tells how often it is called.
[[nodiscard]] constexpr bool has_counts(combining by) {
    return by == combining::commuting || by == combining::ordered;
}

/// For people. A rank combines as many elements for each element of the vector, the longest one of a row.
[[nodiscard]] inline std::string text(std::vector<finding> const& all, std::size_t ranks) {
    analysis::draw::table table{9};
    table.add({"collective", "operator", "elements", "combines", "same on all", "rank order", "bits change with",
               "terms as of", "term"});
    std::string wrong, first;
    operator_use use;
    for (auto const& each : all) {
        use = joined(each.use, use);
        auto cells = cells_of(each);
        auto const elements = std::to_string(each.elements);
        if (!each.wrong.empty()) { wrong += cells[0] + ", elements " + elements + ": WRONG: " + each.wrong + '\n'; }
        if (first.empty()) { first = elements; }
        if (&each != &all.back() && cells_of(*(&each + 1)) == cells) { continue; }
        auto const combines = static_cast<double>(joined(each.use).combines) / static_cast<double>(each.elements);
        cells.insert(cells.begin() + 2, {first == elements ? first : first + " - " + elements,
                                         has_counts(each.by) ? tables::fixed(combines, 2) : "-"});
        table.add(std::move(cells));
        first.clear();
    }
    auto const counts = "the user's operator: up to " + command_line::counted(use.most_elements, "element") +
                        " in a call, of " + (use.of_other_type ? "another" : "the given") + " type, on " +
                        (use.on_other_thread ? "another thread" : "the thread that called MPI") + '\n';
    return library_name() + ", " + command_line::counted(ranks, "rank") + ", elements of 8 bytes\n\n" + table.text() +
           '\n' + (use.most_elements == 0 ? "" : counts) + wrong;
}

[[nodiscard]] inline std::string json(finding const& of) {
    using analysis::quoted_for_json;
    auto const word = [](bool holds) { return std::string{holds ? "true" : "false"}; };
    auto const text = [](std::string const& value) { return value.empty() ? "null" : quoted_for_json(value); };
    auto const use = joined(of.use);
    auto result = "{\"collective\": " + quoted_for_json(kind_names[static_cast<std::size_t>(of.which)]) +
                  ", \"elements\": " + std::to_string(of.elements) +
                  ", \"operator\": " + text(of.by == combining::sum ? "MPI_SUM" : has_counts(of.by) ? "user" : "") +
                  ", \"commutes\": " + (of.by == combining::nothing ? "null" : word(of.by != combining::ordered)) +
                  ", \"term\": " + text(of.term) +
                  ", \"same_on_all_ranks\": " + (of.same_on_all_ranks ? word(*of.same_on_all_ranks) : "null") +
                  ", \"rank_order\": " + word(of.rank_order) +
                  ", \"changes_with\": " + analysis::json::list(of.changes, ", ", text) +
                  ", \"algorithm\": " + text(of.algorithm) + ", \"wrong\": " + text(of.wrong) + ", \"combines\": ";
    if (!has_counts(of.by)) { return result + "null}"; }
    auto const combines = [](operator_use const& by) { return std::to_string(by.combines); };
    return result + analysis::json::list(of.use, ", ", combines) +
           ", \"elements_in_a_call\": " + std::to_string(use.most_elements) +
           ", \"of_given_type\": " + word(!use.of_other_type) +
           ", \"on_calling_thread\": " + word(!use.on_other_thread) + '}';
}

/// For programs.
[[nodiscard]] inline std::string json(std::vector<finding> const& all, std::size_t ranks) {
    return "{\"mpi\": " + analysis::quoted_for_json(library_name()) + ", \"ranks\": " + std::to_string(ranks) +
           ",\n \"rows\": " + analysis::json::list(all, ",\n  ", [](auto const& each) { return json(each); }) + "}\n";
}

}  // namespace tutti::inspect
