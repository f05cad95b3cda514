// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include <tutti/generator/named.hpp>

#include "../support/options.hpp"

namespace tutti::explore {

using namespace command_line;

inline constexpr std::array<std::string_view, 3> port_names{"unidirectional", "bidirectional", "overlapped"};
inline constexpr std::array<std::string_view, 5> format_names{"text", "json", "svg", "trace", "goal"};
inline constexpr std::array<std::string_view, 2> answer_names{"no", "yes"};

[[nodiscard]] constexpr std::string_view name(ports model) { return port_names[static_cast<std::size_t>(model)]; }

/// What may be asked for at most: what more ranks choose, and their schedules, are no longer found in seconds, and more
/// elements have bytes that overflow.
inline constexpr std::size_t most_ranks = 1'000'000;
inline constexpr std::size_t most_ranks_of_schedules = 65'536;
inline constexpr std::size_t most_elements = std::numeric_limits<std::size_t>::max() / 16;

enum class format : std::uint8_t { text, json, svg, trace, goal };

/// What the command line asks for; what is not given has its default elsewhere.
struct options {
    std::string collective;
    std::string algorithm = "automatic";
    std::optional<std::size_t> size;
    std::size_t root = 0;

    std::optional<std::size_t> elements, blocks, segment;
    std::optional<std::vector<std::size_t>> sizes, counts;

    std::optional<double> tcomm, tcomp, alpha, beta, gamma, tau;
    std::optional<ports> model;
    std::vector<double> arrivals;

    std::optional<std::size_t> bytes;   ///< with `choose`
    std::optional<bool> commutative;    ///< with `choose`
    bool threads = false;               ///< with `choose`
    std::optional<std::size_t> ranks_per_node;  ///< with `choose`; default: 1
    std::string from;                   ///< file of schedules
    std::string machine;                ///< file that says what tutti chooses by

