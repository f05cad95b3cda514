// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include "options.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../support/options.hpp"
#include "words.hpp"

namespace tutti::explore {

namespace {

using text = std::string const&;

reader elements_into(std::optional<std::vector<std::size_t>>& where) {
    return [&where](text name, text value) {
        std::size_t sum = 0;
        command_line::into(where)(name, value);
        for (auto const each : *where) {
            if (each > most_elements - sum) {
                throw refusal{"the sum of " + name + " can be " + std::to_string(most_elements) + " at most"};
            }
            sum += each;
        }
    };
}

reader parameters_into(std::vector<std::pair<std::string, std::string>>& where) {
    return [&where](text name, text value) {
        auto const equals = value.find('=');
        if (equals == 0 || equals == std::string::npos) {
            throw refusal{name + " needs name=value, such as segments=5, not '" + value + "'"};
        }
        auto const same = [&](auto const& other) { return value.compare(0, equals, other.first) == 0; };
        if (std::any_of(where.begin(), where.end(), same)) {
            throw refusal{name + ' ' + value.substr(0, equals) + " is given twice; give it once"};
        }
        where.emplace_back(value.substr(0, equals), value.substr(equals + 1));
    };
}

std::vector<command_line::option> table_of(options& to) {
    using command_line::into;
    using command_line::one_of;
    constexpr command_line::bounds elements{0, most_elements};
    constexpr command_line::bounds some{1, most_elements};
    return {
        {"--collective", "NAME", "default: the first one that has the algorithm", into(to.collective)},
        {"--algorithm", "NAME", "default: automatic, tutti's own choice (for elements of 8 bytes)",
         into(to.algorithm)},
        {"--size", "P", "ranks 0 .. P-1", into(to.size, {1, most_ranks})},
        {"--root", "R", "default: 0", into(to.root, elements)},
        {"--param", "NAME=VALUE", "a parameter of the algorithm itself, such as segments=5; may be repeated",
         parameters_into(to.parameters), true},
        {"", "", "The vector", {}},
        {"--blocks", "N",
         "N blocks whose sizes differ by one at most; default: what the algorithm asks for;\n"
         "with --counts: a multiple of P, and every rank's part has as many of them",
         into(to.blocks, elements)},
        {"--segment", "S", "blocks of S elements, the last one perhaps shorter", into(to.segment, some)},
        {"--sizes", "3,3,4", "blocks of these numbers of elements", elements_into(to.sizes)},
        {"--elements", "M", "of the whole vector; default: one for each block", into(to.elements, elements)},
        {"--counts", "3,0,5", "elements of each rank, where every rank owns a part of the vector",
         elements_into(to.counts)},
        {"", "", "What things cost; default: every message 1, a round", {}},
        {"--tcomm", "T", "a block takes T to send, whatever its size; default: 1", into(to.tcomm)},
        {"--tcomp", "T", "a block takes T to combine; default: 0", into(to.tcomp)},
        {"--alpha", "T", "or latency: a message of s elements takes alpha + beta s; default: 0", into(to.alpha)},
        {"--beta", "T", "inverse bandwidth; default: 0", into(to.beta)},
        {"--gamma", "T", "to combine s elements takes gamma s; default: 0", into(to.gamma)},
        {"--tau", "T",
         "to send a block and combine it takes T in all: for algorithms that reckon with arrivals,\n"
         "and the cost model where no other is given",
         into(to.tau)},
        {"--ports", "MODEL",
         "unidirectional: a rank sends, receives or combines; bidirectional: it sends and receives\n"
         "at once; overlapped: it sends or receives, and combines meanwhile;\n"
         "default: the one in which the algorithm counts its rounds",
         one_of(to.model, port_names)},
        {"--arrivals", "0,4,0,0", "when each rank begins; default: all at 0", into(to.arrivals)},
        {"", "", "What tutti chooses, without running anything", {}},
        {"--choose", "",
         "every algorithm that tutti chooses from, with the time that it is expected to take,\n"
         "and which one is chosen; for --collective, --size and --bytes",
         into(to.choose)},
        {"--bytes", "N", "of the whole vector, for --choose", into(to.bytes, elements)},
        {"--commutative", "yes|no", "whether the operator is known to commute, for --choose; default: yes",
         one_of(to.commutative, answer_names)},
        {"--threads", "", "ranks are threads of one process, for --choose; default: each has a node of its own",
         into(to.threads)},
        {"--model", "FILE", "what the machine costs that tutti chooses for; default: some fast network",
         into(to.machine)},
        {"", "", "The result", {}},
        {"--verify", "", "first prove that the schedule is right for these ranks and blocks; exit 1 if it is not",
         into(to.verify)},
        {"--format", "NAME",
         "text (default); json; svg: a picture; trace: for ui.perfetto.dev; goal: for LogGOPSim,\n"
         "with elements of 8 bytes, times in ns, and gamma 8 by default",
         one_of(to.format, format_names)},
        {"--output", "FILE", "default: standard output", into(to.output)},
        {"--list", "",
         "every algorithm with its requirements; of one collective with --collective, one alone\n"
         "with --algorithm; with --verify: what each does for these ranks and blocks",
         into(to.list)},
        {"--help", "", "this text", into(to.help)},
    };
}

}  // namespace

options read_options(std::vector<std::string> const& arguments) {
    options result;
    command_line::read(arguments, table_of(result));
    return result;
}

std::string usage() {
    options none;
    return "./dev explore OPTION...: a collective's schedule, simulated; verified, printed or drawn\n\n"
           "  ./dev explore --algorithm uni_greedy --size 15 --blocks 5 --tcomm 2 --tcomp 1\n"
           "  ./dev explore --list\n\n" +
           command_line::usage_of(table_of(none));
}

}  // namespace tutti::explore
