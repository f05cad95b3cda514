// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/mpi_world.hpp>

#include <array>
#include <cstddef>
#include <cstdlib>
#include <mpi.h>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <support/mpi_messages.hpp>
#include <support/sentences.hpp>
#include <sys/mman.h>
#include <tutti/communicator/mpi/communicator.hpp>
#include <tutti/communicator/mpi/progress.hpp>

BOOST_AUTO_TEST_SUITE(communicator_mpi_progress)

using namespace point_to_point;

namespace {

/// The same ranks twice: messages of one go through memory, those of the other by MPI.
struct two_ways {
    tutti::mpi::communicator shm{MPI_COMM_WORLD};
    tutti::mpi::communicator mpi{MPI_COMM_WORLD};
    int next = (shm.rank() + 1) % shm.size();
    int previous = (shm.rank() + shm.size() - 1) % shm.size();

    two_ways() { BOOST_TEST_REQUIRE(shm.share_memory(true)); }
};

/// What launchers tell: nothing, or one of them a number.
bool told(char const* by = nullptr, std::string const& ranks = {}) {
    ::unsetenv("OMPI_COMM_WORLD_LOCAL_SIZE");
    ::unsetenv("MPI_LOCALNRANKS");
    if (by) { ::setenv(by, ranks.c_str(), 1); }
    return tutti::mpi::ranks_take_turns();
}

}  // namespace

BOOST_FIXTURE_TEST_CASE(one_waits_for_the_messages_of_both, two_ways) {
    std::vector<int> const sent{shm.rank()};
    for (bool const by_waiting : {true, false}) {
        std::vector<int> came(6, -1);
        std::vector<request> requests;
        for (std::size_t i = 0; i != came.size(); ++i) {
            auto& way = i % 2 == 0 ? shm : mpi;
            requests.push_back(way.receive(previous, 1, std::as_writable_bytes(std::span{came}.subspan(i, 1))));
        }
        for (std::size_t i = 0; i != came.size(); ++i) {
            requests.push_back((i % 2 == 0 ? shm : mpi).send(next, 1, bytes_of(sent)));
        }
        requests.push_back(shm.inactive());
        std::vector<completion> done(requests.size());
        for (std::size_t ended = 0; ended != 2 * came.size();) {
            auto const count = by_waiting ? mpi.wait_some(requests, done) : shm.test_some(requests, done);
            for (auto const& each : std::span{done}.first(count)) {
                BOOST_TEST(each.error == 0);
                BOOST_TEST((requests[each.index] == shm.inactive()));
                if (each.index < came.size()) { BOOST_TEST(each.bytes == sizeof(int)); }
            }
            ended += count;
        }
        BOOST_TEST(came == std::vector<int>(6, previous));
        BOOST_TEST(mpi.wait_some(requests, done) == 0U);
        BOOST_TEST(shm.test_some(requests, done) == 0U);
    }
    std::array<completion, 1> few;
    std::array<request, 2> none;
    BOOST_CHECK_THROW(shm.test_some(none, few), std::invalid_argument);
    BOOST_CHECK_THROW(shm.wait_some(none, few), std::invalid_argument);
}

