// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <cstddef>
#include <vector>

#include <range/v3/range/conversion.hpp>

#include <laws/schedule_laws.hpp>

#include <tutti/analysis/verify.hpp>
#include <tutti/generator/direct_exchange.hpp>

BOOST_AUTO_TEST_SUITE(generator_direct_exchange)

using namespace tutti;
using namespace tutti::generators;
using namespace tutti::schedules;

BOOST_AUTO_TEST_CASE(keeps_the_laws) {
    laws::check_schedules(collective::all_reduce{}, direct_exchange{});
    laws::check_schedules(collective::all_reduce{}, direct_exchange{.segments = 3});
    laws::check_lengths(collective::all_reduce{}, direct_exchange{});
    laws::check_lengths(collective::all_reduce{}, direct_exchange{.segments = 2});
    static_assert(!facts_of<collective::all_reduce, direct_exchange>.requires_commutative);
    static_assert(facts_of<collective::all_reduce, direct_exchange>.identical_on_all_ranks);
    static_assert(!facts_of<collective::all_reduce, direct_exchange>.supports(send_window + 1));
}

BOOST_AUTO_TEST_CASE(combines_a_stretch_before_it_distributes_the_one_before) {
    auto const result = buffer::result();
    std::vector<step> const expected{
        step::send(0, 2, result, 2),
        step::send(0, 0, result, 0),
        step::receive_combine(0, 0, result, 1, side::left),
        step::receive_combine(0, 2, result, 1, side::right),
        step::send(1, 2, result, 5),
        step::send(1, 0, result, 3),
        step::receive_combine(1, 0, result, 4, side::left),
        step::receive_combine(1, 2, result, 4, side::right),
        step::send(1, 2, result, 1),
        step::send(1, 0, result, 1),
        step::receive(1, 0, result, 0),
        step::receive(1, 2, result, 2),
        step::send(2, 2, result, 4),
        step::send(2, 0, result, 4),
        step::receive(2, 0, result, 3),
        step::receive(2, 2, result, 5),
    };
    auto const cut = partition::equal(6, 6);
    auto const steps = generate(collective::all_reduce{}, direct_exchange{}, problem{1, 3, 0, cut});
    BOOST_TEST(steps.rounds() == 3U);
    BOOST_TEST((ranges::to<std::vector>(steps) == expected));
}

BOOST_AUTO_TEST_CASE(takes_what_it_states) {
    for (std::size_t const p : {2U, 3U, 7U, 63U, 64U}) {
        for (std::size_t const stretches : {1U, 3U}) {
            auto const cut = partition::equal(p * stretches * 2, p * stretches);
            auto const cost = verify(collective::all_reduce{}, direct_exchange{}, p, 0, cut);
            BOOST_TEST_CONTEXT(p << " ranks, " << stretches << " stretches") {
                cost::check(cost, cost::rounds == stretches + 1, cost::messages == 2 * stretches * p * (p - 1),
                            cost::max_volume_sent == 2 * (p - 1) * stretches * 2,
                            cost::max_combines == (p - 1) * stretches * 2);
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(parts_are_as_long_as_it_says) {
    static_assert(blocks_for(direct_exchange{}, 4, 0) == 4);
    static_assert(blocks_for(direct_exchange{}, 4, 4 * direct_exchange::default_part) == 4);
    static_assert(blocks_for(direct_exchange{}, 4, 8 * direct_exchange::default_part) == 8);
    static_assert(blocks_for(direct_exchange{.segments = 5}, 4, 8) == 20);
}

BOOST_AUTO_TEST_SUITE_END()
