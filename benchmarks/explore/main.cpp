// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
//
// Schedules on the command line: --help lists the options, --list the algorithms.

#include <fstream>
#include <new>

#ifdef TUTTI_READS_XML
#include <tutti/analysis/read/msccl.hpp>
#endif

#include "algorithm.hpp"
#include "exploration.hpp"
#include "imported.hpp"
#include "listing.hpp"
#include "lookup.hpp"
#include "options.hpp"
#include "report.hpp"

namespace {

using namespace tutti::explore;

constexpr int broken = 1;
using tutti::command_line::refused;

/// A collective from which others follow stands before them.
[[nodiscard]] std::vector<family> all_families() {
    std::vector<family> result;
    auto const add = [&](auto... each) { (result.push_back(family_of<decltype(each)>()), ...); };
    using namespace tutti::collective;
    add(reduce{}, broadcast{}, inclusive_scan{}, exclusive_scan{}, scan_reduce{}, reduce_scatter{}, all_gather{},
        scatter{}, gather{}, all_reduce{});
    return result;
}

[[nodiscard]] std::string explored_from_file(options const& wanted) {
    refuse_what_files_say(wanted);
    tutti::from_file const from{wanted.from};
    auto const adopted = options_for(from, wanted);
    auto all = all_families();
    auto& of = find_family(all, adopted);
    auto const by = imported(from, of, adopted);
    exploration const found{adopted, of, *by};
    return report({adopted, of, *by, {}, found});
}

[[nodiscard]] std::string explored(options const& wanted) {
    auto all = all_families();
    check_ranks(wanted);
    auto& of = find_family(all, wanted);
    if (wanted.root != 0 && !of.rooted) { throw usage_error{std::string{of.collective} + " has no root"}; }
    auto const [by, why] = find_algorithm(of, wanted);
    exploration const found{wanted, of, *by};
    return report({wanted, of, *by, why, found});
}

void write(std::string const& text, std::string const& file) {
    if (file.empty()) {
        std::cout << text << std::flush;
        if (!std::cout) { throw usage_error{"standard output cannot be written"}; }
        return;
    }
    std::ofstream out{file, std::ios::binary};
    out << text << std::flush;
    if (!out) { throw usage_error{"the file " + file + " cannot be written"}; }
}

void run(std::vector<std::string> const& arguments) {
    auto const wanted = read_options(arguments);
    if (!wanted.from.empty()) { return write(explored_from_file(wanted), wanted.output); }
    if (wanted.choose) {
        auto all = all_families();
        return write(choosing(all, wanted), wanted.output);
    }
    refuse_what_is_for_choosing(wanted);
    if (!wanted.list) { return write(explored(wanted), wanted.output); }
    if (wanted.format != format::text) { throw usage_error{"--list knows the format text only"}; }
    auto all = all_families();
    refuse_unknown_names(all, wanted);
    write(wanted.verify ? comparison(all, wanted) : listing(all, wanted), wanted.output);
}

int complain(std::string_view message, int status) {
    tutti::command_line::complain(message, "explore");
    return status;
}

}  // namespace

int main(int count, char** values) {
    try {
        if (count < 2) { throw usage_error{"say what to explore; --list lists the algorithms, --help the options"}; }
        run({values + 1, values + count});
        return EXIT_SUCCESS;
    } catch (tutti::command_line::help const& asked) {
        std::cout << asked.text;
        return EXIT_SUCCESS;
    } catch (tutti::analysis::broken_schedule const& error) {
        return complain(error.what(), broken);
    } catch (std::bad_alloc const&) {
        return complain("there is not enough memory; ask for fewer ranks or blocks", refused);
    } catch (std::exception const& error) { return complain(error.what(), refused); }
}
