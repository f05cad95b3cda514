// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include <support/point_to_point.hpp>
#include <tutti/communicator/threads.hpp>

BOOST_AUTO_TEST_SUITE(communicator_threads)

namespace threads = tutti::threads;
using namespace point_to_point;

static_assert(tutti::world<threads::communicator> && tutti::world<threads::communicator const>);

namespace {

/// Every promise of the concept must hold whatever the luck.
constexpr std::optional<std::uint64_t> fortunes[] = {std::nullopt, 1, 2, 3};

template <class Body>
void on(int size, Body body) {
    for (auto const& fortune : fortunes) { threads::run(size, body, {.perturb = fortune}); }
}

}  // namespace

BOOST_AUTO_TEST_CASE(ranks_know_who_they_are) {
    for (int size = 1; size < 9; ++size) {
        std::vector<int> seen(static_cast<std::size_t>(size));
        threads::run(size, [&](threads::communicator& world) {
            require(world.size() == size, "size");
            seen[static_cast<std::size_t>(world.rank())] = world.rank() + 1;
        });
        std::vector<int> expected(seen.size());
        std::iota(expected.begin(), expected.end(), 1);
        BOOST_TEST(seen == expected, boost::test_tools::per_element());
    }
    BOOST_CHECK_THROW(threads::run(0, [](auto&) {}), threads::error);
}

BOOST_AUTO_TEST_CASE(a_rank_is_its_own_world) {
    threads::run(2, [](auto& world) {
        auto const& handed_on = world;
        require(&tutti::communicator_of<threads::communicator>::get(handed_on) == &world, "same object");
    });
}

BOOST_AUTO_TEST_CASE(tags_are_the_same_on_all_ranks_and_not_0) {
    threads::run(3, [](auto& world) {
        for (int tag = 1; tag < 10; ++tag) { require(world.new_tag() == tag, "tags count from 1"); }
    });
}

BOOST_AUTO_TEST_CASE(objects_in_the_store_live_with_the_communicator) {
    threads::run(3, [](auto& world) {
        world.store().template get<int>() = world.rank();
        require(world.store().template get<int>() == world.rank(), "one per rank");
    });
}

BOOST_AUTO_TEST_CASE(ping_pong) {
    on(2, [](auto& world) {
        std::vector<int> values{1, 2, 3};
        for (int round = 0; round < 200; ++round) {
            if (world.rank() == 0) {
                send(world, 1, 7, values);
                values = receive<int>(world, 1, 8, 3);
            } else {
                auto const came = receive<int>(world, 0, 7, 3);
                send(world, 0, 8, std::vector{came[0] + 1, came[1], came[2]});
            }
        }
        if (world.rank() == 0) { require(values == std::vector{201, 2, 3}, "200 increments"); }
    });
}

BOOST_AUTO_TEST_CASE(ring_with_simultaneous_sends) {
    for (int size = 1; size < 9; ++size) {
        on(size, [&](auto& world) {
            std::vector<int> mine{world.rank()};
            for (int step = 0; step < size; ++step) {
                std::vector<int> next(1);
                wait_all(world, {world.send((world.rank() + 1) % size, 1, bytes_of(mine)),
                                 world.receive((world.rank() + size - 1) % size, 1, memory_of(next))});
                mine = next;
            }
            require(mine[0] == world.rank(), "once around");
        });
    }
}

BOOST_AUTO_TEST_CASE(messages_of_one_tag_keep_their_order) {
    constexpr int count = 300;
    on(2, [](auto& world) {
        std::vector<std::vector<int>> values(2 * count, std::vector<int>(1));
        std::vector<threads::request> requests;
        for (int i = 0; i < 2 * count; ++i) {
            auto& memory = values[static_cast<std::size_t>(i)];
            auto const tag = world.rank() == 0 ? i % 2 : i / count;        // the receiver takes tag 0 first
            if (world.rank() == 0) {
                memory[0] = i;
                requests.push_back(world.send(1, tag, bytes_of(memory)));
            } else {
                requests.push_back(world.receive(0, tag, memory_of(memory)));
            }
        }
        wait_all(world, requests);
        for (int i = 0; world.rank() == 1 && i < 2 * count; ++i) {
            auto const expected = i < count ? 2 * i : 2 * (i - count) + 1;
            require(values[static_cast<std::size_t>(i)][0] == expected, "message " + std::to_string(i) + " in order");
        }
    });
}

