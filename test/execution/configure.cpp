// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/mpi_world.hpp>

#include <functional>
#include <stdexcept>
#include <vector>

#include <tutti/collective/all_reduce.hpp>
#include <tutti/communicator/mpi.hpp>
#include <tutti/communicator/mpi/duplicates.hpp>
#include <tutti/communicator/threads.hpp>
#include <tutti/execution/configure.hpp>
#include <tutti/generator/all.hpp>

namespace {

struct sends {
    int standard = 0;  // with elements
    int without_elements = 0;
    int ready = 0;
    friend bool operator==(sends const&, sends const&) = default;
};

sends seen;

}  // namespace

// MPI's profiling interface: what the library really calls.
extern "C" int MPI_Isend(void const* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                         MPI_Request* request) {
    ++(count != 0 ? seen.standard : seen.without_elements);
    return PMPI_Isend(data, count, type, to, tag, comm, request);
}
extern "C" int MPI_Irsend(void const* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                          MPI_Request* request) {
    ++seen.ready;
    return PMPI_Irsend(data, count, type, to, tag, comm, request);
}

namespace {

std::plus<> plus;

/// Whatever the environment says.
void by_mpi(MPI_Comm world) { tutti::configure(world, {.shared_memory = tutti::memory_sharing::never}); }

/// What this rank sends in an all_reduce along the ring.
sends in_a_ring(MPI_Comm world) {
    std::vector<int> both(64, 1);
    seen = {};
    tutti::all_reduce(world, tutti::inplace(both), plus, tutti::ring{});
    BOOST_TEST(both == std::vector<int>(64, support::world_size()), boost::test_tools::per_element());
    return seen;
}

}  // namespace

// program: alone on MPI
BOOST_AUTO_TEST_SUITE(execution_configure)

BOOST_AUTO_TEST_CASE(a_configured_communicator_sends_all_data_in_ready_mode) {
    int const messages = 2 * (support::world_size() - 1);
    int const clear_to_sends = support::world_size() > 1 ? 1 : 0;
    sends const standard{messages, 0, 0};
    sends const ready{0, clear_to_sends, messages};

    by_mpi(MPI_COMM_WORLD);
    BOOST_TEST((in_a_ring(MPI_COMM_WORLD) == standard));
    tutti::configure(MPI_COMM_WORLD, tutti::execution{.ready_mode = true});
    BOOST_TEST((in_a_ring(MPI_COMM_WORLD) == ready));
    BOOST_TEST((in_a_ring(MPI_COMM_WORLD) == ready));

    // a choice is one communicator's own
    MPI_Comm other = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    by_mpi(other);
    BOOST_TEST((in_a_ring(other) == standard));
    tutti::configure(MPI_COMM_WORLD, tutti::execution{});
    tutti::configure(other, {.ready_mode = true});
    BOOST_TEST((in_a_ring(MPI_COMM_WORLD) == standard));
    BOOST_TEST((in_a_ring(other) == ready));
    MPI_Comm_free(&other);
}

BOOST_AUTO_TEST_CASE(a_plan_follows_the_choice_when_it_starts) {
    int const messages = 2 * (support::world_size() - 1);
    std::vector<int> both(64, 1);
    by_mpi(MPI_COMM_WORLD);
    auto plan = tutti::plan::all_reduce(MPI_COMM_WORLD, tutti::inplace(both), plus, tutti::ring{});
    for (bool const wanted : {true, false, true, true}) {
        tutti::configure(MPI_COMM_WORLD, tutti::execution{.ready_mode = wanted});
        seen = {};
        plan.start();
        tutti::configure(MPI_COMM_WORLD, tutti::execution{.ready_mode = !wanted});
        plan.wait();
        BOOST_TEST(seen.ready == (wanted ? messages : 0));
    }
    tutti::configure(MPI_COMM_WORLD, {});
}

BOOST_AUTO_TEST_CASE(messages_go_through_memory_where_that_is_chosen) {
    MPI_Comm world = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &world);
    int const messages = 2 * (support::world_size() - 1);
    bool const possible = tutti::communicator_of<MPI_Comm>::get(world).share_memory(true);
    tutti::configure(world, tutti::execution{.shared_memory = tutti::memory_sharing::never});
    BOOST_TEST(in_a_ring(world).standard == messages);
    tutti::configure(world, tutti::execution{.shared_memory = tutti::memory_sharing::always});
    BOOST_TEST(in_a_ring(world).standard == (possible ? 0 : messages));
    tutti::configure(world, tutti::execution{});
    BOOST_TEST(in_a_ring(world).standard == (possible ? 0 : messages));
    MPI_Comm_free(&world);
}

BOOST_AUTO_TEST_CASE(ready_mode_of_ranks_that_have_none_is_refused) {
    tutti::threads::run(2, [](auto& world) {
        tutti::configure(world, tutti::execution{.check_calls = true});
        try {
            tutti::configure(world, tutti::execution{.ready_mode = true});
        } catch (std::invalid_argument const&) { return; }
        throw std::runtime_error{"ready mode was not refused"};
    });
}

BOOST_AUTO_TEST_CASE(options_are_values) {
    tutti::execution const chosen{.ready_mode = true};
    auto copy = chosen;
    BOOST_TEST((copy == chosen));
    copy = {};
    BOOST_TEST((copy == tutti::execution{} && copy != chosen && !copy.ready_mode));
}

BOOST_AUTO_TEST_SUITE_END()
