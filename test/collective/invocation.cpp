// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/ranks.hpp>

#include <tutti/collective/all_gather.hpp>
#include <tutti/collective/all_reduce.hpp>
#include <tutti/collective/barrier.hpp>
#include <tutti/collective/broadcast.hpp>
#include <tutti/collective/invocation.hpp>
#include <tutti/collective/reduce.hpp>
#include <tutti/generators.hpp>

BOOST_AUTO_TEST_SUITE(collective_invocation)

using support::check_equal;

namespace {

std::plus<> plus;

std::string refusal(auto action) { return support::message_of<std::invalid_argument>(action); }

}  // namespace

BOOST_AUTO_TEST_CASE_ON_EACH_RANK(a_root_must_be_a_rank) {
    int x = 0;
    auto const team = "is not a rank of a communicator of " + std::to_string(size) + (size == 1 ? " rank" : " ranks") +
                      "; ranks count from 0";
    check_equal(refusal([&] { tutti::broadcast(world, x, size); }),
                "tutti: broadcast: root " + std::to_string(size) + " " + team, "root too large");
    check_equal(refusal([&] { tutti::reduce(world, 1, x, plus, -1); }), "tutti: reduce: root -1 " + team,
                "negative root");
    check_equal(refusal([&] { static_cast<void>(tutti::plan::broadcast(world, x, size + 5)); }),
                "tutti: broadcast: root " + std::to_string(size + 5) + " " + team, "plan");
    // nothing was sent, and nobody has entered anything
    check_equal(tutti::all_reduce(world, 1, plus), size, "the next call");
}

BOOST_AUTO_TEST_CASE_ON_EACH_RANK(sizes_must_agree) {
    std::vector<int> const in(3, 1);
    std::vector<int> out(2);
    check_equal(refusal([&] { tutti::all_reduce(world, in, out, plus); }),
                "tutti: all_reduce: in has 3 elements, but out has room for 2; give both the same number", "all_reduce");
    check_equal(refusal([&] { tutti::all_reduce(world, in.data(), -2, out.data(), plus); }),
                "tutti: a count of elements must not be negative", "negative count");
    // each rank as the root: calls that some ranks refuse fail on the others
    check_equal(refusal([&] { tutti::reduce(world, in, out, plus, rank); }),
                "tutti: reduce: in has 3 elements, but out has room for 2; give both the same number", "reduce");
    check_equal(refusal([&] { tutti::reduce(world, in, plus, rank); }),
                "tutti: reduce: the root must say where the result goes; give it an out", "no out on the root");
    // a part without elements may lie anywhere, even in the result
    std::vector<int> all(2, -1);
    std::vector<std::size_t> counts(static_cast<std::size_t>(size), 0);
    counts.front() = 2;
    std::vector<int> const own{7, 8};
    tutti::all_gather(world, rank == 0 ? std::span{own} : std::span<int const>{all}.subspan(1, 0), all, counts);
    check_equal(all, std::vector<int>{7, 8}, "all_gather");
    // what does not matter is not looked at
    std::vector<int> enough(3);
    tutti::reduce(world, in, rank == 0 ? std::span{enough} : std::span{out}.first(1), plus, 0);
    if (rank == 0) { check_equal(enough, std::vector<int>(3, size), "reduce"); }
}

BOOST_AUTO_TEST_CASE_ON_RANKS(impossible_algorithms_are_refused) {
    std::vector<int> both(3, 1);
    auto const on_nodes_of = [](std::size_t width) {
        return then(tutti::on_group(tutti::groups::nodes{width}, tutti::binomial{}),
                    tutti::on_group(tutti::groups::leaders{width}, tutti::recursive_doubling{}),
                    tutti::on_group(tutti::groups::nodes{width}, tutti::reverse(tutti::binomial{})));
    };
    check_equal(refusal([&] { tutti::all_reduce(world, tutti::inplace(both), plus, on_nodes_of(0)); }),
                "tutti: nodes::ranks_per_node must be at least 1", "nodes{0}");
    // the call can be repeated as it should have been
    tutti::all_reduce(world, tutti::inplace(both), plus, on_nodes_of(2));
    check_equal(both, std::vector<int>(3, support::size_of(world)), "nodes{2}");
}

#if defined(TUTTI_TEST_OVER_MPI)

BOOST_AUTO_TEST_CASE(a_null_communicator_is_refused) {
    int x = 0;
    auto const none = "tutti: the communicator is MPI_COMM_NULL; only ranks of a communicator make calls on it";
    BOOST_TEST(refusal([&] { tutti::broadcast(MPI_COMM_NULL, x, 0); }) == none);
    BOOST_TEST(refusal([&] { tutti::barrier(MPI_COMM_NULL); }) == none);
}

#endif

BOOST_AUTO_TEST_SUITE_END()
