// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/ranks.hpp>

#include <cstddef>
#include <cstdio>
#include <exception>
#include <fstream>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include <tutti/analysis/from_file.hpp>
#include <tutti/analysis/json.hpp>
#include <tutti/collective/all_gather.hpp>
#include <tutti/collective/all_reduce.hpp>
#include <tutti/collective/execute.hpp>
#include <tutti/collective/plan.hpp>
#include <tutti/collective/reduce.hpp>
#include <tutti/collective/reduce_scatter.hpp>
#include <tutti/communicator/recover.hpp>
#include <tutti/communicator/threads.hpp>
#include <tutti/generator/butterfly.hpp>
#include <tutti/generator/pipeline.hpp>
#include <tutti/generator/recursive_doubling.hpp>
#include <tutti/generator/ring.hpp>
#include <tutti/operation/annotated.hpp>
#include <tutti/selection/automatic_among.hpp>

BOOST_AUTO_TEST_SUITE(collective_from_file)

using support::check;

namespace {

/// A number, and ten to the power of its digits.
struct digits {
    long number;
    long power;
};

/// The schedules of an algorithm for a vector in so many blocks.
template <class Collective, class Algorithm>
tutti::from_file file_of(Collective which, Algorithm const& algorithm, int ranks, std::size_t blocks, int root = 0) {
    auto const size = static_cast<std::size_t>(ranks);
    auto const meant = tutti::generators::algorithm_for(which, algorithm);
    return tutti::from_file{tutti::to_json(which, meant, size, static_cast<std::size_t>(root),
                                           tutti::partition::equal(blocks, blocks), {}),
                            "schedules.json"};
}

}  // namespace

BOOST_AUTO_TEST_CASE_ON_EACH_RANK(calls_by_a_file_have_the_results_of_the_algorithm_in_it) {
    auto const ranks = static_cast<std::size_t>(size);
    auto const sum = tutti::commutative([](long a, long b) { return a + b; });
    auto const ring = file_of(tutti::collective::all_reduce{}, tutti::ring{}, size, ranks);
    auto const chain = file_of(tutti::collective::reduce{}, tutti::pipeline{}, size, 3, size - 1);
    auto const halving = file_of(tutti::collective::reduce_scatter{}, tutti::ring{}, size, 2 * ranks);
    for (std::size_t const n : {0U, 1U, 2U, 5U, 16U, 1000U}) {
        std::vector<long> in(n), out(n), expected(n);
        for (std::size_t i = 0; i != n; ++i) {
            in[i] = static_cast<long>(i) + rank;
            expected[i] = static_cast<long>(i) * size + size * (size - 1) / 2;
        }
        tutti::all_reduce(world, in, out, std::plus<>{}, ring);
        check(out == expected, "all_reduce by a file is wrong");
        tutti::all_reduce(world, in, out, sum, ring);
        check(out == expected, "all_reduce by a file and a functor is wrong");
        auto plan = tutti::plan::all_reduce(world, in, out, std::plus<>{}, ring);
        plan.start();
        plan.wait();
        check(out == expected, "a plan by a file is wrong");
        tutti::reduce(world, in, out, std::plus<>{}, size - 1, chain);
        check(rank != size - 1 || out == expected, "reduce by a file is wrong");
        std::vector<long> long_in(n * ranks, 1), part(n);
        tutti::reduce_scatter(world, long_in, part, std::plus<>{}, halving);
        check(part == std::vector<long>(n, size), "reduce_scatter by a file is wrong");
    }
}

BOOST_AUTO_TEST_CASE_ON_EACH_RANK(operators_that_do_not_commute_are_taken_where_the_schedules_keep_their_order) {
    auto const ordered = file_of(tutti::collective::all_reduce{}, tutti::butterfly{}, size, 8);
    auto const joined = [](digits const& a, digits const& b) {
        return digits{a.number * b.power + b.number, a.power * b.power};
    };
    long expected = 0;
    for (int each = 0; each != size; ++each) { expected = 10 * expected + each; }
    digits const own{rank, 10};
    support::check_equal(tutti::all_reduce(world, own, joined, ordered).number, expected, "in order");
    auto const best = tutti::automatic_among(ordered, tutti::recursive_doubling{});
    support::check_equal(tutti::all_reduce(world, own, joined, best).number, expected, "among");
}

