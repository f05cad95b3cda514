// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
//
// Schedules on the command line: --help lists the options, --list the algorithms.

#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tutti/analysis/broken_schedule.hpp>
#include <tutti/analysis/simulate.hpp>

#include "costs.hpp"
#include "cut.hpp"
#include "families.hpp"
#include "listing.hpp"
#include "lookup.hpp"
#include "options.hpp"
#include "refusal.hpp"
#include "report.hpp"
#include "words.hpp"

namespace {

using namespace tutti::explore;

constexpr int broken = 1;
constexpr int refused = 2;

[[nodiscard]] std::string explored(options const& wanted) {
    auto all = all_families();
    if (!wanted.size) { throw refusal{"--size must be given: the number of ranks"}; }
    auto& of = find_family(all, wanted);
    if (wanted.root >= *wanted.size) {
        throw refusal{"--root " + std::to_string(wanted.root) + " is not one of " + counted(*wanted.size, "rank")};
    }
    if (wanted.root != 0 && !of.rooted) { throw refusal{std::string{of.collective} + " has no root"}; }

    auto const [by, why] = find_algorithm(of, wanted);
    if (!by->stated.supports(*wanted.size)) {
        throw refusal{"algorithm " + by->name + " does not support " + counted(*wanted.size, "rank")};
    }
    assign_parameters(*by, wanted);
    auto const cut = cut_of(wanted, of, *by);
    auto costs = costs_of(wanted, by->stated);
    costs.transfers_at_once = by->transfers_at_once();
    adopt_costs(*by, wanted, costs, cut);

    auto const schedules = by->record(*wanted.size, wanted.root, cut);
    tutti::verification verdict;
    if (wanted.verify) {
        verdict = by->verify(schedules);
        if (!verdict) {
            throw tutti::broken_schedule{std::string{of.collective} + " by " + by->name +
                                         " does not verify: " + verdict.reason};
        }
    }
    auto line = tutti::simulate(tutti::collective::reduce{}, recorded<promise{}>{&schedules}, schedules.size,
                                schedules.root, cut, costs, wanted.arrivals);
    return report({wanted, of, *by, why, schedules, costs, std::move(line), verdict});
}

void write(std::string const& text, std::string const& file) {
    if (file.empty()) {
        std::cout << text << std::flush;
        if (!std::cout) { throw refusal{"standard output cannot be written"}; }
        return;
    }
    std::ofstream out{file, std::ios::binary};
    out << text << std::flush;
    if (!out) { throw refusal{"the file " + file + " cannot be written"}; }
}

void run(std::vector<std::string> const& arguments) {
    auto const wanted = read_options(arguments);
    if (wanted.help) { return write(usage(), {}); }
    if (!wanted.list) { return write(explored(wanted), wanted.output); }
    if (wanted.format != format::text) { throw refusal{"--list knows the format text only"}; }
    auto all = all_families();
    refuse_unknown_names(all, wanted);
    write(listing(all, wanted), wanted.output);
}

/// The library's messages begin with its name, which stands in front here already.
int complain(std::string_view message, int status) {
    constexpr std::string_view library = "tutti: ";
    if (message.substr(0, library.size()) == library) { message.remove_prefix(library.size()); }
    std::cerr << "tutti: explore: " << message << '\n';
    return status;
}

}  // namespace

int main(int count, char** values) {
    try {
        if (count < 2) { throw refusal{"say what to explore; --list lists the algorithms, --help the options"}; }
        run({values + 1, values + count});
        return EXIT_SUCCESS;
    } catch (tutti::broken_schedule const& error) {
        return complain(error.what(), broken);
    } catch (std::bad_alloc const&) {
        return complain("there is not enough memory; ask for fewer ranks or blocks", refused);
    } catch (std::exception const& error) { return complain(error.what(), refused); }
}
