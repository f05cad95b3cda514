// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>

#include <support/ranks.hpp>

namespace support {

/// Calls `body(world)` on every rank of a communicator whose messages have at most `bytes` bytes.
template <class Body>
void on_ranks_with_limit(std::size_t bytes, Body body) {
#if defined(TUTTI_TEST_OVER_BOOST_MPI) || defined(TUTTI_TEST_OVER_MPI)
    on_ranks([&](auto& world) {
        MPI_Comm other = MPI_COMM_NULL;
        MPI_Comm_dup(world, &other);
        tutti::communicator_of<MPI_Comm>::get(other).message_limit(bytes);
#if defined(TUTTI_TEST_OVER_BOOST_MPI)
        {
            boost::mpi::communicator limited{other, boost::mpi::comm_attach};
            body(limited);
        }
#else
        body(other);
#endif
        MPI_Comm_free(&other);
    });
#elif defined(TUTTI_TEST_OVER_SHARED_MEMORY)
    on_ranks([&](auto& world) {
        world.message_limit(bytes);  // made for this call alone
        body(world);
    });
#else
    for (int const size : {1, 2, 3, 7}) { tutti::threads::run(size, body, {.message_limit = bytes}); }
    BOOST_TEST(true);
#endif
}

}  // namespace support
