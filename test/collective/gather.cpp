// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/operands.hpp>
#include <support/ranks.hpp>

#include <span>

#include <tutti/collective/gather.hpp>
#include <tutti/combinator/reverse.hpp>
#include <tutti/generator/all.hpp>

BOOST_AUTO_TEST_SUITE(collective_gather)

using support::check;
using support::check_equal;
using support::concatenated;
using support::for_each_root;
using support::operands;
using support::part_size;
using support::with_part_of;

namespace {

/// Vectors divided in several ways, to every root.
void check_ranges(auto& world, std::size_t n, auto const& algorithm) {
    for (auto const& counts : support::divisions(support::size_of(world), n)) {
        auto const whole = concatenated(counts, operands);
        for_each_root(world, [&](int rank, int root) {
            auto const what = std::to_string(whole.size()) + " elements to " + std::to_string(root);
            auto const in = operands(rank, part_size(counts, rank));
            std::vector<int> out(rank == root ? whole.size() : 1, -1);
            tutti::gather(world, in, out, counts, root, algorithm);
            check(out == (rank == root ? whole : std::vector<int>{-1}), what);
            check(in == operands(rank, in.size()), "the input was written");
            auto both = rank == root ? with_part_of(rank, counts) : in;
            tutti::gather(world, tutti::inplace(both), counts, root, algorithm);
            check(both == (rank == root ? whole : in), what + " in place");
        });
    }
}

}  // namespace

