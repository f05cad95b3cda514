// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <support/tiny_generators.hpp>
#include <tutti/analysis/goal.hpp>

#include <string>

BOOST_AUTO_TEST_SUITE(analysis_goal)

using namespace tutti;

BOOST_AUTO_TEST_CASE(a_chain_of_three) {
    std::string const expected = R"(num_ranks 3

rank 0 {
l1: recv 16b from 1 tag 0
l2: calc 16
l2 requires l1
l3: recv 8b from 1 tag 1
l4: calc 8
l4 requires l3
}

rank 1 {
l1: recv 16b from 2 tag 0
l2: calc 16
l2 requires l1
l3: send 16b to 0 tag 0
l3 requires l2
l4: recv 8b from 2 tag 1
l5: calc 8
l5 requires l4
l6: send 8b to 0 tag 1
l6 requires l5
}

rank 2 {
l1: send 16b to 1 tag 0
l2: send 8b to 1 tag 1
}
)";
    BOOST_TEST(to_goal(collective::reduce{}, tiny::chain{}, 3, 0, partition::by_segment(3, 2), 8) == expected);
}

BOOST_AUTO_TEST_CASE(writers_wait_for_readers_and_empty_blocks_cost_nothing) {
    auto const scratch = buffer::scratch(0);
    tiny::scripted<> const script{1,
                                  {{step::send(0, 1, buffer::result(), 0),
                                    step::receive_combine(0, 1, scratch, 0, side::right),
                                    step::combine(0, scratch, buffer::result(), 0, side::left),
                                    step::copy(0, buffer::input(), scratch, 0)},
                                   {step::send(0, 0, buffer::input(), 0), step::receive(0, 0, buffer::result(), 0)}}};
    std::string const expected = R"(num_ranks 2

rank 0 {
l1: send 8b to 1 tag 0
l2: recv 8b from 1 tag 0
l3: calc 0
l3 requires l2
l4: calc 4
l4 requires l3
l4 requires l1
l5: calc 0
l5 requires l3
l5 requires l4
}

rank 1 {
l1: send 8b to 0 tag 0
l2: recv 8b from 0 tag 0
}
)";
    BOOST_TEST(to_goal(collective::reduce{}, script, 2, 0, partition::equal(2, 1), 4, 0.5) == expected);
}

BOOST_AUTO_TEST_SUITE_END()
