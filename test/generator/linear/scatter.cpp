// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <vector>

#include <laws/schedule_laws.hpp>
#include <support/reduce_scatters.hpp>
#include <tutti/combinator/reverse.hpp>
#include <tutti/generator/linear.hpp>

BOOST_AUTO_TEST_SUITE(generator_linear_scatter)

using namespace tutti;

BOOST_AUTO_TEST_CASE(parts_go_out_and_come_back_for_any_root) {
    laws::check_schedules(collective::scatter{}, linear{});
    laws::check_schedules(collective::gather{}, reverse(linear{}));
    laws::check_lengths(collective::scatter{}, linear{});
    laws::check_lengths(collective::gather{}, reverse(linear{}));
}

BOOST_AUTO_TEST_CASE(the_root_sends_every_part_once_in_the_order_of_ranks) {
    auto const cut = support::uneven_six();
    std::vector<step> sent;
    for (step const& each : generate(collective::scatter{}, linear{}, problem{2, 6, 2, cut})) { sent.push_back(each); }
    std::vector<step> const expected{step::send(0, 0, buffer::result(), 0), step::send(1, 1, buffer::result(), 1),
                                     step::send(2, 3, buffer::result(), 3), step::send(4, 5, buffer::result(), 5)};
    BOOST_TEST((sent == expected));
    auto const cost = verify(collective::scatter{}, linear{}, 6, 2, cut);
    BOOST_TEST(cost.rounds == 5U);
    BOOST_TEST(cost.volume == 17U);
    BOOST_TEST(cost.max_messages_received == 1U);
}

BOOST_AUTO_TEST_CASE(each_rank_has_one_block) {
    BOOST_TEST(blocks_for(collective::scatter{}, linear{}, 7, 1000) == 7U);
    BOOST_TEST(blocks_for(collective::gather{}, reverse(linear{}), 7, 1000) == 7U);
    BOOST_TEST(blocks_for(collective::reduce{}, linear{}, 7, 1000) == 1U);
}

BOOST_AUTO_TEST_SUITE_END()
