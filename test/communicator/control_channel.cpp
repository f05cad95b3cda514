// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/ranks.hpp>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>

#include <tutti/communicator/control_channel.hpp>

BOOST_AUTO_TEST_SUITE(communicator_control_channel)

namespace {

using tutti::messaging::payload;

template <class World>
auto& ranks_of(World& world) {
    return tutti::communicator_of<World>::get(world);
}

}  // namespace

BOOST_AUTO_TEST_CASE_ON_RANKS(all_hear_what_rank_0_says) {
    for (auto const how : {tutti::messaging::waiting::as_usual, tutti::messaging::waiting::sleeping}) {
        tutti::messaging::control_channel channel{ranks_of(world), how};
        for (std::int64_t i = 0; i < 5; ++i) {
            payload said{channel.rank() == 0 ? i : -1, channel.rank() == 0 ? 7 : -1};
            channel.broadcast(said);
            support::check_equal(said, payload{i, 7}, "words");
        }
        payload none;
        channel.broadcast(none);
    }
}

BOOST_AUTO_TEST_CASE_ON_RANKS(rank_0_hears_what_all_say) {
    tutti::messaging::control_channel channel{ranks_of(world)};
    for (int i = 0; i < 3; ++i) {
        auto const heard = channel.gather({channel.rank(), i});
        if (channel.rank() != 0) {
            support::check(heard.empty(), "others hear nothing");
            continue;
        }
        for (int rank = 0; rank < channel.size(); ++rank) {
            support::check_equal(heard.at(static_cast<std::size_t>(rank)), payload{rank, i}, "words");
        }
        support::check_equal(heard.size(), static_cast<std::size_t>(channel.size()), "ranks");
    }
    channel.barrier();
}

BOOST_AUTO_TEST_CASE_ON_RANKS(two_ranks_exchange_messages_and_streams) {
    tutti::messaging::control_channel channel{ranks_of(world)};
    auto const peer = channel.rank() ^ 1;
    if (peer >= channel.size()) { return; }
    payload const mine(100'000, channel.rank());
    payload theirs(mine.size(), -1);
    channel.exchange(peer, std::as_bytes(std::span{mine}), peer, std::as_writable_bytes(std::span{theirs}));
    support::check_equal(theirs, payload(mine.size(), peer), "what was exchanged");
    std::fill(theirs.begin(), theirs.end(), -1);
    channel.exchange(peer, std::as_bytes(std::span{mine}), peer, std::as_writable_bytes(std::span{theirs}), 10);
    support::check_equal(theirs, payload(mine.size(), peer), "what was exchanged in pieces");

    payload stream(10, -1);
    auto const memory = std::as_writable_bytes(std::span{stream});
    if (channel.rank() < peer) {
        auto sends = channel.post_sends(peer, std::as_bytes(std::span{mine}).first(sizeof mine[0]), stream.size());
        channel.finish_all(sends);
    } else {
        auto receives = channel.post_receives(peer, memory, stream.size());
        channel.finish_all(std::span{receives}.last(1));
        support::check_equal(stream.back(), peer, "the last message");
        channel.finish_all(receives);
        support::check_equal(stream, payload(stream.size(), peer), "the stream");
    }
}

#if !defined(TUTTI_TEST_OVER_MPI) && !defined(TUTTI_TEST_OVER_BOOST_MPI)
BOOST_AUTO_TEST_CASE(what_is_said_may_be_longer_than_a_message) {
    tutti::threads::run(6,
                        [](auto& world) {
                            tutti::messaging::control_channel channel{world};
                            payload expected(37);
                            std::iota(expected.begin(), expected.end(), 0);
                            auto said = channel.rank() == 0 ? expected : payload(expected.size());
                            channel.broadcast(said);
                            support::check_equal(said, expected, "words");
                        },
                        {.message_limit = 20});
    BOOST_TEST(true);
}
#endif

BOOST_AUTO_TEST_SUITE_END()