#if !defined(TUTTI_TEST_OVER_MPI) && !defined(TUTTI_TEST_OVER_BOOST_MPI)

BOOST_AUTO_TEST_CASE(a_file_is_named_as_an_algorithm) {
    std::ofstream{"ring.json"} << tutti::to_json(tutti::collective::all_reduce{}, tutti::ring{}, 4, 0,
                                                 tutti::partition::equal(4, 4), {});
    tutti::threads::run(4, [](auto& world) {
        std::vector<double> const values(8, 1);
        std::vector<double> sums(8);
        tutti::from_file const published{"ring.json"};  // tutti::analysis::read("ring.json") is the same
        tutti::all_reduce(world, values, sums, std::plus<>{}, published);
        support::check(sums == std::vector<double>(8, 4), "sums");
    });
    std::remove("ring.json");
}

BOOST_AUTO_TEST_CASE(what_a_file_is_not_for_is_refused) {
    auto const refuses = [](int size, auto const& algorithm, auto const& op, std::string const& sentence) {
        BOOST_CHECK_EXCEPTION(
            tutti::threads::run(size, [&](auto& world) { static_cast<void>(tutti::all_reduce(world, 1L, op, algorithm)); }),
            std::exception,
            [&](auto const& wrong) { return std::string{wrong.what()}.find(sentence) != std::string::npos; });
    };
    auto const subtract = [](long a, long b) { return a - b; };
    auto const ring = file_of(tutti::collective::all_reduce{}, tutti::ring{}, 3, 3);
    refuses(4, ring, std::plus<>{}, "schedules.json is for 3 ranks, root 0 and 3 blocks, not for 4, 0 and 1");
    refuses(3, ring, subtract, "from_file(schedules.json) changes the order of operands, and the operator does not commute");
    refuses(3, file_of(tutti::collective::reduce{}, tutti::pipeline{}, 3, 1), std::plus<>{},
            "schedules.json: the file is for reduce, not for all_reduce");
    refuses(4, tutti::automatic_among(ring), std::plus<>{}, "none of the algorithms of automatic_among supports 4 ranks");
    refuses(3, tutti::automatic_among(ring), subtract, "none of the algorithms of automatic_among supports 3 ranks");
}

BOOST_AUTO_TEST_CASE(threads_with_different_files_get_one_error) {
    BOOST_CHECK_EXCEPTION(tutti::threads::run(3,
                                              [&](auto& world) {
                                                  auto const file = file_of(tutti::collective::all_reduce{}, tutti::ring{}, 3,
                                                                            world.rank() == 1 ? 6 : 3);
                                                  static_cast<void>(tutti::all_reduce(world, 1L, std::plus<>{}, file));
                                              }),
                          std::exception, [](auto const& wrong) {
                              return std::string{wrong.what()}.find("the file of the algorithm") != std::string::npos;
                          });
}

#else

BOOST_AUTO_TEST_CASE_ON_EACH_RANK(ranks_with_different_files_get_one_error) {
    if (size == 1) { return; }
    auto const said = [&](std::size_t pieces, std::size_t pieces_of_rank_1) {
        auto const file = file_of(tutti::collective::all_reduce{}, tutti::ring{}, size,
                                  static_cast<std::size_t>(size) * (rank == 1 ? pieces_of_rank_1 : pieces));
        auto result = support::message_of<std::exception>(
            [&] { static_cast<void>(tutti::all_reduce(world, 1L, std::plus<>{}, file)); });
        tutti::recover(world);
        return result;
    };
    support::check_equal(said(3, 4),
                         "tutti: the file of the algorithm is not the same on all ranks; give all ranks the same arguments",
                         "different files");
    // one that the other ranks have compared before
    check(said(1, 5).find("the file of the algorithm") != std::string::npos, "a different file later");
    support::check_equal(tutti::all_reduce(world, 1L, std::plus<>{}), static_cast<long>(size), "after recover");
}

#endif

BOOST_AUTO_TEST_SUITE_END()
