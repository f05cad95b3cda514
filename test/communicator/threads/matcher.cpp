// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <support/point_to_point.hpp>
#include <tutti/communicator/threads.hpp>
#include <tutti/communicator/threads/matcher.hpp>
#include <tutti/communicator/threads/posted_operation.hpp>
#include <tutti/communicator/threads/team_monitor.hpp>

BOOST_AUTO_TEST_SUITE(communicator_threads_matcher)

namespace threads = tutti::threads;
using namespace point_to_point;

BOOST_AUTO_TEST_CASE(a_receive_in_place_reads_the_senders_own_memory) {
    std::atomic<int const*> sent = nullptr;
    threads::run(2, [&](auto& world) {
        if (world.rank() == 0) {
            std::vector<int> values{1, 2, 3};
            sent = values.data();
            send(world, 1, 1, values);
            values.assign(3, 0);
        } else {
            auto const came = wait_all(world, {world.receive_lent(0, 1, 5 * sizeof(int))}).front();
            require(came.bytes == 3 * sizeof(int), "length");
            require(came.lent == reinterpret_cast<std::byte const*>(sent.load()), "no copy");
            std::this_thread::sleep_for(std::chrono::milliseconds{2});
            require(came.lent[2 * sizeof(int)] == std::byte{3}, "lent until it is given back");
            world.give_back(came);
        }
    });
}

BOOST_AUTO_TEST_CASE(a_message_of_no_bytes_can_be_lent) {
    threads::run(2, [&](auto& world) {
        if (world.rank() == 0) {
            send(world, 1, 1, std::vector<int>{});
        } else {
            auto const came = wait_all(world, {world.receive_lent(0, 1, 8)}).front();
            require(came.bytes == 0 && came.lease != nullptr, "empty");
            world.give_back(came);
        }
    });
}

BOOST_AUTO_TEST_CASE(a_message_that_is_too_long_is_an_error_of_the_receiver) {
    for (auto const in_place : {false, true}) {
        try {
            threads::run(2, [&](auto& world) {
                if (world.rank() == 0) {
                    send(world, 1, 3, std::vector<int>(4));
                    static_cast<void>(receive<int>(world, 1, 3, 1));
                } else if (in_place) {
                    wait_all(world, {world.receive_lent(0, 3, 8)});
                } else {
                    static_cast<void>(receive<int>(world, 0, 3, 2));
                }
            });
            BOOST_TEST(false);
        } catch (threads::message_too_long const& wrong) {
            BOOST_TEST(
                wrong.what() ==
                std::string{"tutti: a message: rank 0 sent 16 bytes with tag 3 to rank 1, which receives at most 8; "
                            "give every rank the same number of elements, and counts that fit their vectors"});
        }
    }
}

BOOST_AUTO_TEST_CASE(peers_and_lengths_are_checked) {
    auto const said = [](auto body) {
        try {
            threads::run(2, body, {.message_limit = 8});
        } catch (threads::error const& wrong) {
            return std::string{wrong.what()};
        }
        return std::string{"nothing"};
    };
    BOOST_TEST(said([](auto& world) {
                   require(world.message_limit() == 8, "limit");
                   if (world.rank() == 1) { static_cast<void>(world.send(2, 1, {})); }
               }) == "tutti: rank 1 posted a message to rank 2, but the team has ranks 0 to 1");
    BOOST_TEST(said([](auto& world) {
                   std::vector<char> const values(9);
                   if (world.rank() == 0) { static_cast<void>(world.send(1, 1, bytes_of(values))); }
               }) == "tutti: rank 0 posted a message of 9 bytes to rank 1, but the limit is 8 bytes: send it in parts");
}

BOOST_AUTO_TEST_CASE(the_memory_of_a_rank_that_is_ended_is_not_read_any_more) {
    // Whoever is ended frees its memory at once; the sanitizers see who still uses it.
    for (int i = 0; i < 100; ++i) {
        auto const body = [i](auto& world) {
            if (world.rank() == 0) {
                for (int spin = 0; spin < i; ++spin) { std::this_thread::yield(); }
                throw i;
            }
            std::vector<int> sum(10000), mine(10000, 1), other(10000);
            auto const left = world.rank() == 1 ? 3 : world.rank() - 1;
            auto const right = world.rank() == 3 ? 1 : world.rank() + 1;
            for (;;) {
                std::array<threads::request, 3> requests{world.send(right, 1, bytes_of(mine)),
                                                         world.send(right, 2, bytes_of(mine)),
                                                         world.receive(left, 2, memory_of(other))};
                auto const lent = wait_all(world, {world.receive_lent(left, 1, 40000)}).front();
                for (std::size_t k = 0; k < sum.size(); ++k) {
                    int value = 0;
                    std::memcpy(&value, lent.lent + k * sizeof(int), sizeof(int));
                    sum[k] += value;
                }
                world.give_back(lent);
                wait_all(world, {requests.begin(), requests.end()});
            }
        };
        BOOST_CHECK_THROW(threads::run(4, body), int);
    }
}

