// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/mpi_world.hpp>

#include <list>
#include <string>
#include <vector>

#include <boost/mpi/communicator.hpp>
#include <boost/serialization/list.hpp>
#include <support/boost_mpi_values.hpp>

#include <tutti/boost_mpi.hpp>

BOOST_AUTO_TEST_SUITE(collective_boost_mpi_broadcast)

using boost::mpi::communicator;
using tutti::broadcast;

namespace {

template <class T>
void broadcast_from_every_root(T const& sent) {
    communicator const comm;
    for (int root = 0; root != comm.size(); ++root) {
        T value{};
        if (comm.rank() == root) { value = sent; }
        broadcast(comm, value, root);
        BOOST_TEST((value == sent));

        std::vector<T> values(3);
        if (comm.rank() == root) { values.assign(3, sent); }
        broadcast(comm, values.data(), 3, root);
        BOOST_TEST((values == std::vector<T>(3, sent)));
    }
}

}  // namespace

BOOST_AUTO_TEST_CASE(integers) { broadcast_from_every_root(17); }

BOOST_AUTO_TEST_CASE(values_of_the_user) {
    broadcast_from_every_root(support::location{39, 16, 20});
    broadcast_from_every_root(support::boxed{26});
}

BOOST_AUTO_TEST_CASE(strings) { broadcast_from_every_root(std::string{"Rosie"}); }

BOOST_AUTO_TEST_CASE(lists) { broadcast_from_every_root(std::list<std::string>{"Hello", "MPI", "World"}); }

BOOST_AUTO_TEST_SUITE_END()
