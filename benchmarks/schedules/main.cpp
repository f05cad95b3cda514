// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
//
// What it costs to generate schedules, beside what the generators promise: --help lists the options.

#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "measure.hpp"
#include "options.hpp"
#include "report.hpp"
#include "subject.hpp"

namespace {

using namespace tutti::generation;

void write(std::filesystem::path const& file, std::string const& text) {
    std::ofstream out{file, std::ios::binary};
    out << text << std::flush;
    if (!out) { throw refusal{"the file " + file.string() + " cannot be written"}; }
}

/// Fails before anything is measured if the results cannot be written.
void prepare(options const& wanted) {
    if (!wanted.csv.empty()) { write(wanted.csv, ""); }
    if (wanted.output.empty()) { return; }
    std::error_code failed;
    std::filesystem::create_directories(wanted.output, failed);
    if (failed) { throw refusal{"the folder " + wanted.output + " cannot be made: " + failed.message()}; }
}

void run(options const& wanted) {
    std::vector<subject> chosen;
    for (auto& each : all_subjects()) {
        if (options::wants(wanted.collectives, each.collective) && options::wants(wanted.algorithms, each.name)) {
            chosen.push_back(std::move(each));
        }
    }
    if (chosen.empty()) { throw refusal{"no collective has such an algorithm"}; }
    prepare(wanted);

    std::vector<result> all;
    for (auto& each : chosen) {
        auto against_size = measure_against_size(each, wanted.largest, wanted.budget);
        auto against_blocks = measure_against_blocks(each, wanted.most, wanted.budget);
        all.push_back({std::move(each), std::move(against_size), std::move(against_blocks)});
    }
    print_tables(std::cout, all);
    if (!wanted.csv.empty()) { write(wanted.csv, to_csv(all)); }
    if (wanted.output.empty()) { return; }
    for (auto const& [file, svg] : charts_of(all)) { write(std::filesystem::path{wanted.output} / file, svg); }
}

}  // namespace

int main(int count, char** values) {
    try {
        auto const wanted = read_options({values + 1, values + count});
        if (wanted.help) {
            std::cout << usage();
        } else {
            run(wanted);
        }
        return EXIT_SUCCESS;
    } catch (refusal const& error) {
        std::cerr << "tutti: schedules: " << error.what() << '\n';
        return 2;
    } catch (std::exception const& error) {
        std::cerr << error.what() << '\n';
        return EXIT_FAILURE;
    }
}
