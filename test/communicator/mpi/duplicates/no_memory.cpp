// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/mpi_world.hpp>

#include <array>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <new>
#include <optional>

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

/// Whether `action` throws: on all ranks, or on none.
template <class Action>
bool is_refused(Action action) {
    std::array<int, 2> thrown{};
    try {
        action();
    } catch (std::exception const&) { thrown = {1, 1}; }
    until_refused = 0;
    thrown[1] = 1 - thrown[1];
    MPI_Allreduce(MPI_IN_PLACE, thrown.data(), 2, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    BOOST_TEST(thrown[0] + thrown[1] == 1);
    return thrown[0] == 1;
}

/// Refuses one rank the first allocation of `action`, its second, and so on, until it has no more. `action` is given a
/// communicator and whether an allocation may fail.
template <class Action>
void refuse_each(Action action) {
    for (int const refused : {0, support::world_size() - 1}) {
        for (int n = 1;; ++n) {
            auto own = MPI_COMM_NULL;
            MPI_Comm_dup(MPI_COMM_WORLD, &own);
            if (support::world_rank() == refused) { until_refused = n; }
            action(own);
            int is_left = until_refused != 0 ? 1 : 0;
            until_refused = 0;
            MPI_Bcast(&is_left, 1, MPI_INT, refused, MPI_COMM_WORLD);
            BOOST_TEST(tutti::all_reduce(own, 1, std::plus<>{}) == support::world_size());
            MPI_Comm_free(&own);
            if (is_left != 0) {
                BOOST_TEST(n > 5);
                break;
            }
        }
    }
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_one_rank_cannot_allocate_is_an_error_on_all_and_the_next_call_works) {
    refuse_each([](MPI_Comm own) {
        auto const left = until_refused;
        static_cast<void>(is_refused([&] { static_cast<void>(tutti::mpi::duplicates::find_or_make(own)); }));
        until_refused = left;
    });
}

BOOST_AUTO_TEST_SUITE_END()
