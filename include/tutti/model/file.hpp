// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <fstream>
#include <istream>
#include <memory>
#include <ostream>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

#include <tutti/model/choice_lines.hpp>
#include <tutti/model/lines.hpp>
#include <tutti/model/machine.hpp>
#include <tutti/model/quantity.hpp>

namespace tutti {

namespace model_file {

inline constexpr std::string_view way_through_memory = "messages through memory";

/// Of the rank 2^power away.
[[nodiscard]] inline std::string distance_name(std::size_t power) {
    return "distance " + std::to_string(std::size_t{1} << power);
}

/// Calls `visit(name, dimension, value)` with what every machine_model has, by reference.
template <class Model, class Visit>
void for_each_quantity(Model& model, Visit visit) {
    auto const link = [&](std::string const& level, auto& costs) {
        visit(level + " latency", dimension::time, costs.latency);
        visit(level + " overhead", dimension::time, costs.overhead);
        visit(level + " gap", dimension::time, costs.gap);
        visit(level + " per_byte", dimension::time_per_byte, costs.per_byte);
    };
    link("between_nodes", model.between_nodes);
    link("within_node", model.within_node);
    visit("exchange factor", dimension::transfers, model.exchange_factor);
    visit("longest message", dimension::bytes, model.longest_message);
    for (std::size_t power = 0; power != model.distances.size(); ++power) {
        visit(distance_name(power) + " latency", dimension::transfers, model.distances[power].latency);
        visit(distance_name(power) + " per_byte", dimension::transfers, model.distances[power].per_byte);
        visit(distance_name(power) + " overhead", dimension::transfers, model.distances[power].overhead);
    }
    visit("handling messages", dimension::time, model.handling);
    visit("combine default", dimension::time_per_byte, model.combine_per_byte);
}

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

    /// What the lines said. Refuses a file that says too little.
    [[nodiscard]] machine_model result(line const& end) {
        for_each_quantity(model_, [&](std::string const& name, dimension, double) {
            if (!seen_.contains(name)) { end.refuse("the line '" + name + " ...' is missing"); }
        });
        return std::move(model_);
    }

private:
    void read(line const& now) {
        auto const name = now.name();
        // distances come in order, each twice the one before
        if (name.starts_with(distance_name(model_.distances.size()) + ' ')) { model_.distances.emplace_back(); }
        bool known = false;
        for_each_quantity(model_, [&](std::string const& each, dimension what, double& value) {
            if (each != name) { return; }
            known = true;
            value = now.quantity(what);
            if (what == dimension::transfers && !(value >= 1)) { now.refuse("it takes at least 1 transfer"); }
            if (what == dimension::bytes && !(value >= 1)) { now.refuse("a message has at least 1 byte"); }
            if (&value == &model_.exchange_factor && value > 2) { now.refuse("an exchange takes at most 2 transfers"); }
        });
        if (!known) {
            auto const prefix = std::string{"combine "};
            if (!name.starts_with(prefix)) { now.refuse("there is no quantity '" + name + "'"); }
            model_.combines[name.substr(prefix.size())] = now.quantity(dimension::time_per_byte);
        }
        if (!seen_.insert(name).second) { now.refuse("there is a line '" + name + " ...' already"); }
    }

    void read_way(line const& now) {
        std::string said;
        for (auto const& word : now.words) { said += (said.empty() ? "" : " ") + word; }
        if (said != way_through_memory) { now.refuse("it can only be '" + std::string{way_through_memory} + "'"); }
        if (model_.through_memory) { now.refuse("there is a line '" + said + "' already"); }
        model_.through_memory = true;
    }

    machine_model model_;
    std::set<std::string, std::less<>> seen_;
};

}  // namespace model_file

/// Writes the model as text that `read_machine` turns into the same model, to the bit.
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
/// finite, or it is about choosing and says nothing that can be followed; and where a line is missing.
[[nodiscard]] inline machine_model read_machine(std::istream& in, std::string const& file) {
    model_file::machine_reader reader;
    auto const end = model_file::read_lines(in, file, reader.kinds());
    return reader.result(end);
}

/// Writes the model to a file, see `write`. Errors: std::runtime_error.
inline void save(machine_model const& model, std::string const& path) {
    std::ofstream out{path};
    write(out, model);
    out.close();
    if (!out) { throw std::runtime_error{"tutti: cannot write the file " + path}; }
}

/// The model in a file, see `read_machine`. Errors: std::runtime_error.
[[nodiscard]] inline machine_model load_machine(std::string const& path) {
    std::ifstream in{path};
    if (!in) { throw std::runtime_error{"tutti: cannot read the file " + path}; }
    return read_machine(in, path);
}

}  // namespace tutti
