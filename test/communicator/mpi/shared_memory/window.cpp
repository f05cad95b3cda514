// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/mpi_world.hpp>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

#include <mpi.h>
#include <sched.h>
#include <sys/mount.h>

#include <tutti/communicator/mpi/communicator.hpp>
#include <tutti/communicator/mpi/shared_memory/window.hpp>

BOOST_AUTO_TEST_SUITE(communicator_mpi_shared_memory_window)

using tutti::mpi::node::window;

BOOST_AUTO_TEST_CASE(every_rank_finds_what_the_others_write_to_their_parts) {
    constexpr std::size_t most_slots = 4;
    window const all{MPI_COMM_WORLD, most_slots};
    tutti::mpi::node::layout const where{static_cast<std::size_t>(all.size()), most_slots};
    for (int receiver = 0; receiver != all.size(); ++receiver) {
        auto* const slots = all.of(all.rank()) + where.slots_at(static_cast<std::size_t>(receiver));
        BOOST_TEST(reinterpret_cast<std::uintptr_t>(slots) % tutti::mpi::node::layout::page == 0U);
        *slots = static_cast<std::byte>(100 + all.rank());
    }
    MPI_Barrier(all.own());
    for (int sender = 0; sender != all.size(); ++sender) {
        auto const* const slots = all.of(sender) + where.slots_at(static_cast<std::size_t>(all.rank()));
        BOOST_TEST(static_cast<int>(*slots) == 100 + sender);
    }
    BOOST_TEST(all.failed_rank() == all.size());
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
        BOOST_CHECK_EXCEPTION((window{MPI_COMM_WORLD, 16}), std::runtime_error, [](auto const& wrong) {
            return std::string{wrong.what()}.starts_with("tutti: /dev/shm has no room for the ");
        });
        tutti::mpi::communicator ranks{MPI_COMM_WORLD};
        BOOST_TEST(!ranks.share_memory(true));
        BOOST_TEST(!ranks.share_memory(true));
        BOOST_TEST(!ranks.shares_memory());
    }
    if (support::world_rank() == 0) { umount2("/dev/shm", MNT_DETACH); }  // MPI has files there to remove
}

BOOST_AUTO_TEST_SUITE_END()