// More than there is room for, so that senders have to wait for their receivers.
BOOST_FIXTURE_TEST_CASE(many_long_messages_keep_their_order, two_ways) {
    constexpr std::size_t messages = 200;
    auto const length = std::min<std::size_t>(shm.lent_limit(), 40'000) / sizeof(int);
    std::vector<std::vector<int>> sent(messages, std::vector<int>(length));
    std::vector<std::vector<int>> came(messages, std::vector<int>(length));
    std::vector<request> requests;
    for (std::size_t i = 0; i != messages; ++i) {
        std::iota(sent[i].begin(), sent[i].end(), static_cast<int>(i));
        requests.push_back(shm.send(next, 1, bytes_of(sent[i])));
    }
    for (auto& each : came) { requests.push_back(shm.receive(previous, 1, memory_of(each))); }
    wait_all(shm, requests);
    BOOST_TEST((came == sent));
}

BOOST_FIXTURE_TEST_CASE(a_message_that_is_too_long_is_the_error_of_its_receive, two_ways) {
    std::vector<int> const sent{1, 2, 3, 4};
    std::vector<int> little(1);
    std::vector<int> enough(4);
    std::vector<request> requests{shm.receive(previous, 1, memory_of(little)),
                                  shm.receive(previous, 2, memory_of(enough)), shm.send(next, 1, bytes_of(sent)),
                                  shm.send(next, 2, bytes_of(sent))};
    std::vector<completion> done(requests.size());
    while (auto const count = shm.wait_some(requests, done)) {
        for (auto const& each : std::span{done}.first(count)) {
            BOOST_TEST((each.error != 0) == (each.index == 0));
            if (each.error == 0) { continue; }
            BOOST_CHECK_EXCEPTION(shm.raise(each), tutti::mpi::error,
                                  support::mentions("longer than its receiver expected"));
        }
    }
    BOOST_TEST(enough == sent);
}

// Whichever communicator waits.
BOOST_FIXTURE_TEST_CASE(a_message_that_cannot_be_read_is_the_error_of_its_receive, two_ways) {
    constexpr std::size_t bytes = std::size_t{1} << 20;
    if (shm.size() == 1 || shm.lent_limit() < bytes) { return; }  // it is copied before
    auto* const page = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    BOOST_REQUIRE((page != MAP_FAILED));
    std::vector<int> const sent{7};
    std::vector<std::byte> never(bytes);
    std::vector<int> came(1);
    auto const lost = shm.send(next, 1, {static_cast<std::byte const*>(page), bytes});
    auto const sound = mpi.send(next, 2, bytes_of(sent));
    BOOST_REQUIRE(::mprotect(page, bytes, PROT_NONE) == 0);
    MPI_Barrier(MPI_COMM_WORLD);
    std::vector<request> requests{shm.receive(previous, 1, never), mpi.receive(previous, 2, memory_of(came)), lost,
                                  sound};
    std::vector<completion> done(requests.size());
    while (auto const count = mpi.wait_some(requests, done)) {
        for (auto const& each : std::span{done}.first(count)) {
            BOOST_TEST((each.error != 0) == (each.index == 0));
            if (each.error != 0) { BOOST_CHECK_THROW(shm.raise(each), tutti::control::fetch_failed); }
        }
    }
    BOOST_TEST(came == sent);
    ::munmap(page, bytes);
}

// Open MPI ends all that have failed when it tells of one; MPICH leaves the others, and they are given up.
BOOST_FIXTURE_TEST_CASE(several_messages_of_mpi_that_are_too_long, two_ways) {
    if (mpi.size() == 1) { return; }  // Open MPI says nothing of one to oneself
    std::vector<int> const sent{1, 2, 3, 4};
    std::vector<std::vector<int>> little(3, std::vector<int>(1));
    std::vector<request> requests;
    for (auto& each : little) { requests.push_back(mpi.receive(previous, 1, memory_of(each))); }
    for (std::size_t i = 0; i != little.size(); ++i) { wait_all(mpi, {mpi.send(next, 1, bytes_of(sent))}); }
    int waiting = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i != 100; ++i) {  // so that all of them have come, and failed
        MPI_Iprobe(MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &waiting, MPI_STATUS_IGNORE);
    }
    std::vector<completion> done(requests.size());
    auto const count = mpi.wait_some(requests, done);
    BOOST_TEST_REQUIRE(count != 0U);
    for (auto const& each : std::span{done}.first(count)) {
        BOOST_TEST(each.error != 0);
        BOOST_TEST((requests[each.index] == mpi.inactive()));
    }
    for (auto const& each : requests) { mpi.cancel(each); }
}

BOOST_FIXTURE_TEST_CASE(what_is_given_up_is_not_received, two_ways) {
    std::vector<int> const sent{7};
    std::vector<int> never{-1};
    std::vector<int> came{-1};
    shm.cancel(shm.receive(previous, 1, memory_of(never)));
    wait_all(shm, {shm.receive(previous, 1, memory_of(came)), shm.send(next, 1, bytes_of(sent))});
    BOOST_TEST(never.front() == -1);
    BOOST_TEST(came.front() == 7);
}

