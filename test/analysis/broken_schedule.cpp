// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <tutti/analysis/broken_schedule.hpp>
#include <tutti/partition.hpp>
#include <tutti/schedule.hpp>

BOOST_AUTO_TEST_SUITE(analysis_broken_schedule)

BOOST_AUTO_TEST_CASE(the_message_is_the_reason_with_the_library_in_front) {
    tutti::analysis::broken_schedule const broken{"rank 3 waits for itself"};
    BOOST_TEST(broken.reason() == "rank 3 waits for itself");
    BOOST_TEST(broken.what() == std::string{"tutti: rank 3 waits for itself"});
}

BOOST_AUTO_TEST_CASE(it_is_an_error_of_whoever_wrote_the_schedule) {
    static_assert(std::is_base_of_v<std::logic_error, tutti::analysis::broken_schedule>);
    try {
        throw tutti::analysis::broken_schedule{"a"};
    } catch (std::logic_error const& caught) {
        BOOST_TEST(caught.what() == std::string{"tutti: a"});
    }
}

using tutti::schedules::block_list;
using tutti::schedules::block_range;
using tutti::buffer;
using tutti::side;
using tutti::step;

BOOST_AUTO_TEST_CASE(blocks_are_half_open_ranges_in_the_order_of_the_message) {
    BOOST_TEST(tutti::analysis::step_text::blocks(7) == "blocks [7,8)");
    BOOST_TEST(tutti::analysis::step_text::blocks(block_range{2, 5}) == "blocks [2,5)");
    BOOST_TEST(tutti::analysis::step_text::blocks(block_list::cyclic(6, 4, 8)) == "blocks [6,8)[0,2)");
    block_list three{0};
    three.append({9, 11});
    three.append({4, 5});
    BOOST_TEST(tutti::analysis::step_text::blocks(three) == "blocks [0,1)[9,11)[4,5)");
    BOOST_TEST(tutti::analysis::step_text::blocks({}) == "blocks ");
}

BOOST_AUTO_TEST_CASE(messages_name_the_peer) {
    BOOST_TEST(tutti::analysis::step_text::step(step::send(4, 2, buffer::scratch(1), 0)) ==
               "send to rank 2, blocks [0,1)");
    BOOST_TEST(tutti::analysis::step_text::step(step::receive(4, 3, buffer::result(), 0)) ==
               "receive from rank 3, blocks [0,1)");
    BOOST_TEST(tutti::analysis::step_text::step(step::receive_combine(4, 12, buffer::result(), 5, side::left)) ==
               "receive_combine from rank 12, blocks [5,6)");
}

BOOST_AUTO_TEST_CASE(local_steps_name_both_buffers_source_first) {
    BOOST_TEST(
        tutti::analysis::step_text::step(step::combine(0, buffer::scratch(0), buffer::result(), 1, side::left)) ==
        "combine scratch0 into result, blocks [1,2)");
    BOOST_TEST(tutti::analysis::step_text::step(step::copy(0, buffer::input(), buffer::prefix(), block_range{0, 4})) ==
               "copy input into prefix, blocks [0,4)");
}

BOOST_AUTO_TEST_CASE(a_place_is_a_rank_a_step_and_what_it_is) {
    BOOST_TEST(tutti::analysis::step_text::place(3, 20, step::send(9, 0, buffer::result(), 0)) ==
               "rank 3, step 20 in round 9 (send to rank 0, blocks [0,1))");
}
using tutti::partition;
using tutti::analysis::symbolic::same_blocks;

namespace {

auto const result = buffer::result();

/// What rank 1 of 3 is told, on a vector cut into blocks of 2, 0, 0 and 3 elements.
std::string complaint(step const& it) {
    return tutti::analysis::symbolic::malformed(it, 1, 3, partition::of_sizes(std::vector<std::size_t>{2, 0, 0, 3}));
}

block_list blocks(std::initializer_list<block_range> ranges) {
    block_list list;
    for (auto const& range : ranges) { list.append(range); }
    return list;
}

step send(std::size_t peer, block_list what) { return step::send(0, peer, result, std::move(what)); }

}  // namespace

BOOST_AUTO_TEST_CASE(what_a_rank_can_do_is_not_complained_of) {
    for (std::size_t const peer : {0U, 2U}) {
        BOOST_TEST(complaint(send(peer, block_range{0, 4})) == "");
        BOOST_TEST(complaint(step::send(0, peer, buffer::input(), 0)) == "");
        BOOST_TEST(complaint(step::receive(0, peer, buffer::scratch(3), 3)) == "");
        BOOST_TEST(complaint(step::receive_combine(0, peer, buffer::prefix(), 0, side::left)) == "");
    }
    BOOST_TEST(complaint(step::combine(0, buffer::input(), result, 0, side::left)) == "");
    BOOST_TEST(complaint(step::copy(0, buffer::scratch(0), buffer::scratch(1), 0)) == "");
}

