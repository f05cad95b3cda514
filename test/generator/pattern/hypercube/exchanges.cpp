// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <cstddef>

#include <tutti/dynamic_array.hpp>
#include <tutti/generator/pattern/hypercube.hpp>

BOOST_AUTO_TEST_SUITE(generator_pattern_hypercube_exchanges)

using namespace tutti;
using namespace tutti::generators;

namespace {

tutti::dynamic_array<hypercube_level> levels(std::size_t rank, std::size_t size, hypercube_intervals const& shares) {
    return levels_of(rank, hypercube{size}, shares);
}

block_list two(block_range first, block_range second) {
    block_list result{first};
    result.append(second);
    return result;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_leaf_meets_one_partner_in_each_level) {
    auto const of_two = levels(2, 4, {4, 2});
    BOOST_TEST_REQUIRE(of_two.size() == 2U);
    BOOST_TEST((!of_two[0].upper && of_two[1].upper));
    BOOST_TEST((of_two[0].exchanges == tutti::dynamic_array<leaf_exchange>{{3, block_range{0, 2}, block_range{2, 4}}}));
    BOOST_TEST((of_two[1].exchanges == tutti::dynamic_array<leaf_exchange>{{0, 1, 0}}));
    BOOST_TEST(levels(0, 1, {4, 0}).empty());
}

BOOST_AUTO_TEST_CASE(a_rank_of_two_leaves_sends_itself_nothing_and_joins_what_goes_to_one_peer) {
    // the leaves of 5 ranks: 0 1 22 33 44
    auto const of_two = levels(2, 5, {8, 3});
    BOOST_TEST(of_two[0].exchanges.empty());
    BOOST_TEST((of_two[1].exchanges == tutti::dynamic_array<leaf_exchange>{{0, block_range{2, 4}, block_range{0, 2}},
                                                                  {1, block_range{6, 8}, block_range{4, 6}}}));
    BOOST_TEST((of_two[2].exchanges ==
                tutti::dynamic_array<leaf_exchange>{{4, two({2, 3}, {6, 7}), two({3, 4}, {7, 8})}}));
    BOOST_TEST((of_two[1].upper && !of_two[2].upper));
}

BOOST_AUTO_TEST_CASE(both_ends_of_an_exchange_agree) {
    for (std::size_t size = 1; size <= 40; ++size) {
        for (hypercube_intervals const& shares :
             {hypercube_intervals{8, 2}, hypercube_intervals{5, 4}, hypercube_intervals{8, 1, true}}) {
            tutti::dynamic_array<tutti::dynamic_array<hypercube_level>> all;
            for (std::size_t rank = 0; rank < size; ++rank) { all.push_back(levels(rank, size, shares)); }
            for (std::size_t rank = 0; rank < size; ++rank) {
                for (std::size_t k = 0; k < all[rank].size(); ++k) {
                    BOOST_TEST(all[rank][k].exchanges.size() <= 2U);
                    for (auto const& each : all[rank][k].exchanges) {
                        std::size_t found = 0;
                        for (auto const& back : all[each.peer][k].exchanges) {
                            if (back.peer != rank) { continue; }
                            ++found;
                            BOOST_TEST((back.given == each.kept && back.kept == each.given));
                        }
                        BOOST_TEST(found == 1U);
                        BOOST_TEST(all[rank][k].upper == (each.peer < rank));
                        BOOST_TEST(all[rank][k].upper != all[each.peer][k].upper);
                    }
                }
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(what_is_kept_is_combined_on_the_side_of_its_operand) {
    auto const result = buffer::result();
    auto const steps = split_stage(levels(2, 4, {4, 2}));
    BOOST_TEST((steps == tutti::dynamic_array<step>{step::send(0, 3, result, block_range{2, 4}),
                                           step::receive_combine(0, 3, result, block_range{0, 2}, side::right),
                                           step::send(1, 0, result, 0),
                                           step::receive_combine(1, 0, result, 1, side::left)}));
}

BOOST_AUTO_TEST_SUITE_END()
