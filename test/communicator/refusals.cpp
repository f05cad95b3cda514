// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/mpi_world.hpp>

#include <chrono>
#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include <support/sentences.hpp>

#include <tutti/arrival/arrivals.hpp>
#include <tutti/collective/all_reduce.hpp>
#include <tutti/collective/boost_mpi.hpp>
#include <tutti/collective/broadcast.hpp>
#include <tutti/collective/explain.hpp>
#include <tutti/collective/plan.hpp>
#include <tutti/collective/reduce.hpp>
#include <tutti/collective/sum_without_order.hpp>
#include <tutti/communicator/mpi.hpp>
#include <tutti/communicator/mpi/communicator.hpp>
#include <tutti/communicator/recover.hpp>
#include <tutti/error.hpp>
#include <tutti/execution/configure.hpp>
#include <tutti/generator/all.hpp>
#include <tutti/learning.hpp>
#include <tutti/operation/minmax.hpp>

// One rank alone refuses, or fails, before the others know: afterwards all count alike.

BOOST_AUTO_TEST_SUITE(communicator_refusals)

using support::contains;
using support::sentence_of;

namespace {

std::plus<> plus;

/// A communicator that compares no calls, whatever the environment says, and in which none waits for ever.
struct own_world : support::own_world {
    own_world() { tutti::configure(world, tutti::execution{.timeout = std::chrono::seconds{20}}); }
};

bool refuses() { return support::world_rank() == support::world_size() - 1; }

/// Calls that would be mistaken for others if ranks counted them otherwise.
void check_calls(MPI_Comm world, int calls) {
    int const size = support::world_size();
    std::vector<int> const in(20, 1);
    std::vector<int> out(20);
    for (int i = 0; i != calls; ++i) {
        tutti::all_reduce(world, in, out, plus);
        auto plan = tutti::plan::all_reduce(world, in, out, plus);
        plan.start();
        plan.wait();
        if (out != std::vector<int>(20, size)) { throw std::runtime_error{"a wrong sum"}; }
    }
}

/// The message of a call that one rank refuses, once the others, which do not need that rank, have ended it.
template <class Call>
std::string sentence_after_others(bool is_last, Call call) {
    std::string said;
    if (!is_last) { said = sentence_of(call); }
    MPI_Barrier(MPI_COMM_WORLD);
    if (is_last) { said = sentence_of(call); }
    MPI_Barrier(MPI_COMM_WORLD);
    return said;
}

}  // namespace

BOOST_FIXTURE_TEST_CASE(who_waits_for_a_plan_that_one_rank_refuses_is_told, own_world) {
    if (size == 1) { return; }
    std::vector<int> const in(20, 1);
    std::vector<int> out(refuses() ? 5 : 20);
    auto const said = sentence_of([&] {
        auto plan = tutti::plan::all_reduce(world, in, out, plus, tutti::ring{});
        plan.start();
        plan.wait();
    });
    BOOST_TEST(contains(said, "all_reduce: in has 20 elements, but out has room for 5"), said);
    tutti::recover(world);
    check_calls(world, 3);
    auto const later = sentence_of([&] { tutti::async::all_reduce(world, in, out, plus, tutti::ring{}).wait(); });
    BOOST_TEST(contains(later, "all_reduce: in has 20 elements, but out has room for 5"), later);
    tutti::recover(world);
    check_calls(world, 3);
}

BOOST_FIXTURE_TEST_CASE(a_plan_that_all_ranks_refuse_changes_nothing, own_world) {
    std::vector<int> const in(20, 1);
    std::vector<int> out(5);
    for (int i = 0; i != 20; ++i) {
        auto const said = sentence_of([&] { tutti::async::all_reduce(world, in, out, plus).wait(); });
        BOOST_TEST(contains(said, "all_reduce: in has 20 elements"), said);
        check_calls(world, 1);
    }
}

BOOST_FIXTURE_TEST_CASE(plans_that_a_rank_refuses_are_counted_where_no_rank_waits_for_it, own_world) {
    if (size == 1) { return; }
    std::vector<int> x(20, rank);
    int const root = refuses() ? 99 : 0;
    auto const said = sentence_after_others(
        refuses(), [&] { tutti::async::broadcast(world, x, root, tutti::linear{}).wait(); });
    BOOST_TEST(contains(said, "root 99 is not a rank") == refuses(), said);
    check_calls(world, 3);
}

// What one rank lacks may be missing after its arguments have been found right.
BOOST_AUTO_TEST_CASE(a_call_that_fails_on_one_rank_before_its_data_moves_is_told) {
    if (support::world_size() == 1) { return; }
    for (bool const is_plan : {false, true}) {
        own_world const own;
        MPI_Comm const world = own.world;
        auto& ranks = tutti::communicator_of<MPI_Comm>::get(world);
        auto const usual = ranks.message_limit();
        if (refuses()) { ranks.message_limit(3); }
        std::vector<double> const in(20, 1);
        std::vector<double> out(20);
        auto const said = sentence_of([&] {
            if (is_plan) {
                auto plan = tutti::plan::all_reduce(world, in, out, plus);
                plan.start();
                plan.wait();
            } else {
                tutti::all_reduce(world, in, out, plus);
            }
        });
        BOOST_TEST(contains(said, "message limit of 3"), said);
        ranks.message_limit(usual);
        tutti::recover(world);
        check_calls(world, 3);
    }
}

