// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <vector>

#include <support/tiny_generators.hpp>
#include <tutti/analysis/schedules_of.hpp>
#include <tutti/analysis/symbolic.hpp>
#include <tutti/analysis/verify.hpp>

BOOST_AUTO_TEST_SUITE(analysis_verify_traffic)

namespace {

using namespace tutti;
using namespace tutti::analysis;
using namespace tutti::schedules;
using symbolic::event;
using symbolic::traffic;

auto const result = buffer::result();
auto const cut = partition::of_sizes(std::vector<std::size_t>{2, 0, 5, 1});

void check(traffic::counts const& seen, traffic::counts const& expected) {
    BOOST_TEST(seen.messages_sent == expected.messages_sent);
    BOOST_TEST(seen.messages_received == expected.messages_received);
    BOOST_TEST(seen.volume_sent == expected.volume_sent);
    BOOST_TEST(seen.volume_received == expected.volume_received);
    BOOST_TEST(seen.combines == expected.combines);
}

void check(traffic const& seen, std::vector<traffic::counts> const& expected) {
    BOOST_TEST_REQUIRE(seen.per_rank().size() == expected.size());
    for (std::size_t rank = 0; rank < expected.size(); ++rank) {
        BOOST_TEST_CONTEXT("rank " << rank) { check(seen.per_rank()[rank], expected[rank]); }
    }
}

}  // namespace

BOOST_AUTO_TEST_CASE(messages_count_where_they_are_taken_with_all_their_elements) {
    traffic seen{3, cut};
    check(seen, {{}, {}, {}});
    auto const wraps = step::send(0, 2, result, block_list::cyclic(2, 3, 4));
    auto const takes = step::receive(0, 0, result, block_list::cyclic(2, 3, 4));
    seen.reached(event{0, 0, wraps});
    check(seen, {{}, {}, {}});
    seen.delivered(event{0, 0, wraps}, event{2, 0, takes});
    check(seen, {{1, 0, 8, 0, 0}, {}, {0, 1, 0, 8, 0}});
    auto const back = step::send(1, 0, result, block_range{0, 2});
    auto const taken = step::receive_combine(1, 2, result, block_range{0, 2}, side::left);
    seen.delivered(event{2, 1, back}, event{0, 1, taken});
    seen.combined(event{0, 1, taken}, 2);
    seen.combined(event{0, 2, taken}, 3);
    check(seen, {{1, 1, 8, 2, 5}, {}, {1, 1, 2, 8, 0}});
}

BOOST_AUTO_TEST_CASE(a_run_is_counted_rank_by_rank) {
    auto const scratch = buffer::scratch(0);
    auto const input = buffer::input();
    // rank 1 passes on what it has combined; rank 0 keeps rank 2's part aside, which fills a block, and then combines
    tiny::scripted<> const script{
        2,
        {{step::receive_combine(0, 2, scratch, 0, side::right), step::receive_combine(1, 1, result, 2, side::right),
          step::combine(1, scratch, result, 0, side::right), step::copy(1, input, scratch, block_range{0, 4})},
         {step::receive_combine(0, 2, result, block_range{1, 3}, side::right), step::send(1, 0, result, 2)},
         {step::send(0, 0, input, 0), step::send(0, 1, input, block_range{1, 3})}}};
    symbolic::machine machine{schedules_of(collective::reduce{}, script, 3, 0, cut), cut,
                              [](std::size_t rank, std::size_t) { return symbolic::expressions::operand(rank); }};
    traffic seen{3, cut};
    machine.run(seen);
    check(seen, {{0, 2, 0, 7, 5 + 2}, {1, 1, 5, 5, 5}, {2, 0, 7, 0, 0}});
}

BOOST_AUTO_TEST_SUITE_END()
