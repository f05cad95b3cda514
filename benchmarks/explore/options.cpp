// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include "options.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "nearest.hpp"
#include "numbers.hpp"
#include "refusal.hpp"
#include "words.hpp"

namespace tutti::explore {

namespace {

using text = std::string const&;

struct option {
    std::string_view name;
    std::string_view value;  ///< what stands for it in the help; empty: it takes none
    std::string_view meaning;
    std::function<void(options&, text option, text value)> read;
};

void refuse_more(text name, std::size_t most) {
    throw refusal{name + " can be " + std::to_string(most) + " at most"};
}

template <class Member>
auto count(Member options::*where, std::size_t least = 0, std::size_t most = most_elements) {
    return [=](options& all, text name, text value) {
        auto const read = read_number<std::size_t>(name, value, least);
        if (read > most) { refuse_more(name, most); }
        all.*where = read;
    };
}
template <class Member>
auto counts(Member options::*where) {
    return [=](options& all, text name, text value) {
        auto read = read_numbers<std::size_t>(name, value);
        std::size_t sum = 0;
        for (auto const each : read) {
            if (each > most_elements - sum) { refuse_more("the sum of " + name, most_elements); }
            sum += each;
        }
        all.*where = std::move(read);
    };
}
template <class Member>
auto time(Member options::*where) {
    return [=](options& all, text name, text value) { all.*where = read_number<double>(name, value); };
}
auto word(std::string options::*where) {
    return [=](options& all, text, text value) { all.*where = value; };
}
auto flag(bool options::*where) {
    return [=](options& all, text, text) { all.*where = true; };
}

/// One of `names`, which are those of the values 0, 1, ... of an enumeration.
template <class Value, class Member, std::size_t N>
auto one_of(Member options::*where, std::array<std::string_view, N> const& names) {
    return [=](options& all, text name, text value) { all.*where = static_cast<Value>(read_name(name, value, names)); };
}

void read_parameter(options& all, text name, text value) {
    auto const equals = value.find('=');
    if (equals == 0 || equals == std::string::npos) {
        throw refusal{name + " needs name=value, such as segments=5, not '" + value + "'"};
    }
    auto const same = [&](auto const& other) { return value.compare(0, equals, other.first) == 0; };
    if (std::any_of(all.parameters.begin(), all.parameters.end(), same)) {
        throw refusal{name + ' ' + value.substr(0, equals) + " is given twice; give it once"};
    }
    all.parameters.emplace_back(value.substr(0, equals), value.substr(equals + 1));
}

std::vector<option> const& all_options() {
    using o = options;
    static std::vector<option> const known{
        {"--collective", "NAME", "default: the first one that has the algorithm", word(&o::collective)},
        {"--algorithm", "NAME", "default: automatic, tutti's own choice (for elements of 8 bytes)",
         word(&o::algorithm)},
        {"--size", "P", "ranks 0 .. P-1", count(&o::size, 1, most_ranks)},
        {"--root", "R", "default: 0", count(&o::root)},
        {"--param", "NAME=VALUE", "a parameter of the algorithm itself, such as segments=5; may be repeated",
         read_parameter},
        {"", "", "The vector", {}},
        {"--blocks", "N",
         "N blocks whose sizes differ by one at most; default: what the algorithm asks for;\n"
         "with --counts: a multiple of P, and every rank's part has as many of them",
         count(&o::blocks)},
        {"--segment", "S", "blocks of S elements, the last one perhaps shorter", count(&o::segment, 1)},
        {"--sizes", "3,3,4", "blocks of these numbers of elements", counts(&o::sizes)},
        {"--elements", "M", "of the whole vector; default: one for each block", count(&o::elements)},
        {"--counts", "3,0,5", "elements of each rank, where every rank owns a part of the vector", counts(&o::counts)},
        {"", "", "What things cost; default: every message 1, a round", {}},
        {"--tcomm", "T", "a block takes T to send, whatever its size; default: 1", time(&o::tcomm)},
        {"--tcomp", "T", "a block takes T to combine; default: 0", time(&o::tcomp)},
        {"--alpha", "T", "or latency: a message of s elements takes alpha + beta s; default: 0", time(&o::alpha)},
        {"--beta", "T", "inverse bandwidth; default: 0", time(&o::beta)},
        {"--gamma", "T", "to combine s elements takes gamma s; default: 0", time(&o::gamma)},
        {"--tau", "T",
         "to send a block and combine it takes T in all: for algorithms that reckon with arrivals,\n"
         "and the cost model where no other is given",
         time(&o::tau)},
        {"--ports", "MODEL",
         "unidirectional: a rank sends, receives or combines; bidirectional: it sends and receives\n"
         "at once; overlapped: it sends or receives, and combines meanwhile;\n"
         "default: the one in which the algorithm counts its rounds",
         one_of<ports>(&o::model, port_names)},
        {"--arrivals", "0,4,0,0", "when each rank begins; default: all at 0",
         [](options& all, text name, text value) { all.arrivals = read_numbers<double>(name, value); }},
        {"", "", "What tutti chooses, without running anything", {}},
        {"--choose", "",
         "every algorithm that tutti chooses from, with the time that it is expected to take,\n"
         "and which one is chosen; for --collective, --size and --bytes",
         flag(&o::choose)},
        {"--bytes", "N", "of the whole vector, for --choose", count(&o::bytes)},
        {"--commutative", "yes|no", "whether the operator is known to commute, for --choose; default: yes",
         one_of<bool>(&o::commutative, answer_names)},
        {"--threads", "", "ranks are threads of one process, for --choose; default: each has a node of its own",
         flag(&o::threads)},
        {"--model", "FILE", "what the machine costs that tutti chooses for; default: some fast network",
         word(&o::machine)},
        {"", "", "The result", {}},
        {"--verify", "", "first prove that the schedule is right for these ranks and blocks; exit 1 if it is not",
         flag(&o::verify)},
        {"--format", "NAME",
         "text (default); json; svg: a picture; trace: for ui.perfetto.dev; goal: for LogGOPSim,\n"
         "with elements of 8 bytes, times in ns, and gamma 8 by default",
         one_of<format>(&o::format, format_names)},
        {"--output", "FILE", "default: standard output", word(&o::output)},
        {"--list", "",
         "every algorithm with its requirements; of one collective with --collective, one alone\n"
         "with --algorithm; with --verify: what each does for these ranks and blocks",
         flag(&o::list)},
        {"--help", "", "this text", flag(&o::help)},
    };
    return known;
}

[[noreturn]] void refuse_unknown(text name) {
    std::vector<std::string> known;
    for (auto const& each : all_options()) {
        if (!each.name.empty()) { known.emplace_back(each.name); }
    }
    auto const meant = nearest(name, known);
    throw refusal{"there is no option " + name + "; " +
                  (meant == name ? "--help lists them" : "did you mean " + meant + "?")};
}

}  // namespace

options read_options(std::vector<std::string> const& arguments) {
    options result;
    std::set<std::string> given;
    for (auto at = arguments.begin(); at != arguments.end(); ++at) {
        if (at->rfind("--", 0) != 0 && *at != "-h") {
            throw refusal{"'" + *at + "' is no option; options begin with --, and --help lists them"};
        }
        auto const equals = at->find('=');
        auto const name = *at == "-h" ? "--help" : at->substr(0, equals);
        auto const& all = all_options();
        auto const found =
            std::find_if(all.begin(), all.end(), [&](option const& each) { return each.read && each.name == name; });
        if (found == all.end()) { refuse_unknown(name); }
        if (!given.insert(name).second && name != "--param") { throw refusal{name + " is given twice; give it once"}; }
        bool const takes_value = !found->value.empty();
        std::string value;
        if (equals != std::string::npos) {
            if (!takes_value) { throw refusal{name + " takes no value"}; }
            value = at->substr(equals + 1);
        } else if (takes_value && at + 1 != arguments.end() && (at + 1)->rfind("--", 0) != 0) {
            value = *++at;
        }
        if (takes_value && value.empty()) {
            throw refusal{name + " needs a value, such as " + name + ' ' + std::string{found->value}};
        }
        found->read(result, name, value);
    }
    return result;
}

std::string usage() {
    std::string result = "./dev explore OPTION...: a collective's schedule, simulated; verified, printed or drawn\n\n"
                         "  ./dev explore --algorithm uni_greedy --size 15 --blocks 5 --tcomm 2 --tcomp 1\n"
                         "  ./dev explore --list\n\n";
    constexpr std::size_t column = 25;
    for (auto const& each : all_options()) {
        if (!each.read) {
            result += '\n' + std::string{each.meaning} + '\n';
            continue;
        }
        auto line = "  " + std::string{each.name} + (each.value.empty() ? "" : " ") + std::string{each.value};
        for (std::size_t first = 0; first < each.meaning.size();) {
            auto const last = std::min(each.meaning.find('\n', first), each.meaning.size());
            line.resize(std::max(line.size(), column), ' ');
            result += line + std::string{each.meaning.substr(first, last - first)} + '\n';
            line.clear();
            first = last + 1;
        }
        if (!line.empty()) { result += line + '\n'; }
    }
    return result;
}

}  // namespace tutti::explore
