// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <random>
#include <vector>

#include <range/v3/range/conversion.hpp>

#include <support/ring_loops.hpp>
#include <tutti/generator/ring_of_starts.hpp>

BOOST_AUTO_TEST_SUITE(generator_ring_of_starts_ring_position)

using namespace tutti;
using namespace tutti::generators;

namespace {

constexpr std::size_t blocks = 12;

std::vector<step> steps_of(ring_position const& self) {
    std::vector<step> result;
    for (std::size_t i = 0; i < self.steps(); ++i) { result.push_back(self.step_at(i, blocks)); }
    return result;
}

template <class Steps>
std::vector<step> without_rounds(Steps const& steps) {
    std::vector<step> result;
    for (step each : steps) {
        each.round = 0;
        result.push_back(each);
    }
    return result;
}

step sends(std::size_t round, std::size_t to, std::size_t segment) {
    return step::send(round, to, buffer::result(), block_range{3 * segment, 3 * segment + 3});
}
step combines(std::size_t round, std::size_t from, std::size_t segment) {
    return step::receive_combine(round, from, buffer::result(), block_range{3 * segment, 3 * segment + 3}, side::left);
}
step overwrites(std::size_t round, std::size_t from, std::size_t segment) {
    return step::receive(round, from, buffer::result(), block_range{3 * segment, 3 * segment + 3});
}

}  // namespace

// 4 segments and 4 positions, of which 0 starts three segments and 3 the last one
BOOST_AUTO_TEST_CASE(receives_only_what_others_start_and_sends_only_what_others_lack) {
    ring_position const last{.before = 2,
                             .next = 0,
                             .size = 4,
                             .segments = 4,
                             .first = 3,
                             .started = 1,
                             .started_by_next = 3,
                             .started_by_second = 0,
                             .first_round = 2};
    BOOST_TEST(last.sends() == 5U);
    BOOST_TEST(last.receives() == 4U);
    BOOST_TEST((steps_of(last) == std::vector<step>{sends(2, 0, 3), combines(2, 2, 2), sends(3, 0, 2),
                                                    combines(3, 2, 1), sends(4, 0, 1), combines(4, 2, 0),
                                                    sends(5, 0, 0), overwrites(5, 2, 3), sends(6, 0, 3)}));
    ring_position const first{.before = 3,
                              .next = 1,
                              .size = 4,
                              .segments = 4,
                              .first = 2,
                              .started = 3,
                              .started_by_next = 0,
                              .started_by_second = 0};
    BOOST_TEST(first.sends() == 8U);
    BOOST_TEST(first.receives() == 5U);
    BOOST_TEST((steps_of(first) == std::vector<step>{sends(0, 1, 2), sends(1, 1, 1), sends(2, 1, 0), combines(2, 3, 3),
                                                     sends(3, 1, 3), overwrites(3, 3, 2), sends(4, 1, 2),
                                                     overwrites(4, 3, 1), sends(5, 1, 1), overwrites(5, 3, 0),
                                                     sends(6, 1, 0), overwrites(6, 3, 3), sends(7, 1, 3)}));
}

BOOST_AUTO_TEST_CASE(takes_segments_back_early_if_it_must) {
    ring_position self{.before = 1,
                       .next = 1,
                       .size = 2,
                       .segments = 4,
                       .first = 3,
                       .started = 4,
                       .started_by_next = 0,
                       .started_by_second = 4};
    auto const late =
        std::vector<step>{sends(0, 1, 3),      sends(1, 1, 2),      sends(2, 1, 1),      sends(3, 1, 0),
                          overwrites(3, 1, 3), overwrites(4, 1, 2), overwrites(5, 1, 1), overwrites(6, 1, 0)};
    BOOST_TEST((steps_of(self) == late));
    self.early = 2;
    BOOST_TEST((steps_of(self) == std::vector<step>{sends(0, 1, 3), sends(1, 1, 2), overwrites(1, 1, 3), sends(2, 1, 1),
                                                    overwrites(2, 1, 2), sends(3, 1, 0), overwrites(3, 1, 1),
                                                    overwrites(4, 1, 0)}));
}

BOOST_AUTO_TEST_CASE(one_position_has_nothing_to_do) {
    ring_position const alone{.before = 0,
                              .next = 0,
                              .size = 1,
                              .segments = 5,
                              .first = 4,
                              .started = 5,
                              .started_by_next = 5,
                              .started_by_second = 5};
    BOOST_TEST(alone.steps() == 0U);
}

BOOST_AUTO_TEST_CASE(does_in_one_loop_what_takes_two) {
    std::mt19937 random{3};
    std::size_t different = 0;
    for (int trial = 0; trial < 400; ++trial) {
        auto const size = 1 + random() % 16;
        auto const starts = random_starts(size, size + random() % (2 * size), random);
        auto const cut = partition::equal(1 + random() % 40, 1 + random() % 40);
        for (std::size_t rank = 0; rank < size; ++rank) {
            problem const at{rank, size, 0, cut};
            auto const one = without_rounds(generate(collective::all_reduce{}, ring_of_starts{starts}, at));
            auto const two = without_rounds(generate(collective::all_reduce{}, ring_loops{starts}, at));
            different += one == two ? 0U : 1U;
        }
    }
    BOOST_TEST(different == 0U);
}

BOOST_AUTO_TEST_SUITE_END()
