// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#define BOOST_TEST_MODULE generator_reduce_binomial
#include <boost/test/unit_test.hpp>

#include <bit>

#include <laws/schedule_laws.hpp>
#include <tutti/generator/reduce/binomial.hpp>

using namespace tutti;

BOOST_AUTO_TEST_CASE(reduces_in_rank_order_to_any_root) { laws::check_schedules(collective::reduce{}, binomial{}); }

BOOST_AUTO_TEST_CASE(takes_ceil_log2_rounds_and_one_message_per_rank_but_the_root) {
    auto const cut = partition::equal(5, 1);
    for (std::size_t size = 1; size <= 40; ++size) {
        auto const rounds = static_cast<std::size_t>(std::bit_width(size - 1));
        for (auto const root : laws::roots<collective::reduce>(size)) {
            auto const cost = verify(collective::reduce{}, binomial{}, size, root % size, cut);
            BOOST_TEST(cost.rounds == rounds);
            BOOST_TEST(cost.rounds_used == rounds);
            BOOST_TEST(cost.messages == size - 1);
            BOOST_TEST(cost.volume == 5 * (size - 1));
            BOOST_TEST(cost.max_messages_sent <= 1U);
        }
    }
}

BOOST_AUTO_TEST_CASE(the_root_stands_for_every_group_it_is_in) {
    auto const cut = partition::equal(1, 1);
    std::vector<std::size_t> peers;
    for (auto const& each : generate(collective::reduce{}, binomial{}, problem{5, 7, 5, cut})) {
        peers.push_back(each.peer);
    }
    BOOST_TEST(peers == (std::vector<std::size_t>{4, 6, 0}));
    BOOST_TEST(bracketings(collective::reduce{}, binomial{}, 7, 5, cut, 5).front() == "(((0+1)+(2+3))+((4+5)+6))");
}
