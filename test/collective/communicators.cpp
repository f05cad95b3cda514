// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/mpi_world.hpp>

#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include <support/sentences.hpp>
#include <tutti/collective/all_reduce.hpp>
#include <tutti/collective/barrier.hpp>
#include <tutti/collective/broadcast.hpp>
#include <tutti/collective/explain.hpp>
#include <tutti/collective/reduce.hpp>
#include <tutti/communicator/mpi.hpp>
#include <tutti/communicator/mpi/duplicates.hpp>
#include <tutti/communicator/recover.hpp>
#include <tutti/execution/configure.hpp>
#include <tutti/generator/all.hpp>

BOOST_AUTO_TEST_SUITE(collective_communicators)

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

// Longer than what MPI buffers, in many steps: whoever waits for one must let the others go on, be their messages MPI's
// or not.
BOOST_AUTO_TEST_CASE(plans_on_several_communicators_are_waited_for_in_any_order) {
    constexpr std::size_t n = 100'000;
    int const size = support::world_size();
    std::vector<MPI_Comm> worlds(3, MPI_COMM_NULL);
    for (auto& each : worlds) { MPI_Comm_dup(MPI_COMM_WORLD, &each); }
    for (std::size_t const i : {1U, 2U}) {
        BOOST_TEST(tutti::communicator_of<MPI_Comm>::get(worlds[i]).share_memory(true));
    }
    std::vector<int> const in(n, 1);
    std::vector<std::vector<int>> out(worlds.size(), std::vector<int>(n));
    std::vector<int> const expected(n, size);
    {
        using plan = decltype(tutti::plan::all_reduce(worlds[0], in, out[0], plus, tutti::pipeline{}));
        std::vector<plan> plans;
        for (std::size_t i = 0; i != worlds.size(); ++i) {
            plans.push_back(tutti::plan::all_reduce(worlds[i], in, out[i], plus, tutti::pipeline{.segments = 3 + i}));
        }
        for (std::size_t round = 0; round != 6; ++round) {
            auto const mine = static_cast<std::size_t>(support::world_rank()) + round;
            for (std::size_t i = 0; i != plans.size(); ++i) { plans[(i + round) % plans.size()].start(); }
            if (round % 2 == 1) { BOOST_TEST(tutti::all_reduce(MPI_COMM_WORLD, 1, plus) == size); }
            for (std::size_t i = 0; i != plans.size(); ++i) {
                auto& next = plans[(i * (1 + mine % 2) + mine) % plans.size()];
                if (round == 2) {
                    while (!next.test()) {}
                }
                next.wait();
            }
            for (auto& each : out) {
                BOOST_TEST((each == expected));
                each.assign(n, -1);
            }
        }
    }
    for (auto& each : worlds) { MPI_Comm_free(&each); }
}

