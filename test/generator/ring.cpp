// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include <laws/schedule_laws.hpp>
#include <tutti/generator/ring.hpp>

BOOST_AUTO_TEST_SUITE(generator_ring)

using namespace tutti;
using namespace tutti::analysis;
using namespace tutti::generators;
using namespace tutti::schedules;

BOOST_AUTO_TEST_CASE(gives_every_rank_the_same_result) {
    laws::check_schedules(collective::all_reduce{}, ring{});
    laws::check_schedules(collective::all_reduce{}, ring{.sub_segments = 2});
    laws::check_schedules(collective::all_reduce{}, ring{.sub_segments = 5});
}

BOOST_AUTO_TEST_CASE(half_way_every_rank_has_its_part) {
    for (std::size_t const c : {1U, 2U, 5U}) {
        laws::check_schedules(collective::reduce_scatter{}, ring{.sub_segments = c});
        laws::check_schedules(collective::all_gather{}, reverse(ring{.sub_segments = c}));
    }
    BOOST_TEST(name_of(collective::all_gather{}, algorithm_for(collective::all_gather{}, ring{})) == "reverse(ring)");
}

BOOST_AUTO_TEST_CASE(every_rank_sends_twice_the_vector_less_one_segment_each) {
    for (std::size_t size = 1; size <= 20; ++size) {
        cost::check(collective::all_reduce{}, ring{}, size, 0, partition::equal(3 * size, size),
                    cost::rounds == 2 * (size - 1), cost::max_messages_sent == 2 * (size - 1),
                    cost::max_volume_sent == 6 * (size - 1), cost::volume == 6 * (size - 1) * size,
                    cost::max_combines == 3 * (size - 1));
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

BOOST_AUTO_TEST_CASE(wants_a_block_for_every_segment) {
    BOOST_TEST(blocks_for(ring{}, 12, 8) == 12U);
    BOOST_TEST(blocks_for(ring{.sub_segments = 3}, 12, 8) == 36U);
    laws::check_refusals(collective::all_reduce{}, std::vector{ring{.sub_segments = 0}},
                         {0, 3, 0, partition::equal(3, 3)});
}

BOOST_AUTO_TEST_CASE(a_segment_is_passed_on_c_rounds_after_it_was_sent_here) {
    std::size_t const size = 5;
    for (std::size_t c : {1U, 2U, 4U}) {
        auto const cut = partition::equal(c * size, c * size);
        std::size_t passed_on = 0;
        std::map<std::size_t, std::size_t> came;  // in which round a segment came for the last time
        for (auto const& each : generate(collective::all_reduce{}, ring{.sub_segments = c}, problem{2, size, 0, cut})) {
            auto const segment = each.blocks.begin()->first;
            if (each.what != action::send) {
                came[segment] = each.round;
            } else if (came.contains(segment)) {
                BOOST_TEST(each.round == came[segment] + c);
                ++passed_on;
            }
        }
        BOOST_TEST(passed_on == (2 * size - 3) * c);
    }
}

BOOST_AUTO_TEST_SUITE_END()
