// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/operands.hpp>
#include <support/ranks.hpp>

#include <array>
#include <span>

#include <tutti/collective/all_gather.hpp>
#include <tutti/combinator/reverse.hpp>
#include <tutti/generator/all.hpp>

BOOST_AUTO_TEST_SUITE(collective_all_gather)

using support::check;
using support::check_equal;
using support::concatenated;
using support::operands;
using support::part_size;
using support::total;
using support::with_part_of;

namespace {

/// Vectors divided in several ways.
void check_ranges(auto& world, std::size_t n, auto const& algorithm) {
    int const rank = support::rank_of(world);
    int const size = support::size_of(world);
    for (auto const& counts : support::divisions(size, n)) {
        auto const in = operands(rank, part_size(counts, rank));
        auto const expected = concatenated(counts, operands);
        std::vector<int> out(total(counts), -1);
        tutti::all_gather(world, in, out, counts, algorithm);
        check(out == expected, "all_gather of " + std::to_string(total(counts)));
        check(in == operands(rank, part_size(counts, rank)), "the input was written");
        auto both = with_part_of(rank, counts);
        tutti::all_gather(world, tutti::inplace(both), counts, algorithm);
        check(both == expected, "all_gather of " + std::to_string(total(counts)) + " in place");
    }
}

}  // namespace

BOOST_AUTO_TEST_CASE(parts_of_all_lengths) {
    support::on_ranks_by_length({0, 1, 2, 7, 1001, 100'000},
                                [](auto& world, std::size_t n) { check_ranges(world, n, tutti::automatic{}); });
}

BOOST_AUTO_TEST_CASE(reduce_scatters_name_their_reversals) {
    support::on_ranks_by_length({1, 7, 1001}, [](auto& world, std::size_t n) {
        check_ranges(world, n, tutti::bucket{});
        check_ranges(world, n, tutti::round_optimal{.segments = 3});
        check_ranges(world, n, tutti::reverse(tutti::short_vector{}));
    });
}

BOOST_AUTO_TEST_CASE_ON_EACH_RANK(equal_parts) {
    auto const in = operands(rank, 3);
    auto const counts = support::equal(size, 3);
    auto const expected = concatenated(counts, operands);
    std::vector<int> out(expected.size(), -1);
    auto const check_out = [&] {
        check_equal(out, expected, "out");
        out.assign(expected.size(), -1);
    };
    tutti::all_gather(world, in, out);
    check_out();
    tutti::all_gather(world, std::span<int const, 3>{in}, std::span{out});
    check_out();
    tutti::all_gather(world, tutti::elements(in), tutti::elements(out));
    check_out();
    int const c_array[] = {in[0], in[1], in[2]};
    tutti::all_gather(world, c_array, out, tutti::bucket{});
    check_out();
    tutti::all_gather(world, in.data(), 3, out.data());
    check_out();
    tutti::all_gather(world, c_array, in.size(), out.data());
    check_out();
    int const three = 3;
    tutti::all_gather(world, c_array, three, out);
    check_out();
    out.clear();
    tutti::all_gather(world, in.data(), 3U, out, tutti::bucket{});  // it grows
    check_out();
    auto both = with_part_of(rank, counts);
    tutti::all_gather(world, tutti::inplace(both));
    check_equal(both, expected, "in place");
    both = with_part_of(rank, counts);
    tutti::all_gather(world, tutti::inplace(std::span{both}), tutti::bucket{});
    check_equal(both, expected, "in place by a named algorithm");
}

BOOST_AUTO_TEST_CASE_ON_EACH_RANK(one_element_of_each_rank) {
    auto const n = static_cast<std::size_t>(size);
    std::vector<int> expected(n);
    for (int r = 0; r != size; ++r) { expected[static_cast<std::size_t>(r)] = 10 * r; }
    std::vector<int> out;
    auto const check_out = [&] {
        check_equal(out, expected, "out");
        out.clear();
    };
    tutti::all_gather(world, 10 * rank, out);
    check_out();
    out.assign(100, -1);
    tutti::all_gather(world, 10 * rank, out, tutti::bucket{});
    check_out();
    int const mine = 10 * rank;
    tutti::all_gather(world, tutti::value(mine), out);
    check_out();
    out.resize(n);
    tutti::all_gather(world, mine, out.data());
    check_out();
    out.resize(n);
    tutti::all_gather(world, mine, std::span{out});
    check_out();
    out.resize(n);
    tutti::all_gather(world, mine, out, support::equal(size, 1));
    check_out();
    // even where an element is itself a range
    std::array<int, 2> const pair{rank, 1};
    std::vector<std::array<int, 2>> pairs;
    tutti::all_gather(world, pair, pairs);
    check_equal(pairs.size(), n, "number of pairs");
    for (int r = 0; r != size; ++r) {
        check_equal(pairs[static_cast<std::size_t>(r)], std::array<int, 2>{r, 1}, "a pair of each rank");
    }
}

// An array is a range, and its length is known.
BOOST_AUTO_TEST_CASE_ON_EACH_RANK(an_array_is_no_pointer) {
    auto const n = static_cast<std::size_t>(size);
    int eight[8] = {};
    if (n == 8) {
        tutti::all_gather(world, rank, eight);
        for (int r = 0; r != 8; ++r) { check_equal(eight[r], r, "array"); }
    } else {
        auto const said =
            support::message_of<std::invalid_argument>([&] { tutti::all_gather(world, rank, eight); });
        check_equal(said, "tutti: all_gather: out has 8 elements, but the parts of all ranks together have " +
                              std::to_string(n) + "; make both equal", "message");
    }
}

BOOST_AUTO_TEST_CASE_ON_EACH_RANK(counts_of_all_types) {
    auto const counts = support::uneven(size, 40);
    auto const in = operands(rank, part_size(counts, rank));
    auto const expected = concatenated(counts, operands);
    support::for_each_type_of_counts(counts, [&](auto const& given, char const* type) {
        std::vector<int> out(40, -1);
        tutti::all_gather(world, in, out, given);
        check_equal(out, expected, type);
        auto both = with_part_of(rank, counts);
        tutti::all_gather(world, tutti::inplace(both), given);
        check_equal(both, expected, std::string{type} + " in place");
    });
}

BOOST_AUTO_TEST_SUITE_END()
