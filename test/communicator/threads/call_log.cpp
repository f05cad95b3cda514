// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <cstddef>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <support/point_to_point.hpp>
#include <tutti/communicator/threads.hpp>
#include <tutti/communicator/threads/call_log.hpp>

BOOST_AUTO_TEST_SUITE(communicator_threads_call_log)

namespace threads = tutti::threads;
using namespace point_to_point;

namespace {

constexpr tutti::control::call good{"reduce", "binomial", "double", 10, 0};

/// What a log says after rank 0 has made `good` after two calls alike, and rank 2 has made `other`.
std::string said_of(tutti::control::call const& other) {
    threads::call_log log{3};
    for (int call = 0; call < 2; ++call) {
        for (int rank = 0; rank < 3; ++rank) { BOOST_TEST(log.make(rank, good)); }
    }
    BOOST_TEST(log.make(0, good));
    BOOST_TEST(log.make(2, other));
    BOOST_TEST((log.mark(0) == log.mark(2)) == tutti::control::same_call(good, other));
    return log.compare().value_or("nothing");
}

/// Rank `rank` makes a call, however many others it is ahead of.
std::optional<std::string> make(threads::call_log& log, int rank, tutti::control::call const& said) {
    if (log.make(rank, said)) { return std::nullopt; }
    auto const wrong = log.make_room(rank);
    BOOST_TEST(log.make(rank, said));
    return wrong;
}

tutti::control::call call_of(std::size_t elements) { return {"reduce", "binomial", "double", elements, 0}; }

void add(threads::calls_of_rank& calls, std::size_t elements) {
    if (!calls.add(call_of(elements))) {
        calls.make_room();
        BOOST_TEST(calls.add(call_of(elements)));
    }
}

}  // namespace

BOOST_AUTO_TEST_CASE(calls_alike_are_fine) { BOOST_TEST(said_of(good) == "nothing"); }

BOOST_AUTO_TEST_CASE(every_difference_is_named) {
    BOOST_TEST(said_of({"all_reduce", "ring", "double", 10, std::nullopt}) ==
               "tutti: mismatched collectives: call 3: reduce of 10 double to root 0 on rank 0 meets "
               "all_reduce of 10 double on rank 2; make the same calls on all ranks");
    BOOST_TEST(said_of({"reduce", "binomial", "double", 10, 1}) ==
               "tutti: mismatched collectives: call 3: reduce of 10 double to root 0 on rank 0 meets "
               "reduce of 10 double to root 1 on rank 2; make the same calls on all ranks");
    BOOST_TEST(said_of({"reduce", "binomial", "double", 11, 0}) ==
               "tutti: mismatched collectives: call 3: reduce of 10 double to root 0 on rank 0 meets "
               "reduce of 11 double to root 0 on rank 2; make the same calls on all ranks");
    BOOST_TEST(said_of({"reduce", "binomial", "float", 10, 0}) ==
               "tutti: mismatched collectives: call 3: reduce of 10 double to root 0 on rank 0 meets "
               "reduce of 10 float to root 0 on rank 2; make the same calls on all ranks");
    BOOST_TEST(said_of({"reduce", "pipeline", "double", 10, 0}) ==
               "tutti: mismatched collectives: call 3: reduce by binomial of 10 double to root 0 on rank 0 meets "
               "reduce by pipeline of 10 double to root 0 on rank 2; make the same calls on all ranks");
}

BOOST_AUTO_TEST_CASE(a_broadcast_comes_from_its_root) {
    BOOST_TEST(tutti::control::text_of({"broadcast", "binomial", "int", 1, 2}, false) ==
               "broadcast of 1 int from root 2");
}

BOOST_AUTO_TEST_CASE(a_rank_may_be_far_ahead) {
    threads::call_log log{2};
    for (std::size_t call = 0; call < 100; ++call) {
        BOOST_TEST(!make(log, 0, {"reduce", "binomial", "double", call / 2, 0}));
    }
    for (std::size_t call = 0; call < 100; ++call) {
        BOOST_TEST(!make(log, 1, {"reduce", "binomial", "double", call / 2, 0}));
    }
    BOOST_TEST((log.mark(0) == log.mark(1)));
    BOOST_TEST(!log.finish(1));
    BOOST_TEST(!log.finish(0));
}

BOOST_AUTO_TEST_CASE(a_difference_is_found_however_far_behind) {
    for (std::size_t const wrong : {0U, 1U, 37U, 99U}) {
        threads::call_log log{3};
        for (std::size_t call = 0; call < 100; ++call) {
            BOOST_TEST(!make(log, 1, {"reduce", "binomial", "double", call / 3, 0}));
        }
        std::optional<std::string> found;
        for (std::size_t call = 0; call < 100 && !found; ++call) {
            found = make(log, 2, {"reduce", "binomial", "double", call / 3, call == wrong ? 1 : 0});
        }
        auto const text = found ? found : log.compare();
        auto const elements = std::to_string(wrong / 3);
        BOOST_TEST(text.value_or("nothing") == "tutti: mismatched collectives: call " + std::to_string(wrong + 1) +
                                                   ": reduce of " + elements +
                                                   " double to root 0 on rank 1 meets reduce of " + elements +
                                                   " double to root 1 on rank 2; make the same calls on all ranks");
    }
}

