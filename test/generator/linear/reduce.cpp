// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <laws/schedule_laws.hpp>
#include <tutti/generator/linear.hpp>

BOOST_AUTO_TEST_SUITE(generator_linear_reduce)

using namespace tutti;
using namespace tutti::analysis;

BOOST_AUTO_TEST_CASE(reduces_in_rank_order_to_any_root) { laws::check_schedules(collective::reduce{}, linear{}); }

BOOST_AUTO_TEST_CASE(every_other_rank_sends_its_vector_to_the_root_once) {
    auto const cut = partition::equal(12, 3);
    for (std::size_t size : {1U, 2U, 9U}) {
        auto const cost = verify(collective::reduce{}, linear{}, size, size / 2, cut);
        BOOST_TEST(cost.rounds == size - 1);
        BOOST_TEST(cost.messages == size - 1);
        BOOST_TEST(cost.volume == 12 * (size - 1));
        BOOST_TEST(cost.max_messages_received == size - 1);
    }
}

BOOST_AUTO_TEST_CASE(root_receives_from_its_neighbours_first) {
    auto const cut = partition::equal(1, 1);
    std::vector<std::size_t> peers;
    for (auto const& each : generate(collective::reduce{}, linear{}, problem{2, 5, 2, cut})) {
        peers.push_back(each.peer);
    }
    BOOST_TEST(peers == (std::vector<std::size_t>{1, 0, 3, 4}));
    BOOST_TEST(bracketings(collective::reduce{}, linear{}, 5, 2, cut, 2).front() == "(((0+(1+2))+3)+4)");
}

BOOST_AUTO_TEST_SUITE_END()
