// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <vector>

#include <support/point_to_point.hpp>
#include <tutti/communicator/threads.hpp>
#include <tutti/communicator/threads/perturbation.hpp>

BOOST_AUTO_TEST_SUITE(communicator_threads_perturbation)

namespace threads = tutti::threads;
using namespace point_to_point;

namespace {

/// The messages of a random program, the same on all ranks; every rank posts its part in this order, some of it
/// in place, and waits for some of what it has posted now and then.
struct message {
    int from, to, tag;
    std::size_t elements;
    bool in_place;
};

std::vector<message> random_messages(int size, std::uint64_t seed, int count) {
    std::mt19937_64 random{seed};
    auto const below = [&](int n) { return static_cast<int>(random() % static_cast<std::uint64_t>(n)); };
    std::vector<message> messages;
    for (int i = 0; i < count; ++i) {
        messages.push_back({below(size), below(size), below(3), static_cast<std::size_t>(below(40)), below(2) == 0});
    }
    return messages;
}

void exchange_all(threads::communicator& world, std::vector<message> const& messages) {
    std::vector<threads::request> requests;
    std::vector<std::vector<int>> memory(2 * messages.size());
    std::vector<std::size_t> meaning;        // of each request: 2 * message, + 1 for the receive
    std::vector<tutti::completion> done(2 * messages.size());
    std::size_t left = 0;
    auto const post = [&](threads::request posted, std::size_t what) {
        requests.push_back(posted);
        meaning.push_back(what);
        ++left;
    };
    auto const handle = [&](std::size_t count) {
        left -= count;
        for (std::size_t i = 0; i < count; ++i) {
            auto const what = meaning[done[i].index];
            if (what % 2 == 0) { continue; }
            auto const& expected = messages[what / 2];
            require(done[i].bytes == expected.elements * sizeof(int), "length");
            auto const* const came =
                done[i].lent != nullptr ? reinterpret_cast<int const*>(done[i].lent) : memory[what].data();
            require(std::all_of(came, came + expected.elements,
                                [&](int value) { return value == static_cast<int>(what / 2); }),
                    "the message that was sent");
            world.give_back(done[i]);
        }
    };
    for (std::size_t i = 0; i < messages.size(); ++i) {
        auto const& each = messages[i];
        if (each.from == world.rank()) {
            memory[2 * i].assign(each.elements, static_cast<int>(i));
            post(world.send(each.to, each.tag, bytes_of(memory[2 * i])), 2 * i);
        }
        if (each.to == world.rank()) {
            memory[2 * i + 1].resize(each.in_place ? 0 : each.elements + 1);
            post(each.in_place ? world.receive_lent(each.from, each.tag, each.elements * sizeof(int))
                               : world.receive(each.from, each.tag, memory_of(memory[2 * i + 1])),
                 2 * i + 1);
        }
        while (left > 10) { handle(world.wait_some(requests, done)); }
        if (i % 7 == 0) { handle(world.test_some(requests, done)); }
    }
    while (left > 0) { handle(world.wait_some(requests, done)); }
}

}  // namespace

BOOST_AUTO_TEST_CASE(random_traffic_of_8_ranks) {
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
        auto const messages = random_messages(8, seed, 600);
        auto const body = [&](auto& world) { exchange_all(world, messages); };
        auto const calm = threads::run(8, body).traffic();
        auto const perturbed = threads::run(8, body, {.perturb = seed}).traffic();
        BOOST_TEST(calm.messages() == messages.size());
        for (int from = 0; from < 8; ++from) {
            for (int to = 0; to < 8; ++to) { BOOST_TEST(calm.bytes(from, to) == perturbed.bytes(from, to)); }
        }
    }
}

BOOST_AUTO_TEST_CASE(requests_end_in_another_order) {
    auto const order = [](std::optional<std::uint64_t> seed) {
        std::vector<std::size_t> ended;
        threads::run(2, [&](auto& world) {
            std::vector<std::vector<int>> values(16, std::vector<int>(1));
            std::vector<threads::request> requests;
            int tag = 0;
            for (auto& each : values) {
                ++tag;
                requests.push_back(world.rank() == 0 ? world.send(1, tag, bytes_of(each))
                                                     : world.receive(0, tag, memory_of(each)));
            }
            std::vector<tutti::completion> done(16);
            while (auto const count = world.wait_some(requests, done)) {
                for (std::size_t i = 0; world.rank() == 1 && i < count; ++i) { ended.push_back(done[i].index); }
            }
        }, {.perturb = seed});
        return ended;
    };
    auto ended = order(7);
    BOOST_TEST(!std::is_sorted(ended.begin(), ended.end()));
    std::sort(ended.begin(), ended.end());
    BOOST_TEST(ended.size() == 16U);
    BOOST_TEST((std::adjacent_find(ended.begin(), ended.end()) == ended.end()));
}

BOOST_AUTO_TEST_CASE(test_some_reports_nothing_now_and_then) {
    std::atomic<int> idle = 0;
    threads::run(1, [&](auto& world) {
        std::vector<int> values(1);
        std::vector<tutti::completion> done(2);
        for (int i = 0; i < 100; ++i) {
            std::vector<threads::request> requests{world.receive(0, 1, memory_of(values)),
                                                   world.send(0, 1, bytes_of(values))};
            for (std::size_t count = 0; count < 2;) {
                auto const now = world.test_some(requests, done);
                if (now == 0) { ++idle; }
                count += now;
            }
        }
    }, {.perturb = 1});
    BOOST_TEST(idle > 0);
}

BOOST_AUTO_TEST_CASE(deadlocks_are_found_all_the_same) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        auto const body = [](auto& world) {
            auto const other = 1 - world.rank();
            std::vector<int> values(1);
            auto const sent = world.send(other, 1, bytes_of(values));
            static_cast<void>(receive<int>(world, other, 1, 1));
            wait_all(world, {sent});
            static_cast<void>(receive<int>(world, other, 1, 1));
        };
        BOOST_CHECK_THROW(threads::run(2, body, {.perturb = seed}), threads::deadlock);
    }
}

BOOST_AUTO_TEST_CASE(decisions_depend_on_seed_and_rank_alone) {
    auto const draws = [](std::uint64_t seed, int rank) {
        threads::perturbation luck{seed, rank};
        std::vector<std::size_t> drawn;
        for (int i = 0; i < 20; ++i) { drawn.push_back(luck.below(1000)); }
        return drawn;
    };
    BOOST_TEST((draws(1, 0) == draws(1, 0)));
    BOOST_TEST((draws(1, 0) != draws(1, 1)));
    BOOST_TEST((draws(1, 0) != draws(2, 0)));
}

BOOST_AUTO_TEST_CASE(sends_held_back_overtake_none_of_their_own) {
    tutti::posted::pool<threads::posted_operation> room;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        threads::perturbation luck{seed, 0};
        std::vector<threads::posted_operation*> held;
        for (int i = 0; i < 30; ++i) {
            held.push_back(&room.take().begin(threads::posted_operation::kind::send, 0, i % 3, i % 2,
                                              static_cast<std::size_t>(i)));
            luck.hold(*held.back());
        }
        std::vector<std::size_t> last(6), order;
        while (auto* const released = luck.release()) {
            auto& previous = last[static_cast<std::size_t>(2 * released->peer + released->tag)];
            BOOST_TEST((previous == 0 || previous < released->size));
            previous = released->size;
            order.push_back(released->size);
            room.put_back(*released);
        }
        BOOST_TEST(order.size() == 30U);
        BOOST_TEST(!std::is_sorted(order.begin(), order.end()));
    }
}

BOOST_AUTO_TEST_SUITE_END()
