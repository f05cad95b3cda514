// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/operands.hpp>
#include <support/ranks.hpp>

#include <array>
#include <span>

#include <tutti/collective/broadcast.hpp>
#include <tutti/generators.hpp>

BOOST_AUTO_TEST_SUITE(collective_broadcast)

using support::check_equal;
using support::for_each_root;
using support::operands;

BOOST_AUTO_TEST_CASE(ranges_of_all_lengths_from_every_root) {
    support::on_ranks_by_length({0, 1, 2, 7, 1001, 5000, 100'000}, [](auto& world, std::size_t n) {
        for_each_root(world, [&](int rank, int root) {
            auto both = operands(rank, n);
            tutti::broadcast(world, both, root);
            support::check(both == operands(root, n), std::to_string(n) + " elements from " + std::to_string(root));
        });
    });
}

BOOST_AUTO_TEST_CASE_ON_RANKS(all_kinds_of_arguments) {
    for_each_root(world, [&](int rank, int root) {
        auto const expected = operands(root, 3);
        auto both = operands(rank, 3);
        auto const check = [&] {
            check_equal(both, expected, "broadcast");
            both = operands(rank, 3);
        };
        tutti::broadcast(world, std::span{both}, root);
        check();
        tutti::broadcast(world, tutti::elements(both), root);
        check();
        tutti::broadcast(world, both.data(), 3, root);
        check();
        tutti::broadcast(world, both.data(), both.size(), root);
        check();
        int* const pointer = both.data();
        tutti::broadcast(world, pointer, 3, root);
        check();
        std::array<int, 3> array{both[0], both[1], both[2]};
        tutti::broadcast(world, array, root);
        check_equal(std::vector<int>(array.begin(), array.end()), expected, "array");
        int c_array[] = {both[0], both[1], both[2]};
        tutti::broadcast(world, c_array, root);
        check_equal(std::vector<int>(c_array, c_array + 3), expected, "C array");
        int value = rank;
        tutti::broadcast(world, value, root);
        check_equal(value, root, "value");
        value = rank;
        tutti::broadcast(world, tutti::value(value), root);
        check_equal(value, root, "value(x)");
    });
}

BOOST_AUTO_TEST_CASE_ON_RANKS(the_root_may_give_something_const) {
    for_each_root(world, [&](int rank, int root) {
        auto const given = operands(rank, 3);
        auto both = given;
        if (rank == root) {
            tutti::broadcast(world, given, root);
        } else {
            tutti::broadcast(world, both, root);
        }
        check_equal(both, operands(root, 3), "broadcast");
    });
}

BOOST_AUTO_TEST_CASE_ON_RANKS(nobody_else_may) {
    if (support::size_of(world) == 1) { return; }
    auto const given = operands(support::rank_of(world), 3);
    int const other = support::rank_of(world) == 0 ? 1 : 0;
    std::span const part{given};  // for a vector, Boost.MPI's calls would agree on its size before
    auto const said = support::message_of<std::invalid_argument>([&] { tutti::broadcast(world, part, other); });
    check_equal(said, "tutti: broadcast: only the root may give something const, or a temporary; this "
                      "rank receives, so give a variable", "message");
}

BOOST_AUTO_TEST_CASE_ON_RANKS(a_reduction_names_its_reversal) {
    auto const check = [&](auto const& algorithm, std::size_t n) {
        for_each_root(world, [&](int rank, int root) {
            auto both = operands(rank, n);
            tutti::broadcast(world, both, root, algorithm);
            check_equal(both, operands(root, n), "broadcast");
        });
    };
    check(tutti::linear{}, 5);
    check(tutti::pipeline{.segments = 7}, 100);
    check(tutti::binary_tree{.segments = 3}, 100);
    check(tutti::uni_greedy{.segments = 4}, 100);
    check(tutti::reverse(tutti::binomial{}), 5);
}

BOOST_AUTO_TEST_SUITE_END()
