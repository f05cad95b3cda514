// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <array>
#include <charconv>
#include <cstddef>
#include <fstream>
#include <istream>
#include <ostream>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <tutti/cost/choice_rule.hpp>
#include <tutti/cost/lines.hpp>
#include <tutti/cost/machine.hpp>
#include <tutti/language.hpp>

namespace tutti::pricing {

/// A rule in a file is a line, of which what stands in brackets may be left out:
///
///     choose COLLECTIVE FROM TO ALGORITHM [segment BYTES] [ports MESSAGES] [ranks P]
///
/// TO may be -, for no end.
namespace model_file {

inline constexpr std::string_view exchange_name = "exchange factor";
inline constexpr std::string_view exchange_within_node_name = "within_node exchange factor";
inline constexpr std::string_view distance_change_name = "distance change";
inline constexpr std::string_view slowest_route_name = "distance slowest route";

inline constexpr std::size_t most_distances = 64;

/// The name in a file of the distance to the rank 2^power away.
[[nodiscard]] inline std::string distance_name(std::size_t power) {
    return "distance " +
           (power < most_distances ? std::to_string(std::size_t{1} << power) : "2^" + std::to_string(power));
}

/// Calls `visit(name, dimension, value)` for each quantity that every machine_model has; values by reference.
template <class Model, class Visit>
void for_each_quantity(Model& model, Visit visit) {
    auto const visit_link = [&](std::string const& level, auto& costs) {
        visit(level + " latency", dimension::time, costs.latency);
        visit(level + " overhead", dimension::time, costs.overhead);
        visit(level + " gap", dimension::time, costs.gap);
        visit(level + " per_byte", dimension::time_per_byte, costs.per_byte);
    };
    visit_link("between_nodes", model.between_nodes);
    visit_link("within_node", model.within_node);
    visit(std::string{exchange_within_node_name}, dimension::transfers, model.exchange_factor_within_node);
    visit(std::string{exchange_name}, dimension::transfers, model.exchange_factor);
    visit("longest message", dimension::bytes, model.longest_message);
    for (std::size_t power = 0; power != model.distances.size(); ++power) {
        visit(distance_name(power) + " latency", dimension::transfers, model.distances[power].latency);
        visit(distance_name(power) + " per_byte", dimension::transfers, model.distances[power].per_byte);
        visit(distance_name(power) + " overhead", dimension::transfers, model.distances[power].overhead);
    }
    visit(std::string{distance_change_name}, dimension::transfers, model.partner_change_factor);
    visit(std::string{slowest_route_name}, dimension::transfers, model.slowest_route);
    visit("handling messages", dimension::time, model.handling);
    visit("combine default", dimension::time_per_byte, model.combine_per_byte);
}

/// Why no quantity can have this value; empty if one can.
[[nodiscard]] inline std::string_view invalid_reason(std::string_view name, dimension what, double value) {
    if (!language::is_finite(value)) { return "is not finite"; }
    if (value < 0) { return "is negative"; }
    if (what == dimension::transfers && value < 1) { return "is less than 1 transfer"; }
    if (what == dimension::bytes && value < 1) { return "is less than 1 byte"; }
    return name.ends_with(exchange_name) && value > 2 ? "is more than 2 transfers" : "";
}

/// Why no machine can have this model; empty if one can. Files hold only models that a machine can have.
[[nodiscard]] inline std::string invalid_reason(machine_model const& model) {
    std::string result;
    auto const look = [&](std::string const& name, dimension what, double value) {
        auto const flaw = invalid_reason(name, what, value);
        if (result.empty() && !flaw.empty()) { result = "its '" + name + "' " + std::string{flaw}; }
    };
    for_each_quantity(model, look);
    for (auto const& [name, value] : model.combines) { look("combine " + name, dimension::time_per_byte, value); }
    for (auto const& each : model.choices) {
        auto const flaw = tutti::pricing::invalid_reason(each);
        if (result.empty() && !flaw.empty()) { result = "it has a rule to choose by, but " + flaw; }
    }
    return result;
}

/// A word that may follow the name of the algorithm in a rule, and the number that it sets.
struct choice_detail {
    std::string_view word;
    std::size_t choice_rule::*value;
};
inline constexpr std::array choice_details{choice_detail{"segment", &choice_rule::segment},
                                           choice_detail{"ports", &choice_rule::ports},
                                           choice_detail{"ranks", &choice_rule::ranks}};

[[nodiscard]] inline std::size_t whole_number(line const& now, std::string const& word, std::size_t least = 0) {
    std::size_t result = 0;
    auto const [end, error] = std::from_chars(word.data(), word.data() + word.size(), result);
    if (error != std::errc{} || end != word.data() + word.size() || result < least) {
        now.refuse("'" + word + "' is no whole number" + (least == 0 ? "" : " of at least " + std::to_string(least)));
    }
    return result;
}

/// The rule of a line that begins with `choose`. Refuses lines that are no rule.
[[nodiscard]] inline choice_rule rule_in(line const& now) {
    auto const& words = now.words;
    if (words.size() < 5) {
        now.refuse("the line has to say for which collective and bytes to choose what, as in "
                   "'choose all_reduce 4096 65536 ring'");
    }
    choice_rule result{.collective = words[1],
                       .from = whole_number(now, words[2]),
                       .to = words[3] == "-" ? choice_rule::no_end : whole_number(now, words[3]),
                       .algorithm = {}};
    std::size_t at = 4;
    auto const detail = [&] {
        auto found = choice_details.begin();
        while (found != choice_details.end() && found->word != words[at]) { ++found; }
        return found;
    };
    for (; at != words.size() && detail() == choice_details.end(); ++at) {
        result.algorithm += (at == 4 ? "" : " ") + words[at];
    }
    for (; at != words.size(); at += 2) {
        auto const found = detail();
        if (found == choice_details.end()) { now.refuse("'" + words[at] + "' says nothing about an algorithm"); }
        auto& value = result.*found->value;
        if (value != 0) { now.refuse("'" + words[at] + "' is said twice"); }
        if (at + 1 == words.size()) { now.refuse("'" + words[at] + "' needs a number"); }
        value = whole_number(now, words[at + 1], 1);
    }
    if (auto const flaw = invalid_reason(result); !flaw.empty()) { now.refuse(flaw); }
    return result;
}

/// The line of a rule, without its end.
[[nodiscard]] inline std::string line_of(choice_rule const& rule) {
    auto result = "choose " + rule.collective + ' ' + std::to_string(rule.from) + ' ' +
                  (rule.to == choice_rule::no_end ? "-" : std::to_string(rule.to)) + ' ' + rule.algorithm;
    for (auto const& [word, value] : choice_details) {
        if (rule.*value != 0) { result += ' ' + std::string{word} + ' ' + std::to_string(rule.*value); }
    }
    return result;
}

inline constexpr std::string_view way_through_memory = "messages through memory";

/// Reads the lines of a machine_model, which may stand among others in a file.
class machine_reader {
public:
    /// The kinds of lines that there are. They refer to this object.
    [[nodiscard]] line_kinds kinds() {
        auto const take = [this](line const& now) { read(now); };
        auto const way = [this](line const& now) { read_way(now); };
        auto const choose = [this](line const& now) { model_.choices.push_back(rule_in(now)); };
        return {{"between_nodes", take}, {"within_node", take}, {"exchange", take}, {"longest", take},
                {"distance", take},      {"handling", take},    {"combine", take},  {"messages", way},
                {"choose", choose}};
    }

