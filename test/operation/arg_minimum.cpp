// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/ranks.hpp>

#include <limits>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <tutti/collective/all_reduce.hpp>
#include <tutti/collective/execute.hpp>
#include <tutti/collective/scan.hpp>
#include <tutti/operation/arg_minimum.hpp>

BOOST_AUTO_TEST_SUITE(operation_arg_minimum)

using support::check;
using support::check_equal;

namespace {

struct found {
    double value;
    long place;
    friend bool operator==(found const&, found const&) = default;
};
using pair = std::pair<double, int>;

static_assert(tutti::operators::is_commutative_v<tutti::arg_minimum<>, pair>);
static_assert(tutti::operators::has_identity_v<tutti::arg_maximum<>, found>);
static_assert(!tutti::operators::operator_on<tutti::arg_minimum<>, double>);
static_assert(!tutti::operators::operator_on<tutti::arg_minimum<>, std::tuple<int, int, int>>);

BOOST_AUTO_TEST_CASE(the_value_decides_and_then_the_place) {
    BOOST_TEST((tutti::arg_minimum<>{}(pair{2, 0}, pair{1, 7}) == pair{1, 7}));
    BOOST_TEST((tutti::arg_minimum<>{}(pair{1, 7}, pair{1, 3}) == pair{1, 3}));
    BOOST_TEST((tutti::arg_maximum<>{}(pair{1, 7}, pair{1, 3}) == pair{1, 3}));
    BOOST_TEST((tutti::arg_maximum{}(found{1, 7}, found{4, 8}) == found{4, 8}));
    using named = std::pair<std::string, std::string>;
    BOOST_TEST((tutti::arg_minimum<>{}(named{"b", "x"}, named{"a", "y"}) == named{"a", "y"}));
    BOOST_TEST((tutti::arg_maximum<named>{}(named{"b", "x"}, named{"b", "a"}) == named{"b", "a"}));
}

BOOST_AUTO_TEST_CASE(every_order_of_operands_gives_the_same) {
    auto const no_number = std::numeric_limits<double>::quiet_NaN();
    std::vector<pair> const all{{1, 2}, {1, 1}, {no_number, 0}, {3, 3}, {no_number, -1}, {0.0, 5}, {-0.0, 4}};
    auto const check_all = [&](auto op) {
        auto const equal = [](pair const& a, pair const& b) {
            return (a.first == b.first || (a.first != a.first && b.first != b.first)) && a.second == b.second;
        };
        for (auto const& a : all) {
            for (auto const& b : all) {
                BOOST_TEST(equal(op(a, b), op(b, a)));
                for (auto const& c : all) { BOOST_TEST(equal(op(op(a, b), c), op(a, op(b, c)))); }
            }
            auto const identity = tutti::operators::identity_of<pair>(op);
            BOOST_TEST((equal(op(a, identity), a) && equal(op(identity, a), a)));
        }
    };
    check_all(tutti::arg_minimum<>{});
    check_all(tutti::arg_maximum<>{});
    BOOST_TEST((tutti::arg_minimum<>{}(pair{no_number, 0}, pair{1, 2}) == pair{1, 2}));
}

BOOST_AUTO_TEST_CASE_ON_EACH_RANK(which_rank_has_the_least_and_the_most) {
    auto const value_of = [&](int r) { return (r + 2) % 3 * 1.0; };
    auto const [least, least_at] = tutti::all_reduce(world, pair{value_of(rank), rank}, tutti::arg_minimum<>{});
    auto const most = tutti::all_reduce(world, found{value_of(rank), rank}, tutti::arg_maximum<>{});
    int due_least = 0, due_most = 0;
    for (int r = 0; r != size; ++r) {
        if (value_of(r) < value_of(due_least)) { due_least = r; }
        if (value_of(r) > value_of(due_most)) { due_most = r; }
    }
    check_equal(least_at, due_least, "the rank of the least");
    check_equal(least, value_of(due_least), "the least");
    check_equal(most.place, long{due_most}, "the rank of the most");
    auto const before = tutti::exclusive_scan(world, std::pair{rank, rank}, tutti::arg_maximum<>{});
    check(rank == 0 || before == std::pair{rank - 1, rank - 1}, "the most before this rank");
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