BOOST_AUTO_TEST_CASE(parts_of_all_lengths_to_every_root) {
    support::on_ranks_by_length({0, 1, 2, 7, 1001, 100'000},
                                [](auto& world, std::size_t n) { check_ranges(world, n, tutti::automatic{}); });
}

BOOST_AUTO_TEST_CASE_ON_RANKS(scatters_name_their_reversals) {
    for (auto const n : std::vector<std::size_t>{7, 1001}) {
        check_ranges(world, n, tutti::linear{});
        check_ranges(world, n, tutti::binomial{});
    }
    check_ranges(world, 7, tutti::reverse(tutti::linear{}));
}

BOOST_AUTO_TEST_CASE_ON_RANKS(equal_parts) {
    auto const counts = support::equal(support::size_of(world), 3);
    auto const whole = concatenated(counts, operands);
    for_each_root(world, [&](int rank, int root) {
        auto const in = operands(rank, 3);
        std::vector<int> const untouched(whole.size(), -1);
        auto out = untouched;
        auto const check_out = [&] {
            check_equal(out, rank == root ? whole : untouched, "out");
            out = untouched;
        };
        tutti::gather(world, in, out, root);
        check_out();
        tutti::gather(world, std::span<int const, 3>{in}, std::span{out}, root);
        check_out();
        tutti::gather(world, tutti::elements(in), tutti::elements(out), root);
        check_out();
        int const c_array[] = {in[0], in[1], in[2]};
        tutti::gather(world, c_array, out, root, tutti::linear{});
        check_out();
        tutti::gather(world, in.data(), 3, out.data(), root);
        check_out();
        tutti::gather(world, c_array, in.size(), out.data(), root);
        check_out();
        if (rank == root) { out.clear(); }
        tutti::gather(world, in.data(), 3, out, root);  // it grows on the root
        check_out();
        auto both = rank == root ? with_part_of(rank, counts) : in;
        tutti::gather(world, tutti::inplace(both), root);
        check_equal(both, rank == root ? whole : in, "in place");
    });
}

BOOST_AUTO_TEST_CASE_ON_RANKS(one_element_of_each_rank) {
    int const size = support::size_of(world);
    std::vector<int> whole(static_cast<std::size_t>(size));
    for (int r = 0; r != size; ++r) { whole[static_cast<std::size_t>(r)] = 10 * r; }
    for_each_root(world, [&](int rank, int root) {
        std::vector<int> out;
        auto const check_out = [&] {
            check_equal(out, rank == root ? whole : std::vector<int>{}, "out");
            out.clear();
        };
        int const mine = 10 * rank;
        tutti::gather(world, 10 * rank, out, root);
        check_out();
        tutti::gather(world, tutti::value(mine), out, root, tutti::linear{});
        check_out();
        out.resize(rank == root ? whole.size() : 0);
        tutti::gather(world, mine, out.data(), root);
        check_out();
        out.resize(rank == root ? whole.size() : 0);
        tutti::gather(world, mine, std::span{out}, root);
        check_out();
        out.resize(rank == root ? whole.size() : 0);
        tutti::gather(world, mine, out, support::equal(size, 1), root);
        check_out();
    });
}

BOOST_AUTO_TEST_CASE_ON_RANKS(other_ranks_need_not_name_an_output) {
    auto const whole = concatenated(support::equal(support::size_of(world), 3), operands);
    for_each_root(world, [&](int rank, int root) {
        auto const in = operands(rank, 3);
        int const c_array[] = {in[0], in[1], in[2]};
        int three = 3;
        if (rank == root) {
            std::vector<int> out(whole.size());
            auto const check_out = [&] {
                check_equal(out, whole, "out");
                out.assign(whole.size(), -1);
            };
            tutti::gather(world, in, out, root);
            check_out();
            tutti::gather(world, in, out, root, tutti::linear{});
            check_out();
            tutti::gather(world, in.data(), 3, out.data(), root);
            check_out();
            tutti::gather(world, c_array, three, out, root);
            check_out();
            std::vector<int> ranks;
            tutti::gather(world, rank, ranks, root);
            check_equal(ranks.size(), whole.size() / 3, "ranks");
        } else {
            tutti::gather(world, in, root);
            tutti::gather(world, in, root, tutti::linear{});
            tutti::gather(world, in.data(), 3, root);
            tutti::gather(world, c_array, three, root);
            tutti::gather(world, rank, root);
        }
    });
}

// An array is a range, and its length is known.
BOOST_AUTO_TEST_CASE_ON_RANKS(an_array_is_no_pointer) {
    for_each_root(world, [&](int rank, int root) {
        int eight[8] = {};
        auto const size = support::size_of(world);
        if (size == 8) {
            tutti::gather(world, rank, eight, root);
            for (int r = 0; r != 8; ++r) { check_equal(eight[r], rank == root ? r : 0, "array"); }
        } else if (rank == root) {
            auto const said =
                support::message_of<std::invalid_argument>([&] { tutti::gather(world, rank, eight, root); });
            check_equal(said, "tutti: gather: out has 8 elements, but the parts of all ranks together have " +
                                  std::to_string(size) + "; make both equal", "message");
        }
    });
}

BOOST_AUTO_TEST_CASE_ON_RANKS(only_the_root_needs_counts) {
    auto const counts = support::uneven(support::size_of(world), 40);
    auto const whole = concatenated(counts, operands);
    for_each_root(world, [&](int rank, int root) {
        std::vector<int> const wrong(counts.size(), -7);
        for (auto const& elsewhere : {std::vector<int>{}, wrong}) {
            auto const known = rank == root ? std::vector<int>(counts.begin(), counts.end()) : elsewhere;
            auto const in = operands(rank, part_size(counts, rank));
            std::vector<int> out(rank == root ? 40 : 0);
            tutti::gather(world, in, out, known, root);
            if (rank == root) { check_equal(out, whole, "out"); }
            auto both = rank == root ? with_part_of(rank, counts) : in;
            tutti::gather(world, tutti::inplace(both), known, root);
            check_equal(both, rank == root ? whole : in, "in place");
        }
    });
}

BOOST_AUTO_TEST_CASE_ON_EACH_RANK(counts_of_all_types) {
    auto const counts = support::uneven(size, 40);
    auto const whole = concatenated(counts, operands);
    auto const in = operands(rank, part_size(counts, rank));
    support::for_each_type_of_counts(counts, [&](auto const& given, char const* type) {
        std::vector<int> out(rank == 0 ? 40 : 0);
        tutti::gather(world, in, out, given, 0);
        if (rank == 0) { check_equal(out, whole, type); }
    });
}

BOOST_AUTO_TEST_SUITE_END()
