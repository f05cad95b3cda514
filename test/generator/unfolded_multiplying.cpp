// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <cstddef>

#include <laws/schedule_laws.hpp>
#include <support/scan_counts.hpp>
#include <tutti/generator/binomial.hpp>
#include <tutti/generator/unfolded_multiplying.hpp>

BOOST_AUTO_TEST_SUITE(generator_unfolded_multiplying)

using namespace tutti;
using namespace tutti::container;
using namespace tutti::generators;
using namespace tutti::schedules;

namespace {

template <class Collective>
void check_laws(Collective which) {
    laws::check_schedules(which, unfolded_multiplying{});
    for (std::size_t const radix : {4U, 5U, 64U}) {
        laws::check_schedules(which, unfolded_multiplying{.radix = radix}, laws::sizes, {partition::equal(5, 2)});
    }
    laws::check_lengths(which, unfolded_multiplying{.radix = 4});
    std::vector<unfolded_multiplying> const wrong{{.radix = 1}, {.radix = send_window + 1}};
    laws::check_refusals(which, wrong, {0, 4, 0, partition::equal(1, 1)});
}

/// Calls `row(verdict, radix, p)` for every number of ranks.
template <class Collective, class Row>
void check_terms(Collective which, Row row) {
    for (std::size_t const radix : {2U, 3U, 4U, 5U, 8U, 17U}) {
        for (std::size_t p = 1; p <= 64; ++p) {
            for (auto const root : laws::roots<Collective>(p)) {
                auto const verdict =
                    verify(which, unfolded_multiplying{.radix = radix}, p, root % p, partition::equal(1, 1));
                BOOST_TEST_CONTEXT("radix " << radix << ", " << p << " ranks, root " << root) {
                    BOOST_TEST(verdict.reason == "");
                    BOOST_TEST((verdict.canonical && verdict.one_term));
                    row(verdict, radix, p);
                }
            }
        }
    }
}

std::size_t messages_of(std::size_t radix, std::size_t p) {
    std::size_t result = 0;
    for (auto const factor : group_factors(unfolded_multiplying{.radix = radix}, p)) { result += factor - 1; }
    return result;
}

}  // namespace

BOOST_AUTO_TEST_CASE(keeps_the_laws) {
    check_laws(collective::reduce{});
    check_laws(collective::all_reduce{});
    check_laws(collective::inclusive_scan{});
    check_laws(collective::exclusive_scan{});
    check_laws(collective::scan_reduce{});
}

BOOST_AUTO_TEST_CASE(levels_end_with_all_groups_that_are_left) {
    auto const factors = [](std::size_t radix, std::size_t p) {
        return group_factors(unfolded_multiplying{.radix = radix}, p);
    };
    BOOST_TEST((factors(2, 17) == dynamic_array<std::size_t>{2, 2, 2, 2, 2}));
    BOOST_TEST((factors(4, 17) == dynamic_array<std::size_t>{4, 4, 2}));
    BOOST_TEST((factors(5, 17) == dynamic_array<std::size_t>{4, 5}));
    BOOST_TEST((factors(17, 17) == dynamic_array<std::size_t>{17}));
    BOOST_TEST(factors(4, 1).empty());
}

BOOST_AUTO_TEST_CASE(reductions_are_canonical_and_cost_what_the_comment_says) {
    check_terms(collective::reduce{}, [](auto const& cost, std::size_t radix, std::size_t p) {
        auto const b = support::log2_up(radix + 1) - 2;  // ⌊log2 radix⌋ - 1
        auto const levels = support::log2_up(p);
        cost::check(cost, cost::rounds == (levels + b) / (b + 1), cost::messages == p - 1, cost::max_messages_sent <= 1,
                    cost::max_messages_received <= (levels << b), cost::max_combines == cost::max_messages_received);
    });
}

BOOST_AUTO_TEST_CASE(a_reduction_by_doubling_is_binomial) {
    for (std::size_t p = 1; p <= 17; ++p) {
        auto const cut = partition::equal(2, 2);
        auto const same = verify(collective::reduce{}, binomial{}, p, p / 2, cut);
        auto const cost =
            cost::check(collective::reduce{}, unfolded_multiplying{}, p, p / 2, cut, cost::rounds == same.rounds,
                        cost::max_messages_received == same.max_messages_received);
        BOOST_TEST(cost.term == same.term);
    }
}

BOOST_AUTO_TEST_CASE(all_reduces_are_canonical_and_cost_what_the_comment_says) {
    check_terms(collective::all_reduce{}, [](auto const& cost, std::size_t radix, std::size_t p) {
        auto const messages = messages_of(radix, p);
        cost::check(cost, cost::rounds == group_factors(unfolded_multiplying{.radix = radix}, p).size(),
                    cost::max_messages_received == messages, cost::max_combines == messages,
                    cost::max_messages_sent <= messages + p + p / 2);
    });
}

BOOST_AUTO_TEST_CASE(what_one_last_rank_has_goes_through_its_counterparts) {
    auto const cost = verify(collective::all_reduce{}, unfolded_multiplying{.radix = 5}, 17, 0, partition::equal(1, 1));
    BOOST_TEST(cost.max_messages_sent == 8U);  // 3 and 4 of every rank, 1 of a counterpart; 16 without these
    // two ranks speak themselves to two each in the other groups of four
    std::size_t sends = 0;
    for (auto const& each : generate(collective::all_reduce{}, unfolded_multiplying{.radix = 4},
                                     problem{13, 14, 0, partition::equal(1, 1)})) {
        sends += each.what == action::send ? 1 : 0;
    }
    BOOST_TEST(sends == 1 + 3 * 2U);
}

BOOST_AUTO_TEST_CASE(scans_are_canonical_and_cost_what_the_comment_says) {
    auto const prefixes = [](auto const& cost, std::size_t radix, std::size_t p) {
        auto const messages = messages_of(radix, p);
        cost::check(cost, cost::rounds == group_factors(unfolded_multiplying{.radix = radix}, p).size(),
                    cost::max_messages_received <= messages, cost::max_messages_sent <= messages,
                    cost::max_combines <= 2 * messages);
    };
    check_terms(collective::inclusive_scan{}, prefixes);
    check_terms(collective::exclusive_scan{}, prefixes);
    check_terms(collective::scan_reduce{}, [](auto const& cost, std::size_t radix, std::size_t p) {
        auto const messages = messages_of(radix, p);
        cost::check(cost, cost::max_messages_received == messages, cost::max_messages_sent <= messages + p + p / 2,
                    cost::max_combines <= 2 * messages);
    });
}

BOOST_AUTO_TEST_SUITE_END()
