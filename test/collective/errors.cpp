// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include <tutti/collective/all_reduce.hpp>
#include <tutti/collective/barrier.hpp>
#include <tutti/collective/broadcast.hpp>
#include <tutti/collective/gather.hpp>
#include <tutti/collective/reduce.hpp>
#include <tutti/collective/reduce_scatter.hpp>
#include <tutti/communicator/threads.hpp>
#include <tutti/generator/all.hpp>

BOOST_AUTO_TEST_SUITE(collective_errors)

namespace threads = tutti::threads;

namespace {

std::plus<> plus;

/// What `run` throws, which must be an Error, and must contain all of `parts`.
template <class Error>
bool says(int size, auto body, std::vector<std::string> const& parts) {
    try {
        threads::run(size, body, {.timeout = std::chrono::seconds{60}});
    } catch (Error const& wrong) {
        std::string const text = wrong.what();
        for (auto const& part : parts) {
            if (text.find(part) == std::string::npos) {
                BOOST_TEST_MESSAGE("\"" << part << "\" is not in: " << text);
                return false;
            }
        }
        return true;
    }
    return false;
}

}  // namespace

BOOST_AUTO_TEST_CASE(ranks_disagree_on_the_root) {
    auto const body = [](auto& world) {
        int x = 0;
        tutti::broadcast(world, x, world.rank() == 2 ? 1 : 0);
    };
    BOOST_TEST(says<threads::mismatch>(3, body, {"mismatched collectives", "broadcast of 1 int from root 0",
                                                 "broadcast of 1 int from root 1", "rank 2"}));
}

BOOST_AUTO_TEST_CASE(ranks_disagree_on_the_number_of_elements) {
    auto const body = [](auto& world) {
        std::vector<double> both(world.rank() == 1 ? 3 : 4);
        tutti::all_reduce(world, tutti::inplace(both), plus);
    };
    BOOST_TEST(says<threads::mismatch>(2, body, {"all_reduce of 3 double", "all_reduce of 4 double"}));
}

BOOST_AUTO_TEST_CASE(ranks_disagree_on_the_counts) {
    auto const body = [](auto& world) {
        std::vector<int> both(7);
        auto const counts = world.rank() == 2 ? std::vector{3, 1, 3} : std::vector{3, 0, 4};
        tutti::reduce_scatter(world, tutti::inplace(both), counts, plus);
    };
    BOOST_TEST(says<threads::mismatch>(3, body, {"mismatched collectives", "in parts of 3, 1, 3", "rank 2",
                                                 "reduce_scatter of 7 int in parts of 3, 0, 4"}));
}

BOOST_AUTO_TEST_CASE(ranks_disagree_on_the_size_of_a_part) {
    auto const body = [](auto& world) {
        std::vector<int> const in(world.rank() == 1 ? 3 : 4);
        std::vector<int> out(world.rank() == 0 ? 8 : 0);
        tutti::gather(world, in, out, 0);
    };
    BOOST_TEST(says<threads::mismatch>(2, body, {"gather of 6 int to root 0", "gather of 8 int to root 0"}));
}

BOOST_AUTO_TEST_CASE(a_part_is_not_of_the_size_that_the_root_expects) {
    auto const body = [](auto& world) {
        std::vector<int> const in(4);
        std::vector<int> out(world.rank() == 0 ? 7 : 0);
        tutti::gather(world, in, out, world.rank() == 0 ? std::vector{4, 3} : std::vector<int>{}, 0);
    };
    BOOST_TEST(says<threads::message_too_long>(2, body, {"rank 1 sent 16 bytes", "rank 0, which receives at most 12"}));
}

BOOST_AUTO_TEST_CASE(only_some_ranks_call_with_counts) {
    auto const body = [](auto& world) {
        std::vector<int> const in(4);
        std::vector<int> out(world.rank() == 0 ? 8 : 0);
        if (world.rank() == 0) {
            tutti::gather(world, in, out, std::vector{4, 4}, 0);
        } else {
            tutti::gather(world, in, 0);
        }
    };
    BOOST_TEST(says<threads::mismatch>(2, body, {"gather of int to root 0", "gather of 8 int to root 0"}));
}

