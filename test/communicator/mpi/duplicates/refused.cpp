// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/mpi_world.hpp>

#include <functional>

#include <tutti/collective/all_reduce.hpp>
#include <tutti/communicator/mpi.hpp>
#include <tutti/communicator/mpi/duplicates.hpp>

namespace {

enum class limited { nothing, keys, communicators, splits, attributes };
limited refused = limited::nothing;
int refusals = 0;

/// To the last rank alone.
bool refuses(limited which) {
    if (which != refused || support::world_rank() != support::world_size() - 1) { return false; }
    ++refusals;
    return true;
}

}  // namespace

// MPI's profiling interface: what the library really calls.
extern "C" int MPI_Comm_create_keyval(MPI_Comm_copy_attr_function* copy, MPI_Comm_delete_attr_function* end, int* key,
                                      void* extra) {
    if (refuses(limited::keys)) { return MPI_ERR_OTHER; }
    return PMPI_Comm_create_keyval(copy, end, key, extra);
}
extern "C" int MPI_Comm_create(MPI_Comm ranks, MPI_Group group, MPI_Comm* made) {
    int const code = PMPI_Comm_create(ranks, group, made);
    return refuses(limited::communicators) ? MPI_ERR_OTHER : code;
}
extern "C" int MPI_Comm_split_type(MPI_Comm ranks, int type, int key, MPI_Info info, MPI_Comm* node) {
    int const code = PMPI_Comm_split_type(ranks, type, key, info, node);
    return refuses(limited::splits) ? MPI_ERR_OTHER : code;
}
extern "C" int MPI_Comm_set_attr(MPI_Comm ranks, int key, void* value) {
    // that of MPI_COMM_SELF says on one rank alone what is about to be done
    if (ranks != MPI_COMM_SELF && refuses(limited::attributes)) { return MPI_ERR_OTHER; }
    return PMPI_Comm_set_attr(ranks, key, value);
}

// program: alone on MPI
BOOST_AUTO_TEST_SUITE(communicator_mpi_duplicates_refused)

namespace {

int sum_of_ones(MPI_Comm world) {
    int sum = 0;
    tutti::all_reduce(world, 1, sum, std::plus<>{});
    return sum;
}

void refuse(limited which, MPI_Comm world) {
    refused = which;
    refusals = 0;
    BOOST_CHECK_THROW(static_cast<void>(sum_of_ones(world)), tutti::mpi::error);
    BOOST_TEST(refusals == (support::world_rank() == support::world_size() - 1 ? 1 : 0));
    refused = limited::nothing;
    BOOST_TEST(sum_of_ones(world) == support::world_size());
}

}  // namespace

// Keys first: they are made once.
BOOST_AUTO_TEST_CASE(what_one_rank_is_refused_is_an_error_on_all_and_the_next_call_works) {
    for (auto const which : {limited::keys, limited::communicators, limited::splits, limited::attributes}) {
        auto own = MPI_COMM_NULL;
        MPI_Comm_dup(MPI_COMM_WORLD, &own);
        refuse(which, own);
        MPI_Comm_free(&own);
    }
}

BOOST_AUTO_TEST_CASE(so_it_is_for_all_ranks_of_the_program) { refuse(limited::communicators, MPI_COMM_WORLD); }

BOOST_AUTO_TEST_SUITE_END()
