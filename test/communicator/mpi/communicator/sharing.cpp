// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/mpi_world.hpp>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include <tutti/collective/all_reduce.hpp>
#include <tutti/collective/broadcast.hpp>
#include <tutti/collective/gather.hpp>
#include <tutti/collective/reduce.hpp>
#include <tutti/collective/scan.hpp>
#include <tutti/communicator/mpi.hpp>
#include <tutti/communicator/mpi/duplicates.hpp>
#include <tutti/execution/configure.hpp>

BOOST_AUTO_TEST_SUITE(communicator_mpi_communicator_sharing)

namespace {

using tutti::memory_sharing;

struct fresh_world : support::own_world {
    [[nodiscard]] tutti::mpi::communicator& own() const { return tutti::communicator_of<MPI_Comm>::get(world); }
    [[nodiscard]] bool may_share() const { return size > 1; }
    /// Not where TUTTI_SHARED_MEMORY has set it up before the first call.
    [[nodiscard]] bool starts_by_mpi() const { return !own().shares_memory(); }

    void call(std::size_t times) const {
        for (std::size_t i = 0; i != times; ++i) { BOOST_REQUIRE(tutti::all_reduce(world, 1, std::plus<>{}) == size); }
    }
    /// Calls until memory is shared, at most `most`; how many.
    [[nodiscard]] std::size_t calls_until_shared(std::size_t most) const {
        std::size_t calls = 0;
        while (calls != most && !own().shares_memory()) {
            call(1);
            ++calls;
        }
        return calls;
    }
};

struct automatic_world : fresh_world {
    automatic_world() { tutti::configure(world, tutti::execution{.shared_memory = memory_sharing::automatic}); }
};

constexpr std::size_t many = 100'000;
/// More than twice as many as 8 ranks make before they share memory: 256, see sharing_decision.
constexpr std::size_t enough = 600;

}  // namespace

BOOST_FIXTURE_TEST_CASE(few_calls_set_nothing_up, automatic_world) {
    if (!starts_by_mpi()) { return; }
    call(60);
    BOOST_TEST(!own().shares_memory());
    BOOST_TEST(own().transport() == "by MPI");
}

