// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#define BOOST_TEST_MODULE threads_call_log
#include <boost/test/unit_test.hpp>

#include <optional>
#include <string>
#include <vector>

#include <support/point_to_point.hpp>
#include <tutti/communicator/threads.hpp>
#include <tutti/communicator/threads/call_log.hpp>

namespace threads = tutti::threads;
using namespace point_to_point;

namespace {

constexpr tutti::call good{"reduce", "binomial", "double", 10, 0};

/// What a log says when rank 0 makes `good` after two calls alike, and rank 2 makes `other`.
std::string said_of(tutti::call const& other) {
    threads::call_log log{3};
    for (int call = 0; call < 2; ++call) {
        for (int rank = 0; rank < 3; ++rank) { BOOST_TEST(!log.make(rank, good)); }
    }
    BOOST_TEST(!log.make(0, good));
    return log.make(2, other).value_or("nothing");
}

}  // namespace

BOOST_AUTO_TEST_CASE(calls_alike_are_fine) { BOOST_TEST(said_of(good) == "nothing"); }

BOOST_AUTO_TEST_CASE(every_difference_is_named) {
    BOOST_TEST(said_of({"all_reduce", "ring", "double", 10, std::nullopt}) ==
               "tutti: mismatched collectives: call 3 is all_reduce of 10 double on rank 2 but "
               "reduce of 10 double to root 0 on rank 0");
    BOOST_TEST(said_of({"reduce", "binomial", "double", 10, 1}) ==
               "tutti: mismatched collectives: call 3 is reduce of 10 double to root 1 on rank 2 but "
               "reduce of 10 double to root 0 on rank 0");
    BOOST_TEST(said_of({"reduce", "binomial", "double", 11, 0}) ==
               "tutti: mismatched collectives: call 3 is reduce of 11 double to root 0 on rank 2 but "
               "reduce of 10 double to root 0 on rank 0");
    BOOST_TEST(said_of({"reduce", "binomial", "float", 10, 0}) ==
               "tutti: mismatched collectives: call 3 is reduce of 10 float to root 0 on rank 2 but "
               "reduce of 10 double to root 0 on rank 0");
    BOOST_TEST(said_of({"reduce", "pipeline", "double", 10, 0}) ==
               "tutti: mismatched collectives: call 3 is reduce by pipeline of 10 double to root 0 on rank 2 but "
               "reduce by binomial of 10 double to root 0 on rank 0");
}

BOOST_AUTO_TEST_CASE(a_broadcast_comes_from_its_root) {
    BOOST_TEST(threads::text_of({"broadcast", "binomial", "int", 1, 2}, false) == "broadcast of 1 int from root 2");
}

BOOST_AUTO_TEST_CASE(a_rank_may_be_far_ahead) {
    threads::call_log log{2};
    for (std::size_t call = 0; call < 100; ++call) {
        BOOST_TEST(!log.make(0, {"reduce", "binomial", "double", call, 0}));
    }
    for (std::size_t call = 0; call < 100; ++call) {
        BOOST_TEST(!log.make(1, {"reduce", "binomial", "double", call, 0}));
    }
    BOOST_TEST(!log.finish(1));
    BOOST_TEST(!log.finish(0));
}

BOOST_AUTO_TEST_CASE(a_rank_that_makes_fewer_calls_is_found_whoever_comes_first) {
    auto const expected = "tutti: mismatched collectives: rank 1 returned after 1 collective call, rank 0 made 2";
    threads::call_log late{2};
    BOOST_TEST((!late.make(0, good) && !late.make(1, good) && !late.make(0, good)));
    BOOST_TEST(late.finish(1).value_or("nothing") == expected);
    threads::call_log early{2};
    BOOST_TEST((!early.make(0, good) && !early.make(1, good) && !early.finish(1)));
    BOOST_TEST(early.make(0, good).value_or("nothing") == expected);
}

BOOST_AUTO_TEST_CASE(a_mismatch_ends_the_team) {
    try {
        threads::run(3, [](auto& world) {
            auto const root = world.rank() == 1 ? 1 : 0;
            world.enter(tutti::call{"reduce", "binomial", "double", 10, root});
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
            BOOST_TEST(wrong.what() == std::string{"tutti: mismatched collectives: "
                                                   "rank 1 returned after 1 collective call, rank 0 made 2"});
        }
    }
}