BOOST_AUTO_TEST_CASE(a_lender_is_ended_only_when_its_memory_is_no_longer_read) {
    std::atomic<bool> reading = false;
    std::atomic<bool> freed = false;
    bool too_early = false;
    auto const body = [&](auto& world) {
        if (world.rank() == 0) {
            try {
                send(world, 1, 1, std::vector{1});
            } catch (threads::team_ended const&) {
                freed = true;
                throw;
            }
        } else if (world.rank() == 1) {
            auto const came = wait_all(world, {world.receive_lent(0, 1, sizeof(int))}).front();
            reading = true;
            std::this_thread::sleep_for(std::chrono::milliseconds{20});
            too_early = freed;
            world.give_back(came);
        } else {
            while (!reading) { std::this_thread::yield(); }
            throw 2;
        }
    };
    BOOST_CHECK_THROW(threads::run(3, body), int);
    BOOST_TEST(!too_early);
    BOOST_TEST(freed);
}

BOOST_AUTO_TEST_CASE(after_the_end_nothing_is_moved_or_lent) {
    threads::team_monitor ranks{2};
    threads::matcher messages{2, ranks};
    threads::posted_operation sent, received;
    std::array<std::byte, 1> const data{std::byte{7}};
    std::array<std::byte, 1> memory{};
    sent.begin(threads::posted_operation::kind::send, 0, 1, 1, 1);
    sent.source = data.data();
    BOOST_TEST(messages.post(sent));
    ranks.fail(threads::error{"the end"});
    received.begin(threads::posted_operation::kind::receive, 1, 0, 1, 1);
    received.target = memory.data();
    BOOST_TEST(!messages.post(received));
    BOOST_TEST((memory[0] == std::byte{} && !sent.is_complete() && !received.is_complete()));
    BOOST_TEST(!messages.borrow(1, 0));
    messages.quiesce(0);
}

BOOST_AUTO_TEST_CASE(requests_can_be_cancelled_by_destructors) {
    struct pending {
        threads::communicator& world;
        threads::request request;
        ~pending() { world.cancel(request); }
    };
    for (int i = 0; i < 100; ++i) {
        auto const body = [i](auto& world) {
            std::vector<int> mine(10000, 1), other(10000);
            auto const peer = 1 - world.rank();
            pending const sent{world, world.send(peer, 1, bytes_of(mine))};
            pending const received{world, i % 2 == 0 ? world.receive(peer, 1, memory_of(other))
                                                     : world.receive_lent(peer, 1, 40000)};
            if (world.rank() == 0) { throw i; }
            static_cast<void>(receive<int>(world, peer, 2, 1));
        };
        BOOST_CHECK_THROW(threads::run(2, body), int);
    }
}

BOOST_AUTO_TEST_CASE(a_message_given_up_under_way_ends_the_team) {
    auto const body = [](auto& world) {
        std::vector<int> const values(1);
        if (world.rank() == 0) {
            auto const lent = world.send(1, 1, bytes_of(values));
            static_cast<void>(receive<int>(world, 1, 2, 1));
            world.cancel(lent);
        } else {
            auto const came = wait_all(world, {world.receive_lent(0, 1, 4)});
            send(world, 0, 2, values);
            static_cast<void>(receive<int>(world, 0, 3, 1));
        }
    };
    BOOST_CHECK_THROW(threads::run(2, body), threads::team_ended);
}

BOOST_AUTO_TEST_CASE(one_at_a_time) {
    constexpr int threads = 4;
    constexpr int turns = 10'000;
    tutti::threads::spin_lock lock;
    int count = 0;
    {
        std::vector<std::jthread> all;
        for (int i = 0; i < threads; ++i) {
            all.emplace_back([&] {
                for (int turn = 0; turn < turns; ++turn) {
                    std::lock_guard const inside{lock};
                    ++count;
                }
            });
        }
    }
    BOOST_TEST(count == threads * turns);
}

BOOST_AUTO_TEST_SUITE_END()
