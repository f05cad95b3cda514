// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/mpi_world.hpp>

#include <array>
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <functional>
#include <new>
#include <utility>

#include <tutti/collective/all_reduce.hpp>
#include <tutti/communicator/mpi.hpp>
#include <tutti/communicator/mpi/duplicates.hpp>
#include <tutti/communicator/mpi/shared_vector.hpp>

namespace {

int until_refused = 0;  // allocations up to the one that is refused; 0: none

}  // namespace

// What the library allocates by.
void* operator new(std::size_t bytes) {
    auto* const memory = until_refused == 1 ? nullptr : std::malloc(bytes == 0 ? 1 : bytes);
    if (until_refused > 0) { --until_refused; }
    if (memory == nullptr) { throw std::bad_alloc{}; }
    return memory;
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

BOOST_AUTO_TEST_SUITE(communicator_mpi_duplicates_no_memory)

namespace {

/// Refuses one rank the first allocation of `action(communicator)`, its second, and so on, until it has no more.
/// `action` returns the same on all ranks, or throws on all.
template <class Action>
void refuse_each(Action action) {
    for (int const refused : {0, support::world_size() - 1}) {
        int n = 0;
        for (int is_left = 0; is_left == 0;) {
            auto own = MPI_COMM_NULL;
            MPI_Comm_dup(MPI_COMM_WORLD, &own);
            constexpr int has_thrown = 2;
            int outcome = has_thrown;
            until_refused = support::world_rank() == refused ? ++n : 0;
            try {
                outcome = action(own) ? 1 : 0;
            } catch (std::exception const&) {}
            is_left = std::exchange(until_refused, 0) != 0 ? 1 : 0;
            std::array outcomes{outcome, -outcome};
            MPI_Allreduce(MPI_IN_PLACE, outcomes.data(), 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
            BOOST_TEST(outcomes[0] == -outcomes[1]);
            MPI_Bcast(&is_left, 1, MPI_INT, refused, MPI_COMM_WORLD);
            BOOST_TEST(tutti::all_reduce(own, 1, std::plus<>{}) == support::world_size());
            MPI_Comm_free(&own);
        }
        BOOST_TEST((support::world_size() == 1 || n == 0 || n > 1));  // something was refused
    }
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_one_rank_cannot_allocate_is_an_error_on_all_or_a_slower_way_and_the_next_call_works) {
    refuse_each([](MPI_Comm own) { return tutti::mpi::duplicates::find_or_make(own).share_memory(true); });
}

BOOST_AUTO_TEST_CASE(nor_does_any_other_rank_get_memory_that_its_node_reads) {
    refuse_each([](MPI_Comm own) { return tutti::mpi::shared_vector<int>{own, 1000}.size() == 1000; });
}

BOOST_AUTO_TEST_SUITE_END()