BOOST_AUTO_TEST_CASE(calls_that_all_have_made_take_no_room) {
    threads::call_log log{2};
    for (std::size_t call = 0; call < 1000; ++call) {
        for (int rank = 0; rank < 2; ++rank) {
            static_cast<void>(log.make(rank, {"reduce", "binomial", "double", call, 0}) ||
                              (!log.make_room(rank) && log.make(rank, {"reduce", "binomial", "double", call, 0})));
        }
    }
    BOOST_TEST((log.mark(0) == log.mark(1)));
    BOOST_TEST(log.mark(0).made == 1000U);
    BOOST_TEST(log.newest(1).value().elements == 999U);
}

BOOST_AUTO_TEST_CASE(marks_tell_calls_in_another_order_apart) {
    threads::call_log log{2};
    tutti::control::call const other{"reduce", "binomial", "double", 11, 0};
    BOOST_TEST((log.make(0, good) && log.make(0, other) && log.make(1, other) && log.make(1, good)));
    BOOST_TEST(log.mark(0).made == log.mark(1).made);
    BOOST_TEST(log.mark(0).digest != log.mark(1).digest);
}

BOOST_AUTO_TEST_CASE(a_rank_that_makes_fewer_calls_is_found_whoever_comes_first) {
    auto const expected =
        "tutti: mismatched collectives: rank 1 returned after 1 collective call, rank 0 made 2, next reduce of 10 "
        "double to root 0; make the same calls on all ranks";
    threads::call_log late{2};
    BOOST_TEST((late.make(0, good) && late.make(1, good) && late.make(0, good) && !late.compare()));
    BOOST_TEST(late.finish(1).value_or("nothing") == expected);
    threads::call_log early{2};
    BOOST_TEST((early.make(0, good) && early.make(1, good) && !early.finish(1)));
    BOOST_TEST((!early.compare() && early.make(0, good) && early.any_finished()));
    BOOST_TEST(early.compare().value_or("nothing") == expected);
}

BOOST_AUTO_TEST_CASE(a_mismatch_ends_the_team) {
    try {
        threads::run(3, [](auto& world) {
            auto const root = world.rank() == 1 ? 1 : 0;
            world.enter(tutti::control::call{"reduce", "binomial", "double", 10, root});
            static_cast<void>(receive<int>(world, root, 1, 1));
        });
        BOOST_TEST(false);
    } catch (threads::mismatch const& wrong) {
        auto const text = std::string{wrong.what()};
        BOOST_TEST(text.find("reduce of 10 double to root 1 on rank 1") != std::string::npos, text);
    }
}

BOOST_AUTO_TEST_CASE(a_rank_that_returns_early_is_a_mismatch) {
    for (int i = 0; i < 50; ++i) {
        try {
            threads::run(2, [](auto& world) {
                world.enter(good);
                if (world.rank() == 1) { return; }
                world.enter(good);
                static_cast<void>(receive<int>(world, 1, 1, 1));
            });
            BOOST_TEST(false);
        } catch (threads::mismatch const& wrong) {
            BOOST_TEST(wrong.what() ==
                       std::string{"tutti: mismatched collectives: "
                                   "rank 1 returned after 1 collective call, rank 0 made 2, next reduce "
                                   "of 10 double to root 0; make the same calls on all ranks"});
        }
    }
}

BOOST_AUTO_TEST_CASE(ranks_that_poll_find_a_mismatch) {
    auto const body = [](auto& world) {
        world.enter(tutti::control::call{"reduce", "binomial", "double", 10, world.rank()});
        std::vector<int> memory(1);
        std::vector<threads::request> requests{world.receive(1 - world.rank(), 1, memory_of(memory))};
        std::vector<tutti::completion> done(1);
        for (;;) { world.test_some(requests, done); }
    };
    BOOST_CHECK_THROW(threads::run(2, body), threads::mismatch);
}

BOOST_AUTO_TEST_CASE(no_message_of_another_call_is_taken) {
    std::atomic<int> taken = 0;
    auto const body = [&](auto& world) {
        world.enter(tutti::control::call{"reduce", "binomial", world.rank() == 0 ? "double" : "long", 1, 0});
        if (world.rank() == 0) {
            send(world, 1, 1, std::vector{1.0});
        } else {
            static_cast<void>(receive<double>(world, 0, 1, 1));
        }
        ++taken;
    };
    for (int i = 0; i < 50; ++i) { BOOST_CHECK_THROW(threads::run(2, body), threads::mismatch); }
    BOOST_TEST(taken == 0);
}

