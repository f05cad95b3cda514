// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/mpi_world.hpp>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <sched.h>
#include <unistd.h>

#include <tutti/collective/all_reduce.hpp>
#include <tutti/communicator/mpi.hpp>
#include <tutti/communicator/mpi/levels.hpp>
#include <tutti/generator/hierarchical.hpp>

BOOST_AUTO_TEST_SUITE(communicator_mpi_levels)

using namespace tutti;

namespace {

/// A machine that is not there, as Linux would describe it: two sockets of two chiplets of two cores; every core has an
/// instruction cache of its own.
class machine_of_eight {
public:
    machine_of_eight()
        : root_{std::filesystem::temp_directory_path() / ("tutti_levels_" + std::to_string(getpid()))} {
        for (int cpu = 0; cpu != 8; ++cpu) {
            auto const folder = "cpu" + std::to_string(cpu);
            write(folder + "/topology/physical_package_id", std::to_string(cpu / 4));
            cache(folder, 0, "1", "Instruction", cpu, cpu);
            cache(folder, 1, "1", "Data", cpu / 2 * 2, cpu / 2 * 2 + 1);
            cache(folder, 2, "3", "Unified", cpu / 2 * 2, cpu / 2 * 2 + 1);
        }
    }
    machine_of_eight(machine_of_eight const&) = delete;
    machine_of_eight& operator=(machine_of_eight const&) = delete;
    ~machine_of_eight() { std::filesystem::remove_all(root_); }

    [[nodiscard]] mpi::processors seen() const { return mpi::processors{root_.string()}; }

private:
    void cache(std::string const& cpu, int index, char const* level, char const* type, int first, int last) {
        auto const folder = cpu + "/cache/index" + std::to_string(index);
        write(folder + "/level", level);
        write(folder + "/type", type);
        write(folder + "/shared_cpu_list", std::to_string(first) + '-' + std::to_string(last));
    }
    void write(std::string const& path, std::string const& text) {
        std::filesystem::create_directories((root_ / path).parent_path());
        std::ofstream{root_ / path} << text << '\n';
    }

    std::filesystem::path root_;
};

/// Not bound: no processor of this machine says the same as all others.
std::optional<int> itself(int cpu) { return cpu; }

}  // namespace

BOOST_AUTO_TEST_CASE(linux_says_what_processors_share) {
    machine_of_eight const machine;
    auto const seen = machine.seen();
    for (int cpu = 0; cpu != 8; ++cpu) {
        BOOST_TEST((seen.socket_of(cpu) == cpu / 4));
        BOOST_TEST((seen.cache_of(cpu, 3) == cpu / 2 * 2));
        BOOST_TEST((seen.cache_of(cpu, 1) == cpu / 2 * 2));  // that of data, not that of instructions
        BOOST_TEST(!seen.cache_of(cpu, 2));
    }
    BOOST_TEST(!seen.socket_of(8));
    BOOST_TEST(!mpi::processors{"/nowhere"}.socket_of(0));
}

BOOST_AUTO_TEST_CASE(a_process_has_a_domain_if_all_its_processors_have_the_same) {
    cpu_set_t before;
    BOOST_TEST_REQUIRE(sched_getaffinity(0, sizeof before, &before) == 0);
    BOOST_TEST((mpi::domain_of_process([](int) { return std::optional{5}; }) == 5));
    BOOST_TEST(!mpi::domain_of_process([](int) { return std::optional<int>{}; }));
    BOOST_TEST(mpi::domain_of_process(itself).has_value() == (CPU_COUNT(&before) == 1));
    int const here = sched_getcpu();
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(here, &one);
    BOOST_TEST_REQUIRE(sched_setaffinity(0, sizeof one, &one) == 0);
    BOOST_TEST((mpi::domain_of_process(itself) == here));
    BOOST_TEST(sched_setaffinity(0, sizeof before, &before) == 0);
}

BOOST_AUTO_TEST_CASE(nodes_are_divided_where_all_of_their_ranks_know) {
    auto const size = static_cast<std::size_t>(support::world_size());
    auto const rank = support::world_rank();
    auto const halves = mpi::divided_nodes(MPI_COMM_WORLD, rank % 2);
    for (std::size_t each = 0; each != size; ++each) { BOOST_TEST(halves.node_of(each) == each % 2); }
    auto const unknown = mpi::divided_nodes(MPI_COMM_WORLD, rank == 0 ? std::nullopt : std::optional{rank % 2});
    BOOST_TEST(unknown.count(size) == 1U);

    // on two nodes, of which one has a rank that does not know
    if (size < 4) { return; }
    support::own_world const own;
    auto const half = size / 2;
    communicator_of<MPI_Comm>::get(own.world).nodes(node_map::of_width(half));
    auto const mixed = mpi::divided_nodes(own.world, rank == 0 ? std::nullopt : std::optional{rank % 2});
    for (std::size_t each = 0; each != size; ++each) {
        auto const expected = each < half ? 0 : mixed.node_of(half) + (each - half) % 2;
        if (each < 2 * half) { BOOST_TEST(mixed.node_of(each) == expected); }
    }
}

BOOST_AUTO_TEST_CASE(hierarchical_works_on_the_levels_of_this_machine) {
    auto const rank = support::world_rank();
    auto const size = static_cast<std::size_t>(support::world_size());
    std::vector<double> const in(100, rank + 1.0);
    for (auto const& map : {mpi::ranks_of_sockets(MPI_COMM_WORLD), mpi::ranks_of_caches(MPI_COMM_WORLD),
                            mpi::divided_nodes(MPI_COMM_WORLD, rank / 2)}) {
        std::vector<double> out(in.size());
        all_reduce(MPI_COMM_WORLD, in, out, std::plus<>{}, hierarchical{.nodes = map});
        BOOST_TEST(out.back() == static_cast<double>(size * (size + 1) / 2));
    }
}

BOOST_AUTO_TEST_SUITE_END()
