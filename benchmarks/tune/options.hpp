// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "../support/options.hpp"

namespace tutti::benchmark::tuning {

/// What the command line asks for. An option that is not given keeps its default.
struct options {
    std::string output;
    std::vector<std::string> collectives;
    std::vector<std::size_t> bytes{64, 1024, 8192, 65536, 524288, 4194304};
    std::vector<std::size_t> segments;
    std::size_t repetitions = 0;  ///< 0: by size
    bool help = false;
};

[[nodiscard]] inline std::vector<command_line::option> table_of(options& to) {
    using namespace command_line;
    constexpr command_line::bounds bytes{1, largest<int> * sizeof(double)};
    return {
        {"--output", "FILE",
         "for tutti::load_machine: costs, and rules for the sizes for which another\n"
         "algorithm than the one of least expected time is faster by 5 % and more",
         into(to.output)},
        {"--collectives", "reduce,all_reduce,...", "default: all", some_of(to.collectives, to.collectives)},
        {"--bytes", "1024,65536",
         "sizes of the vector each rank holds, rounded up to whole doubles; where every\n"
         "rank has a part, of the whole vector",
         into(to.bytes, bytes)},
        {"--segments", "4096,65536", "also try segments of these bytes (default: only what is expected to be best)",
         into(to.segments, bytes)},
        {"--repetitions", "N", "timed runs of each, three times (default: fewer for larger vectors)",
         into(to.repetitions, {1})},
        number_of_ranks("for ./dev, which starts the ranks; rules are for this number only"),
        {"--help", "", "this text", into(to.help)},
    };
}

/// Throws `refusal` for what it does not understand.
[[nodiscard]] inline options read_options(std::vector<std::string> const& arguments,
                                          std::vector<std::string> const& collectives) {
    options result;
    result.collectives = collectives;
    command_line::read(arguments, table_of(result));
    for (auto* const sizes : {&result.bytes, &result.segments}) {
        std::sort(sizes->begin(), sizes->end());
        sizes->erase(std::unique(sizes->begin(), sizes->end()), sizes->end());
    }
    return result;
}

[[nodiscard]] inline std::string usage(std::vector<std::string> const& collectives) {
    options none;
    return "tune: measures the machine, then every algorithm that tutti chooses from, and writes what it is to know\n" +
           command_line::usage_of(table_of(none)) + "collectives: " + command_line::listed(collectives) + '\n';
}

}  // namespace tutti::benchmark::tuning
