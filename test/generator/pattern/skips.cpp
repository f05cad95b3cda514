// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <bit>
#include <cstddef>
#include <vector>

#include <tutti/generator/pattern/skips.hpp>

BOOST_AUTO_TEST_SUITE(generator_pattern_skips)

using namespace tutti;
using namespace tutti::generators;

namespace {

std::vector<std::size_t> all(dividing_skips const& skips) {
    std::vector<std::size_t> result;
    for (std::size_t k = 0; k <= skips.count(); ++k) { result.push_back(skips[k]); }
    return result;
}

}  // namespace

BOOST_AUTO_TEST_CASE(skips_are_those_published) {
    for (auto const& expected : std::vector<std::vector<std::size_t>>{
             {1},
             {1, 2},
             {1, 2, 3},
             {1, 2, 3, 5},
             {1, 2, 3, 6},
             {1, 2, 4, 7},
             {1, 2, 3, 5, 9},
             {1, 2, 3, 6, 12},
             {1, 2, 3, 5, 9, 17},
             {1, 2, 3, 5, 10, 20},
             {1, 2, 3, 5, 9, 17, 33},
             {1, 2, 3, 5, 9, 18, 36},
             {1, 2, 4, 7, 13, 25, 50, 100},
             {1, 2, 4, 8, 16, 32, 63, 125, 250, 500, 1000},
             {1, 2, 3, 5, 9, 18, 36, 72, 144, 288, 576, 1152}}) {
        BOOST_TEST(all(halving_skips{expected.back()}) == expected, boost::test_tools::per_element());
    }
}

BOOST_AUTO_TEST_CASE(skips_of_other_divisors_are_quotients_rounded_up) {
    using boost::test_tools::per_element;
    using numbers = std::vector<std::size_t>;
    BOOST_TEST(all({1, 3}) == (numbers{1}), per_element());
    BOOST_TEST(all({17, 4}) == (numbers{1, 2, 5, 17}), per_element());
    BOOST_TEST(all({10, 9}) == (numbers{1, 2, 10}), per_element());
    BOOST_TEST(all({81, 3}) == (numbers{1, 3, 9, 27, 81}), per_element());
    BOOST_TEST(all({7, 100}) == (numbers{1, 7}), per_element());
    for (std::size_t divisor = 2; divisor <= 9; ++divisor) {
        std::size_t count = 0;
        std::size_t reached = 1;
        for (std::size_t size = 1; size <= 1000; ++size) {
            if (size > reached) {
                reached *= divisor;
                ++count;
            }
            dividing_skips const skips{size, divisor};
            BOOST_REQUIRE(skips.divisor() == divisor);
            BOOST_REQUIRE(skips.count() == count);
            BOOST_REQUIRE(skips.size() == size);
            BOOST_REQUIRE(skips[0] == 1U);
            for (std::size_t k = 0; k < count; ++k) {
                BOOST_REQUIRE(skips[k] < skips[k + 1]);
                BOOST_REQUIRE(skips[k + 1] <= divisor * skips[k]);
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(skips_grow_from_1_to_p_and_at_most_double) {
    for (std::size_t size = 1; size <= 5000; ++size) {
        halving_skips const skips{size};
        BOOST_REQUIRE(skips.count() == static_cast<std::size_t>(std::bit_width(size - 1)));
        BOOST_REQUIRE(skips.size() == size);
        BOOST_REQUIRE(skips[0] == 1U);
        for (std::size_t k = 0; k < skips.count(); ++k) {
            BOOST_REQUIRE(skips[k] < skips[k + 1]);
            BOOST_REQUIRE(skips[k + 1] <= 2 * skips[k]);
        }
    }
}

BOOST_AUTO_TEST_CASE(powers_of_two_give_the_distances_of_a_hypercube) {
    halving_skips const skips{std::size_t{1} << 63U};
    BOOST_TEST(skips.count() == halving_skips::most);
    for (std::size_t k = 0; k <= skips.count(); ++k) { BOOST_TEST(skips[k] == std::size_t{1} << k); }
}

BOOST_AUTO_TEST_CASE(are_known_when_the_program_is_compiled) {
    static_assert(halving_skips{5}.count() == 3 && halving_skips{5}[2] == 3);
    static_assert(halving_skips{5} == halving_skips{5} && halving_skips{5} != halving_skips{6});
}

BOOST_AUTO_TEST_SUITE_END()
