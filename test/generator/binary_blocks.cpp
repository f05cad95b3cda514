// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <bit>
#include <cstddef>
#include <vector>

#include <laws/schedule_laws.hpp>
#include <support/expected_times.hpp>
#include <tutti/generator/binary_blocks.hpp>
#include <tutti/generator/butterfly.hpp>
#include <tutti/generator/split.hpp>

BOOST_AUTO_TEST_SUITE(generator_binary_blocks)

using namespace tutti;
using namespace tutti::generators;
using namespace tutti::pricing;

namespace {

std::size_t log2_of(std::size_t power) { return static_cast<std::size_t>(std::bit_width(power)) - 1; }

/// Calls `row(verdict, p, root)` for many sizes and roots, on blocks of two elements.
template <class Collective, class Row>
void for_calls(Collective which, Row row) {
    for (std::size_t p = 1; p <= laws::most_ranks; ++p) {
        for (auto root : laws::roots<Collective>(p)) {
            root %= p;
            auto const blocks = (collective::divides<Collective> ? p : std::bit_floor(p));
            auto const verdict = verify(which, binary_blocks{}, p, root, partition::equal(2 * blocks, blocks));
            BOOST_TEST_CONTEXT("p = " << p << ", root = " << root) { row(verdict, p, root); }
        }
    }
}

template <class Collective>
double time(Collective which, std::size_t size, std::size_t bytes) {
    return expected_time(which, binary_blocks{}, on_ethernet(size, bytes));
}

}  // namespace

BOOST_AUTO_TEST_CASE(groups_are_the_digits_of_the_number_of_ranks) {
    constexpr digit_groups of_22{22};  // 16 + 4 + 2
    static_assert(of_22.top() == 4 && of_22.has_smaller(4) && of_22.smaller(4) == 2 && of_22.smaller(2) == 1);
    static_assert(!of_22.has_smaller(1) && of_22.larger(1) == 2 && of_22.larger(2) == 4);
    static_assert(of_22.first(4) == 0 && of_22.first(2) == 16 && of_22.first(1) == 20);
    static_assert(of_22.level_of(0) == 4 && of_22.level_of(15) == 4 && of_22.level_of(16) == 2);
    static_assert(of_22.level_of(19) == 2 && of_22.level_of(20) == 1 && of_22.level_of(21) == 1);
    static_assert(digit_groups{8}.one() && !of_22.one());
}

BOOST_AUTO_TEST_CASE(keeps_the_laws) {
    laws::check_schedules(collective::reduce{}, binary_blocks{});
    laws::check_schedules(collective::all_reduce{}, binary_blocks{});
    laws::check_schedules(collective::reduce_scatter{}, binary_blocks{});
    laws::check_lengths(collective::reduce{}, binary_blocks{});
    laws::check_lengths(collective::all_reduce{}, binary_blocks{});
    laws::check_lengths(collective::reduce_scatter{}, binary_blocks{});
}

BOOST_AUTO_TEST_CASE(gives_a_broadcast_and_an_all_gather) {
    std::vector<std::size_t> const sizes{1, 2, 3, 7, 8, 13};
    laws::check_schedules(collective::broadcast{}, reverse(binary_blocks{}), sizes);
    laws::check_schedules(collective::all_gather{}, reverse(binary_blocks{}), sizes);
}

BOOST_AUTO_TEST_CASE(every_term_is_the_canonical_tree) {
    auto const canonical = [](auto const& verdict, std::size_t, std::size_t) {
        BOOST_TEST(verdict.reason == "");
        BOOST_TEST((verdict.canonical && verdict.one_term));
    };
    for_calls(collective::reduce{}, canonical);
    for_calls(collective::all_reduce{}, canonical);
    for_calls(collective::reduce_scatter{}, canonical);
    BOOST_TEST(verify(collective::all_reduce{}, binary_blocks{}, 7, 0, partition::equal(4, 4)).term ==
               "(((0+1)+(2+3))+((4+5)+6))");
}

BOOST_AUTO_TEST_CASE(costs_what_its_comment_says) {
    auto const rounds_there = [](std::size_t p) { return log2_of(std::bit_floor(p)) + !std::has_single_bit(p); };
    for_calls(collective::all_reduce{}, [&](auto const& verdict, std::size_t p, std::size_t) {
        cost::check(verdict, cost::rounds == 2 * rounds_there(p), cost::max_volume_sent <= 4 * std::bit_floor(p),
                    cost::max_combines <= 2 * std::bit_floor(p));
    });
    for_calls(collective::reduce{}, [&](auto const& verdict, std::size_t p, std::size_t root) {
        digit_groups const groups{p};
        auto const level = groups.level_of(root);
        cost::check(verdict, cost::rounds == rounds_there(p) + level + (level != groups.top()),
                    cost::max_volume_sent <= 3 * std::bit_floor(p), cost::max_combines <= 2 * std::bit_floor(p));
    });
    for_calls(collective::reduce_scatter{}, [&](auto const& verdict, std::size_t p, std::size_t) {
        BOOST_TEST(verdict.rounds == rounds_there(p) + 1);
        BOOST_TEST(5 * verdict.max_volume_sent <= 7 * 2 * p);
        BOOST_TEST(5 * verdict.max_combines <= 7 * 2 * p);
    });
}

BOOST_AUTO_TEST_CASE(on_powers_of_two_it_is_a_butterfly) {
    for (std::size_t const size : {2U, 4U, 16U, 64U}) {
        for (std::size_t const bytes : {64U, 1U << 20U}) {
            auto const now = on_ethernet(size, bytes);
            BOOST_TEST(time(collective::all_reduce{}, size, bytes) ==
                           expected_time(collective::all_reduce{}, split{.halvings = size}, now),
                       boost::test_tools::tolerance(0.25));
            BOOST_TEST(time(collective::reduce{}, size, bytes) == expected_time(collective::reduce{}, butterfly{}, now),
                       boost::test_tools::tolerance(0.05));
        }
    }
}

BOOST_AUTO_TEST_CASE(other_numbers_take_no_less_than_the_power_of_two_below) {
    for (std::size_t const bytes : {64U, 1U << 20U}) {
        for (std::size_t const size : {5U, 7U, 12U, 33U}) {
            auto const below = std::bit_floor(size);
            BOOST_TEST(time(collective::all_reduce{}, size, bytes) >= time(collective::all_reduce{}, below, bytes));
            BOOST_TEST(time(collective::all_reduce{}, size, bytes) < 3 * time(collective::all_reduce{}, below, bytes));
            BOOST_TEST(time(collective::reduce_scatter{}, size, bytes) >
                       time(collective::reduce_scatter{}, below, bytes));
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
