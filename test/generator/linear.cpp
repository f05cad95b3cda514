// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <cstddef>
#include <vector>

#include <laws/scan_laws.hpp>
#include <laws/schedule_laws.hpp>
#include <support/reduce_scatters.hpp>
#include <support/scan_counts.hpp>
#include <tutti/combinator/reverse.hpp>
#include <tutti/generator/linear.hpp>

BOOST_AUTO_TEST_SUITE(generator_linear)

using namespace tutti;
using namespace tutti::analysis;
using namespace scans;
using boost::test_tools::per_element;

BOOST_AUTO_TEST_CASE(reduces_in_rank_order_to_any_root) { laws::check_schedules(collective::reduce{}, linear{}); }

BOOST_AUTO_TEST_CASE(every_other_rank_sends_its_vector_to_the_root_once) {
    auto const cut = partition::equal(12, 3);
    for (std::size_t size : {1U, 2U, 9U}) {
        cost::check(collective::reduce{}, linear{}, size, size / 2, cut, cost::rounds == size - 1,
                    cost::messages == size - 1, cost::volume == 12 * (size - 1),
                    cost::max_messages_received == size - 1);
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

BOOST_AUTO_TEST_CASE(gives_prefixes_in_rank_order) {
    laws::check_schedules(exclusive, linear{});
    laws::check_lengths(exclusive, linear{.segments = 4});
}

BOOST_AUTO_TEST_CASE(gives_inclusive_prefixes_in_rank_order) {
    laws::check_schedules(inclusive, linear{});
    laws::check_lengths(inclusive, linear{.segments = 4});
}

BOOST_AUTO_TEST_CASE(gives_prefixes_and_total_in_rank_order) {
    laws::check_schedules(both, linear{});
    laws::check_lengths(both, linear{.segments = 4});
}

BOOST_AUTO_TEST_CASE(scans_cost_what_is_stated) {
    for (std::size_t size = 2; size <= 64; ++size) {
        for (std::size_t const blocks : {1U, 2U, 7U}) {
            auto const elements = 3 * blocks;
            auto const cut = partition::equal(elements, blocks);
            auto const check = [&](verification const& cost, std::size_t combining) {
                cost::check(cost, cost::rounds == size + blocks - 2, cost::rounds_used == cost::rounds,
                            cost::messages == (size - 1) * blocks, cost::max_volume_sent == elements,
                            cost::max_volume_received == elements, cost::combines == combining * elements,
                            cost::max_combines == (combining == 0 ? 0 : elements));
            };
            check(verify(exclusive, linear{}, size, 0, cut), size - 2);
            check(verify(inclusive, linear{}, size, 0, cut), size - 1);
        }
    }
}

BOOST_AUTO_TEST_CASE(scan_reduce_costs_what_is_stated) {
    for (std::size_t size = 2; size <= 64; ++size) {
        for (std::size_t const blocks : {1U, 2U, 7U}) {
            auto const elements = 3 * blocks;
            cost::check(both, linear{}, size, 0, partition::equal(elements, blocks),
                        cost::rounds == (blocks == 1 ? 2 * (size - 1) : 2 * size + 2 * blocks - 5),
                        cost::rounds_used == cost::rounds, cost::messages == 2 * (size - 1) * blocks,
                        cost::max_volume_sent == (size == 2 ? 1 : 2) * elements,
                        cost::combines == (size - 1) * elements, cost::max_combines == elements);
        }
    }
}

BOOST_AUTO_TEST_CASE(takes_no_round_for_one_rank_or_no_block) {
    for (auto const& cut : {partition::equal(7, 3), partition::equal(0, 0)}) {
        BOOST_TEST(verify(exclusive, linear{}, 1, 0, cut).rounds == 0U);
        BOOST_TEST(verify(both, linear{}, 1, 0, cut).rounds == 0U);
        BOOST_TEST(verify(both, linear{}, 9, 0, partition::equal(0, 0)).rounds == 0U);
    }
}

BOOST_AUTO_TEST_CASE(strings_are_concatenated_from_left_to_right) { laws::check_concatenation(linear{}, 5); }

BOOST_AUTO_TEST_CASE(combines_from_left_to_right_on_every_rank) {
    auto const cut = partition::equal(1, 1);
    BOOST_TEST(bracketings(exclusive, linear{}, 5, 0, cut, 4).front() == "(((0+1)+2)+3)");
    for (std::size_t rank = 0; rank < 5; ++rank) {
        BOOST_TEST(bracketings(both, linear{}, 5, 0, cut, rank).front() == "((((0+1)+2)+3)+4)");
    }
}

BOOST_AUTO_TEST_CASE(steps_are_found_as_they_are_read) {
    auto const size = std::size_t{1} << 40;
    auto const blocks = std::size_t{1} << 20;
    auto const cut = partition::equal(blocks, blocks);
    auto const rank = size / 2;
    std::vector<std::size_t> rounds;
    for (step const& each : generate(both, linear{}, problem{rank, size, 0, cut})) {
        rounds.push_back(each.round);
        if (rounds.size() == 4) { break; }
    }
    BOOST_TEST(rounds == (std::vector<std::size_t>{rank - 1, rank - 1, rank, rank}), per_element());
}

BOOST_AUTO_TEST_CASE(scans_are_cut_into_segments_and_reductions_are_not) {
    BOOST_TEST(blocks_for(exclusive, linear{}, 4, 100 * tutti::generators::default_segment) == 100U);
    BOOST_TEST(blocks_for(both, linear{.segments = 12}, 4, 1) == 12U);
    BOOST_TEST(blocks_for(collective::reduce{}, linear{.segments = 12}, 4, 100 * tutti::generators::default_segment) ==
               1U);
    BOOST_TEST(blocks_for(collective::broadcast{}, reverse(linear{}), 4, 100 * tutti::generators::default_segment) ==
               1U);
}

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
    cost::check(collective::scatter{}, linear{}, 6, 2, cut, cost::rounds == 5U, cost::volume == 17U,
                cost::max_messages_received == 1U);
}

BOOST_AUTO_TEST_CASE(each_rank_has_one_block) {
    BOOST_TEST(blocks_for(collective::scatter{}, linear{}, 7, 1000) == 7U);
    BOOST_TEST(blocks_for(collective::gather{}, reverse(linear{}), 7, 1000) == 7U);
    BOOST_TEST(blocks_for(collective::reduce{}, linear{}, 7, 1000) == 1U);
}

BOOST_AUTO_TEST_SUITE_END()