    /// The model that the lines have given. Refuses a file with too few of them.
    [[nodiscard]] machine_model result(line const& end) {
        // what seldom makes a difference need not be said, and once is enough for both kinds of links
        seen_.insert(std::string{distance_change_name});
        seen_.insert(std::string{slowest_route_name});
        if (seen_.insert(std::string{exchange_within_node_name}).second) {
            model_.exchange_factor_within_node = model_.exchange_factor;
        }
        for_each_quantity(model_, [&](std::string const& name, dimension, double) {
            if (!seen_.contains(name)) { end.refuse("the line '" + name + " ...' is missing"); }
        });
        return std::move(model_);
    }

private:
    void read(line const& now) {
        auto const name = now.name();
        // distances come in order, each twice the one before
        if (auto const power = model_.distances.size(); name.starts_with(distance_name(power) + ' ')) {
            if (power == most_distances) { now.refuse("no rank is farther away than 2^63"); }
            model_.distances.push_back({});
        }
        bool known = false;
        for_each_quantity(model_, [&](std::string const& each, dimension what, double& value) {
            if (each != name) { return; }
            known = true;
            value = now.quantity(what);
            if (auto const flaw = invalid_reason(name, what, value); !flaw.empty()) {
                now.refuse("'" + name + "' " + std::string{flaw});
            }
        });
        if (!known) {
            auto const prefix = std::string{"combine "};
            if (!name.starts_with(prefix)) {
                now.refuse("there is no quantity '" + name +
                           "'; a line is a name, a number and a unit, as in 'between_nodes latency 0.9 us'");
            }
            model_.combines[name.substr(prefix.size())] = now.quantity(dimension::time_per_byte);
        }
        if (!seen_.insert(name).second) { now.refuse("there is a line '" + name + " ...' already"); }
    }