BOOST_FIXTURE_TEST_CASE(the_way_can_be_changed, two_ways) {
    auto const limit_in_memory = shm.lent_limit();
    BOOST_TEST(limit_in_memory <= mpi.message_limit());
    std::vector<int> const sent(std::min<std::size_t>(limit_in_memory, 40'000) / sizeof(int) + 1, shm.rank());
    BOOST_TEST(shm.message_limit() == mpi.message_limit());
    for (bool const wanted : {false, true, false}) {
        BOOST_TEST(shm.share_memory(wanted) == wanted);
        BOOST_TEST(shm.shares_memory() == wanted);
        BOOST_TEST(shm.lent_limit() == (wanted ? limit_in_memory : mpi.message_limit()));
        for (auto const length : {sent.size() - 1, sent.size()}) {  // the longer one in pieces where that is the limit
            std::vector<int> came(length);
            std::span const some{sent.data(), length};
            wait_all(shm, {shm.receive(previous, 1, memory_of(came)), shm.send(next, 1, std::as_bytes(some))});
            BOOST_TEST(came.back() == previous);
        }
    }
}

BOOST_AUTO_TEST_CASE(more_ranks_than_processors_take_turns) {
    auto const processors = std::thread::hardware_concurrency();
    for (auto const* const launcher : {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS"}) {
        BOOST_TEST(!told(launcher, "1"));
        BOOST_TEST(!told(launcher, std::to_string(processors)));
        BOOST_TEST(told(launcher, std::to_string(processors + 1)));
    }
}

BOOST_AUTO_TEST_CASE(without_a_launcher_no_rank_lets_others_run) {
    BOOST_TEST(!told());
    BOOST_TEST(!told("MPI_LOCALNRANKS", "many"));
}

BOOST_AUTO_TEST_CASE(whoever_waits_is_told_what_has_ended) {
    int const size = support::world_size();
    int const rank = support::world_rank();
    for (bool const taken : {false, true}) {
        tutti::control::backoff how{tutti::mpi::limits_of_looks(taken)};
        auto const nothing_else = [] {};
        int index = -1;
        MPI_Status status;
        std::vector<MPI_Request> requests(3, MPI_REQUEST_NULL);
        BOOST_TEST(tutti::mpi::wait_any(how, requests, index, status, nothing_else) == MPI_SUCCESS);
        BOOST_TEST(index == MPI_UNDEFINED);

        int const sent = 100 + rank;
        int came = -1;
        MPI_Irecv(&came, 1, MPI_INT, (rank + size - 1) % size, 7, MPI_COMM_WORLD, &requests[1]);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Send(&sent, 1, MPI_INT, (rank + 1) % size, 7, MPI_COMM_WORLD);
        BOOST_TEST(tutti::mpi::wait_any(how, requests, index, status, nothing_else) == MPI_SUCCESS);
        BOOST_TEST(index == 1);
        BOOST_TEST(status.MPI_SOURCE == (rank + size - 1) % size);
        BOOST_TEST(came == 100 + (rank + size - 1) % size);
        BOOST_TEST((requests[1] == MPI_REQUEST_NULL));
    }
}

// Who waits in vain looks for other things now and then, and may leave by an exception.
BOOST_AUTO_TEST_CASE(whoever_waits_in_vain_attends_to_other_things) {
    for (bool const taken : {false, true}) {
        tutti::control::backoff how{tutti::mpi::limits_of_looks(taken)};
        int never = 0;
        int calls = 0;
        int index = -1;
        MPI_Status status;
        std::vector<MPI_Request> requests(1, MPI_REQUEST_NULL);
        MPI_Irecv(&never, 1, MPI_INT, 0, 7, MPI_COMM_SELF, requests.data());
        auto const leave_at_third = [&] {
            if (++calls == 3) { throw std::domain_error{"something else"}; }
        };
        BOOST_CHECK_THROW(static_cast<void>(tutti::mpi::wait_any(how, requests, index, status, leave_at_third)),
                          std::domain_error);
        BOOST_TEST(calls == 3);
        MPI_Cancel(requests.data());
        MPI_Wait(requests.data(), MPI_STATUS_IGNORE);
    }
}

BOOST_AUTO_TEST_SUITE_END()