BOOST_AUTO_TEST_CASE(peers_are_other_ranks_of_the_communicator) {
    BOOST_TEST(complaint(send(3, 0)) == "there are only 3 ranks");
    BOOST_TEST(complaint(step::receive(0, 4, result, 0)) == "there are only 3 ranks");
    BOOST_TEST(complaint(send(1, 0)) == "a rank sends no message to itself");
    BOOST_TEST(complaint(step::receive_combine(0, 1, result, 0, side::right)) == "a rank sends no message to itself");
    // a local step has no peer, whatever stands there
    auto local = step::copy(0, buffer::input(), result, 0);
    for (local.peer = 0; local.peer < 5; ++local.peer) { BOOST_TEST(complaint(local) == ""); }
}

BOOST_AUTO_TEST_CASE(blocks_are_those_of_the_partition) {
    BOOST_TEST(complaint(send(0, {})) == "a step without blocks");
    BOOST_TEST(complaint(step::copy(0, buffer::input(), result, {})) == "a step without blocks");
    BOOST_TEST(complaint(send(0, 4)) == "there are only 4 blocks");
    BOOST_TEST(complaint(send(0, block_range{0, 5})) == "there are only 4 blocks");
    BOOST_TEST(complaint(send(0, block_range{3, 1})) == "there are only 4 blocks");
    BOOST_TEST(complaint(send(0, blocks({{0, 1}, {3, 5}}))) == "there are only 4 blocks");
    BOOST_TEST(complaint(step::copy(0, buffer::input(), result, 7)) == "there are only 4 blocks");
}

BOOST_AUTO_TEST_CASE(no_block_occurs_twice) {
    BOOST_TEST(complaint(send(0, blocks({{3, 4}, {0, 3}}))) == "");
    BOOST_TEST(complaint(send(0, blocks({{0, 1}, {2, 4}, {1, 2}}))) == "");
    BOOST_TEST(complaint(send(0, blocks({{2, 4}, {0, 3}}))) == "block 2 occurs twice in one step");
    BOOST_TEST(complaint(send(0, blocks({{3, 4}, {0, 1}, {3, 4}}))) == "block 3 occurs twice in one step");
    BOOST_TEST(complaint(step::copy(0, buffer::input(), result, blocks({{0, 2}, {1, 4}}))) ==
               "block 1 occurs twice in one step");
}

BOOST_AUTO_TEST_CASE(messages_carry_something) {
    BOOST_TEST(complaint(send(0, block_range{1, 3})) == "a message without elements");
    BOOST_TEST(complaint(step::receive(0, 0, result, blocks({{2, 3}, {1, 2}}))) == "a message without elements");
    BOOST_TEST(complaint(send(0, block_range{1, 4})) == "");
    BOOST_TEST(complaint(step::copy(0, buffer::input(), result, 1)) == "");
}

BOOST_AUTO_TEST_CASE(buffers_are_not_misused) {
    auto const input = buffer::input();
    auto const written = std::string{"the input is never written"};
    BOOST_TEST(complaint(step::receive(0, 0, input, 0)) == written);
    BOOST_TEST(complaint(step::receive_combine(0, 0, input, 0, side::left)) == written);
    BOOST_TEST(complaint(step::combine(0, result, input, 0, side::left)) == written);
    BOOST_TEST(complaint(step::copy(0, result, input, 0)) == written);
    auto const same = std::string{"source and target are the same buffer"};
    BOOST_TEST(complaint(step::combine(0, result, result, 0, side::left)) == same);
    BOOST_TEST(complaint(step::copy(0, buffer::scratch(2), buffer::scratch(2), 0)) == same);
    // messages have no source, whatever stands there
    auto received = step::receive(0, 0, result, 0);
    received.source = result;
    BOOST_TEST(complaint(received) == "");
}

BOOST_AUTO_TEST_CASE(equal_blocks_are_equal_in_order_not_in_ranges) {
    BOOST_TEST(same_blocks(blocks({{0, 4}}), blocks({{0, 4}})));
    BOOST_TEST(same_blocks(blocks({{0, 1}, {1, 2}, {2, 4}}), blocks({{0, 3}, {3, 4}})));
    BOOST_TEST(same_blocks(blocks({{3, 4}, {0, 1}, {1, 2}}), block_list::cyclic(3, 3, 4)));
    BOOST_TEST(!same_blocks(blocks({{0, 4}}), blocks({{0, 3}})));
    BOOST_TEST(!same_blocks(blocks({{0, 2}, {2, 4}}), blocks({{2, 4}, {0, 2}})));
    BOOST_TEST(!same_blocks(blocks({{0, 1}, {2, 4}}), blocks({{0, 1}, {1, 3}})));
    BOOST_TEST(!same_blocks(blocks({{0, 1}}), {}));
    BOOST_TEST(same_blocks({}, {}));
}

BOOST_AUTO_TEST_SUITE_END()