BOOST_AUTO_TEST_CASE(a_communicator_that_is_freed_first_ends_what_was_started_on_it) {
    int const size = support::world_size();
    std::vector<int> const in(50'000, 1);
    std::vector<int> out(in.size());
    std::vector<int> never(in.size(), -1);
    MPI_Comm other = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    auto running = tutti::async::all_reduce(other, in, out, plus, tutti::pipeline{.segments = 4});
    auto idle = tutti::plan::all_reduce(other, in, never, plus);
    tutti::barrier(other);
    MPI_Comm_free(&other);
    BOOST_TEST(out == std::vector<int>(in.size(), size));
    BOOST_TEST(running.test());
    running.wait();
    idle.wait();
    BOOST_CHECK_EXCEPTION(idle.start(), std::logic_error,
                          support::says("tutti: start() on a plan whose communicator has been freed; free it after "
                                        "its plans"));
    BOOST_TEST(never.front() == -1);
    // what they say of themselves was asked of the communicator before
    for (auto const* plan : {&running, &idle}) {
        auto const text = plan->explain();
        BOOST_TEST(text.find("all_reduce") != std::string::npos, text);
    }
}

BOOST_FIXTURE_TEST_CASE(a_lower_limit_holds_for_plans_and_calls_that_are_kept, support::own_world) {
    std::vector<int> const in(1000, 1);
    std::vector<int> out(in.size());
    auto plan = tutti::plan::all_reduce(world, in, out, plus, tutti::pipeline{.segments = 2});
    for (auto const limit : std::vector<std::size_t>{100'000, 100, 16, 100, 2}) {
        tutti::communicator_of<MPI_Comm>::get(world).message_limit(limit);
        auto const call = [&] { tutti::all_reduce(world, in, out, plus, tutti::recursive_doubling{}); };
        auto const run = [&] {
            plan.start();
            plan.wait();
        };
        if (limit < sizeof(int)) {
            for (auto const& action : {std::function<void()>{call}, std::function<void()>{run}}) {
                BOOST_CHECK_THROW(action(), std::invalid_argument);
                tutti::recover(world);  // both were ready for messages, of which other ranks may wait for some
            }
            continue;
        }
        for (auto const& action : {std::function<void()>{call}, std::function<void()>{run}}) {
            out.assign(in.size(), -1);
            action();
            BOOST_TEST(out == std::vector<int>(in.size(), size));
        }
    }
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

// Ranks that disagree, on a communicator of its own each time, by messages of MPI and without a comparison of calls,
// whatever the environment says. Messages may be left over: the communicator is not
// freed, since the next one would be taken for it.
class disagreement {
public:
    disagreement() {
        MPI_Comm_dup(MPI_COMM_WORLD, &world);
        tutti::configure(world, {.shared_memory = tutti::memory_sharing::never});
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
        BOOST_CHECK_EXCEPTION(call(), tutti::control::count_mismatch,
                              support::says("tutti: reduce by tutti::linear of 3 int with std::plus to root 0: rank 1 "
                                            "sent 2 elements to rank 0, which expects 3; give every rank the same "
                                            "number and type of elements and the same algorithm; TUTTI_CHECK=1 "
                                            "names both calls"));
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
        BOOST_CHECK_EXCEPTION(call(), tutti::mpi::error, support::mentions("longer than its receiver expected"));
    } else {
        BOOST_CHECK_NO_THROW(call());
    }
}

BOOST_AUTO_TEST_CASE(a_plan_whose_message_was_refused_does_not_run_for_ever) {
    disagreement at;
    std::vector<int> both(rank_in(at.world) == 0 ? 4 : 3, 1);
    auto plan = tutti::plan::broadcast(at.world, both, 0, tutti::linear{});
    auto const run = [&] {
        plan.start();  // where another rank's failure may be known already
        while (!plan.test()) {}
    };
    if (support::world_rank() != 0) {
        BOOST_CHECK_THROW(run(), std::runtime_error);  // MPI's, or another rank's
    } else {
        BOOST_CHECK_NO_THROW(run());
    }
}

// The message of one plan is refused while another one is waited for, on another communicator; on the same one, that
// does not begin again. It travels in one piece: nobody would take the second one.
BOOST_AUTO_TEST_CASE(an_error_hits_the_plan_whose_message_it_was) {
    int const size = support::world_size();
    int const rank = support::world_rank();
    disagreement at;
    std::vector<int> wrong(rank == 0 ? 30'000 : 20'000, 1);
    std::vector<int> const in(100'000, 1);
    std::vector<int> out(in.size());
    auto refused = tutti::plan::broadcast(at.world, wrong, 0, tutti::linear{});
    auto neighbour = tutti::plan::all_reduce(at.world, in, out, plus, tutti::pipeline{});
    auto sound = tutti::plan::all_reduce(MPI_COMM_WORLD, in, out, plus, tutti::pipeline{});
    for (int round = 0; round != 3; ++round) {
        if (round == 1) { refused.start(); }
        out.assign(in.size(), -1);
        sound.start();
        BOOST_CHECK_NO_THROW(sound.wait());
        BOOST_TEST((out == std::vector<int>(in.size(), size)));
    }
    if (rank != 0) {
        BOOST_CHECK_THROW(refused.wait(), std::runtime_error);
        BOOST_CHECK_NO_THROW(refused.wait());
        BOOST_CHECK_THROW(neighbour.start(), tutti::communicator_failed);
    } else {
        try {
            refused.wait();
        } catch (std::runtime_error const&) {  // if it waits for so long
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
