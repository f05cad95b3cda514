// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <array>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include <tutti/collective/all_reduce.hpp>
#include <tutti/collective/reduce.hpp>
#include <tutti/combinator/on_group.hpp>
#include <tutti/combinator/regular_groups.hpp>
#include <tutti/communicator/threads.hpp>
#include <tutti/generator/all.hpp>

BOOST_AUTO_TEST_SUITE(collective_rank_order)

namespace {

/// Products of matrices do not commute; unsigned numbers may overflow.
struct matrix {
    std::array<std::array<unsigned, 3>, 3> at{};
    friend bool operator==(matrix const&, matrix const&) = default;
};

struct product {
    matrix operator()(matrix const& a, matrix const& b) const {
        matrix c;
        for (std::size_t i = 0; i != 3; ++i) {
            for (std::size_t j = 0; j != 3; ++j) {
                for (std::size_t k = 0; k != 3; ++k) { c.at[i][j] += a.at[i][k] * b.at[k][j]; }
            }
        }
        return c;
    }
};

/// No two of them commute.
std::vector<matrix> contribution(int rank, std::size_t n) {
    std::vector<matrix> all(n);
    for (unsigned i = 0; i != n; ++i) {
        auto const r = static_cast<unsigned>(rank);
        all[i].at = {{{1, r + i + 1, 2 * r}, {3, r, i + 5}, {r * r + 1, 7, 1}}};
    }
    return all;
}

std::vector<matrix> products(int size, std::size_t n) {
    auto result = contribution(0, n);
    for (int rank = 1; rank != size; ++rank) {
        auto const next = contribution(rank, n);
        for (std::size_t i = 0; i != n; ++i) { result[i] = product{}(result[i], next[i]); }
    }
    return result;
}

void check(bool holds, auto const& world, int root, std::size_t algorithm) {
    if (!holds) {
        throw std::runtime_error{"wrong product on rank " + std::to_string(world.rank()) + " of " +
                                 std::to_string(world.size()) + ", root " + std::to_string(root) + ", algorithm " +
                                 std::to_string(algorithm)};
    }
}

/// Reductions to every root, by each algorithm.
template <class... Algorithms>
void check_reduce(auto& world, std::size_t n, Algorithms const&... all) {
    auto const in = contribution(world.rank(), n);
    auto const expected = products(world.size(), n);
    for (int root = 0; root != world.size(); ++root) {
        std::size_t which = 0;
        auto const run = [&](auto const& algorithm) {
            std::vector<matrix> out(n);
            tutti::reduce(world, in, out, product{}, root, algorithm);
            check(world.rank() != root || out == expected, world, root, which++);
        };
        (run(all), ...);
    }
}

template <class... Algorithms>
void check_all_reduce(auto& world, std::size_t n, Algorithms const&... all) {
    auto const expected = products(world.size(), n);
    std::size_t which = 0;
    auto const run = [&](auto const& algorithm) {
        auto both = contribution(world.rank(), n);
        tutti::all_reduce(world, tutti::inplace(both), product{}, algorithm);
        check(both == expected, world, 0, which++);
    };
    (run(all), ...);
}

/// Teams of 1 to 17, messages delayed at random in some.
void on_teams(auto body) {
    for (int size = 1; size != 18; ++size) {
        tutti::threads::options how;
        if (size % 2 == 1) { how.perturb = static_cast<std::uint64_t>(size); }
        BOOST_CHECK_NO_THROW(tutti::threads::run(size, body, how));
    }
}

}  // namespace

BOOST_AUTO_TEST_CASE(reductions_keep_rank_order) {
    on_teams([](auto& world) {
        check_reduce(world, 5, tutti::automatic{}, tutti::linear{}, tutti::binomial{}, tutti::pipeline{.segments = 2},
                     tutti::binary_tree{.segments = 3});
    });
}

BOOST_AUTO_TEST_CASE(all_reductions_keep_rank_order) {
    on_teams([](auto& world) {
        check_all_reduce(world, 5, tutti::recursive_doubling{}, tutti::pipeline{.segments = 5}, tutti::binomial{},
                         then(tutti::on_group(tutti::groups::nodes{3}, tutti::binomial{}),
                              tutti::on_group(tutti::groups::leaders{3}, tutti::recursive_doubling{}),
                              tutti::on_group(tutti::groups::nodes{3}, tutti::reverse(tutti::binomial{}))));
    });
}

// Vectors of all the lengths at which tutti changes its mind.
BOOST_AUTO_TEST_CASE(the_automatic_choice_keeps_rank_order) {
    for (int const size : {3, 6}) {
        BOOST_CHECK_NO_THROW(tutti::threads::run(size, [](auto& world) {
            for (auto const n : std::vector<std::size_t>{1, 400, 500, 10'000, 20'000}) {
                check_all_reduce(world, n, tutti::automatic{});
                check_reduce(world, n, tutti::automatic{});
            }
        }));
    }
}

BOOST_AUTO_TEST_SUITE_END()
