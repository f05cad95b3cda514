// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <bit>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <laws/reduce_scatter_laws.hpp>
#include <support/reduce_scatters.hpp>
#include <tutti/generator/circulant.hpp>

BOOST_AUTO_TEST_SUITE(generator_circulant)

using namespace tutti;
using namespace tutti::analysis;
using namespace tutti::schedules;
using support::one_block_each;

namespace {

/// What rank r has of its own part in the end, "(1+(2+0))".
std::string association(std::size_t size, std::size_t rank) {
    return bracketings(collective::reduce_scatter{}, circulant{}, size, 0, one_block_each(size), rank)[rank];
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_rank_gets_its_part) {
    laws::check_there_and_back(circulant{});
    std::vector<partition> own_counts{partition::of_sizes(std::vector<std::size_t>{3, 0, 5, 1, 0, 40, 2})};
    laws::check_schedules(collective::reduce_scatter{}, circulant{}, {7}, own_counts);
}

BOOST_AUTO_TEST_CASE(the_blocks_of_each_round_are_those_published) {
    for (auto const& [size, blocks] : std::vector<std::pair<std::size_t, std::vector<std::size_t>>>{
             {3, {1, 1}},
             {5, {2, 1, 1}},
             {6, {3, 1, 1}},
             {7, {3, 2, 1}},
             {9, {4, 2, 1, 1}},
             {12, {6, 3, 1, 1}},
             {17, {8, 4, 2, 1, 1}},
             {36, {18, 9, 4, 2, 1, 1}},
             {48, {24, 12, 6, 3, 1, 1}},
             {100, {50, 25, 12, 6, 3, 2, 1}}}) {
        auto const cut = one_block_each(size);
        for (std::size_t const rank : {std::size_t{0}, size / 2, size - 1}) {
            std::vector<std::size_t> sent;
            for (auto const& each : generate(collective::reduce_scatter{}, circulant{}, {rank, size, 0, cut})) {
                std::size_t count = 0;
                for (auto const& range : each.blocks) { count += range.last - range.first; }
                if (each.what == action::send) { sent.push_back(count); }
                BOOST_TEST(count == sent.back());
            }
            BOOST_TEST(sent == blocks, boost::test_tools::per_element());
        }
    }
}

BOOST_AUTO_TEST_CASE(operands_are_associated_as_published) {
    BOOST_TEST(association(5, 0) == "((1+4)+(3+(2+0)))");
    BOOST_TEST(association(5, 4) == "((0+3)+(2+(1+4)))");
    BOOST_TEST(association(6, 0) == "((2+5)+((1+4)+(3+0)))");
    BOOST_TEST(association(6, 5) == "((1+4)+((0+3)+(2+5)))");
    BOOST_TEST(association(7, 0) == "((4+(2+6))+((1+5)+(3+0)))");
}

BOOST_AUTO_TEST_CASE(rounds_volume_and_combines_are_the_least) {
    for (std::size_t size = 1; size <= 130; ++size) {
        cost::check(collective::reduce_scatter{}, circulant{}, size, 0, one_block_each(size, 3),
                    cost::rounds == static_cast<std::size_t>(std::bit_width(size - 1)),
                    cost::max_volume_sent == 3 * (size - 1), cost::max_volume_received == 3 * (size - 1),
                    cost::max_combines == 3 * (size - 1), cost::volume == 3 * size * (size - 1));
    }
}

BOOST_AUTO_TEST_SUITE_END()
