// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
//
// Performance guidelines as a gate: what no call should take longer than, by compositions of other calls, by longer
// vectors, by more ranks. Simulated, so that times are exact and one run is enough. A violation is more than 2 % and
// 2 o; guidelines/exceptions.csv lists those that are known, with reasons, and none that is not needed any more.

#include "guidelines/calls.hpp"
#include "guidelines/exceptions.hpp"
#include "support/parallel.hpp"

namespace tutti::benchmark::guidelines {

struct options {
    std::vector<std::string> platforms;
    std::vector<std::size_t> ranks;
    std::vector<std::size_t> bytes;
    std::string csv;
    std::string exceptions;
    bool quick = false;
};

/// Every collective at this length, for guidelines between lengths and between numbers of ranks.
[[nodiscard]] std::map<std::string, double> times_of(calls const& on, std::size_t elements) {
    std::map<std::string, double> result;
    for_each_collective([&](auto each) { result.emplace(each.name, last_of(on.of(each, elements))); });
    return result;
}

[[nodiscard]] std::size_t elements_of(std::size_t bytes, std::size_t size) {
    return std::max<std::size_t>((bytes / element_bytes + size - 1) / size, 1) * size;  // parts of one length
}

/// All comparisons on one machine.
[[nodiscard]] std::vector<comparison> comparisons_on(machine const& on, options const& asked) {
    std::vector<comparison> result;
    std::map<std::size_t, std::map<std::string, double>> fewer_ranks;  // by bytes asked for
    for (auto const size : asked.ranks) {
        calls const here{on, size};
        std::map<std::string, double> shorter;
        std::size_t shorter_elements = 0;
        for (auto const bytes : asked.bytes) {
            auto const n = elements_of(bytes, size);
            if (n == shorter_elements) { continue; }
            auto const add = [&](std::string_view name, std::string const& left, double left_seconds,
                                 std::string const& right, double right_seconds) {
                result.push_back({std::string{on.name}, size, n * element_bytes, on.link.overhead, std::string{name},
                                  left, right, left_seconds, right_seconds});
            };
            auto const time_of = here.sides(n);
            for (auto const& each : all_guidelines) {
                add(each.name, std::string{each.left}, time_of(each, each.left), std::string{each.right},
                    time_of(each, each.right));
            }
            auto const now = times_of(here, n);
            for (auto const& [name, seconds] : shorter) {
                add("longer", name + " of fewer bytes", seconds, name, now.at(name));
            }
            for (std::size_t const parts : {2U, 3U}) {
                if (n / size % parts != 0) { continue; }
                for (auto const& [name, seconds] : times_of(here, n / parts)) {
                    add("in parts", name, now.at(name), name + " in " + std::to_string(parts) + " parts",
                        static_cast<double>(parts) * seconds);
                }
            }
            for (auto const& [name, seconds] : fewer_ranks[bytes]) {
                add("more ranks", name + " on fewer", seconds, name, now.at(name));
            }
            fewer_ranks[bytes] = shorter = now;
            shorter_elements = n;
        }
    }
    return result;
}

void run(std::vector<std::string> const& arguments) {
    using namespace command_line;
    options asked;
    std::vector<std::string> names;
    for (auto const& each : machines) { names.emplace_back(each.name); }
    asked.platforms = names;
    std::vector<std::size_t> few_ranks{2, 3, 4, 5, 7, 8, 16, 17, 33}, all_ranks;
    for (std::size_t p = 2; p <= 33; ++p) { all_ranks.push_back(p); }
    for (std::size_t const p : {48U, 64U, 65U, 100U, 128U}) { all_ranks.push_back(p); }
    std::vector<std::size_t> const few_bytes{8, 1024, 65'536, 1'000'000};
    std::vector<std::size_t> const all_bytes{8,      100,     1000,    4096,      10'000,    30'000,
                                             65'536, 200'000, 524'288, 1'000'000, 3'000'000, 10'000'000};
    read(arguments, "guidelines [OPTION...]\nWhat calls take beside what they should take at most, simulated.",
         {{"--platforms", "NAME,...", "default: all", some_of(asked.platforms, names)},
          {"--ranks", "P,...", "default: 2 to 33, 48, 64, 65, 100, 128", into(asked.ranks, {2})},
          {"--bytes", "N,...", "of vectors; default: twelve from 8 to 10^7", into(asked.bytes, {1})},
          {"--quick", "", "nine numbers of ranks, four lengths", into(asked.quick)},
          {"--exceptions", "FILE", "known violations; fails where others are found, or one of them is not",
           into(asked.exceptions)},
          {"--csv", "FILE", "also write the rows there", into(asked.csv)}});
    if (asked.ranks.empty()) { asked.ranks = asked.quick ? few_ranks : all_ranks; }
    if (asked.bytes.empty()) { asked.bytes = asked.quick ? few_bytes : all_bytes; }
    auto known = asked.exceptions.empty() ? std::vector<exception>{} : read_exceptions(asked.exceptions);

    std::vector<comparison> rows;
    auto const on = [&](std::string_view name) {
        return *std::ranges::find_if(machines, [&](machine const& each) { return each.name == name; });
    };
    for (auto& each : in_parallel(asked.platforms.size(),
                                 [&](std::size_t i) { return comparisons_on(on(asked.platforms[i]), asked); })) {
        rows.insert(rows.end(), each.begin(), each.end());
    }
    if (!asked.csv.empty()) { write_rows(asked.csv, rows); }
    if (!report(rows, known, !asked.exceptions.empty(), asked.quick)) { throw usage_error{"guidelines are violated"}; }
}

}  // namespace tutti::benchmark::guidelines

int main(int count, char** values) {
    return tutti::command_line::status_of(
        "guidelines", [&] { tutti::benchmark::guidelines::run({values + 1, values + count}); });
}
