// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <laws/scan_laws.hpp>
#include <laws/schedule_laws.hpp>
#include <support/scan_counts.hpp>
#include <support/sentences.hpp>
#include <tutti/analysis/simulate.hpp>
#include <tutti/generator/direct.hpp>
#include <tutti/generator/recursive_multiplying.hpp>

BOOST_AUTO_TEST_SUITE(generator_recursive_multiplying)

using namespace tutti;
using namespace tutti::analysis;
using namespace tutti::generators;
using namespace tutti::container;
using namespace tutti::schedules;
using namespace scans;
using boost::test_tools::per_element;

namespace {

constexpr collective::all_reduce all_reduce;

std::string association(std::size_t size, std::size_t radix, std::size_t rank) {
    return bracketings(all_reduce, recursive_multiplying{radix}, size, 0, partition::equal(1, 1), rank).front();
}

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
            cost::check(which, recursive_multiplying{radix}, size, 0, partition::equal(3, 1),
                        cost::rounds == factors.size(), cost::rounds_used == cost::rounds,
                        cost::max_messages_received == sum(factors) - factors.size(),
                        cost::max_messages_sent <= sum(factors),
                        cost::max_combines <= 3 * (std::max<std::size_t>(sum(factors), 1) - 1));
        }
    }
}

/// No rank waits for ever, whatever ports do at once: every message that is sent is simulated.
template <class Collective>
void check_progress(Collective which) {
    for (auto const model : {ports::unidirectional, ports::bidirectional, ports::overlapped}) {
        for (std::size_t const radix : {2U, 4U, 7U}) {
            for (std::size_t size = 1; size <= 40; ++size) {
                auto const cut = partition::equal(2, 2);
                auto const line =
                    simulate(which, recursive_multiplying{radix}, size, 0, cut, cost_model::per_block(2, 1, model));
                auto const transfers = std::count_if(line.events.begin(), line.events.end(),
                                                     [](auto const& each) { return each.what == activity::transfer; });
                auto const sent = verify(which, recursive_multiplying{radix}, size, 0, cut).messages;
                BOOST_TEST(static_cast<std::size_t>(transfers) == sent);
            }
        }
    }
}

}  // namespace

BOOST_AUTO_TEST_CASE(gives_every_rank_the_same_result_in_rank_order) { check_laws(all_reduce); }

BOOST_AUTO_TEST_CASE(takes_as_many_rounds_as_groups_take_to_grow_to_all_ranks) {
    for (std::size_t radix = 2; radix <= 8; ++radix) {
        std::size_t rounds = 0;
        std::size_t reached = 1;
        for (std::size_t size = 1; size <= 100; ++size) {
            if (size > reached) {
                reached *= radix;
                ++rounds;
            }
            std::size_t most = 0;
            for (auto const factor : radix_factors(size, radix)) { most += factor - 1; }
            auto const cost =
                cost::check(all_reduce, recursive_multiplying{radix}, size, 0, partition::equal(3, 1),
                            cost::rounds == rounds, cost::rounds_used == rounds, cost::max_messages_received == most,
                            cost::max_messages_sent <= most + rounds, cost::max_combines == 3 * most);
            BOOST_TEST(cost.combines == 3 * cost.messages);
            BOOST_TEST(cost.volume == 3 * cost.messages);
            BOOST_TEST(cost.messages <= size * most);
            if (size == reached) {
                BOOST_TEST(most == rounds * (radix - 1));
                cost::check(cost, cost::messages == size * most, cost::max_messages_sent == most);
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(all_of_a_round_are_sent_before_the_first_one_is_waited_for) {
    auto const cut = partition::equal(1, 1);
    for (std::size_t const radix : {2U, 4U, 5U}) {
        for (std::size_t size = 1; size <= 70; ++size) {
            auto const factors = radix_factors(size, radix);
            for (std::size_t rank = 0; rank < size; ++rank) {
                auto const all = generate(all_reduce, recursive_multiplying{radix}, problem{rank, size, 0, cut});
                std::vector<std::size_t> sends(all.rounds(), 0);
                std::vector<std::size_t> receives(all.rounds(), 0);
                for (step const& each : all) {
                    if (each.what == action::send) {
                        BOOST_REQUIRE(receives[each.round] == 0U);
                        ++sends[each.round];
                    }
                    receives[each.round] += each.receives() ? 1 : 0;
                }
                for (std::size_t round = 0; round < all.rounds(); ++round) {
                    auto const factor = factors[factors.size() - 1 - round];
                    BOOST_REQUIRE(receives[round] <= factor - 1);
                    BOOST_REQUIRE(sends[round] <= receives[round] + 1);
                }
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(nobody_waits_for_ever_whatever_ports_do_at_once) { check_progress(all_reduce); }

BOOST_AUTO_TEST_CASE(parts_are_combined_from_left_to_right) {
    for (std::size_t rank = 0; rank < 4; ++rank) { BOOST_TEST(association(4, 4, rank) == "(((0+1)+2)+3)"); }
    for (std::size_t rank = 0; rank < 5; ++rank) { BOOST_TEST(association(5, 4, rank) == "((0+1)+((2+3)+4))"); }
    for (std::size_t rank = 0; rank < 8; ++rank) {
        BOOST_TEST(association(8, 4, rank) == "((((0+1)+2)+3)+(((4+5)+6)+7))");
    }
    for (std::size_t rank = 0; rank < 5; ++rank) { BOOST_TEST(association(5, 2, rank) == "((0+1)+(2+(3+4)))"); }
}

BOOST_AUTO_TEST_CASE(lower_parts_meet_in_one_place_beside_the_result) {
    auto const cut = partition::equal(1, 1);
    auto const all = generate(all_reduce, recursive_multiplying{}, problem{2, 4, 0, cut});
    auto const result = buffer::result();
    auto const before = buffer::scratch(0);
    BOOST_TEST((std::vector<step>(all.begin(), all.end()) ==
                std::vector<step>{step::send(0, 3, result, 0), step::send(0, 0, result, 0), step::send(0, 1, result, 0),
                                  step::receive(0, 0, before, 0), step::receive_combine(0, 1, before, 0, side::right),
                                  step::combine(0, before, result, 0, side::left),
                                  step::receive_combine(0, 3, result, 0, side::right)}));
}

BOOST_AUTO_TEST_CASE(refuses_ways_that_lead_nowhere_or_need_too_many_messages_at_once) {
    auto const cut = partition::equal(1, 1);
    for (std::size_t const radix : {0U, 1U, 65U}) {
        BOOST_CHECK_EXCEPTION(
            static_cast<void>(generate(all_reduce, recursive_multiplying{radix}, problem{0, 4, 0, cut})),
            std::invalid_argument,
            support::says("tutti: recursive_multiplying makes one group of 2 to 64, not "
                          "of " +
                          std::to_string(radix) + "; choose a radix in between"));
    }
}

BOOST_AUTO_TEST_CASE(gives_prefixes_in_rank_order) { check_laws(exclusive); }
BOOST_AUTO_TEST_CASE(gives_inclusive_prefixes_in_rank_order) { check_laws(inclusive); }
BOOST_AUTO_TEST_CASE(gives_prefixes_and_total_in_rank_order) { check_laws(both); }

BOOST_AUTO_TEST_CASE(in_scans_nobody_waits_for_ever_whatever_ports_do_at_once) {
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
