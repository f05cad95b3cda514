// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/ranks.hpp>

#include <cstddef>

#include <tutti/arrival/clock.hpp>
#include <tutti/arrival/control_messages.hpp>

BOOST_AUTO_TEST_SUITE(arrival_control_messages)

namespace {

using tutti::monitoring::control_messages;
using tutti::monitoring::payload;

template <class World>
auto& ranks_of(World& world) {
    return tutti::communicator_of<World>::get(world);
}

}  // namespace

BOOST_AUTO_TEST_CASE_ON_RANKS(letters_arrive_as_they_were_written_and_in_order) {
    auto& ranks = ranks_of(world);
    auto const tag = ranks.new_tag();
    auto const size = ranks.size();
    auto const previous = (ranks.rank() + size - 1) % size;
    control_messages post{ranks};
    for (std::int64_t i = 0; i < 5; ++i) {
        post.send((ranks.rank() + 1) % size, tag, payload(static_cast<std::size_t>(i), 100 * ranks.rank() + i));
    }
    support::check(post.is_sending(), "five are under way");
    post.expect(previous, tag, 7);
    std::int64_t came = 0;
    while (came < 5 || post.is_sending()) {
        post.test([&](int peer, int with, payload const& text) {
            support::check_equal(peer, previous, "sender");
            support::check_equal(with, tag, "tag");
            support::check_equal(text, payload(static_cast<std::size_t>(came), 100 * previous + came), "text");
            if (++came < 5) { post.expect(previous, tag, 7); }
        });
    }
    support::check(!post.test([](int, int, payload const&) {}), "nothing is left");
}

BOOST_AUTO_TEST_CASE_ON_RANKS(an_answer_may_be_written_while_a_letter_is_read) {
    auto& ranks = ranks_of(world);
    auto const question = ranks.new_tag();
    auto const answer = ranks.new_tag();
    control_messages post{ranks};
    for (int peer = 0; peer < ranks.size(); ++peer) {
        post.expect(peer, question, 1);
        post.expect(peer, answer, 50);
        post.send(peer, question, payload{peer});
    }
    int answers = 0;
    int questions = 0;
    while (answers < ranks.size() || questions < ranks.size() || post.is_sending()) {
        post.test([&](int peer, int tag, payload const& text) {
            if (tag == answer) {
                support::check_equal(text, payload(40, peer), "answer");
                ++answers;
                return;
            }
            ++questions;
            for (int i = 0; i < 3; ++i) { post.expect(peer, ranks.new_tag(), 20); }  // room is moved meanwhile
            post.send(peer, answer, payload(40, text[0]));
        });
    }
    post.stop_expecting();
}

BOOST_AUTO_TEST_CASE_ON_RANKS(what_never_comes_is_given_up) {
    auto& ranks = ranks_of(world);
    auto const tag = ranks.new_tag();
    {
        control_messages post{ranks};
        post.expect((ranks.rank() + 1) % ranks.size(), tag, 3);
        post.expect(0, tag, 3);
    }
    control_messages post{ranks};
    post.expect(0, tag, 3);
    post.stop_expecting();
    support::check(!post.test([](int, int, payload const&) {}), "nothing comes");
}

BOOST_AUTO_TEST_CASE_ON_RANKS(ranks_tell_rank_0_and_hear_from_it) {
    tutti::monitoring::control_channel channel{ranks_of(world)};
    auto const all = channel.gather(payload{channel.rank(), 7});
    support::check_equal(all.size(), static_cast<std::size_t>(channel.rank() == 0 ? channel.size() : 0), "heard");
    for (std::size_t rank = 0; rank < all.size(); ++rank) {
        support::check_equal(all[rank], payload{static_cast<std::int64_t>(rank), 7}, "what a rank says");
    }
    payload message(3, channel.rank());
    channel.broadcast(message);
    support::check_equal(message, payload(3, 0), "what rank 0 says");
    channel.barrier();
}

BOOST_AUTO_TEST_SUITE_END()