    std::vector<std::pair<std::string, std::string>> parameters;  ///< name and value
    explore::format format = format::text;
    std::string output;
    bool verify = false, list = false, choose = false;
};

[[nodiscard]] inline reader elements_into(std::optional<std::vector<std::size_t>>& where) {
    return [&where](std::string const& name, std::string const& value) {
        std::size_t sum = 0;
        command_line::into(where)(name, value);
        for (auto const each : *where) {
            if (each > most_elements - sum) {
                throw usage_error{"the sum of " + name + " can be " + std::to_string(most_elements) + " at most"};
            }
            sum += each;
        }
    };
}

[[nodiscard]] inline reader parameters_into(std::vector<std::pair<std::string, std::string>>& where) {
    return [&where](std::string const& name, std::string const& value) {
        auto const equals = value.find('=');
        if (equals == 0 || equals == std::string::npos) {
            throw usage_error{name + " needs name=value, such as segments=5, not '" + value + "'"};
        }
        auto const same = [&](auto const& other) { return value.compare(0, equals, other.first) == 0; };
        if (std::any_of(where.begin(), where.end(), same)) {
            throw usage_error{name + ' ' + value.substr(0, equals) + " is given twice; give it once"};
        }
        where.emplace_back(value.substr(0, equals), value.substr(equals + 1));
    };
}

/// Throws `usage_error` for what it does not understand.
[[nodiscard]] inline options read_options(std::vector<std::string> const& arguments) {
    using command_line::into;
    using command_line::one_of;
    constexpr command_line::bounds elements{0, most_elements};
    constexpr command_line::bounds some{1, most_elements};
    options result;
    std::vector<command_line::option> const known{
        {"--collective", "NAME", "default: the first one that has the algorithm", into(result.collective)},
        {"--algorithm", "NAME", "default: automatic, tutti's own choice (for elements of 8 bytes)",
         into(result.algorithm)},
        {"--size", "P", "ranks 0 .. P-1", into(result.size, {1, most_ranks})},
        {"--root", "R", "default: 0", into(result.root, elements)},
        {"--param", "NAME=VALUE", "a parameter of the algorithm itself, such as segments=5; may be repeated",
         parameters_into(result.parameters), true},
        {"--from", "FILE",
         "in the place of an algorithm: schedules from a file of --format json or goal, of LogGOPSim or\n"
         "of MSCCL (XML); they are verified, and the exit status is 1 if they are wrong",
         into(result.from)},
        {"", "", "The vector", {}},
        {"--blocks", "N",
         "N blocks whose sizes differ by one at most; default: what the algorithm asks for;\n"
         "with --counts: a multiple of P, and every rank's part has as many of them",
         into(result.blocks, elements)},
        {"--segment", "S", "blocks of S elements, the last one perhaps shorter", into(result.segment, some)},
        {"--sizes", "3,3,4", "blocks of these numbers of elements", elements_into(result.sizes)},
        {"--elements", "M", "of the whole vector; default: one for each block", into(result.elements, elements)},
        {"--counts", "3,0,5", "elements of each rank, where every rank owns a part of the vector",
         elements_into(result.counts)},
        {"", "", "What things cost; default: every message 1, a round", {}},
        {"--tcomm", "T", "a block takes T to send, whatever its size; default: 1", into(result.tcomm)},
        {"--tcomp", "T", "a block takes T to combine; default: 0", into(result.tcomp)},
        {"--alpha", "T", "or latency: a message of n elements takes alpha + beta n; default: 0", into(result.alpha)},
        {"--beta", "T", "inverse bandwidth; default: 0", into(result.beta)},
        {"--gamma", "T", "to combine n elements takes gamma n; default: 0", into(result.gamma)},
        {"--tau", "T",
         "to send a block and combine it takes T in all: for algorithms that reckon with arrivals,\n"
         "and the cost model where no other is given",
         into(result.tau)},
        {"--ports", "MODEL",
         "unidirectional: a rank sends, receives or combines; bidirectional: it sends and receives\n"
         "at once; overlapped: it sends or receives, and combines meanwhile;\n"
         "default: the one in which the algorithm counts its rounds",
         one_of(result.model, port_names)},
        {"--arrivals", "0,4,0,0", "when each rank begins; default: all at 0", into(result.arrivals)},
        {"", "", "What tutti chooses, without running anything", {}},
        {"--choose", "",
         "every algorithm that tutti chooses from, with the time that it is expected to take,\n"
         "and which one is chosen; for --collective, --size and --bytes",
         into(result.choose)},
        {"--bytes", "N", "of the whole vector, for --choose", into(result.bytes, elements)},
        {"--commutative", "yes|no", "whether the operator is known to commute, for --choose and --from; default: yes",
         one_of(result.commutative, answer_names)},
        {"--threads", "", "ranks are threads of one process, for --choose", into(result.threads)},
        {"--ranks-per-node", "N", "neighbours that share a node, for --choose; default: 1",
         into(result.ranks_per_node, {1, most_ranks})},
        {"--model", "FILE", "what the machine costs that tutti chooses for; default: some fast network",
         into(result.machine)},
        {"", "", "The result", {}},
        {"--verify", "", "first prove that the schedule is right for these ranks and blocks; exit 1 if it is not",
         into(result.verify)},
        {"--format", "NAME",
         "text (default); json; svg: a picture; trace: for ui.perfetto.dev; goal: for LogGOPSim,\n"
         "with elements of 8 bytes, times in ns, and gamma 8 by default",
         one_of(result.format, format_names)},
        {"--output", "FILE", "default: standard output", into(result.output)},
        {"--list", "",
         "every algorithm with its requirements; of one collective with --collective, one alone\n"
         "with --algorithm; with --verify: what each does for these ranks and blocks",
         into(result.list)},
    };
    command_line::read(arguments,
                       "./dev explore OPTION...: a collective's schedule, simulated; verified, printed or drawn\n\n"
                       "  ./dev explore --algorithm uni_greedy --size 15 --blocks 5 --tcomm 2 --tcomp 1\n"
                       "  ./dev explore --list\n",
                       known);
    return result;
}

}  // namespace tutti::explore
