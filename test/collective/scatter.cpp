// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/operands.hpp>
#include <support/ranks.hpp>

#include <array>
#include <span>

#include <tutti/collective/scatter.hpp>
#include <tutti/generator/all.hpp>

BOOST_AUTO_TEST_SUITE(collective_scatter)

using support::check;
using support::check_equal;
using support::for_each_root;
using support::operands;
using support::part_of;
using support::part_size;
using support::total;

namespace {

/// Vectors divided in several ways, from every root.
void check_ranges(auto& world, std::size_t n, auto const& algorithm) {
    for (auto const& counts : support::divisions(support::size_of(world), n)) {
        for_each_root(world, [&](int rank, int root) {
            auto const what = std::to_string(total(counts)) + " elements from " + std::to_string(root);
            auto const whole = operands(root, total(counts));
            auto const in = rank == root ? whole : std::vector<int>(1, -1);
            auto const expected = part_of(whole, counts, rank);
            std::vector<int> out(expected.size(), -1);
            tutti::scatter(world, in, out, counts, root, algorithm);
            check(out == expected, what);
            check(in == (rank == root ? whole : std::vector<int>(1, -1)), "the input was written");
            auto both = rank == root ? whole : std::vector<int>(expected.size(), -1);
            tutti::scatter(world, tutti::inplace(both), counts, root, algorithm);
            check(both == (rank == root ? whole : expected), what + " in place");
        });
    }
}

}  // namespace

