// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/mpi_world.hpp>

#include <array>
#include <concepts>
#include <span>
#include <stdexcept>
#include <vector>

#include <boost/mpi/cartesian_communicator.hpp>
#include <boost/mpi/communicator.hpp>

#include <support/sentences.hpp>
#include <tutti/communicator/boost_mpi.hpp>
#include <tutti/communicator/mpi/duplicates.hpp>

BOOST_AUTO_TEST_SUITE(communicator_boost_mpi)

namespace {

auto& tutti_of(auto const& world) { return tutti::communicator_of<std::remove_cvref_t<decltype(world)>>::get(world); }

}  // namespace

static_assert(tutti::world<boost::mpi::communicator>);
static_assert(tutti::world<boost::mpi::cartesian_communicator const>);

BOOST_AUTO_TEST_CASE(it_is_the_communicator_of_the_mpi_communicator_inside) {
    boost::mpi::communicator const world;
    auto& comm = tutti_of(world);
    static_assert(std::same_as<decltype(comm), tutti::mpi::communicator&>);
    BOOST_TEST(&comm == &tutti::communicator_of<MPI_Comm>::get(MPI_COMM_WORLD));
    BOOST_TEST(comm.rank() == world.rank());
    BOOST_TEST(comm.size() == world.size());
    auto const copy = world;
    BOOST_TEST(&tutti_of(copy) == &comm);
}

BOOST_AUTO_TEST_CASE(boosts_messages_and_ours_do_not_meet) {
    boost::mpi::communicator const world;
    auto& comm = tutti_of(world);
    auto const next = (comm.rank() + 1) % comm.size();
    auto const previous = (comm.rank() + comm.size() - 1) % comm.size();
    auto const tag = comm.new_tag();
    std::vector<int> const ours{1000 + comm.rank()};
    std::vector<int> received{-1};
    std::array requests{comm.send(next, tag, std::as_bytes(std::span{ours})), comm.inactive()};

    auto sending = world.isend(next, tag, comm.rank());
    int theirs = -1;
    world.recv(boost::mpi::any_source, boost::mpi::any_tag, theirs);
    BOOST_TEST(theirs == previous);
    sending.wait();

    requests[1] = comm.receive(previous, tag, std::as_writable_bytes(std::span{received}));
    std::array<tutti::completion, 2> done;
    while (comm.wait_some(requests, done) != 0) {}
    BOOST_TEST(received[0] == 1000 + previous);
}

BOOST_AUTO_TEST_CASE(the_duplicate_ends_with_the_last_copy) {
    auto const before = tutti::mpi::communicator::alive();
    {
        auto const half = boost::mpi::communicator{}.split(support::world_rank() % 2);
        BOOST_TEST(tutti_of(half).size() == half.size());
        auto const copy = half;
        BOOST_TEST(&tutti_of(copy) == &tutti_of(half));
        BOOST_TEST(tutti::mpi::communicator::alive() == before + 1);
    }
    BOOST_TEST(tutti::mpi::communicator::alive() == before);
}

BOOST_AUTO_TEST_CASE(derived_communicators_are_worlds) {
    boost::mpi::communicator const world;
    std::vector const dimensions{boost::mpi::cartesian_dimension{world.size(), true}};
    boost::mpi::cartesian_communicator const ring{world, dimensions};
    BOOST_TEST(tutti_of(ring).size() == world.size());
}

BOOST_AUTO_TEST_CASE(a_null_communicator_is_refused) {
    boost::mpi::communicator const none{MPI_COMM_NULL, boost::mpi::comm_attach};
    BOOST_CHECK_EXCEPTION(tutti_of(none), std::invalid_argument,
                          support::says("tutti: the communicator is MPI_COMM_NULL; "
                                        "only ranks of a communicator make calls on it"));
}

BOOST_AUTO_TEST_SUITE_END()
