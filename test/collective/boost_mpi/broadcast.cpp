// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/mpi_world.hpp>

#include <cstddef>
#include <list>
#include <string>
#include <vector>

#include <boost/mpi/communicator.hpp>
#include <boost/serialization/list.hpp>
#include <support/boost_mpi_values.hpp>

#include <tutti/boost_mpi.hpp>
#include <tutti/combinator/reverse.hpp>
#include <tutti/generator/linear.hpp>

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

BOOST_AUTO_TEST_CASE(containers_become_as_large_as_the_roots) {
    communicator const comm;
    support::for_each_value([&](auto value) {
        using values = std::vector<decltype(value(0))>;
        for (int root = 0; root != comm.size(); ++root) {
            for (auto const n : std::vector<std::size_t>{0, 1, 3, 7'000}) {
                auto const expected = values(n, value(root));
                values result;  // shorter than that of the root
                if (comm.rank() == root) { result = expected; }
                broadcast(comm, result, root);
                BOOST_TEST((result == expected));
                if (comm.rank() != root) { result.assign(9'000, value(root)); }  // longer, on the second time
                broadcast(comm, result, root, tutti::reverse(tutti::linear{}));
                BOOST_TEST((result == expected));
                if (comm.rank() == root) {  // which may be const
                    broadcast(comm, expected, root);
                } else {
                    result.clear();
                    broadcast(comm, result, root);
                    BOOST_TEST((result == expected));
                }
            }
        }
    });
}

BOOST_AUTO_TEST_CASE(a_plan_leaves_sizes_alone) {
    communicator const comm;
    std::vector<int> values(3, comm.rank());
    tutti::async::broadcast(comm, values, 0).wait();
    BOOST_TEST((values == std::vector<int>(3, 0)));
}

BOOST_AUTO_TEST_CASE(integers) { broadcast_from_every_root(17); }

BOOST_AUTO_TEST_CASE(values_of_the_user) {
    broadcast_from_every_root(support::location{39, 16, 20});
    broadcast_from_every_root(support::boxed{26});
}

BOOST_AUTO_TEST_CASE(strings) { broadcast_from_every_root(std::string{"Rosie"}); }

BOOST_AUTO_TEST_CASE(lists) { broadcast_from_every_root(std::list<std::string>{"Hello", "MPI", "World"}); }

BOOST_AUTO_TEST_SUITE_END()
