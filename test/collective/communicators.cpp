// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#define BOOST_TEST_MODULE collective.communicators
#include <support/mpi_main.hpp>

#include <functional>
#include <string>
#include <vector>

#include <tutti/collective/all_reduce.hpp>
#include <tutti/collective/barrier.hpp>
#include <tutti/collective/broadcast.hpp>
#include <tutti/collective/reduce.hpp>
#include <tutti/communicator/mpi.hpp>
#include <tutti/generator/reduce.hpp>

namespace {

std::plus<> plus;

int rank_in(MPI_Comm comm) {
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    return rank;
}

int size_of(MPI_Comm comm) {
    int size = 0;
    MPI_Comm_size(comm, &size);
    return size;
}

}  // namespace

BOOST_AUTO_TEST_CASE(parts_of_a_communicator) {
    for (int round = 0; round != 20; ++round) {
        int const rank = support::world_rank();
        MPI_Comm part = MPI_COMM_NULL;
        MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &part);
        BOOST_TEST(tutti::all_reduce(part, 1, plus) == size_of(part));
        int highest = rank;
        tutti::broadcast(part, highest, 0);
        BOOST_TEST(highest == support::world_size() - 1 - (support::world_size() - 1 - rank) % 2);
        BOOST_TEST(tutti::all_reduce(MPI_COMM_WORLD, 1, plus) == support::world_size());
        MPI_Comm_free(&part);
    }
    BOOST_TEST(tutti::mpi::communicator::alive() <= 1);
}

BOOST_AUTO_TEST_CASE(two_communicators_at_once) {
    MPI_Comm other = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    int const size = support::world_size();
    std::vector<int> const in(1000, 1);
    std::vector<int> here(1000);
    std::vector<int> there(1000);
    {
        auto first = tutti::plan::all_reduce(MPI_COMM_WORLD, in, here, plus, tutti::pipeline{.segments = 7});
        auto second = tutti::plan::reduce(other, in, there, plus, size - 1);
        for (int round = 0; round != 10; ++round) {
            first.start();
            second.start();
            // each makes progress only while its own communicator is waited for, so the order is the same for all
            if (round % 2 == 0) {
                first.wait();
                second.wait();
            } else {
                second.wait();
                first.wait();
            }
            BOOST_TEST(here == std::vector<int>(1000, size));
            if (support::world_rank() == size - 1) { BOOST_TEST(there == std::vector<int>(1000, size)); }
        }
    }
    MPI_Comm_free(&other);
}

BOOST_AUTO_TEST_CASE(a_rank_alone) {
    std::vector<int> const in{1, 2, 3};
    std::vector<int> out(3);
    tutti::all_reduce(MPI_COMM_SELF, in, out, plus);
    BOOST_TEST(out == in);
    tutti::barrier(MPI_COMM_SELF);
}

// Tags and wildcards of the user do not meet tutti's messages.
BOOST_AUTO_TEST_CASE(messages_of_the_user_stay_apart) {
    int const size = support::world_size();
    int const rank = support::world_rank();
    int token = rank;
    int got = -1;
    MPI_Request any = MPI_REQUEST_NULL;
    MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &any);
    for (int i = 0; i != 10; ++i) { BOOST_TEST(tutti::all_reduce(MPI_COMM_WORLD, 1, plus) == size); }
    BOOST_TEST(got == -1);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Send(&token, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD);
    MPI_Wait(&any, MPI_STATUS_IGNORE);
    BOOST_TEST(got == (rank + size - 1) % size);
}

// Ranks that disagree, on a communicator of its own each time. Messages may be left over: the communicator is not
// freed, since the next one would be taken for it.
class disagreement {
public:
    disagreement() {
        MPI_Comm_dup(MPI_COMM_WORLD, &world);
        tutti::barrier(world);
    }
    disagreement(disagreement const&) = delete;
    disagreement& operator=(disagreement const&) = delete;
    ~disagreement() { tutti::barrier(MPI_COMM_WORLD); }
    MPI_Comm world = MPI_COMM_NULL;
};

BOOST_AUTO_TEST_CASE(somebody_gives_too_few_elements) {
    disagreement at;
    std::vector<int> const in(rank_in(at.world) == 1 ? 2 : 3, 1);
    std::vector<int> out(in.size());
    auto const call = [&] { tutti::reduce(at.world, in, out, plus, 0, tutti::linear{}); };
    if (support::world_rank() == 0 && support::world_size() > 1) {
        BOOST_CHECK_EXCEPTION(call(), tutti::count_mismatch, [](auto const& wrong) {
            return std::string{wrong.what()} == "tutti: rank 1 sent 2 elements where 3 were expected; give every rank "
                                                "the same number of elements and the same algorithm";
        });
    } else {
        BOOST_CHECK_NO_THROW(call());
    }
}

BOOST_AUTO_TEST_CASE(somebody_gives_too_many_elements) {
    disagreement at;
    std::vector<int> const in(rank_in(at.world) == 1 ? 4 : 3, 1);
    std::vector<int> out(in.size());
    auto const call = [&] { tutti::reduce(at.world, in, out, plus, 0, tutti::linear{}); };
    if (support::world_rank() == 0 && support::world_size() > 1) {
        BOOST_CHECK_EXCEPTION(call(), tutti::mpi::error, [](auto const& wrong) {
            return std::string{wrong.what()}.find("longer than its receiver expected") != std::string::npos;
        });
    } else {
        BOOST_CHECK_NO_THROW(call());
    }
}

BOOST_AUTO_TEST_CASE(a_plan_whose_message_was_refused_does_not_run_for_ever) {
    disagreement at;
    std::vector<int> both(rank_in(at.world) == 0 ? 4 : 3, 1);
    auto plan = tutti::plan::broadcast(at.world, both, 0, tutti::linear{});
    plan.start();
    auto const test = [&] {
        while (!plan.test()) {}
    };
    if (support::world_rank() != 0) {
        BOOST_CHECK_THROW(test(), tutti::mpi::error);
    } else {
        BOOST_CHECK_NO_THROW(test());
    }
}
