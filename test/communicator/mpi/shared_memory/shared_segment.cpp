// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/mpi_world.hpp>

#include <cstddef>
#include <cstdint>
#include <ctime>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include <mpi.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <support/sentences.hpp>
#include <tutti/communicator/mpi/communicator.hpp>
#include <tutti/communicator/mpi/shared_memory/endpoint.hpp>
#include <tutti/communicator/mpi/shared_memory/segment_layout.hpp>
#include <tutti/communicator/mpi/shared_memory/shared_segment.hpp>
#include <tutti/communicator/mpi/shared_vector.hpp>

BOOST_AUTO_TEST_SUITE(communicator_mpi_shared_memory_shared_segment)

using tutti::mpi::node::shared_segment;

BOOST_AUTO_TEST_CASE(every_rank_finds_what_the_others_write_to_their_parts) {
    constexpr std::size_t most_slots = 4;
    shared_segment const all{MPI_COMM_WORLD, most_slots};
    auto const& where = all.layout();
    for (int receiver = 0; receiver != all.size(); ++receiver) {
        auto* const slots = all.of(all.rank()) + where.slots_at(static_cast<std::size_t>(receiver));
        BOOST_TEST(reinterpret_cast<std::uintptr_t>(slots) % tutti::mpi::node::segment_layout::page == 0U);
        *slots = static_cast<std::byte>(100 + all.rank());
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (int sender = 0; sender != all.size(); ++sender) {
        auto const* const slots = all.of(sender) + where.slots_at(static_cast<std::size_t>(all.rank()));
        BOOST_TEST(static_cast<int>(*slots) == 100 + sender);
    }
    BOOST_TEST(all.failed_rank() == all.size());
}

namespace {

/// A process that has been killed.
tutti::mpi::process dead_process() {
    auto const child = fork();
    if (child == 0) {
        for (;;) { pause(); }
    }
    auto const result = tutti::mpi::process_with(child);
    BOOST_TEST(tutti::mpi::is_alive(result));
    kill(child, SIGKILL);
    // it is dead before its parent takes note
    while (tutti::mpi::is_alive(result)) { sched_yield(); }
    waitpid(child, nullptr, 0);
    BOOST_TEST(!tutti::mpi::is_alive(result));
    return result;
}

}  // namespace

BOOST_AUTO_TEST_CASE(processes_are_known_by_number_and_start) {
    auto const own = tutti::mpi::this_process();
    BOOST_TEST(own.started != 0);
    // no later than now, and it stays what it is
    std::vector<char> const used(std::size_t{1} << 24, 'x');
    BOOST_TEST((tutti::mpi::this_process() == own));
    timespec since_boot{};
    clock_gettime(CLOCK_BOOTTIME, &since_boot);
    BOOST_TEST(own.started <= (since_boot.tv_sec + 1) * sysconf(_SC_CLK_TCK));
    BOOST_TEST(own.started > (since_boot.tv_sec - 300) * sysconf(_SC_CLK_TCK));
    BOOST_TEST(tutti::mpi::is_alive(own));
    BOOST_TEST(!tutti::mpi::is_alive({own.number, own.started + 1}));
    BOOST_TEST(tutti::mpi::is_alive({own.number, 0}));
}

BOOST_AUTO_TEST_CASE(a_rank_that_is_dead_is_missed) {
    int const last = support::world_size() - 1;
    auto const dead = support::world_rank() == last ? dead_process() : tutti::mpi::process{};
    auto const body = [&] {
        shared_segment const all{MPI_COMM_WORLD, 4};
        auto& presence = *reinterpret_cast<tutti::mpi::node::presence*>(all.of(last));
        if (all.rank() == last) { presence.own = dead; }
        MPI_Barrier(MPI_COMM_WORLD);
        if (all.rank() != last) {
            tutti::mpi::node::idle waiting{all.size()};
            auto const begun = MPI_Wtime();
            auto const wait = [&] {
                for (std::size_t round = 0; MPI_Wtime() - begun < 60; ++round) {
                    static_cast<void>(waiting.check_peers(all, round));
                    static_cast<void>(waiting.next(false));
                }
            };
            BOOST_CHECK_EXCEPTION(wait(), tutti::mpi::rank_has_left,
                                  support::begins("tutti: rank " + std::to_string(last) + " was killed"));
        }
        MPI_Barrier(MPI_COMM_WORLD);
        BOOST_TEST((all.failed_rank() == last || all.size() == 1));
        throw std::length_error{"no rank waits for the others"};
    };
    BOOST_CHECK_THROW(body(), std::length_error);
    MPI_Barrier(MPI_COMM_WORLD);
}

// A rank that leaves because another one has does not hide it.
BOOST_AUTO_TEST_CASE(the_first_rank_that_has_left_is_named) {
    int const size = support::world_size();
    if (size < 3) { return; }
    try {
        shared_segment const all{MPI_COMM_WORLD, 4};
        for (int rank = size - 1; rank > 0; --rank) {  // one after the other
            if (rank == support::world_rank()) { throw std::length_error{"elsewhere"}; }
            while (all.failed_rank() == size) { sched_yield(); }
        }
        BOOST_TEST(all.failed_rank() == size - 1);
        throw std::length_error{"here too"};
    } catch (std::length_error const&) {}
    MPI_Barrier(MPI_COMM_WORLD);
}

// Needs the right to mount.
BOOST_AUTO_TEST_CASE(where_one_rank_has_no_room_all_are_refused) {
    bool const may_mount = unshare(CLONE_NEWNS) == 0 &&
                           mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
                           (support::world_rank() != 0 || mount("tmpfs", "/dev/shm", "tmpfs", 0, "size=64k") == 0);
    int mounted = may_mount ? 1 : 0;
    MPI_Allreduce(MPI_IN_PLACE, &mounted, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (mounted == 0) { return; }
    {
        BOOST_CHECK_EXCEPTION((shared_segment{MPI_COMM_WORLD, 16}), std::runtime_error,
                              support::begins("tutti: /dev/shm has no room for the "));
        tutti::mpi::communicator ranks{MPI_COMM_WORLD};
        BOOST_TEST(!ranks.share_memory(true));
        BOOST_TEST(!ranks.share_memory(true));
        BOOST_TEST(!ranks.shares_memory());
    }
    if (support::world_rank() == 0) { umount2("/dev/shm", MNT_DETACH); }  // MPI has files there to remove
}

namespace {

/// No more of a resource than `most`, on one rank alone, while an object lives.
class limited {
public:
    limited(bool here, decltype(RLIMIT_NOFILE) which, rlim_t most) : which_{which} {
        getrlimit(which_, &before_);
        auto const less = rlimit{most, before_.rlim_max};
        if (here) { setrlimit(which_, &less); }
    }
    limited(limited const&) = delete;
    limited& operator=(limited const&) = delete;
    ~limited() { setrlimit(which_, &before_); }

private:
    decltype(RLIMIT_NOFILE) which_;
    rlimit before_{};
};

}  // namespace

BOOST_AUTO_TEST_CASE(where_one_rank_is_limited_all_are_refused) {
    int const last = support::world_size() - 1;
    for (int const odd : {0, last}) {
        for (auto const which : {RLIMIT_NOFILE, RLIMIT_FSIZE}) {
            bool const here = support::world_rank() == odd;
            tutti::mpi::communicator ranks{MPI_COMM_WORLD};
            {
                limited const none{here, which, 0};
                bool const is_refused = which == RLIMIT_NOFILE || odd == 0;  // who makes the file needs its length
                if (is_refused && here && ranks.size() > 1) {
                    BOOST_CHECK_EXCEPTION(
                        (shared_segment{MPI_COMM_WORLD, 16}), std::runtime_error,
                        support::begins(
                            "tutti: /dev/shm gives this rank no memory to share with the others of its node: "));
                } else if (is_refused && ranks.size() > 1) {
                    BOOST_CHECK_THROW((shared_segment{MPI_COMM_WORLD, 16}), std::runtime_error);
                }
                BOOST_TEST((ranks.share_memory(true) == !is_refused));
                if (is_refused) {
                    BOOST_CHECK_THROW((tutti::mpi::shared_vector<int>{MPI_COMM_WORLD, 1000}), std::bad_alloc);
                }
            }
            BOOST_TEST((tutti::mpi::shared_vector<int>{MPI_COMM_WORLD, 1000}.size() == 1000U));
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
