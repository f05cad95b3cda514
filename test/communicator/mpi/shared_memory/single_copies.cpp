// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/mpi_world.hpp>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <span>
#include <vector>

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <mpi.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <tutti/collective/all_reduce.hpp>
#include <tutti/collective/broadcast.hpp>
#include <tutti/communicator/mpi/shared_memory.hpp>
#include <tutti/communicator/mpi/shared_memory/peer_memory.hpp>
#include <tutti/communicator/mpi/shared_memory/single_copies.hpp>

BOOST_AUTO_TEST_SUITE(communicator_mpi_shared_memory_single_copies)

namespace {

constexpr std::size_t longest_copied = 4096, slot_bytes = 16384;
constexpr auto never_shorter = tutti::mpi::node::single_copies::never;

/// What ranks find with any memory in place of slots.
tutti::mpi::node::single_copies found(char const* wanted) {
    support::single_copies const set{wanted};
    std::vector<std::byte> outgoing(std::size_t{16} << 10);
    std::vector<std::byte> const incoming(outgoing.size());
    return {MPI_COMM_WORLD, outgoing, incoming, longest_copied, slot_bytes};
}

bool is_the_same_on_all_ranks(bool here) {
    std::array both{here ? 1 : 0, here ? 0 : 1};
    MPI_Allreduce(MPI_IN_PLACE, both.data(), 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return both[0] + both[1] == 1;
}

}  // namespace

BOOST_AUTO_TEST_CASE(they_are_made_where_they_are_wanted_and_possible) {
    auto const never = found("never");
    BOOST_TEST(!never.are_possible());
    BOOST_TEST(never.shortest(true) == never_shorter);
    auto const always = found("always");
    BOOST_TEST(always.shortest(true) == (always.are_possible() ? longest_copied + 1 : never_shorter));
    BOOST_TEST(always.shortest(false) == always.shortest(true));
    auto const measured = found("automatic");
    BOOST_TEST(measured.are_possible() == always.are_possible());
    BOOST_TEST(measured.shortest(false) == never_shorter);
    BOOST_TEST(is_the_same_on_all_ranks(measured.shortest(true) == never_shorter));
    BOOST_TEST(is_the_same_on_all_ranks(measured.shortest(true) == longest_copied + 1));
    if (measured.shortest(true) != never_shorter) { BOOST_TEST(measured.shortest(true) <= slot_bytes + 1); }
    if (support::world_size() == 1) { BOOST_TEST(measured.shortest(true) == never_shorter); }
}

// One rank alone may forbid them.
BOOST_AUTO_TEST_CASE(all_ranks_say_the_same) {
    auto const some = found(support::world_rank() == 0 ? "never" : "always");
    BOOST_TEST(!some.are_possible());
    BOOST_TEST(some.shortest(true) == never_shorter);
}

BOOST_AUTO_TEST_CASE(the_memory_of_each_rank_can_be_read) {
    auto const all = found("always");
    if (!all.are_possible()) { return; }
    std::int64_t const mine = 1000 + support::world_rank();
    std::vector<std::int64_t> addresses(static_cast<std::size_t>(support::world_size()));
    auto const here = static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(&mine));
    MPI_Allgather(&here, 1, MPI_INT64_T, addresses.data(), 1, MPI_INT64_T, MPI_COMM_WORLD);
    for (int rank = 0; rank != support::world_size(); ++rank) {
        std::int64_t read = 0;
        auto const at = static_cast<std::uint64_t>(addresses[static_cast<std::size_t>(rank)]);
        BOOST_TEST(all.of(rank).try_read(at, std::as_writable_bytes(std::span{&read, 1})));
        BOOST_TEST(read == 1000 + rank);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

// By a filter of system calls, after ranks have agreed that they read each other's memory.
BOOST_AUTO_TEST_CASE(memory_is_still_read_by_a_process_that_forbids_itself_the_usual_way) {
    constexpr int due = 42;
    int value = due;
    auto const child = fork();
    if (child == 0) {
        value = 0;
        tutti::mpi::node::peer_memory const parent{getppid()};
        auto const read = [&] {
            int found = 0;
            auto const at = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(&value));
            return parent.try_read(at, std::as_writable_bytes(std::span{&found, 1})) && found == due;
        };
        if (!read()) { _exit(0); }  // the kernel lets no process read another's
        std::array<sock_filter, 4> filter{
            {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_readv, 0, 1),
             BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)}};
        sock_fprog const all{filter.size(), filter.data()};
        bool const is_forbidden =
            prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &all) == 0;
        _exit(is_forbidden && !read() ? 1 : 0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    BOOST_TEST(status == 0);
}

// As that of devices: the processor reads it, and the kernel does not for another process.
BOOST_AUTO_TEST_CASE(memory_that_the_kernel_does_not_read_goes_through_slots) {
    constexpr std::size_t n = 100'000;
    int const file = static_cast<int>(syscall(447, 0));                 // memfd_secret
    if (file < 0 || ftruncate(file, n * sizeof(int)) != 0) { return; }  // not every kernel has it
    auto* const memory = mmap(nullptr, n * sizeof(int), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    BOOST_TEST_REQUIRE((memory != MAP_FAILED));
    support::single_copies const always{"always"};
    tutti::mpi::shared_memory const world{MPI_COMM_WORLD};
    std::span const secret{static_cast<int*>(memory), n};
    std::iota(secret.begin(), secret.end(), support::world_rank());
    tutti::broadcast(world, secret, 0);
    BOOST_TEST(secret[n - 1] == static_cast<int>(n) - 1);
    std::vector<int> sum(n);
    tutti::all_reduce(world, secret, sum, std::plus<>{});
    BOOST_TEST(sum[7] == 7 * support::world_size());
    munmap(memory, n * sizeof(int));
    close(file);
}

BOOST_AUTO_TEST_SUITE_END()
