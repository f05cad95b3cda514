// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include <tutti/analysis/well_formed.hpp>
#include <tutti/partition.hpp>
#include <tutti/schedule.hpp>

BOOST_AUTO_TEST_SUITE(analysis_well_formed)

using tutti::block_list;
using tutti::block_range;
using tutti::buffer;
using tutti::partition;
using tutti::side;
using tutti::step;
using tutti::symbolic::same_blocks;

namespace {

auto const result = buffer::result();

/// What rank 1 of 3 is told, on a vector cut into blocks of 2, 0, 0 and 3 elements.
std::string complaint(step const& it) {
    return tutti::symbolic::malformed(it, 1, 3, partition::of_sizes(std::vector<std::size_t>{2, 0, 0, 3}));
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
