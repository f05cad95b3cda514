// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
//
// Times all_reduces to which ranks come late, beside that of MPI, all in one run: --help lists the options. Ranks are
// started by mpirun or are threads; without MPI they are threads. Also compiles for SMPI, and then tells simulated
// times: smpicxx -std=c++20 -fno-gnu-unique -O2 -Iinclude.

#include "arrivals/ranks.hpp"
#include "arrivals/session.hpp"

namespace tutti::benchmark::arrivals {

using arguments = std::vector<std::string>;
using command_line::usage_error;

int run_over_threads(arguments const& given) {
    bool all_correct = true;
    auto const status = command_line::status_of("", [&] {
        auto const asked = read_options(given, names_of_algorithms(), {"tutti"}, false);
        if (asked.threads == 0) { throw usage_error{"this program was built without MPI; give --threads N"}; }
        gathering all{asked.threads};
        threads::run(static_cast<int>(asked.threads), [&](threads::communicator& world) {
            try {
                ranks_of_threads ranks{all, world.rank()};
                bool const correct = session{asked, ranks}.run();
                if (world.rank() == 0) { all_correct = correct; }
            } catch (usage_error const&) {
                throw;  // as all ranks do
            } catch (std::exception const& failure) {
                std::cerr << "rank " << world.rank() << ": " << failure.what() << std::endl;
                std::_Exit(EXIT_FAILURE);  // the others may be waiting anywhere
            }
        });
    });
    return all_correct ? status : EXIT_FAILURE;
}

}  // namespace tutti::benchmark::arrivals

int main(int argc, char** argv) {
    using namespace tutti::benchmark;
    arrivals::arguments const given{argv + 1, argv + argc};
#ifdef TUTTI_BENCHMARK_MPI
    auto const names_threads = [](std::string const& each) { return each.starts_with("--threads"); };
    if (std::none_of(given.begin(), given.end(), names_threads)) {
        MPI_Init(&argc, &argv);
        auto const status = tutti::command_line::status_on_ranks("", [&](int, int) {
            auto const asked =
                arrivals::read_options(given, arrivals::names_of_algorithms(), {"tutti", "mpi"}, machine::is_simulated);
            arrivals::ranks_of_mpi ranks;
            return arrivals::session{asked, ranks}.run();
        });
        MPI_Finalize();
        return status;
    }
#endif
    return arrivals::run_over_threads(given);
}