    void read_way(line const& now) {
        std::string words;
        for (auto const& word : now.words) { words += (words.empty() ? "" : " ") + word; }
        if (words != way_through_memory) { now.refuse("it can only be '" + std::string{way_through_memory} + "'"); }
        if (model_.through_memory) { now.refuse("there is a line '" + words + "' already"); }
        model_.through_memory = true;
    }

    machine_model model_;
    std::set<std::string, std::less<>> seen_;
};

}  // namespace model_file

/// Writes the model as text that `read_machine` turns into the same model, to the bit, if it is one of a machine; but
/// for spaces in the names of algorithms, which make no difference.
inline void write(std::ostream& out, machine_model const& model) {
    using namespace model_file;
    out << "# What messages and combines cost. A message of m bytes occupies its sender for overhead, is in the "
           "network "
           "for\n# latency + m per_byte, and occupies its receiver for overhead; short ones follow one another every "
           "gap.\n";
    auto const put = [&](std::string const& name, dimension what, double value) {
        auto const in = unit_of(what);
        out << name << ' ' << decimal(value, in) << ' ' << in.name << '\n';
    };
    for_each_quantity(model, put);
    if (model.through_memory) { out << way_through_memory << '\n'; }
    for (auto const& [name, value] : model.combines) { put("combine " + name, dimension::time_per_byte, value); }
    for (auto const& each : model.choices) { out << line_of(each) << '\n'; }
}

/// The model that is written in `in`; `file` is what error messages call it.
/// Errors: std::runtime_error that names the line, where it is not known, given twice, or its number is negative or not
/// finite, or it is about choosing and states nothing that can be followed; and where a line is missing.
[[nodiscard]] inline machine_model read_machine(std::istream& in, std::string const& file) {
    model_file::machine_reader reader;
    auto const end = model_file::read_lines(in, file, reader.kinds());
    return reader.result(end);
}

/// Writes the model to a file, see `write`.
/// Errors: std::invalid_argument for an impossible model; std::runtime_error if the file cannot be written.
inline void save(machine_model const& model, std::string const& path) {
    if (auto const flaw = model_file::invalid_reason(model); !flaw.empty()) {
        throw std::invalid_argument{"tutti: this machine_model cannot be saved: " + flaw};
    }
    std::ofstream out{path};
    write(out, model);
    out.close();
    if (!out) {
        throw std::runtime_error{"tutti: cannot write the file " + path + "; name one in a folder that is there"};
    }
}

/// The model in a file, see `read_machine`. Errors: std::runtime_error.
[[nodiscard]] inline machine_model load_machine(std::string const& path) {
    std::ifstream in{path};
    in.peek();  // a folder can be opened
    if (!in.is_open() || in.bad()) {
        throw std::runtime_error{"tutti: cannot read the file " + path + "; name one that is there and may be read"};
    }
    in.clear();
    return read_machine(in, path);
}

}  // namespace tutti::pricing

namespace tutti {
using pricing::load_machine;
using pricing::save;
}  // namespace tutti