BOOST_AUTO_TEST_CASE(equal_calls_in_a_row_take_the_room_of_one) {
    threads::calls_of_rank calls;
    for (int i = 0; i < 1000; ++i) { BOOST_TEST(calls.add(call_of(5))); }
    BOOST_TEST(calls.made() == 1000U);
    BOOST_TEST(calls.at(1).last == 1000U);
    BOOST_TEST(calls.mark().made == 1000U);
}

BOOST_AUTO_TEST_CASE(every_call_is_found_by_its_number) {
    threads::calls_of_rank calls;
    BOOST_TEST(!calls.newest());
    for (std::size_t i = 0; i < 300; ++i) { add(calls, i / 3); }
    for (std::size_t number = 1; number <= 300; ++number) {
        auto const found = calls.at(number);
        BOOST_TEST(found.entered.view().elements == (number - 1) / 3);
        BOOST_TEST(found.last == (number - 1) / 3 * 3 + 3);
    }
    calls.forget(100);
    BOOST_TEST(calls.at(101).entered.view().elements == 33U);
    BOOST_TEST(calls.newest().value().elements == 99U);
}

BOOST_AUTO_TEST_CASE(what_is_forgotten_makes_room) {
    threads::calls_of_rank calls;
    std::size_t made = 0;
    while (calls.add(call_of(made))) { ++made; }
    calls.forget(made);
    calls.make_room();
    auto const room = made;
    while (calls.add(call_of(made))) { ++made; }
    BOOST_TEST(made == 2 * room - 1);  // the newest is never forgotten
    BOOST_TEST(calls.at(made).entered.view().elements == made - 1);
}

BOOST_AUTO_TEST_CASE(others_read_while_the_rank_goes_on) {
    threads::calls_of_rank calls;
    std::atomic<bool> wrong = false;
    constexpr std::size_t count = 12;  // without need of room
    std::jthread const reader{[&] {
        for (std::size_t known = 0; known < count;) {
            known = calls.made();
            if (known != 0 && calls.at(known).entered.view().elements != known) { wrong = true; }
        }
    }};
    for (std::size_t i = 1; i <= count; ++i) {
        static_cast<void>(calls.add(call_of(i)));
        std::this_thread::yield();
    }
    BOOST_TEST(!wrong);
}

BOOST_AUTO_TEST_CASE(a_call_keeps_its_counts) {
    threads::recorded_call kept;
    {
        std::vector<std::size_t> const counts{1, 0, 2};
        kept.assign({"gather", "linear", "int", 3, 0, counts});
    }
    std::vector<std::size_t> const same{1, 0, 2};
    std::vector<std::size_t> const other{1, 1, 1};
    BOOST_TEST(tutti::control::same_call(kept.view(), {"gather", "linear", "int", 3, 0, same}));
    BOOST_TEST(!tutti::control::same_call(kept.view(), {"gather", "linear", "int", 3, 0, other}));
}

BOOST_AUTO_TEST_CASE(what_only_the_root_knows_is_not_said) {
    tutti::control::call const by_root{"gather", "automatic", "int", tutti::control::call::known_to_root, 1};
    BOOST_TEST(tutti::control::text_of(by_root, false) == "gather of int to root 1");
    BOOST_TEST(!tutti::control::same_call(by_root, {"gather", "automatic", "int", 8, 1}));
}

BOOST_AUTO_TEST_CASE(words_are_equal_wherever_they_lie) {
    auto const elsewhere = std::string{"linear"};
    BOOST_TEST(tutti::control::same_call({"gather", elsewhere, "int", 3, 0}, {"gather", "linear", "int", 3, 0}));
    BOOST_TEST(tutti::control::digest_of({"gather", elsewhere, "int", 3, 0}) ==
               tutti::control::digest_of({"gather", "linear", "int", 3, 0}));
}

BOOST_AUTO_TEST_CASE(every_difference_is_in_the_digest) {
    std::vector<std::size_t> const counts{1, 2};
    std::vector<std::size_t> const other{2, 1};
    std::vector<tutti::control::call> const all{
        {"gather", "linear", "int", 3, 0},        {"scatter", "linear", "int", 3, 0},
        {"gather", "binomial", "int", 3, 0},      {"gather", "linear", "long", 3, 0},
        {"gather", "linear", "int", 4, 0},        {"gather", "linear", "int", 3, 1},
        {"gather", "linear", "int", 3, {}},       {"gather", "linear", "int", 3, 0, counts},
        {"gather", "linear", "int", 3, 0, other},
    };
    for (auto const& left : all) {
        for (auto const& right : all) {
            BOOST_TEST((tutti::control::digest_of(left) == tutti::control::digest_of(right)) == (&left == &right));
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
