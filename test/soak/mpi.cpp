// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.

// mpi CONFIGURATION SEED SECONDS, or CONFIGURATION SEED ROUNDS rounds: random calls over MPI, or as the definition says
// over Boost.MPI or through shared memory, against the oracle. If the configuration is called `stopped`, each rank is
// stopped and continued at random moments.

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <functional>
#include <iostream>
#include <string>
#include <type_traits>

#include <signal.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#if defined(TUTTI_SOAK_OVER_BOOST_MPI)
#include <boost/mpi/communicator.hpp>
#include <boost/serialization/string.hpp>
#include <tutti/boost_mpi.hpp>
#elif defined(TUTTI_SOAK_OVER_SHARED_MEMORY)
#include <tutti/communicator/mpi/shared_memory.hpp>
#include <tutti/mpi.hpp>
#else
#include <tutti/communicator/mpi/communicator.hpp>  // `use` needs all of it
#include <tutti/mpi.hpp>
#endif

#include <support/mpich_turns.hpp>
#include <tutti/node_map.hpp>

#include "limits.hpp"
#include "machine.hpp"
#include "round.hpp"

namespace {

#if defined(TUTTI_SOAK_OVER_BOOST_MPI)
constexpr bool with_text = true;
boost::mpi::communicator world_of(MPI_Comm team) { return {team, boost::mpi::comm_attach}; }
#elif defined(TUTTI_SOAK_OVER_SHARED_MEMORY)
constexpr bool with_text = false;
tutti::mpi::shared_memory world_of(MPI_Comm team) { return tutti::mpi::shared_memory{team}; }
#else
constexpr bool with_text = false;
MPI_Comm world_of(MPI_Comm team) { return team; }
#endif

constexpr unsigned longest_round = 120;  // seconds

/// What this rank is doing, for the handler of a signal.
std::array<char, 2000> doing{};

void note(std::string const& words) {
    auto const length = std::min(words.size(), doing.size() - 2);
    std::memcpy(doing.data(), words.data(), length);
    doing[length] = '\n';
    doing[length + 1] = '\0';
}

extern "C" void time_is_up(int) {
    if (write(STDOUT_FILENO, doing.data(), std::strlen(doing.data())) < 0) { _exit(3); }
    _exit(1);  // the launcher then ends the others
}

/// Some ranks of MPI_COMM_WORLD in some order.
class team {
public:
    explicit team(soak::draw& from) {
        int rank = 0;
        int size = 0;
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        MPI_Comm_size(MPI_COMM_WORLD, &size);
        auto const groups = from.one_in(3) ? 1 : from.from(1, 3);
        int color = 0;
        int key = 0;
        for (int each = 0; each != size; ++each) {
            auto const group = static_cast<int>(from.below(groups));
            auto const place = static_cast<int>(from.below(100));
            if (each == rank) { color = group, key = place; }
        }
        MPI_Comm_split(MPI_COMM_WORLD, color, key, &ranks_);
        color_ = static_cast<std::uint64_t>(color);
    }
    team(team const&) = delete;
    team& operator=(team const&) = delete;
    ~team() { MPI_Comm_free(&ranks_); }

    [[nodiscard]] MPI_Comm ranks() const { return ranks_; }
    [[nodiscard]] std::uint64_t color() const { return color_; }

private:
    MPI_Comm ranks_ = MPI_COMM_NULL;
    std::uint64_t color_ = 0;
};

/// Splits the ranks into teams, each of which has a round of its own; calls that were right, on the first rank of a
/// team.
std::size_t play(std::uint64_t seed, std::function<void(std::string const&)> const& about_to) {
    soak::draw from{soak::mixed(seed, 5)};
    team const mine{from};
    int rank = 0;
    int size = 0;
    MPI_Comm_rank(mine.ranks(), &rank);
    MPI_Comm_size(mine.ranks(), &size);
    auto&& world = world_of(mine.ranks());
    tutti::execution how{};
    how.check_calls = from.one_in(4);
#if !defined(TUTTI_SOAK_OVER_SHARED_MEMORY)
    how.ready_mode = from.one_in(4);
#endif
    tutti::configure(world, how);
    if (from.one_in(3)) {
        tutti::configure(world, tutti::node_map::of_width(from.from(1, static_cast<std::size_t>(size))));
    }
    soak::use_some_machine(world, from);
    soak::round_of_calls<with_text, std::remove_reference_t<decltype(world)>> round{
        world, rank, size, soak::mixed(seed, mine.color()), about_to};
    auto const passed = round.play();
    return rank == 0 ? passed : 0;
}

void sleep_for(std::size_t microseconds) {
    timespec const time{static_cast<time_t>(microseconds / 1'000'000),
                        static_cast<long>(microseconds % 1'000'000) * 1000};
    nanosleep(&time, nullptr);
}

/// Starts a process that stops this one and lets it go on, at random moments, until this one ends.
void be_stopped_now_and_then(std::uint64_t seed) {
    auto const self = getpid();
    if (fork() != 0) { return; }
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    soak::draw from{soak::mixed(seed, static_cast<std::uint64_t>(self))};
    while (getppid() == self) {
        sleep_for(from.below(200'000));
        kill(self, SIGSTOP);
        sleep_for(from.one_in(200) ? from.below(3'000'000) : from.below(30'000));
        kill(self, SIGCONT);
    }
    _exit(0);
}

}  // namespace

int main(int argc, char* argv[]) {
    auto const asked = soak::read_limits(argc, argv);
    if (asked && asked->configuration == "stopped") { be_stopped_now_and_then(asked->seed); }
    MPI_Init(&argc, &argv);
    if (!asked) { MPI_Abort(MPI_COMM_WORLD, 2); }
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    signal(SIGALRM, time_is_up);
    soak::clock const time{*asked};
    std::size_t passed = 0;
    std::uint64_t number = 0;
    for (int goes_on = 1;; ++number) {
        goes_on = time.goes_on(number) ? 1 : 0;
        MPI_Bcast(&goes_on, 1, MPI_INT, 0, MPI_COMM_WORLD);
        if (goes_on == 0) { break; }
        auto const said = [&](std::string const& what) {
            return soak::reproduction(asked->configuration, asked->seed, number, what);
        };
        alarm(longest_round);
        try {
            passed += play(asked->seed + number, [&](std::string const& words) {
                note(said(words + ": rank " + std::to_string(rank) + " of all waits too long"));
            });
        } catch (std::exception const& wrong) {
            std::cout << said(wrong.what()) << '\n'
                      << soak::verdict(asked->configuration, passed, 1) << std::endl;
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
    }
    alarm(0);
    unsigned long long const mine = passed;
    unsigned long long all = 0;
    MPI_Reduce(&mine, &all, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) { std::cout << soak::verdict(asked->configuration, all, 0) << std::endl; }
    MPI_Finalize();
}
