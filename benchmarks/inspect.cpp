// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
//
// What an MPI library does to operands: which it combines with which, in which order, on which rank, and what that
// depends on. All communication is MPI's; tutti's generators tell which algorithm it is.
// For any MPI: mpicxx -std=c++20 -O1 -Iinclude benchmarks/inspect.cpp

#include "inspect/report.hpp"
#include "inspect/session.hpp"
#include "support/on_ranks.hpp"

namespace {

using namespace tutti::inspect;
namespace command_line = tutti::command_line;

/// Whether all results have the operands that they must have.
bool inspected(std::vector<std::string> const& arguments, int rank, int size) {
    using namespace command_line;
    std::vector<std::size_t> elements{1, 10, 100, 1000, 10'000, 100'000};
    std::vector<std::string> collectives{kind_names.begin(), kind_names.end()};
    std::vector<std::string> variations{variation_names.begin(), variation_names.end()};
    std::string format = "text";
    read(arguments,
         "./dev inspect [--ranks N] [--mpi openmpi|mpich] [OPTION...]: what MPI does to operands\n\n"
         "Exit status: 0 if all results have their operands, in rank order if the operator does not commute; 1 if not.",
         {{"--collectives", "reduce,scan", "default: all", some_of(collectives, collectives)},
          {"--elements", "1,10,...", "lengths of vectors; default: powers of ten to 100000",
           into(elements, {1, 100'000'000})},
          {"--variations", "call,root", "default: call,in place,nonblocking,placement,root",
           some_of(variations, variations)},
          {"--format", "text|json", "default: text", one_of(format, std::vector<std::string>{"text", "json"})},
          {"--patience", "S", "seconds after which a call hangs; default: 60", into(patience, {1, 100'000})},
          number_of_ranks()});
    tell_endings("rank " + std::to_string(rank) + ": MPI_Comm_split: WRONG: ");
    if (size < 2) { throw usage_error{"one rank combines nothing; start at least 2"}; }
    auto const p = static_cast<std::size_t>(size);
    known_algorithms known{p};
    MPI_Comm permuted{};  // odd ranks first: where neighbours share a node, others do now
    MPI_Comm_split(MPI_COMM_WORLD, 0, rank % 2 == 0 ? rank + size : rank, &permuted);
    std::vector<finding> all;
    for (auto const& name : collectives) {
        auto const which = static_cast<kind>(read_name("--collectives", name, kind_names));
        std::vector const with{combining::sum, combining::commuting, combining::ordered};
        for (auto const by : which == kind::bcast ? std::vector{combining::nothing} : with) {
            for (auto const n : elements) { all.push_back(observe(which, by, n, permuted, variations, known)); }
        }
    }
    MPI_Comm_free(&permuted);
    call_now.clear();
    if (rank == 0) { std::cout << (format == "json" ? json(all, p) : text(all, p)) << std::flush; }
    return std::all_of(all.begin(), all.end(), [](finding const& each) { return each.wrong.empty(); });
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    auto const status = command_line::status_on_ranks("inspect", [&](int rank, int size) {
        return inspected({argv + 1, argv + argc}, rank, size);
    });
    MPI_Finalize();
    return status;
}
