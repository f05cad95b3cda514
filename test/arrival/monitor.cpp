// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/ranks.hpp>

#include <optional>
#include <stdexcept>
#include <utility>

#include <support/monitored.hpp>
#include <tutti/cost/in_use.hpp>
#include <tutti/cost/machine.hpp>

BOOST_AUTO_TEST_SUITE(arrival_monitor)

namespace {

#if defined(TUTTI_TEST_OVER_MPI)
// destroyed after MPI_Finalize
std::optional<tutti::arrival_monitor> outlives_mpi;
#endif

}  // namespace

static_assert(!std::is_copy_constructible_v<tutti::arrival_monitor>);
static_assert(!std::is_copy_assignable_v<tutti::arrival_monitor>);

BOOST_AUTO_TEST_CASE_ON_RANKS(it_has_the_ranks_of_its_communicator) {
    tutti::arrival_monitor const monitor{world, {.measures = false}};
    support::check_equal(monitor.rank(), support::rank_of(world), "rank");
    support::check_equal(monitor.size(), support::size_of(world), "size");
}

BOOST_AUTO_TEST_CASE_ON_RANKS(it_measures_where_no_model_is_in_use) {
    tutti::machine_model given;
    given.between_nodes.latency = 7e-6;
    tutti::use(world, given);
    tutti::arrival_monitor const first{world};
    support::check(tutti::machine_of(world) == given, "the model in use is left alone");

    tutti::use(world, tutti::machine_model{});
    tutti::arrival_monitor const second{world, {.measures = false}};
    support::check(tutti::machine_of(world) == tutti::machine_model{}, "nothing is measured");
    tutti::arrival_monitor const third{world};
    auto const& measured = tutti::machine_of(world);
    support::check((measured != tutti::machine_model{}) == (third.size() > 1), "messages are measured");
    auto const mark = static_cast<std::int64_t>(measured.within_node.per_byte * 1e18);
    support::check(support::all_agree(world, {mark}), "all ranks have the same costs");
    tutti::use(world, tutti::machine_model{});
}

BOOST_AUTO_TEST_CASE_ON_RANKS(it_can_be_moved) {
    tutti::arrival_monitor first{world, {.measures = false}};
    static_cast<void>(support::checked_pattern(world, first, 0));
    first.begin_compute();
    auto second = std::move(first);
    second.edge(0.5);
    static_cast<void>(support::checked_pattern(world, second, 1));
    second = tutti::arrival_monitor{world, {.measures = false}};
    static_cast<void>(support::checked_pattern(world, second, 0));
}

#if defined(TUTTI_TEST_OVER_MPI)
BOOST_AUTO_TEST_CASE_ON_RANKS(it_may_outlive_its_communicator) {
    MPI_Comm copy = MPI_COMM_NULL;
    MPI_Comm_dup(world, &copy);
    tutti::arrival_monitor monitor{copy, {.measures = false}};
    static_cast<void>(monitor.pattern());
    monitor.begin_compute();
    MPI_Comm_free(&copy);
    auto const message = support::message_of<std::logic_error>([&] { static_cast<void>(monitor.pattern()); });
    support::check_equal(message, "tutti: the communicator of this arrival monitor has been freed; make another one", "message");

    outlives_mpi.emplace(world, tutti::monitoring::arrival_options{.measures = false});
    static_cast<void>(support::checked_pattern(world, *outlives_mpi, 0));
}
#endif

BOOST_AUTO_TEST_SUITE_END()
