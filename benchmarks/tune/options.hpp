// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "../collectives/reading.hpp"

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

inline constexpr std::string_view usage =
    R"(tune: measures the machine, then every algorithm that tutti chooses from, and writes what it is to know
  --output FILE                        for tutti::load_machine: costs, and rules for the sizes for which another
                                       algorithm than the one of least expected time is faster by 5 % and more
  --collectives reduce,all_reduce,...  default: all
  --bytes 1024,65536                   sizes of the vector each rank holds, rounded up to whole doubles; where every
                                       rank has a part, of the whole vector
  --segments 4096,65536                also try segments of these bytes (default: only what is expected to be best)
  --repetitions N                      timed runs of each, three times (default: fewer for larger vectors)
  --ranks N                            for ./dev, which starts the ranks; rules are for this number only
)";

/// Whole numbers, in order, each once.
[[nodiscard]] inline std::vector<std::size_t> numbers(std::string const& option, std::string const& text,
                                                      std::size_t most) {
    std::vector<std::size_t> result;
    for (auto const& item : reading::items(text)) { result.push_back(reading::number(option, item, 1, most)); }
    std::sort(result.begin(), result.end());
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
}

/// Reads `--name value` and `--name=value`. Throws usage_error for what it does not understand.
[[nodiscard]] inline options read_options(std::vector<std::string> const& arguments,
                                          std::vector<std::string> const& collectives) {
    using namespace reading;
    constexpr auto longest = largest<int> * sizeof(double);
    options result;
    result.collectives = collectives;
    using text = std::string const&;
    options_with_value const with_value{
        {"--output", [&](text, text v) { result.output = v; }},
        {"--collectives", [&](text o, text v) { result.collectives = choice(o, v, collectives); }},
        {"--bytes", [&](text o, text v) { result.bytes = numbers(o, v, longest); }},
        {"--segments", [&](text o, text v) { result.segments = numbers(o, v, longest); }},
        {"--repetitions", [&](text o, text v) { result.repetitions = number(o, v, 1, largest<std::size_t>); }},
        {"--ranks", [](text o, text v) { static_cast<void>(number(o, v, 1, largest<std::size_t>)); }},
    };
    read(arguments, with_value, {{"--help", [&](text) { result.help = true; }}});
    return result;
}

}  // namespace tutti::benchmark::tuning
