// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/ranks.hpp>

#include <cstddef>
#include <vector>

#include <tutti/arrival/conversation.hpp>
#include <tutti/arrival/letters.hpp>

BOOST_AUTO_TEST_SUITE(arrival_letters)

namespace {

using tutti::monitoring::letters;
using tutti::monitoring::words;

template <class World>
auto& ranks_of(World& world) {
    return tutti::communicator_of<World>::get(world);
}

}  // namespace

BOOST_AUTO_TEST_CASE(letters_arrive_as_they_were_written_and_in_order) {
    support::on_ranks([](auto& world) {
        auto& ranks = ranks_of(world);
        auto const tag = ranks.new_tag();
        auto const size = ranks.size();
        auto const previous = (ranks.rank() + size - 1) % size;
        letters post{ranks};
        for (std::int64_t i = 0; i < 5; ++i) {
            post.send((ranks.rank() + 1) % size, tag, words(static_cast<std::size_t>(i), 100 * ranks.rank() + i));
        }
        support::check(post.is_sending(), "five are under way");
        post.expect(previous, tag, 7);
        std::int64_t came = 0;
        while (came < 5 || post.is_sending()) {
            post.test([&](int peer, int with, words const& text) {
                support::check_equal(peer, previous, "sender");
                support::check_equal(with, tag, "tag");
                support::check_equal(text, words(static_cast<std::size_t>(came), 100 * previous + came), "text");
                if (++came < 5) { post.expect(previous, tag, 7); }
            });
        }
        support::check(!post.test([](int, int, words const&) {}), "nothing is left");
    });
}

BOOST_AUTO_TEST_CASE(an_answer_may_be_written_while_a_letter_is_read) {
    support::on_ranks([](auto& world) {
        auto& ranks = ranks_of(world);
        auto const question = ranks.new_tag();
        auto const answer = ranks.new_tag();
        letters post{ranks};
        for (int peer = 0; peer < ranks.size(); ++peer) {
            post.expect(peer, question, 1);
            post.expect(peer, answer, 50);
            post.send(peer, question, words{peer});
        }
        int answers = 0;
        int questions = 0;
        while (answers < ranks.size() || questions < ranks.size() || post.is_sending()) {
            post.test([&](int peer, int tag, words const& text) {
                if (tag == answer) {
                    support::check_equal(text, words(40, peer), "answer");
                    ++answers;
                    return;
                }
                ++questions;
                for (int i = 0; i < 3; ++i) { post.expect(peer, ranks.new_tag(), 20); }  // room is moved meanwhile
                post.send(peer, answer, words(40, text[0]));
            });
        }
        post.stop_expecting();
    });
}

BOOST_AUTO_TEST_CASE(what_never_comes_is_given_up) {
    support::on_ranks([](auto& world) {
        auto& ranks = ranks_of(world);
        auto const tag = ranks.new_tag();
        {
            letters post{ranks};
            post.expect((ranks.rank() + 1) % ranks.size(), tag, 3);
            post.expect(0, tag, 3);
        }
        letters post{ranks};
        post.expect(0, tag, 3);
        post.stop_expecting();
        support::check(!post.test([](int, int, words const&) {}), "nothing comes");
    });
}

BOOST_AUTO_TEST_CASE(ranks_tell_rank_0_and_hear_from_it) {
    support::on_ranks([](auto& world) {
        tutti::monitoring::conversation talk{ranks_of(world)};
        auto const all = talk.gather(words{talk.rank(), 7});
        support::check_equal(all.size(), static_cast<std::size_t>(talk.rank() == 0 ? talk.size() : 0), "heard");
        for (std::size_t rank = 0; rank < all.size(); ++rank) {
            support::check_equal(all[rank], words{static_cast<std::int64_t>(rank), 7}, "what a rank says");
        }
        words said(3, talk.rank());
        talk.broadcast(said);
        support::check_equal(said, words(3, 0), "what rank 0 says");
        talk.meet();
    });
}

BOOST_AUTO_TEST_SUITE_END()