namespace {

/// A range that one rank cannot read.
struct unreadable {
    std::vector<int> kept = std::vector<int>(20, 1);

    [[nodiscard]] int const* begin() const { return kept.data(); }
    [[nodiscard]] int const* end() const {
        if (refuses()) { throw std::runtime_error{"this range has no end"}; }
        return kept.data() + kept.size();
    }
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(whatever_an_argument_throws_is_a_refusal, own_world) {
    if (size == 1) { return; }
    unreadable const in;
    std::vector<int> out(20);
    auto const said = sentence_of([&] { tutti::all_reduce(world, in, out, plus); });
    BOOST_TEST(contains(said, "this range has no end"), said);
    tutti::recover(world);
    check_calls(world, 3);
    if (refuses()) {
        BOOST_CHECK_THROW(static_cast<void>(tutti::dot_without_order(world, std::vector<double>(2, 1.0),
                                                                     std::vector<double>(3, 1.0))),
                          std::invalid_argument);
    } else {
        BOOST_CHECK_THROW(static_cast<void>(tutti::dot_without_order(world, std::vector<double>(2, 1.0),
                                                                     std::vector<double>(2, 1.0))),
                          tutti::peer_failed);
    }
    tutti::recover(world);
    check_calls(world, 3);
}

// The others send their parts and go on.
BOOST_FIXTURE_TEST_CASE(a_root_whose_sizes_are_wrong_counts_its_gather, own_world) {
    if (size == 1) { return; }
    std::vector<int> const part(3, 1);
    std::vector<int> sizes(static_cast<std::size_t>(size), -1);
    std::vector<int> all(100);
    bool const is_root = rank == 0;
    auto const said =
        sentence_after_others(is_root, [&] { tutti::gatherv(world, part, all.data(), sizes, 0); });
    BOOST_TEST(contains(said, "must not be negative") == is_root, said);
    check_calls(world, 3);
}

// Trials go by the number of calls, which ranks would count otherwise from then on.
BOOST_FIXTURE_TEST_CASE(what_is_learned_is_forgotten_after_a_call_that_one_rank_refuses, own_world) {
    if (size == 1) { return; }
    tutti::use(world, tutti::learning{});
    check_calls(world, 10);
    std::vector<int> x(20, rank);
    static_cast<void>(sentence_after_others(
        refuses(), [&] { tutti::broadcast(world, x, refuses() ? 99 : 0, tutti::linear{}); }));
    auto const said = sentence_of([&] { check_calls(world, 1); });
    BOOST_TEST(contains(said, "failed"), said);
    tutti::recover(world);
    check_calls(world, 200);
}

BOOST_FIXTURE_TEST_CASE(plans_go_by_nothing_that_ranks_have_learned_before_a_failure, own_world) {
    if (size == 1) { return; }
    tutti::use(world, tutti::learning{});
    check_calls(world, 200);
    if (refuses()) {  // and tries to go on
        auto& ranks = tutti::communicator_of<MPI_Comm>::get(world);
        ranks.supervisor().fail("for a test");
        BOOST_CHECK_THROW(check_calls(world, 1), tutti::communicator_failed);
    }
    tutti::recover(world);
    std::vector<int> const in(20, 1);
    std::vector<int> out(20);
    auto const plan = tutti::plan::all_reduce(world, in, out, plus);
    BOOST_TEST(!contains(plan.explain(), "chosen by the times of earlier calls"), plan.explain());
    check_calls(world, 200);
}

BOOST_FIXTURE_TEST_CASE(arrivals_are_those_of_the_same_calls_whatever_ranks_have_refused, own_world) {
    if (size == 1) { return; }
    static_cast<void>(tutti::arrivals(world));
    check_calls(world, 2);
    std::vector<int> x(20, rank);
    static_cast<void>(sentence_after_others(
        refuses(), [&] { tutti::broadcast(world, x, refuses() ? 99 : 0, tutti::linear{}); }));
    check_calls(world, 1);
    BOOST_TEST(tutti::arrivals(world).size() == 4U);
    if (refuses()) {
        tutti::communicator_of<MPI_Comm>::get(world).supervisor().fail("for a test");
        for (int i = 0; i != 3; ++i) { BOOST_CHECK_THROW(check_calls(world, 1), tutti::communicator_failed); }
    }
    tutti::recover(world);
    check_calls(world, 5);
    BOOST_TEST(tutti::arrivals(world).size() == 5U);
}

BOOST_AUTO_TEST_SUITE_END()