BOOST_FIXTURE_TEST_CASE(many_calls_share_memory_on_all_ranks_at_the_same_call, automatic_world) {
    auto const calls = static_cast<int>(calls_until_shared(many));
    int least = 0;
    int most = 0;
    MPI_Allreduce(&calls, &least, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    MPI_Allreduce(&calls, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    BOOST_TEST(least == most);
    BOOST_TEST(own().shares_memory() == may_share());
    auto const way = own().transport();
    auto const expected = std::string{may_share() ? "through memory; long messages there " : "by MPI"};
    BOOST_TEST(way.substr(0, expected.size()) == expected);
    call(10);
}

BOOST_FIXTURE_TEST_CASE(long_vectors_share_memory_after_fewer_calls, automatic_world) {
    if (!starts_by_mpi()) { return; }
    std::vector<double> x(200'000, 1);
    std::size_t calls = 0;
    for (; calls != 2000 && !own().shares_memory(); ++calls) { tutti::broadcast(world, x, 0); }
    if (size > 3 && may_share()) { BOOST_TEST(calls < automatic_world{}.calls_until_shared(many)); }
}

// Only the root has the counts of a gather.
BOOST_FIXTURE_TEST_CASE(ranks_agree_though_only_the_root_knows_all_bytes, automatic_world) {
    std::vector<int> const in(static_cast<std::size_t>(rank) * 1000, rank);
    std::vector<std::size_t> counts;
    for (std::size_t r = 0; r != static_cast<std::size_t>(size); ++r) { counts.push_back(r * 1000); }
    std::vector<int> out(rank == 0 ? 500 * static_cast<std::size_t>(size * (size - 1)) : 0);
    for (int i = 0; i != 300; ++i) { tutti::gather(world, in, out, counts, 0); }
    if (rank == 0 && size > 1) { BOOST_TEST(out.back() == size - 1); }
    call(1);
}

BOOST_FIXTURE_TEST_CASE(nothing_changes_while_a_plan_is_under_way_on_some_rank, automatic_world) {
    if (!may_share() || !starts_by_mpi()) { return; }
    std::vector<int> const in(10, 1);
    std::vector<int> out(10);
    auto plan = tutti::plan::all_reduce(world, in, out, std::plus<>{});
    if (rank != 0) { plan.start(); }  // it cannot end before rank 0 takes part
    call(enough);
    BOOST_TEST(!own().shares_memory());
    if (rank == 0) { plan.start(); }
    plan.wait();
    BOOST_TEST(out.back() == size);
    BOOST_TEST(calls_until_shared(many) < many);
    plan.start();
    plan.wait();
    BOOST_TEST(out.front() == size);
}

BOOST_FIXTURE_TEST_CASE(what_the_user_says_counts, automatic_world) {
    tutti::configure(world, tutti::execution{.shared_memory = memory_sharing::never});
    call(enough);
    BOOST_TEST(!own().shares_memory());
    tutti::configure(world, tutti::execution{.shared_memory = memory_sharing::always});
    BOOST_TEST(own().shares_memory() == (size > 1));
    call(1);
}

BOOST_FIXTURE_TEST_CASE(where_no_two_ranks_share_a_node_nothing_is_shared_and_the_reason_is_said, automatic_world) {
    if (!starts_by_mpi()) { return; }
    tutti::configure(world, tutti::node_map::of_width(1));
    call(enough);
    BOOST_TEST(!own().shares_memory());
    if (may_share()) { BOOST_TEST(own().transport() == "by MPI (no two ranks are on one node)"); }
}

// Whoever shares a node exchanges messages through its memory, and by MPI with the others, in one call.
BOOST_AUTO_TEST_CASE(the_way_is_chosen_for_each_pair_of_ranks) {
    for (int width = 1; width <= support::world_size(); ++width) {
        for (bool const in_turn : {false, true}) {
            fresh_world const at;
            auto const size = static_cast<std::size_t>(at.size);
            std::vector<std::size_t> node_of_rank;
            for (std::size_t rank = 0; rank != size; ++rank) {
                auto const wide = static_cast<std::size_t>(width);
                node_of_rank.push_back(in_turn ? rank % ((size + wide - 1) / wide) : rank / wide);
            }
            tutti::configure(at.world, tutti::node_map{node_of_rank});
            tutti::configure(at.world, tutti::execution{.shared_memory = memory_sharing::always});
            for (std::size_t const n : {1U, 1000U, 50'000U}) {
                std::vector<double> in(n);
                for (std::size_t i = 0; i != n; ++i) { in[i] = static_cast<double>(i % 1000) + at.rank; }
                auto const sum_of = [&](int ranks) {
                    auto result = in;
                    for (std::size_t i = 0; i != n; ++i) {
                        result[i] = ranks * static_cast<double>(i % 1000) + ranks * (ranks - 1) / 2;
                    }
                    return result;
                };
                std::vector<double> out(n);
                tutti::all_reduce(at.world, in, out, std::plus<>{});
                BOOST_TEST((out == sum_of(at.size)));
                tutti::inclusive_scan(at.world, in, out, std::plus<>{});
                BOOST_TEST((out == sum_of(at.rank + 1)));
                auto const root = at.size - 1;
                tutti::reduce(at.world, in, out, std::plus<>{}, root);
                if (at.rank == root) { BOOST_TEST((out == sum_of(at.size))); }
                out.assign(n, at.rank == root ? 7.0 : 0.0);
                tutti::broadcast(at.world, out, root);
                BOOST_TEST((out == std::vector<double>(n, 7.0)));
            }
            auto const& own = at.own();
            if (own.transport().find("through memory on a node, else by MPI") == 0) {
                for (int peer = 0; peer != at.size; ++peer) {
                    auto const node = [&](int rank) { return node_of_rank[static_cast<std::size_t>(rank)]; };
                    if (peer != at.rank) { BOOST_TEST(own.lends(peer) == (node(peer) == node(at.rank))); }
                }
            }
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
