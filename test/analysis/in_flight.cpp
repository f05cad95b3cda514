// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <utility>

#include <tutti/analysis/in_flight.hpp>
#include <tutti/schedule.hpp>

BOOST_AUTO_TEST_SUITE(analysis_in_flight)

using tutti::schedules::block_list;
using tutti::schedules::block_range;
using tutti::buffer;
using tutti::step;
using tutti::analysis::symbolic::in_flight;
using tutti::analysis::symbolic::sent;

namespace {

step send(std::size_t peer, block_list blocks = 0, buffer from = buffer::result()) {
    return step::send(0, peer, from, std::move(blocks));
}

std::size_t number_of(sent const* message) {
    BOOST_REQUIRE(message != nullptr);
    return message->number;
}

}  // namespace

BOOST_AUTO_TEST_CASE(messages_between_two_ranks_keep_their_order) {
    in_flight messages{3};
    BOOST_TEST(messages.oldest(0, 1) == nullptr);
    messages.post(0, send(1, 4), 10, 0);
    messages.post(0, send(2, 5), 11, 1);
    messages.post(0, send(1, 6), 12, 2);
    messages.post(1, send(0, 7), 13, 0);
    auto const* const first = messages.oldest(0, 1);
    BOOST_REQUIRE(first != nullptr);
    BOOST_TEST((first->what == send(1, 4)));
    BOOST_TEST(first->index == 10U);
    BOOST_TEST(first->number == 0U);
    messages.drop_oldest(0, 1);
    BOOST_TEST(number_of(messages.oldest(0, 1)) == 2U);
    messages.drop_oldest(0, 1);
    BOOST_TEST(messages.oldest(0, 1) == nullptr);
    BOOST_TEST(messages.oldest(0, 2)->index == 11U);
    BOOST_TEST(messages.oldest(1, 0)->index == 13U);
    BOOST_TEST(messages.oldest(2, 0) == nullptr);
}

BOOST_AUTO_TEST_CASE(a_channel_can_be_used_again_when_it_was_empty) {
    in_flight messages{2};
    for (std::size_t number = 0; number < 5; ++number) {
        messages.post(1, send(0), number, number);
        BOOST_TEST(number_of(messages.oldest(1, 0)) == number);
        messages.drop_oldest(1, 0);
        BOOST_TEST(messages.oldest(1, 0) == nullptr);
        BOOST_TEST(messages.left_over().second == nullptr);
    }
}

BOOST_AUTO_TEST_CASE(find_sees_what_a_rank_has_sent_to_anybody_and_nobody_has_taken) {
    in_flight messages{3};
    messages.post(2, send(0), 0, 0);
    messages.post(2, send(1), 1, 1);
    messages.post(2, send(1), 2, 2);
    messages.post(1, send(0), 3, 3);
    auto const numbered = [&](std::size_t from, std::size_t number) {
        return messages.find(from, [=](sent const& message) { return message.number == number; });
    };
    BOOST_TEST(numbered(2, 0)->index == 0U);
    BOOST_TEST(numbered(2, 2)->index == 2U);
    BOOST_TEST(numbered(2, 3) == nullptr);
    BOOST_TEST(numbered(0, 3) == nullptr);
    messages.drop_oldest(2, 1);
    BOOST_TEST(numbered(2, 1) == nullptr);
    BOOST_TEST(numbered(2, 2)->index == 2U);
}

BOOST_AUTO_TEST_CASE(pending_are_messages_out_of_a_buffer_that_share_a_block) {
    in_flight messages{2};
    messages.post(0, send(1, block_list::cyclic(6, 4, 8)), 0, 0);
    messages.post(0, send(1, block_range{2, 4}, buffer::scratch(0)), 1, 1);
    auto const pending = [&](buffer which, block_list const& blocks) { return messages.pending(0, which, blocks); };
    auto const result = buffer::result();
    auto const scratch = buffer::scratch(0);
    BOOST_TEST(number_of(pending(result, 0)) == 0U);
    BOOST_TEST(number_of(pending(result, 1)) == 0U);
    BOOST_TEST(pending(result, block_range{2, 6}) == nullptr);
    BOOST_TEST(number_of(pending(result, block_range{2, 7})) == 0U);
    BOOST_TEST(number_of(pending(scratch, block_range{0, 3})) == 1U);
    BOOST_TEST(pending(scratch, block_range{4, 8}) == nullptr);
    BOOST_TEST(number_of(pending(scratch, block_list::cyclic(3, 6, 8))) == 1U);
    BOOST_TEST(pending(buffer::scratch(1), 2) == nullptr);
    BOOST_TEST(messages.pending(1, result, 0) == nullptr);
    messages.drop_oldest(0, 1);
    BOOST_TEST(pending(result, 0) == nullptr);
}

BOOST_AUTO_TEST_CASE(the_message_left_over_is_the_oldest_of_the_lowest_sender) {
    in_flight messages{3};
    BOOST_TEST(messages.left_over().first == 3U);
    BOOST_TEST(messages.left_over().second == nullptr);
    messages.post(2, send(0), 7, 0);
    messages.post(1, send(2), 8, 0);
    messages.post(1, send(0), 4, 1);
    messages.post(1, send(0), 5, 2);
    BOOST_TEST(messages.left_over().first == 1U);
    BOOST_TEST(messages.left_over().second->index == 4U);
    messages.drop_oldest(1, 0);
    BOOST_TEST(messages.left_over().second->index == 5U);
    messages.drop_oldest(1, 0);
    BOOST_TEST(messages.left_over().second->index == 8U);
    messages.drop_oldest(1, 2);
    BOOST_TEST(messages.left_over().first == 2U);
    messages.drop_oldest(2, 0);
    BOOST_TEST(messages.left_over().second == nullptr);
}

BOOST_AUTO_TEST_SUITE_END()
