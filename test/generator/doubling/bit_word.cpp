// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <bit>
#include <string>
#include <vector>

#include <tutti/generator/doubling.hpp>

BOOST_AUTO_TEST_SUITE(generator_doubling_bit_word)

using namespace tutti;
using namespace tutti::generators;

namespace {

std::string text(bit_word word) {
    std::string bits;
    for (std::size_t round = 0; round < word.rounds; ++round) { bits += word[round] ? '1' : '0'; }
    return bits;
}

std::vector<std::size_t> distances(bit_word word) {
    std::vector<std::size_t> all;
    for (std::size_t round = 0; round < word.rounds; ++round) { all.push_back(word.distance(round)); }
    return all;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_bit_b_makes_a_run_of_c_ranks_one_of_2c_plus_b) {
    for (std::size_t run = 1; run <= 300; ++run) {
        auto const word = bit_word::exactly(run);
        std::size_t ranks = 0;
        for (std::size_t round = 0; round < word.rounds; ++round) {
            BOOST_TEST(word.run(round) == ranks);
            BOOST_TEST(word.distance(round) == ranks + (word[round] ? 1U : 0U));
            ranks = 2 * ranks + (word[round] ? 1U : 0U);
        }
        BOOST_TEST(ranks == run);
        BOOST_TEST(word[0]);
    }
    BOOST_TEST(bit_word::exactly(0).rounds == 0U);
}

BOOST_AUTO_TEST_CASE(distances_of_exact_runs) {
    auto const of = [](std::size_t size) { return distances(bit_word::exactly(size - 1)); };
    BOOST_TEST(of(5) == (std::vector<std::size_t>{1, 1, 2}), boost::test_tools::per_element());
    BOOST_TEST(of(6) == (std::vector<std::size_t>{1, 1, 3}), boost::test_tools::per_element());
    BOOST_TEST(of(7) == (std::vector<std::size_t>{1, 2, 3}), boost::test_tools::per_element());
    BOOST_TEST(of(12) == (std::vector<std::size_t>{1, 1, 3, 6}), boost::test_tools::per_element());
    BOOST_TEST(of(36) == (std::vector<std::size_t>{1, 1, 2, 4, 9, 18}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(the_cheapest_word_has_fewest_ones_of_all_that_reach_far_enough) {
    for (std::size_t run = 1; run <= 130; ++run) {
        for (auto length = static_cast<std::size_t>(std::bit_width(run)); length <= 9; ++length) {
            auto const word = bit_word::cheapest(run, length);
            auto fewest = length;
            for (auto bits = run; bits < std::size_t{1} << length; ++bits) {
                fewest = std::min(fewest, bit_word{bits, length}.ones());
            }
            BOOST_TEST(word.bits >= run);
            BOOST_TEST(word.ones() == fewest);
            BOOST_TEST(text(word) == std::string(fewest, '1') + std::string(length - fewest, '0'));
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
