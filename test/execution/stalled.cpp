// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/mpi_world.hpp>

#include <chrono>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <support/sentences.hpp>

#include <tutti/collective/all_gather.hpp>
#include <tutti/collective/all_reduce.hpp>
#include <tutti/collective/barrier.hpp>
#include <tutti/collective/broadcast.hpp>
#include <tutti/collective/gather.hpp>
#include <tutti/collective/reduce.hpp>
#include <tutti/collective/reduce_scatter.hpp>
#include <tutti/collective/scan.hpp>
#include <tutti/collective/scan_reduce.hpp>
#include <tutti/collective/scatter.hpp>
#include <tutti/communicator/mpi.hpp>
#include <tutti/communicator/mpi/shared_memory.hpp>
#include <tutti/communicator/recover.hpp>
#include <tutti/cost/in_use.hpp>
#include <tutti/execution/configure.hpp>

BOOST_AUTO_TEST_SUITE(execution_stalled)

using support::contains;
using support::sentence_of;

namespace {

std::plus<> plus;

/// One rank calls with another number of elements than the others. All ranks hear of it, there or in the barrier that
/// follows.
template <class World, class Call>
void check_lengths(World const& world, char const* name, Call call) {
    int const size = support::world_size();
    using lengths = std::pair<std::size_t, std::size_t>;
    for (auto const& [usual, other] : {lengths{10, 20}, lengths{300'000, 600'000}, lengths{1, 300'000}}) {
        for (int const odd : {0, size - 1}) {
            if (odd == 0 && usual != 10) { continue; }  // each error takes a fifth of a second
            auto const n = support::world_rank() == odd ? other : usual;
            auto const said = sentence_of([&] {
                call(n);
                tutti::barrier(world);
            });
            BOOST_TEST(said.starts_with("tutti: "), name << " of " << usual << " and " << other << " on rank " << odd
                                                         << " of " << size << ": \"" << said << '"');
            tutti::recover(world);
            BOOST_TEST(tutti::all_reduce(world, 1, plus) == size);
        }
    }
}

template <class World>
void check_all_lengths(World const& world) {
    int const size = support::world_size();
    if (size == 1 || size > 3) { return; }
    auto const p = static_cast<std::size_t>(size);
    using data = std::vector<double>;
    check_lengths(world, "reduce", [&](std::size_t n) {
        data const in(n);
        data out(n);
        tutti::reduce(world, in, out, plus, 0);
    });
    check_lengths(world, "all_reduce", [&](std::size_t n) {
        data both(n);
        tutti::all_reduce(world, tutti::inplace(both), plus);
    });
    check_lengths(world, "inclusive_scan", [&](std::size_t n) {
        data both(n);
        tutti::inclusive_scan(world, tutti::inplace(both), plus);
    });
    check_lengths(world, "exclusive_scan", [&](std::size_t n) {
        data both(n);
        tutti::exclusive_scan(world, tutti::inplace(both), plus);
    });
    check_lengths(world, "scan_reduce", [&](std::size_t n) {
        data const in(n);
        data prefix(n), total(n);
        tutti::scan_reduce(world, in, prefix, total, plus);
    });
    check_lengths(world, "reduce_scatter", [&](std::size_t n) {
        data const in(n * p);
        data out(n);
        tutti::reduce_scatter(world, in, out, plus);
    });
    check_lengths(world, "broadcast", [&](std::size_t n) {
        data both(n);
        tutti::broadcast(world, std::span{both}, 0);
    });
    check_lengths(world, "all_gather", [&](std::size_t n) {
        data const in(n);
        data out(n * p);
        tutti::all_gather(world, in, out);
    });
    check_lengths(world, "gather", [&](std::size_t n) {
        data const in(n);
        data out(support::world_rank() == 0 ? n * p : 0);
        tutti::gather(world, in, out, 0);
    });
    check_lengths(world, "scatter", [&](std::size_t n) {
        data const in(support::world_rank() == 0 ? n * p : 0);
        data out(n);
        tutti::scatter(world, in, out, 0);
    });
}

/// The counts of the root, which it alone knows, are not those of the last rank.
template <class World>
void check_parts(World const& world) {
    int const size = support::world_size();
    int const rank = support::world_rank();
    if (size == 1 || size > 3) { return; }
    using lengths = std::pair<std::size_t, std::size_t>;
    for (auto const& each : {lengths{5, 9}, lengths{9, 5}, lengths{5, 1000}, lengths{60'000, 50'000},
                             lengths{50'000, 60'000}, lengths{60'000, 3}}) {
        auto const usual = each.first;
        auto const other = each.second;
        std::vector<long> part(rank == size - 1 ? other : usual, rank);
        std::vector<long> all(rank == 0 ? usual * static_cast<std::size_t>(size) : 0);
        std::vector<std::size_t> const counts(static_cast<std::size_t>(size), usual);
        auto const check = [&](char const* name, auto call) {
            auto const said = sentence_of([&] {
                call();
                tutti::barrier(world);
            });
            BOOST_TEST(said.starts_with("tutti: "),
                       name << " of " << usual << " and " << other << ": \"" << said << '"');
            tutti::recover(world);
            BOOST_TEST(tutti::all_reduce(world, 1, plus) == size);
        };
        check("gather", [&] { tutti::gather(world, part, all, counts, 0); });
        check("scatter", [&] { tutti::scatter(world, all, part, counts, 0); });
    }
}

/// The last rank does not make the call of this number.
template <class World>
void check_timeout(World const& world, bool check_calls, int number = 2) {
    int const size = support::world_size();
    if (size == 1) { return; }
    tutti::configure(world, tutti::execution{.check_calls = check_calls, .timeout = std::chrono::milliseconds{300}});
    for (int i = 1; i != number; ++i) { tutti::barrier(world); }
    bool const absent = support::world_rank() == size - 1;
    auto const said = sentence_of([&] {
        std::vector<int> both(20, 1);
        if (!absent) { tutti::all_reduce(world, tutti::inplace(both), plus); }
    });
    support::sleep_until_all_are_here();
    if (absent) {
        BOOST_TEST(said == "");
    } else {
        BOOST_TEST(contains(said, " ms in all_reduce of 20 int (waiting for rank "), said);
        if (size == 2) { BOOST_TEST(contains(said, "; rank 1 is not waiting in a collective"), said); }
    }
    tutti::recover(world);
    tutti::configure(world, tutti::execution{});
    BOOST_TEST(tutti::all_reduce(world, 1, plus) == size);
}

}  // namespace

BOOST_AUTO_TEST_CASE(vectors_of_different_lengths_are_an_error_on_all_ranks) {
    check_all_lengths(MPI_COMM_WORLD);
    check_parts(MPI_COMM_WORLD);
}

BOOST_AUTO_TEST_CASE(through_memory_as_well) {
    tutti::mpi::shared_memory const world{MPI_COMM_WORLD};
    check_all_lengths(world);
    check_parts(world);
}

// Each waits for the other's broadcast, and no message says that the calls differ.
BOOST_AUTO_TEST_CASE(ranks_in_different_calls_name_both) {
    int const size = support::world_size();
    if (size == 1) { return; }
    tutti::configure(MPI_COMM_WORLD, {});  // compares no calls, whatever the environment says
    auto const said = sentence_of([&] {
        std::vector<int> both(20, 1);
        int const rank = support::world_rank();
        tutti::broadcast(MPI_COMM_WORLD, both, rank == 0 ? 1 : 0);
        if (rank > 1) { tutti::barrier(MPI_COMM_WORLD); }
    });
    BOOST_TEST(said.starts_with("tutti: "), said);
    if (size == 2) {
        BOOST_TEST(contains(said, "from root 1 on rank 0 meets broadcast of 20 int "), said);
        BOOST_TEST(contains(said, "from root 0 on rank 1"), said);
    }
    tutti::recover(MPI_COMM_WORLD);
    BOOST_TEST(tutti::all_reduce(MPI_COMM_WORLD, 1, plus) == size);
}

BOOST_AUTO_TEST_CASE(whoever_waits_for_longer_than_it_may_says_for_whom) {
    check_timeout(MPI_COMM_WORLD, false);
    check_timeout(MPI_COMM_WORLD, true);
    tutti::mpi::shared_memory const world{MPI_COMM_WORLD};
    check_timeout(world, false);
}

// Ranks agree on whether to share memory before their 64th call.
BOOST_FIXTURE_TEST_CASE(whoever_waits_for_an_agreement_says_so_as_well, support::own_world) {
    check_timeout(world, false, 64);
}

// A rank that comes late is waited for.
BOOST_FIXTURE_TEST_CASE(what_one_rank_alone_changes_is_told_to_all, support::own_world) {
    if (size == 1 || size > 4) { return; }
    auto const options = [&](tutti::execution chosen) { return [chosen, this] { tutti::configure(world, chosen); }; };
    std::vector<std::pair<std::function<void()>, char const*>> const changes{
        {options({.ready_mode = true}), "configure"},
        {options({.check_calls = true}), "configure"},
        {options({.shared_memory = tutti::memory_sharing::always}), "configure"},
        {[this] { tutti::configure(world, tutti::node_map::of_width(1)); }, "configure"},
        {[this] { tutti::use(world, tutti::machine_model{}); }, "use"}};
    for (auto const& [change, name] : changes) {
        auto const said = sentence_of([&, &change = change] {
            if (rank == size - 1) { change(); }
            std::vector<double> both(1000, 1);
            tutti::all_reduce(world, tutti::inplace(both), plus);
            tutti::barrier(world);
        });
        BOOST_TEST(contains(said, std::string{name} + " on rank " + std::to_string(size - 1)), said);
        tutti::recover(world);
        BOOST_TEST(tutti::all_reduce(world, 1, plus) == size);
    }
}

BOOST_AUTO_TEST_CASE(ranks_that_are_late_are_in_the_same_call) {
    if (support::world_size() > 4) { return; }
    if (support::world_rank() == 0) { std::this_thread::sleep_for(std::chrono::milliseconds{2500}); }
    BOOST_TEST(tutti::all_reduce(MPI_COMM_WORLD, 1, plus) == support::world_size());
}

BOOST_AUTO_TEST_SUITE_END()
