// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <cstddef>
#include <string>
#include <vector>

#include <laws/reduce_scatter_laws.hpp>
#include <support/reduce_scatters.hpp>
#include <tutti/combinator/reverse.hpp>
#include <tutti/generator/bucket.hpp>

BOOST_AUTO_TEST_SUITE(generator_bucket)

using namespace tutti;
using namespace tutti::generators;
using namespace tutti::schedules;

BOOST_AUTO_TEST_CASE(every_rank_gets_its_part) {
    laws::check_there_and_back(bucket{});
    laws::check_schedules(collective::reduce_scatter{}, bucket{.segments = 3});
    laws::check_schedules(collective::all_gather{}, reverse(bucket{.segments = 2}));
    static_assert(facts_of<collective::reduce_scatter, bucket>.requires_commutative);
    static_assert(facts_of<collective::reduce_scatter, bucket>.one_ported);
}

BOOST_AUTO_TEST_CASE(operands_come_in_the_order_of_the_ring) {
    BOOST_TEST(support::operand_orders(bucket{}, 4) == (std::vector<std::string>{"1230", "2301", "3012", "0123"}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(empty_parts_are_not_sent) {
    laws::check_messages_of_six(bucket{}, {.sends = {4, 4, 4, 4, 5, 4},
                                           .elements_sent = {16, 13, 17, 9, 18, 17},
                                           .elements_received = {17, 16, 13, 17, 9, 18}});
}

BOOST_AUTO_TEST_CASE(volume_and_combines_are_the_least) {
    for (std::size_t const size : {1U, 2U, 3U, 4U, 7U, 16U, 33U}) {
        cost::check(collective::reduce_scatter{}, bucket{}, size, 0, support::one_block_each(size, 3),
                    cost::rounds == size - 1, cost::rounds_used == size - 1, cost::max_volume_sent == 3 * (size - 1),
                    cost::max_combines == 3 * (size - 1));
    }
}

BOOST_AUTO_TEST_CASE(of_several_buckets_a_part_each_takes_its_turn) {
    auto const cut = partition::of_sizes(std::vector<std::size_t>{2, 4, 0, 6, 2, 2, 2, 2});
    std::vector<std::size_t> sent;
    for (auto const& each : generate(collective::reduce_scatter{}, bucket{.segments = 2}, problem{1, 4, 0, cut})) {
        if (each.what == action::send) { sent.push_back(each.blocks.begin()->first); }
    }
    BOOST_TEST(sent == (std::vector<std::size_t>{0, 1, 6, 7, 4, 5}), boost::test_tools::per_element());
    BOOST_TEST(blocks_for(collective::reduce_scatter{}, bucket{.segments = 3}, 4, 8) == 12U);
    laws::check_refusals(collective::reduce_scatter{}, std::vector{bucket{.segments = 0}}, {1, 4, 0, cut});
}

BOOST_AUTO_TEST_SUITE_END()
