// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#define BOOST_TEST_MODULE generator_all_reduce_ring
#include <boost/test/unit_test.hpp>

#include <laws/schedule_laws.hpp>
#include <tutti/generator/all_reduce/ring.hpp>

using namespace tutti;

BOOST_AUTO_TEST_CASE(gives_every_rank_the_same_result) { laws::check_schedules(collective::all_reduce{}, ring{}); }

BOOST_AUTO_TEST_CASE(every_rank_sends_twice_the_vector_less_one_segment_each) {
    for (std::size_t size = 1; size <= 20; ++size) {
        auto const cost = verify(collective::all_reduce{}, ring{}, size, 0, partition::equal(3 * size, size));
        BOOST_TEST(cost.rounds == 2 * (size - 1));
        BOOST_TEST(cost.max_messages_sent == 2 * (size - 1));
        BOOST_TEST(cost.max_volume_sent == 6 * (size - 1));
        BOOST_TEST(cost.volume == 6 * (size - 1) * size);
        BOOST_TEST(cost.max_combines == 3 * (size - 1));
    }
}

BOOST_AUTO_TEST_CASE(segment_j_is_combined_from_rank_j_on) {
    auto const texts = bracketings(collective::all_reduce{}, ring{}, 4, 0, partition::equal(4, 4), 2);
    BOOST_TEST(texts == (std::vector<std::string>{"(((0+1)+2)+3)", "(((1+2)+3)+0)", "(((2+3)+0)+1)", "(((3+0)+1)+2)"}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(sends_to_the_next_rank_and_receives_from_the_one_before) {
    auto const cut = partition::equal(10, 5);
    std::size_t round = 0;
    bool sends = true;
    for (auto const& each : generate(collective::all_reduce{}, ring{}, problem{4, 5, 0, cut})) {
        BOOST_TEST((each.what == action::send) == sends);
        BOOST_TEST(each.peer == (sends ? 0U : 3U));
        BOOST_TEST(each.round == round);
        round += sends ? 0 : 1;
        sends = !sends;
    }
    BOOST_TEST(round == 8U);
}

BOOST_AUTO_TEST_CASE(wants_a_block_for_every_rank) { BOOST_TEST(blocks_for(ring{}, 12, 8) == 12U); }
