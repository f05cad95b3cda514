// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/mpi_world.hpp>

#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include <support/sentences.hpp>

#include <tutti/collective/all_reduce.hpp>
#include <tutti/collective/broadcast.hpp>
#include <tutti/collective/plan.hpp>
#include <tutti/collective/reduce.hpp>
#include <tutti/communicator/mpi.hpp>
#include <tutti/communicator/mpi/shared_memory.hpp>
#include <tutti/communicator/recover.hpp>
#include <tutti/communicator/threads.hpp>
#include <tutti/error.hpp>
#include <tutti/execution/configure.hpp>
#include <tutti/generator/all.hpp>

BOOST_AUTO_TEST_SUITE(communicator_recover)

using support::contains;
using support::sentence_of;

namespace {

std::plus<> plus;

/// Calls that give what they should, of several lengths.
template <class World>
void check_calls(World const& world) {
    int const size = support::world_size();
    for (auto const n : std::vector<std::size_t>{1, 20, 70'000}) {
        std::vector<int> const in(n, support::world_rank() + 1);
        std::vector<int> out(n);
        tutti::all_reduce(world, in, out, plus);
        BOOST_TEST((out == std::vector<int>(n, size * (size + 1) / 2)));
        out = in;
        tutti::broadcast(world, out, size - 1);
        BOOST_TEST((out == std::vector<int>(n, size)));
    }
}

/// One rank gives fewer elements than the others, once.
template <class World>
void disagree(World const& world, std::size_t few, std::size_t many) {
    int const size = support::world_size();
    std::vector<int> const in(support::world_rank() == 1 ? few : many, 1);
    std::vector<int> out(in.size());
    auto const call = [&] { tutti::all_reduce(world, in, out, plus, tutti::recursive_doubling{}); };
    check_calls(world);
    auto const first = sentence_of(call);
    MPI_Barrier(MPI_COMM_WORLD);
    if (size == 1) {
        BOOST_TEST(first == "");
        return;
    }
    BOOST_TEST(first.starts_with("tutti: "), first);
    for (int i = 0; i != 2; ++i) {
        std::vector<int> const right(20, 1);
        std::vector<int> sum(20);
        auto const later = sentence_of([&] { tutti::all_reduce(world, right, sum, plus); });
        BOOST_TEST(contains(later, "tutti: a collective on this communicator has failed earlier: "), later);
        BOOST_TEST(contains(later, "call recover(world) on all ranks"), later);
    }
    tutti::recover(world);
    check_calls(world);
}

template <class World>
void disagree_in_all_ways(World const& world) {
    disagree(world, 10, 20);
    disagree(world, 20, 10);
    disagree(world, 3, 100'000);
}

}  // namespace

// The message of the call that failed would be taken for that of the next one, and so on for ever.
BOOST_AUTO_TEST_CASE(calls_after_a_mismatch_are_refused_until_the_world_recovers) {
    disagree_in_all_ways(MPI_COMM_WORLD);
}

BOOST_FIXTURE_TEST_CASE(calls_through_memory_after_a_mismatch, support::own_world) {
    tutti::mpi::shared_memory through_memory{MPI_COMM_WORLD};
    disagree_in_all_ways(through_memory);
    tutti::communicator_of<MPI_Comm>::get(world).share_memory(true);
    disagree_in_all_ways(world);
    BOOST_TEST(tutti::communicator_of<MPI_Comm>::get(world).shares_memory());
}

// The messages of long vectors leave only when they are received: whoever notices tells the others.
BOOST_AUTO_TEST_CASE(long_vectors_of_different_lengths_are_an_error_on_all_ranks) {
    int const size = support::world_size();
    int const rank = support::world_rank();
    if (size == 1) { return; }
    auto const ranks_that_throw = [&](auto call) {
        int const threw = sentence_of(call).empty() ? 0 : 1;
        int all = 0;
        MPI_Allreduce(&threw, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        tutti::recover(MPI_COMM_WORLD);
        return all;
    };
    std::size_t const long_one = 1 << 18;
    for (auto const odd : std::vector<std::size_t>{long_one / 2, 2 * long_one, long_one + 1, 3}) {
        for (int const who : {size - 1}) {
            std::vector<int> const in(rank == who ? odd : long_one, 1);
            std::vector<int> out(in.size());
            BOOST_TEST(size == ranks_that_throw([&] {
                tutti::all_reduce(MPI_COMM_WORLD, in, out, plus, tutti::recursive_doubling{});
            }));
            BOOST_TEST(size == ranks_that_throw([&] {
                tutti::all_reduce(MPI_COMM_WORLD, in, out, plus, tutti::ring{});
            }));
            // segments of one length are taken for those of a vector that has more of them
            if (odd % (long_one / 2) != 0) {
                BOOST_TEST(size == ranks_that_throw([&] { tutti::all_reduce(MPI_COMM_WORLD, in, out, plus); }));
            }
            BOOST_TEST(0 < ranks_that_throw([&] {
                tutti::reduce(MPI_COMM_WORLD, in, out, plus, 0, tutti::binomial{});
            }));
            BOOST_TEST(0 < ranks_that_throw([&] {
                tutti::broadcast(MPI_COMM_WORLD, out, 0, tutti::binomial{});
            }));
        }
    }
    check_calls(MPI_COMM_WORLD);
}

// A rank whose arguments are wrong is not one call behind from then on. Those that wait for it are told why.
BOOST_AUTO_TEST_CASE(a_call_that_one_rank_refuses_does_not_meet_the_next_one) {
    if (support::world_size() == 1) { return; }
    tutti::configure(MPI_COMM_WORLD, {});  // compares no calls, whatever the environment says
    int const rank = support::world_rank();
    std::vector<int> const in(5, 1);
    std::vector<int> out(5);
    int const root = rank == 1 ? 99 : 0;
    auto const first = sentence_of([&] { tutti::reduce(MPI_COMM_WORLD, in, out, plus, root, tutti::linear{}); });
    if (rank == 1) {
        BOOST_TEST(contains(first, "root 99 is not a rank"), first);
    } else if (rank == 0) {
        BOOST_TEST(contains(first, "a collective has failed on rank 1: reduce: root 99 is not a rank"), first);
    } else {
        BOOST_TEST(first == "");
    }
    std::vector<int> all(5);
    auto const second = sentence_of([&] { tutti::all_reduce(MPI_COMM_WORLD, in, all, plus, tutti::ring{}); });
    BOOST_TEST(contains(second, "failed"), second);
    tutti::recover(MPI_COMM_WORLD);
    check_calls(MPI_COMM_WORLD);
}

// Nothing that all ranks do together is left for the first call of all.
BOOST_FIXTURE_TEST_CASE(the_first_call_may_be_one_that_a_rank_refuses, support::own_world) {
    if (size == 1) { return; }
    tutti::configure(world, {});  // compares no calls, whatever the environment says
    std::vector<int> const in(20, 1);
    std::vector<int> out(rank == 1 ? 5 : 20);
    auto const said = sentence_of([&] { tutti::all_reduce(world, in, out, plus, tutti::ring{}); });
    BOOST_TEST(contains(said, "all_reduce: in has 20 elements, but out has room for 5"), said);
    tutti::recover(world);
    BOOST_TEST(tutti::all_reduce(world, 1, plus) == size);
}

// Every 64th call ranks agree on whether to share memory.
BOOST_AUTO_TEST_CASE(a_call_that_fails_before_an_agreement_ends_it_on_all_ranks) {
    if (support::world_size() == 1) { return; }
    for (int const rank_that_fails : {0, 1}) {
        support::own_world const own;
        MPI_Comm const world = own.world;
        tutti::configure(world, {});  // compares no calls, whatever the environment says
        for (int i = 0; i != 62; ++i) { static_cast<void>(tutti::all_reduce(world, 1, plus)); }
        bool const fails = support::world_rank() == rank_that_fails;
        std::vector<int> both(fails ? 5 : 9, 1);
        static_cast<void>(sentence_of([&] {
            if (rank_that_fails == 0) {
                tutti::reduce(world, tutti::inplace(both), plus, 0, tutti::linear{});
            } else {
                tutti::broadcast(world, both, 0, tutti::linear{});
            }
        }));
        auto const second = sentence_of([&] { static_cast<void>(tutti::all_reduce(world, 1, plus)); });
        BOOST_TEST(contains(second, "failed"), second);
        tutti::recover(world);
        BOOST_TEST(tutti::all_reduce(world, 1, plus) == support::world_size());
    }
}

// One rank waits for its plan before the call, the other one after it.
BOOST_AUTO_TEST_CASE(plans_make_progress_while_calls_are_compared_and_agreements_made) {
    if (support::world_size() == 1) { return; }
    for (bool const checks : {false, true}) {
        support::own_world const own;
        MPI_Comm const world = own.world;
        tutti::configure(world, tutti::execution{.check_calls = checks});
        for (int i = 0; i != 63; ++i) { static_cast<void>(tutti::all_reduce(world, 1, plus)); }
        std::vector<int> const in(50'000, 1);
        std::vector<int> out(in.size());
        auto plan = tutti::plan::all_reduce(world, in, out, plus, tutti::ring{});
        plan.start();
        bool const waits_first = support::world_rank() % 2 == 1;
        if (waits_first) { plan.wait(); }
        BOOST_TEST(tutti::all_reduce(world, 1, plus) == support::world_size());
        if (!waits_first) { plan.wait(); }
        BOOST_TEST((out == std::vector<int>(in.size(), support::world_size())));
    }
}

// A program that tries out arguments goes on.
BOOST_AUTO_TEST_CASE(a_call_that_all_ranks_refuse_changes_nothing) {
    std::vector<int> const in(5, 1);
    std::vector<int> out(4);
    for (int i = 0; i != 20; ++i) {
        BOOST_CHECK_THROW(tutti::all_reduce(MPI_COMM_WORLD, in, out, plus), std::invalid_argument);
        BOOST_CHECK_THROW(tutti::reduce(MPI_COMM_WORLD, in, out, plus, 99), std::invalid_argument);
    }
    check_calls(MPI_COMM_WORLD);
}

// The ranks' calls need not be one behind in number only.
BOOST_AUTO_TEST_CASE(a_call_that_one_rank_leaves_out_is_reported_where_its_next_one_differs) {
    if (support::world_size() == 1) { return; }
    tutti::configure(MPI_COMM_WORLD, {});  // compares no calls, whatever the environment says
    std::vector<int> both(5, 1);
    std::string first;
    if (support::world_rank() != 1) {
        first = sentence_of([&] { tutti::broadcast(MPI_COMM_WORLD, both, 0, tutti::linear{}); });
        BOOST_TEST(first == "");
    }
    std::vector<int> seven(7, 1);
    auto const second =
        sentence_of([&] { tutti::all_reduce(MPI_COMM_WORLD, tutti::inplace(seven), plus, tutti::ring{}); });
    BOOST_TEST(second.starts_with("tutti: "), second);
    tutti::recover(MPI_COMM_WORLD);
    check_calls(MPI_COMM_WORLD);
}

// Or they would agree to share memory in different calls.
BOOST_FIXTURE_TEST_CASE(ranks_that_recover_count_their_calls_from_the_beginning, support::own_world) {
    if (size == 1) { return; }
    tutti::configure(world, {});  // compares no calls, whatever the environment says
    std::vector<int> both(5, 1);
    if (rank != 1) {
        BOOST_TEST(sentence_of([&] { tutti::broadcast(world, both, 0, tutti::linear{}); }) == "");
    }
    std::vector<int> seven(7, 1);
    BOOST_TEST(sentence_of([&] { tutti::all_reduce(world, tutti::inplace(seven), plus, tutti::ring{}); }) != "");
    tutti::recover(world);
    int sum = 0;
    for (int i = 0; i != 150; ++i) { sum += tutti::all_reduce(world, 1, plus); }
    BOOST_TEST(sum == 150 * size);
}

BOOST_AUTO_TEST_CASE(a_sound_world_may_recover_as_well) {
    std::vector<int> const in(5, 1);
    std::vector<int> out(5);
    auto plan = tutti::plan::all_reduce(MPI_COMM_WORLD, in, out, plus);
    for (int i = 0; i != 3; ++i) {
        tutti::recover(MPI_COMM_WORLD);
        plan.start();
        plan.wait();
        check_calls(MPI_COMM_WORLD);
    }
    tutti::threads::run(3, [](auto& world) {
        tutti::recover(world);
        int const three = tutti::all_reduce(world, 1, plus);
        if (three != 3) { throw std::runtime_error{"all_reduce"}; }
    });
}

BOOST_AUTO_TEST_SUITE_END()
