// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include <laws/scan_laws.hpp>
#include <laws/schedule_laws.hpp>
#include <support/scan_counts.hpp>
#include <tutti/analysis/simulate.hpp>
#include <tutti/generator/direct.hpp>
#include <tutti/generator/recursive_multiplying.hpp>

BOOST_AUTO_TEST_SUITE(generator_recursive_multiplying_scan)

using namespace tutti;
using namespace tutti::analysis;
using namespace tutti::container;
using namespace tutti::generators;
using namespace scans;
using boost::test_tools::per_element;

namespace {

using counts = dynamic_array<std::size_t>;

std::size_t sum(std::span<std::size_t const> all) { return std::accumulate(all.begin(), all.end(), std::size_t{0}); }

template <class Collective>
void check_laws(Collective which) {
    laws::check_schedules(which, recursive_multiplying{});
    for (std::size_t const radix : {2U, 3U, 7U, 64U}) {
        laws::check_schedules(which, recursive_multiplying{.radix = radix}, laws::sizes, {partition::equal(5, 2)});
    }
    laws::check_schedules(which, recursive_multiplying{.radix = 64}, {65, 100, 129}, {partition::equal(5, 1)});
    laws::check_lengths(which, recursive_multiplying{});
}

template <class Collective>
void check_cost(Collective which) {
    for (std::size_t radix = 2; radix <= 6; ++radix) {
        for (std::size_t size = 1; size <= 70; ++size) {
            auto const factors = radix_factors(size, radix);
            auto const cost = verify(which, recursive_multiplying{radix}, size, 0, partition::equal(3, 1));
            BOOST_TEST(cost.ok, cost.reason);
            BOOST_TEST(cost.rounds == factors.size());
            BOOST_TEST(cost.rounds_used == cost.rounds);
            BOOST_TEST(cost.max_messages_received == sum(factors) - factors.size());
            BOOST_TEST(cost.max_messages_sent <= sum(factors));
            BOOST_TEST(cost.max_combines <= 3 * (std::max<std::size_t>(sum(factors), 1) - 1));
        }
    }
}

/// No rank waits for ever, whatever ports do at once.
template <class Collective>
void check_progress(Collective which) {
    for (auto const model : {ports::unidirectional, ports::bidirectional, ports::overlapped}) {
        for (std::size_t const radix : {2U, 4U, 7U}) {
            for (std::size_t size = 1; size <= 40; ++size) {
                BOOST_CHECK_NO_THROW(
                    static_cast<void>(simulate(which, recursive_multiplying{radix}, size, 0, partition::equal(2, 2),
                                               cost_model::per_block(2, 1, model))));
            }
        }
    }
}

}  // namespace

BOOST_AUTO_TEST_CASE(gives_prefixes_in_rank_order) { check_laws(exclusive); }
BOOST_AUTO_TEST_CASE(gives_inclusive_prefixes_in_rank_order) { check_laws(inclusive); }
BOOST_AUTO_TEST_CASE(gives_prefixes_and_total_in_rank_order) { check_laws(both); }

BOOST_AUTO_TEST_CASE(nobody_waits_for_ever_whatever_ports_do_at_once) {
    check_progress(exclusive);
    check_progress(inclusive);
    check_progress(both);
}

BOOST_AUTO_TEST_CASE(costs_what_is_stated) {
    check_cost(exclusive);
    check_cost(inclusive);
    check_cost(both);
}

BOOST_AUTO_TEST_CASE(messages_go_up_where_no_group_is_above) {
    recursive_multiplying const four{};
    BOOST_TEST(sends_of(exclusive, four, 4) == (counts{3, 2, 1, 0}), per_element());
    BOOST_TEST(sends_of(inclusive, four, 4) == (counts{3, 2, 1, 0}), per_element());
    BOOST_TEST(sends_of(both, four, 4) == (counts{3, 3, 3, 3}), per_element());
    BOOST_TEST(sum(sends_of(exclusive, four, 16)) == 3 * 12 + 6 + 4 * 6);
    BOOST_TEST(sum(sends_of(both, four, 16)) == 16 * 6);
    BOOST_TEST(sends_of(exclusive, four, 16) == (counts{6, 6, 6, 6, 5, 5, 5, 5, 4, 4, 4, 4, 3, 2, 1, 0}),
               per_element());
}

BOOST_AUTO_TEST_CASE(two_ways_are_the_direct_algorithm_on_powers_of_two) {
    for (std::size_t size = 1; size <= 64; size *= 2) {
        BOOST_TEST(sends_of(exclusive, recursive_multiplying{2}, size) == sends_of(exclusive, direct{}, size));
        BOOST_TEST(sends_of(inclusive, recursive_multiplying{2}, size) == sends_of(inclusive, direct{}, size));
        BOOST_TEST(sends_of(both, recursive_multiplying{2}, size) == sends_of(both, direct{}, size));
        BOOST_TEST(combines_of(exclusive, recursive_multiplying{2}, size) == combines_of(exclusive, direct{}, size));
        BOOST_TEST(combines_of(inclusive, recursive_multiplying{2}, size) == combines_of(inclusive, direct{}, size));
        BOOST_TEST(combines_of(both, recursive_multiplying{2}, size) == combines_of(both, direct{}, size));
    }
}

BOOST_AUTO_TEST_CASE(without_a_total_a_group_is_combined_only_for_those_to_whom_it_is_sent) {
    auto const cut = partition::equal(1, 1);
    auto const check = [&](auto which, auto for_others) {
        for (std::size_t const radix : {2U, 3U, 4U, 7U}) {
            for (std::size_t size = 1; size <= 100; ++size) {
                for (std::size_t rank = 0; rank < size; ++rank) {
                    bool unsent = false;
                    for (step const& each :
                         generate(which, recursive_multiplying{radix}, problem{rank, size, 0, cut})) {
                        if (each.what == action::send) {
                            unsent = false;
                        } else if (for_others(each)) {
                            unsent = true;
                        }
                    }
                    BOOST_REQUIRE(!unsent);
                }
            }
        }
    };
    check(exclusive, [](step const& each) { return each.target == buffer::result(); });
    check(inclusive, [](step const& each) { return each.target == buffer::scratch(0); });
}

BOOST_AUTO_TEST_CASE(strings_are_concatenated_from_left_to_right) {
    for (std::size_t const radix : {2U, 3U, 4U, 6U}) { laws::check_concatenation(recursive_multiplying{radix}, 6); }
}

BOOST_AUTO_TEST_CASE(totals_have_the_tree_of_the_all_reduce) {
    auto const cut = partition::equal(1, 1);
    for (std::size_t size = 1; size <= 40; ++size) {
        auto const expected = bracketings(collective::all_reduce{}, recursive_multiplying{}, size, 0, cut, 0);
        for (std::size_t const rank : {std::size_t{0}, size / 2, size - 1}) {
            BOOST_TEST(bracketings(both, recursive_multiplying{}, size, 0, cut, rank) == expected);
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
