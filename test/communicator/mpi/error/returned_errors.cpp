// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/mpi_world.hpp>

#include <array>

#include <mpi.h>

#include <tutti/communicator/mpi/error.hpp>

BOOST_AUTO_TEST_SUITE(communicator_mpi_error_returned_errors)

namespace {

/// A communicator that returns errors, as tutti's do.
class all_ranks {
public:
    all_ranks() {
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    }
    all_ranks(all_ranks const&) = delete;
    all_ranks& operator=(all_ranks const&) = delete;
    ~all_ranks() { MPI_Comm_free(&comm); }
    MPI_Comm comm = MPI_COMM_NULL;
};

/// The class of the error that a message from the rank before gives which is longer than expected. Of one rank alone
/// there is no such message: Open MPI says nothing of one to oneself.
int error_of_a_long_message(MPI_Comm comm) {
    if (support::world_size() == 1) { return MPI_ERR_TRUNCATE; }
    int const size = support::world_size();
    int const rank = support::world_rank();
    std::array<int, 4> const sent{};
    int room = 0;
    std::array<MPI_Request, 2> requests{};
    MPI_Irecv(&room, 1, MPI_INT, (rank + size - 1) % size, 1, comm, &requests[0]);
    MPI_Isend(sent.data(), 4, MPI_INT, (rank + 1) % size, 1, comm, &requests[1]);
    int result = MPI_SUCCESS;
    for (int done = 0; done != 2; ++done) {
        int index = MPI_UNDEFINED;
        int const code = MPI_Waitany(2, requests.data(), &index, MPI_STATUS_IGNORE);
        if (code == MPI_SUCCESS) { continue; }
        MPI_Error_class(code, &result);
        if (index != MPI_UNDEFINED && requests[static_cast<std::size_t>(index)] != MPI_REQUEST_NULL) {
            MPI_Request_free(&requests[static_cast<std::size_t>(index)]);  // Open MPI leaves it
        }
    }
    return result;
}

void ignore_it(MPI_Comm* /*where*/, int* /*code*/, ...) {}

MPI_Errhandler handler_of(MPI_Comm comm) {
    MPI_Errhandler result;
    MPI_Comm_get_errhandler(comm, &result);
    return result;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_error_of_a_message_is_returned) {
    all_ranks const all;
    tutti::mpi::returned_errors const scope;
    BOOST_TEST(error_of_a_long_message(all.comm) == MPI_ERR_TRUNCATE);
}

BOOST_AUTO_TEST_CASE(scopes_nest) {
    all_ranks const all;
    tutti::mpi::returned_errors const outer;
    { tutti::mpi::returned_errors const inner; }
    BOOST_TEST(error_of_a_long_message(all.comm) == MPI_ERR_TRUNCATE);
}

BOOST_AUTO_TEST_CASE(the_users_handlers_are_back_at_the_end) {
    for (MPI_Comm const comm : {MPI_COMM_WORLD, MPI_COMM_SELF}) {
        auto const before = handler_of(comm);
        MPI_Errhandler mine;
        MPI_Comm_create_errhandler(ignore_it, &mine);
        MPI_Comm_set_errhandler(comm, mine);
        {
            tutti::mpi::returned_errors const outer;
            tutti::mpi::returned_errors const inner;
        }
        BOOST_TEST((handler_of(comm) == mine));
        MPI_Comm_set_errhandler(comm, before);
    }
}

BOOST_AUTO_TEST_SUITE_END()
