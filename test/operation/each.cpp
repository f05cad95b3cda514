// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/ranks.hpp>

#include <array>
#include <functional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <tutti/collective/all_reduce.hpp>
#include <tutti/collective/execute.hpp>
#include <tutti/collective/reduce.hpp>
#include <tutti/collective/scan.hpp>
#include <tutti/operation/annotated.hpp>
#include <tutti/operation/each.hpp>
#include <tutti/operation/minmax.hpp>

BOOST_AUTO_TEST_SUITE(operation_each)

using support::check;
using support::check_equal;
using tutti::each;

namespace {

struct state {
    double mass;
    int worst;
    float least;
    friend bool operator==(state const&, state const&) = default;
};
struct alone {
    int x;
};

auto const of_state = each(std::plus<>{}, tutti::maximum<>{}, tutti::minimum<>{});

static_assert(tutti::operators::is_commutative_v<decltype(of_state), state>);
static_assert(tutti::operators::has_identity_v<decltype(of_state), state>);
static_assert(!tutti::operators::operator_on<decltype(of_state), std::pair<int, int>>);
static_assert(!tutti::operators::operator_on<decltype(of_state), double>);
static_assert(!tutti::operators::operator_on<decltype(each(std::plus<>{}, std::bit_or<>{})), std::pair<int, double>>);
static_assert(tutti::operators::operator_on<decltype(each(std::plus<>{})), alone>);

auto const last = [](int, int b) { return b; };
static_assert(!tutti::operators::is_commutative_v<decltype(each(std::plus<>{}, last)), std::pair<int, int>>);
static_assert(!tutti::operators::has_identity_v<decltype(each(std::plus<>{}, last)), std::pair<int, int>>);

BOOST_AUTO_TEST_CASE(members_are_combined_by_themselves) {
    BOOST_TEST((of_state(state{1, 2, 3}, state{10, 1, 5}) == state{11, 2, 3}));
    auto const op = each(std::plus<>{}, [](std::string const& a, std::string const& b) { return a + b; });
    auto const both = op(std::pair<int, std::string>{1, "a"}, std::pair<int, std::string>{2, "b"});
    BOOST_TEST((both == std::pair<int, std::string>{3, "ab"}));
    BOOST_TEST((each(std::plus<>{}, std::multiplies<>{})(std::array{2, 3}, std::array{4, 5}) == std::array{6, 15}));
    BOOST_TEST(each(std::plus<>{})(alone{2}, alone{3}).x == 5);
}

BOOST_AUTO_TEST_CASE(a_reference_applies_the_callers_operator) {
    int calls = 0;
    auto counting = [&calls](int a, int b) { return ++calls, a + b; };
    auto op = each(std::ref(counting), std::plus<>{});
    BOOST_TEST((op(std::tuple{1, 2.0}, std::tuple{3, 4.0}) == std::tuple{4, 6.0}));
    BOOST_TEST(calls == 1);
}

BOOST_AUTO_TEST_CASE_ON_EACH_RANK(one_call_in_place_of_several) {
    auto const [total, largest] =
        tutti::all_reduce(world, std::tuple{rank + 0.5, rank}, each(std::plus<>{}, tutti::maximum<>{}));
    check_equal(total, size * size / 2.0, "sum");
    check_equal(largest, size - 1, "maximum");
    auto const both = tutti::all_reduce(world, std::array{1.0, rank + 1.0}, each(std::plus<>{}, tutti::minimum<>{}));
    check(both == std::array{size * 1.0, 1.0}, "an array");
    auto const here = tutti::all_reduce(world, state{1, rank, 2.0F - static_cast<float>(rank)}, of_state);
    check(here == state{size * 1.0, size - 1, 3.0F - static_cast<float>(size)}, "a struct");

    std::vector<state> in(9, state{1, rank, static_cast<float>(rank)}), out(9);
    tutti::all_reduce(world, in, out, of_state);
    check(out[8] == state{size * 1.0, size - 1, 0}, "a vector of structs");
    tutti::inclusive_scan(world, in, out, of_state);
    check(out[8] == state{rank + 1.0, rank, 0}, "a scan");
    tutti::exclusive_scan(world, in, out, of_state);
    check(rank == 0 || out[8] == state{rank * 1.0, rank - 1, 0}, "an exclusive scan");
    check(rank != 0 || (out[8].mass == 0 && out[8].worst < 0), "its identity");
    std::array one{1, rank};
    auto const scanned = tutti::inclusive_scan(world, one, each(std::plus<>{}, tutti::maximum<>{}));
    check(scanned == std::array{rank + 1, rank}, "a scan of arrays");
    auto const reduced = tutti::reduce(world, tutti::value(one), each(std::plus<>{}, tutti::maximum<>{}), 0);
    check(reduced.has_value() == (rank == 0), "an array by reduce");
    check(rank != 0 || *reduced == std::array{size, size - 1}, "an array on the root");
    auto const ordered = tutti::all_reduce(world, std::pair{1, rank % 3}, each(std::plus<>{}, last));
    check(ordered == std::pair{size, (size - 1) % 3}, "order");
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
