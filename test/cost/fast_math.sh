#!/bin/sh
# Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#
# fast_math.sh COMPILER [INCLUDE_DIRECTORY]: a program that is compiled with -Ofast, which takes it that there are neither
# infinities nor NaNs, measures its machine, chooses the algorithms of one that is not, and refuses what is not finite.
set -eu
export LC_ALL=C

compiler=${1:?usage: fast_math.sh COMPILER [INCLUDE_DIRECTORY]}
include=${2:-$(dirname "$0")/../../include}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat > "$work/choices.cpp" << 'SOURCE'
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>
#include <tutti/measure.hpp>
#include <tutti/threads.hpp>
#include <tutti/tutti.hpp>

template <class Action>
void refused(char const* what, Action action) {
    try {
        action();
        std::cout << what << " is not refused\n";
    } catch (std::exception const& why) { std::cout << what << ": " << why.what() << '\n'; }
}

std::string algorithm_in(std::string const& text) {
    auto const from = text.find("algorithm: ");
    return text.substr(from, text.find('\n', from) - from);
}

void choose(char const* what, int ranks, tutti::machine_model const& machine, tutti::node_map const& nodes) {
    auto const body = [&](auto& world) {
        tutti::use(world, machine);
        for (std::size_t const n : {1, 100, 3000, 10000, 300000}) {
            std::vector<double> x(n, 1.0), y(n);
            auto const reduction = tutti::plan::reduce(world, x, y, std::plus<>{}, 0);
            auto const all = tutti::plan::all_reduce(world, x, y, std::plus<>{});
            auto const scan = tutti::plan::exclusive_scan(world, x, y, std::plus<>{});
            if (world.rank() == 0) {
                std::cout << what << ' ' << ranks << ' ' << n << ": " << algorithm_in(reduction.explain()) << "; "
                          << algorithm_in(all.explain()) << "; " << algorithm_in(scan.explain()) << '\n';
            }
        }
    };
    tutti::threads::run(ranks, body, {.nodes = nodes});
}

int main() {
    std::string const wrong[] = {"inf", "nan", "-nan", "1e999", "-1"};
    for (auto const& each : wrong) {
        refused(each.c_str(), [&] {
            tutti::machine_model model;
            std::ostringstream out;
            write(out, model);
            std::istringstream in{"between_nodes latency " + each + " us\n" + out.str()};
            static_cast<void>(tutti::pricing::read_machine(in, "file"));
        });
        double const value = std::strtod(each.c_str(), nullptr);
        refused(("longest message " + each).c_str(), [&] {
            tutti::machine_model model;
            model.longest_message = value;
            tutti::save(model, "/dev/null");
        });
        refused(("a latency " + each).c_str(), [&] {
            static_cast<void>(tutti::generators::postal_sizes{tutti::postal_tree{.latency = value, .gap = 1}});
        });
        refused(("a gap " + each).c_str(), [&] {
            static_cast<void>(tutti::generators::postal_sizes{tutti::postal_tree{.latency = 1, .gap = value}});
        });
        if (each == "-1") { continue; }  // -Ofast may take a NaN for less than 0
        refused(("an arrival " + each).c_str(), [&] { tutti::generators::check_arrivals("it", {1, value}, 2); });
    }
    tutti::machine_model usual, free_messages, free_bytes;
    free_messages.between_nodes = free_messages.within_node = {};
    free_messages.handling = free_messages.combine_per_byte = 0;
    free_bytes.between_nodes.per_byte = free_bytes.within_node.per_byte = 0;
    for (int const ranks : {2, 3, 5, 8}) {
        for (auto const& nodes : {tutti::node_map{}, tutti::node_map::of_width(1), tutti::node_map::of_width(2)}) {
            choose("usual", ranks, usual, nodes);
            choose("messages for nothing", ranks, free_messages, nodes);
            choose("bytes for nothing", ranks, free_bytes, nodes);
        }
    }
    for (int often = 0; often != 5; ++often) {
        tutti::threads::run(2 + often % 2, [](auto& world) { tutti::use(world, tutti::measure(world)); });
    }
}
SOURCE

for flags in -O1 -Ofast; do
    $compiler -std=c++20 $flags -w "-I$include" "$work/choices.cpp" -pthread -o "$work/choices"
    "$work/choices" > "$work/$flags" || { echo "$flags: the program has failed"; exit 1; }
done
if grep 'not refused' "$work/-O1" || ! diff "$work/-O1" "$work/-Ofast"; then
    echo "with -Ofast another program"
    exit 1
fi