BOOST_AUTO_TEST_CASE(messages_may_be_shorter_or_empty) {
    on(2, [](auto& world) {
        if (world.rank() == 0) {
            send(world, 1, 1, std::vector{4, 5});
            send(world, 1, 1, std::vector<int>{});
            send(world, 1, 1, std::vector<int>{});
        } else {
            require(receive<int>(world, 0, 1, 9) == std::vector({4, 5}), "shorter");
            require(receive<int>(world, 0, 1, 9).empty(), "empty");
            require(receive<int>(world, 0, 1, 0).empty(), "empty, no memory");
        }
    });
}

BOOST_AUTO_TEST_CASE(a_rank_may_write_to_itself) {
    on(1, [](auto& world) {
        std::vector<int> const sent{1, 2};
        std::vector<int> received(2);
        wait_all(world, {world.receive(0, 1, memory_of(received)), world.send(0, 1, bytes_of(sent))});
        require(received == sent, "arrived");
    });
}

BOOST_AUTO_TEST_CASE(without_an_active_request_nothing_is_waited_for) {
    threads::run(1, [](auto& world) {
        std::vector<threads::request> requests(3, threads::communicator::inactive());
        std::vector<tutti::completion> done(3);
        require(world.wait_some(requests, done) == 0 && world.test_some(requests, done) == 0, "nothing");
        require(world.wait_some({}, {}) == 0, "no requests");
    });
}

BOOST_AUTO_TEST_CASE(what_has_ended_is_reported_once_and_made_inactive) {
    on(2, [](auto& world) {
        std::vector<int> values{world.rank()};
        std::vector<threads::request> requests(5, threads::communicator::inactive());
        requests[3] = world.rank() == 0 ? world.send(1, 1, bytes_of(values)) : world.receive(0, 1, memory_of(values));
        std::vector<tutti::completion> done(5);
        while (world.test_some(requests, done) == 0) {}
        require(done[0].index == 3 && done[0].bytes == (world.rank() == 0 ? 0 : sizeof(int)), "the completion");
        require(requests[3] == threads::communicator::inactive(), "inactive");
        require(world.test_some(requests, done) == 0, "no more");
        require(values[0] == 0, "the value");
    });
}

BOOST_AUTO_TEST_CASE(no_more_is_reported_than_there_is_room_for) {
    on(2, [](auto& world) {
        std::vector<std::vector<int>> values(4, std::vector<int>(1));
        std::vector<threads::request> requests;
        for (auto& each : values) {
            requests.push_back(world.rank() == 0 ? world.send(1, 1, bytes_of(each))
                                                 : world.receive(0, 1, memory_of(each)));
        }
        std::vector<tutti::completion> done(1);
        for (int i = 0; i < 4; ++i) { require(world.wait_some(requests, done) == 1, "one at a time"); }
        require(world.wait_some(requests, done) == 0, "all reported");
    });
}

BOOST_AUTO_TEST_CASE(other_requests_stay_active_meanwhile) {
    on(2, [](auto& world) {
        auto const other = 1 - world.rank();
        std::vector<int> early(1), late(1), mine{world.rank()};
        auto const unrelated = world.receive(other, 2, memory_of(late));
        wait_all(world, {world.receive(other, 1, memory_of(early)), world.send(other, 1, bytes_of(mine))});
        wait_all(world, {unrelated, world.send(other, 2, bytes_of(mine))});
        require(early[0] == other && late[0] == other, "both arrived");
    });
}

BOOST_AUTO_TEST_CASE(traffic_is_counted_for_each_pair) {
    auto const traffic = threads::run(3, [](auto& world) {
        if (world.rank() == 0) {
            send(world, 1, 1, std::vector<char>(10));
            send(world, 1, 2, std::vector<char>{});
            send(world, 2, 1, std::vector<char>(5));
        } else {
            static_cast<void>(receive<char>(world, 0, 1, 10));
            if (world.rank() == 1) { static_cast<void>(receive<char>(world, 0, 2, 10)); }
        }
    }).traffic();
    BOOST_TEST(traffic.messages(0, 1) == 2U);
    BOOST_TEST(traffic.bytes(0, 1) == 10U);
    BOOST_TEST(traffic.messages(0, 2) == 1U);
    BOOST_TEST(traffic.bytes(0, 2) == 5U);
    BOOST_TEST(traffic.messages(1, 0) == 0U);
    BOOST_TEST(traffic.messages() == 3U);
    BOOST_TEST(traffic.bytes() == 15U);
}

BOOST_AUTO_TEST_SUITE_END()