BOOST_AUTO_TEST_CASE(parts_of_all_lengths_from_every_root) {
    support::on_ranks_by_length({0, 1, 2, 7, 1001, 100'000},
                                [](auto& world, std::size_t n) { check_ranges(world, n, tutti::automatic{}); });
}

BOOST_AUTO_TEST_CASE(named_algorithms) {
    support::on_ranks_by_length({7, 1001}, [](auto& world, std::size_t n) {
        check_ranges(world, n, tutti::linear{});
        check_ranges(world, n, tutti::binomial{});
    });
}

BOOST_AUTO_TEST_CASE_ON_RANKS(equal_parts) {
    auto const counts = support::equal(support::size_of(world), 3);
    for_each_root(world, [&](int rank, int root) {
        auto const whole = operands(root, total(counts));
        auto const in = operands(rank, total(counts));
        auto const expected = part_of(whole, counts, rank);
        std::vector<int> out(3, -1);
        auto const check_out = [&] {
            check_equal(out, expected, "out");
            out.assign(3, -1);
        };
        tutti::scatter(world, in, out, root);
        check_out();
        tutti::scatter(world, std::span{in}, std::span<int, 3>{out}, root);
        check_out();
        tutti::scatter(world, tutti::elements(in), tutti::elements(out), root);
        check_out();
        int c_array[] = {-1, -1, -1};
        tutti::scatter(world, in, c_array, root, tutti::linear{});
        std::copy_n(c_array, 3, out.begin());
        check_out();
        tutti::scatter(world, in.data(), out.data(), 3, root);
        check_out();
        tutti::scatter(world, in, out.data(), out.size(), root);
        check_out();
        tutti::scatter(world, in, c_array, 3, root);
        std::copy_n(c_array, 3, out.begin());
        check_out();
        auto both = rank == root ? in : out;
        tutti::scatter(world, tutti::inplace(both), root);
        check_equal(both, rank == root ? whole : expected, "in place");
    });
}

BOOST_AUTO_TEST_CASE_ON_RANKS(one_element_for_each_rank) {
    auto const n = static_cast<std::size_t>(support::size_of(world));
    for_each_root(world, [&](int rank, int root) {
        auto const in = operands(rank, n);
        auto const expected = operands(root, n)[static_cast<std::size_t>(rank)];
        int out = -1;
        auto const check_out = [&] {
            check_equal(out, expected, "out");
            out = -1;
        };
        tutti::scatter(world, in, out, root);
        check_out();
        tutti::scatter(world, in, tutti::value(out), root, tutti::linear{});
        check_out();
        int const* const first = in.data();
        tutti::scatter(world, first, out, root);
        check_out();
        tutti::scatter(world, in, out, support::equal(support::size_of(world), 1), root);
        check_out();
        // even where an element is itself a range
        std::vector<std::array<int, 2>> const pairs(n, {rank, 1});
        std::array<int, 2> pair{};
        tutti::scatter(world, pairs, pair, root);
        check_equal(pair, std::array<int, 2>{root, 1}, "a pair for each rank");
    });
}

BOOST_AUTO_TEST_CASE_ON_RANKS(other_ranks_need_not_name_an_input) {
    auto const counts = support::equal(support::size_of(world), 3);
    for_each_root(world, [&](int rank, int root) {
        auto const in = operands(root, total(counts));
        auto const expected = part_of(in, counts, rank);
        std::vector<int> out(3, -1);
        int one = -1;
        auto const check_out = [&] {
            check_equal(out, expected, "out");
            out.assign(3, -1);
        };
        if (rank == root) {
            tutti::scatter(world, in, out, root);
            check_out();
            tutti::scatter(world, in, out, root, tutti::linear{});
            check_out();
            tutti::scatter(world, in.data(), out.data(), 3, root);
            check_out();
            tutti::scatter(world, std::span{in}.first(counts.size()), one, root);
        } else {
            tutti::scatter(world, out, root);
            check_out();
            tutti::scatter(world, std::span{out}, root, tutti::linear{});
            check_out();
            int three = 3;
            tutti::scatter(world, out.data(), three, root);
            check_out();
            tutti::scatter(world, one, root);
        }
        check_equal(one, in[static_cast<std::size_t>(rank)], "one element");
    });
}

// An array is a range, and its length is known.
BOOST_AUTO_TEST_CASE_ON_RANKS(an_array_is_no_pointer) {
    for_each_root(world, [&](int rank, int root) {
        double eight[8] = {};
        for (int r = 0; r != 8; ++r) { eight[r] = rank * 10 + r; }
        double out = -1;
        auto const size = support::size_of(world);
        if (size == 8) {
            tutti::scatter(world, eight, out, root);
            check_equal(out, root * 10 + rank, "array");
        } else if (rank == root) {
            auto const said =
                support::message_of<std::invalid_argument>([&] { tutti::scatter(world, eight, out, root); });
            check_equal(said, "tutti: scatter: in has 8 elements, but the parts of all ranks together have " +
                                  std::to_string(size) + "; make both equal", "message");
        }
    });
}

BOOST_AUTO_TEST_CASE_ON_RANKS(only_the_root_needs_counts) {
    auto const counts = support::uneven(support::size_of(world), 40);
    for_each_root(world, [&](int rank, int root) {
        auto const whole = operands(root, 40);
        auto const expected = part_of(whole, counts, rank);
        std::vector<int> const wrong(counts.size(), -7);
        for (auto const& elsewhere : {std::vector<int>{}, wrong}) {
            auto const known = rank == root ? std::vector<int>(counts.begin(), counts.end()) : elsewhere;
            std::vector<int> out(expected.size(), -1);
            tutti::scatter(world, rank == root ? whole : std::vector<int>{}, out, known, root);
            check_equal(out, expected, "out");
            auto both = rank == root ? whole : std::vector<int>(expected.size(), -1);
            tutti::scatter(world, tutti::inplace(both), known, root);
            check_equal(both, rank == root ? whole : expected, "in place");
        }
    });
}

BOOST_AUTO_TEST_CASE_ON_EACH_RANK(counts_of_all_types) {
    auto const counts = support::uneven(size, 40);
    auto const in = operands(rank, 40);
    auto const expected = part_of(operands(0, 40), counts, rank);
    support::for_each_type_of_counts(counts, [&](auto const& given, char const* type) {
        std::vector<int> out(part_size(counts, rank), -1);
        tutti::scatter(world, in, out, given, 0);
        check_equal(out, expected, type);
    });
}

BOOST_AUTO_TEST_SUITE_END()
