// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/mpi_world.hpp>

#include <vector>

#include <boost/mpi/communicator.hpp>
#include <support/boost_mpi_values.hpp>

#include <tutti/boost_mpi.hpp>
#include <tutti/generator/all.hpp>

BOOST_AUTO_TEST_SUITE(collective_boost_mpi_reduce)

using boost::mpi::communicator;
using tutti::inplace;
using tutti::reduce;

BOOST_AUTO_TEST_CASE(values_to_every_root) {
    communicator const comm;
    support::for_all_kinds([&](auto value, auto op) {
        auto const mine = value(comm.rank());
        for (int root = 0; root != comm.size(); ++root) {
            if (comm.rank() == root) {
                auto result = value(0);
                reduce(comm, mine, result, op, root);
                BOOST_TEST(result == support::reduced(comm.size(), value, op));
            } else {
                reduce(comm, mine, op, root);
            }
        }
    });
}

BOOST_AUTO_TEST_CASE(pointer_and_count_to_every_root) {
    communicator const comm;
    support::for_all_kinds([&](auto value, auto op) {
        std::vector const mine(10, value(comm.rank()));
        for (int root = 0; root != comm.size(); ++root) {
            if (comm.rank() == root) {
                std::vector result(10, value(0));
                reduce(comm, mine.data(), 10, result.data(), op, root);
                BOOST_TEST((result == std::vector(10, support::reduced(comm.size(), value, op))));
            } else {
                reduce(comm, mine.data(), 10, op, root);
            }
        }
    });
}

BOOST_AUTO_TEST_CASE(in_place) {
    communicator const comm;
    support::for_all_kinds([&](auto value, auto op) {
        int const root = comm.size() - 1;
        std::vector both(10, value(comm.rank()));
        reduce(comm, inplace(&both[0]), static_cast<int>(both.size()), op, root);
        auto one = value(comm.rank());
        reduce(comm, inplace(one), op, root);
        if (comm.rank() == root) {
            BOOST_TEST((both == std::vector(10, support::reduced(comm.size(), value, op))));
            BOOST_TEST(one == support::reduced(comm.size(), value, op));
        }
    });
}

BOOST_AUTO_TEST_CASE(what_the_user_told_boost_mpi_holds) {
    using plus = std::plus<support::boxed>;
    static_assert(tutti::operators::is_commutative_v<plus, support::boxed>);
    static_assert(!tutti::operators::is_commutative_v<std::plus<support::location>, support::location>);
    static_assert(tutti::travels_as_bytes<support::location> && !tutti::travels_as_bytes<support::boxed>);
    communicator const comm;
    // an algorithm for commutative operators only
    support::boxed result;
    reduce(comm, support::boxed{1}, result, plus{}, 0, tutti::uni_greedy{});
    if (comm.rank() == 0) { BOOST_TEST(result == support::boxed{comm.size()}); }
}

BOOST_AUTO_TEST_SUITE_END()