BOOST_AUTO_TEST_CASE(ranks_disagree_on_the_element_type) {
    auto const body = [](auto& world) {
        if (world.rank() == 0) {
            static_cast<void>(tutti::all_reduce(world, 1, plus));
        } else {
            static_cast<void>(tutti::all_reduce(world, 1.0F, plus));
        }
    };
    BOOST_TEST(says<threads::mismatch>(2, body, {"all_reduce of 1 int", "all_reduce of 1 float"}));
}

BOOST_AUTO_TEST_CASE(ranks_disagree_on_the_algorithm) {
    auto const body = [](auto& world) {
        int x = 1;
        if (world.rank() == 0) {
            tutti::broadcast(world, x, 0, tutti::linear{});
        } else {
            tutti::broadcast(world, x, 0, tutti::binomial{});
        }
    };
    BOOST_TEST(says<threads::mismatch>(2, body, {"linear", "binomial"}));
}

BOOST_AUTO_TEST_CASE(ranks_disagree_on_the_collective) {
    auto const body = [](auto& world) {
        int x = 1;
        if (world.rank() == 0) {
            tutti::broadcast(world, x, 0);
        } else {
            tutti::barrier(world);
        }
    };
    BOOST_TEST(says<threads::mismatch>(4, body, {"broadcast of 1 int from root 0", "meets barrier on rank "}));
}

BOOST_AUTO_TEST_CASE(a_rank_does_not_call) {
    auto const body = [](auto& world) {
        tutti::barrier(world);
        if (world.rank() != 1) { tutti::barrier(world); }
    };
    BOOST_TEST(says<threads::mismatch>(
        3, body,
        {"rank 1 returned after 1 collective call", "made 2, next barrier; make the same calls on all ranks"}));
}

BOOST_AUTO_TEST_CASE(a_rank_does_not_start_its_plan) {
    auto const body = [](auto& world) {
        int x = 1;
        auto plan = tutti::plan::broadcast(world, x, 0);
        if (world.rank() == 0) { return; }
        plan.start();
        plan.wait();
    };
    BOOST_TEST(says<threads::deadlock>(2, body,
                                       {"deadlock", "rank 1 waits for a message from rank 0",
                                        "(in a plan of broadcast of 1 int from root 0)"}));
}

BOOST_AUTO_TEST_CASE(a_plan_that_one_rank_starts_and_others_only_wait_for) {
    auto const body = [](auto& world) {
        int x = 1;
        auto plan = tutti::plan::broadcast(world, x, 0);
        if (world.rank() == 0) {
            plan.start();
            if (!plan.test()) { plan.wait(); }
        } else {
            plan.wait();
        }
    };
    BOOST_TEST(says<threads::deadlock>(2, body, {"deadlock", "rank 0 waits for rank 1", "rank 1 has returned"}));
}

// Exceptions meet ranks in all places of a collective; nothing may be touched that is gone.
BOOST_AUTO_TEST_CASE(a_rank_leaves_by_an_exception_while_others_are_busy) {
    for (std::uint64_t seed = 0; seed != 40; ++seed) {
        auto const run = [&] {
            threads::run(
                5,
                [&](auto& world) {
                    std::vector<int> both(100);
                    std::vector<int> other(100);
                    auto pending = tutti::plan::all_reduce(world, tutti::inplace(other), plus, tutti::ring{});
                    for (std::uint64_t i = 0; i != 20; ++i) {
                        pending.start();
                        if (world.rank() == 3 && i == seed % 20) { throw std::length_error{"enough"}; }
                        tutti::all_reduce(world, tutti::inplace(both), plus, tutti::pipeline{.segments = 4});
                        if (i % 2 == 0) { pending.wait(); }
                        while (!pending.test()) {}
                    }
                },
                {.timeout = std::chrono::seconds{60}, .perturb = seed});
        };
        BOOST_CHECK_THROW(run(), std::length_error);
    }
}

BOOST_AUTO_TEST_SUITE_END()
