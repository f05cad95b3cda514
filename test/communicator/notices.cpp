// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <laws/thorough.hpp>
#include <support/channel_ranks.hpp>
#include <support/sentences.hpp>

#include <tutti/collective/all_gather.hpp>
#include <tutti/collective/all_reduce.hpp>
#include <tutti/collective/barrier.hpp>
#include <tutti/collective/broadcast.hpp>
#include <tutti/collective/plan.hpp>
#include <tutti/collective/reduce.hpp>
#include <tutti/collective/scan.hpp>
#include <tutti/communicator/recover.hpp>
#include <tutti/cost/in_use.hpp>
#include <tutti/execution/configure.hpp>
#include <tutti/execution/set_options.hpp>
#include <tutti/generator/pipeline.hpp>
#include <tutti/generator/recursive_multiplying.hpp>

// The failures that are handled over MPI, one by one, of ranks that are threads; with delays from several seeds.
BOOST_AUTO_TEST_SUITE(communicator_notices)

using support::contains;
using support::sentence_of;
using ranks = support::channels::communicator;

namespace {

std::plus<> plus;

using boost::unit_test::data::make;
auto const sizes = make({2, 3, 4, 7});
auto const seeds = make(laws::thorough ? std::vector<std::uint64_t>{0, 1, 2, 3} : std::vector<std::uint64_t>{0, 1});

[[nodiscard]] std::string all_of(std::vector<std::string> const& said) {
    std::string result;
    for (auto const& each : said) { result += "\"" + each + "\" "; }
    return result;
}

void check_none_throws(std::vector<std::string> const& said) {
    BOOST_TEST(std::all_of(said.begin(), said.end(), [](auto const& each) { return each.empty(); }), all_of(said));
}

void check_all_throw(std::vector<std::string> const& said) {
    BOOST_TEST(std::none_of(said.begin(), said.end(), [](auto const& each) { return each.empty(); }), all_of(said));
}

void check_that_calls_work(ranks& world) {
    int const p = world.size();
    std::vector<int> all(1000, world.rank() + 1);
    tutti::all_reduce(world, tutti::inplace(all), plus);
    if (all != std::vector<int>(1000, p * (p + 1) / 2)) { throw std::logic_error{"a wrong sum"}; }
    if (tutti::inclusive_scan(world, 1, plus) != world.rank() + 1) { throw std::logic_error{"a wrong scan"}; }
}

/// Each rank's sentence of a call that fails, there or in one before; then all recover, and go on.
template <class Call>
[[nodiscard]] std::vector<std::string> after_recovery(int size, std::uint64_t seed, Call call) {
    std::vector<std::string> said(static_cast<std::size_t>(size));
    auto const later = support::channels::run(size, seed, [&](ranks& world) {
        said[static_cast<std::size_t>(world.rank())] = sentence_of([&] {
            check_that_calls_work(world);
            call(world);
        });
        world.supervisor().time_limit(0);  // which a busy machine may exceed
        tutti::recover(world);
        check_that_calls_work(world);
    });
    check_none_throws(later);
    return said;
}

}  // namespace

BOOST_DATA_TEST_CASE(calls_work, sizes * seeds, size, seed) {
    auto const said = support::channels::run(size, seed, [](ranks& world) {
        for (int i = 0; i != 20; ++i) { check_that_calls_work(world); }
    });
    check_none_throws(said);
}

BOOST_DATA_TEST_CASE(an_operator_throws_and_the_communicator_stays_sound, sizes * seeds, size, seed) {
    auto const said = support::channels::run(size, seed, [](ranks& world) {
        auto const why = sentence_of([&] {
            auto const picky = [&](int a, int b) {
                if (world.rank() == 0) { throw std::runtime_error{"no"}; }
                return a + b;
            };
            static_cast<void>(tutti::all_reduce(world, 1, picky));
        });
        auto const due = world.rank() == 0 ? "no" : "an operand is missing";
        // who throws depends on the tree; somebody does
        bool const failed = contains(why, due);
        if (tutti::all_reduce(world, failed ? 1 : 0, plus) == 0) { throw std::logic_error{"nobody failed"}; }
        check_that_calls_work(world);
    });
    check_none_throws(said);
}

BOOST_DATA_TEST_CASE(a_rank_leaves_a_call_out, sizes * seeds, size, seed) {
    auto const said = support::channels::run(size, seed, [&](ranks& world) {
        check_that_calls_work(world);
        if (world.rank() != size - 1) { static_cast<void>(tutti::all_reduce(world, 1, plus)); }
    });
    for (int rank = 0; rank != size; ++rank) {
        auto const& mine = said[static_cast<std::size_t>(rank)];
        BOOST_TEST(((rank == size - 1) == mine.empty()), all_of(said));
    }
    BOOST_TEST(std::any_of(said.begin(), said.end(), [](auto const& each) {
        return contains(each, "which has left this call") || contains(each, "past its last call");
    }), all_of(said));
}

BOOST_DATA_TEST_CASE(a_rank_leaves_by_an_exception_before_the_call, sizes * seeds, size, seed) {
    auto const said = support::channels::run(size, seed, [&](ranks& world) {
        if (world.rank() == 0) { throw std::runtime_error{"my own trouble"}; }
        tutti::barrier(world);
    });
    BOOST_TEST(said.front() == "my own trouble");
    check_all_throw(said);
}

BOOST_DATA_TEST_CASE(a_refused_call_ends_it_on_all_ranks, sizes * seeds, size, seed) {
    auto const said = after_recovery(size, seed, [&](ranks& world) {
        std::vector<int> const in(10);
        std::vector<int> out(world.rank() == 0 ? 9U : 10U);
        tutti::all_reduce(world, in, out, plus);
        tutti::barrier(world);
    });
    check_all_throw(said);
    BOOST_TEST(contains(said.back(), "rank 0"), all_of(said));
}

BOOST_DATA_TEST_CASE(a_rank_dies, sizes * seeds, size, seed) {
    for (std::size_t const steps : {0U, 1U, 5U, 17U}) {
        auto const said = support::channels::run(size, seed, [&](ranks& world) {
            check_that_calls_work(world);
            if (world.rank() == size - 1) { world.die_after(steps); }
            for (int i = 0; i != 100; ++i) { check_that_calls_work(world); }
        });
        BOOST_TEST(said.back() == "killed");
        auto const words = "rank " + std::to_string(size - 1) + " was killed";
        BOOST_TEST(std::all_of(said.begin(), said.end() - 1, [&](auto const& each) {
            return contains(each, words) || contains(each, "failed on rank");
        }), all_of(said));
    }
}

BOOST_DATA_TEST_CASE(ranks_wait_for_each_other_in_two_calls, sizes * seeds, size, seed) {
    auto const said = after_recovery(size, seed, [&](ranks& world) {
        std::vector<int> both(100, 1);
        if (world.rank() == 0) {
            tutti::all_reduce(world, tutti::inplace(both), plus);
        } else {
            tutti::inclusive_scan(world, tutti::inplace(both), plus);
        }
        tutti::barrier(world);
    });
    check_all_throw(said);
}

BOOST_DATA_TEST_CASE(a_rank_waits_in_vain_until_its_time_limit, sizes * seeds, size, seed) {
    std::atomic<bool> given_up = false;
    auto const said = after_recovery(size, seed, [&](ranks& world) {
        world.supervisor().time_limit(2);  // s, which are 0.1 here
        // computes for longer than the others wait
        while (world.rank() == 0 && !given_up) { std::this_thread::sleep_for(std::chrono::milliseconds{1}); }
        try {
            tutti::barrier(world);
        } catch (...) {
            given_up = true;
            throw;
        }
    });
    // others may have ended: what they needed of it had come
    BOOST_TEST(contains(all_of(said), "has waited for"), all_of(said));
    BOOST_TEST(contains(all_of(said), "; make this call on all ranks, or give a longer timeout"), all_of(said));
    // by the rank that waits for rank 0, or by one that has asked it
    BOOST_TEST(
        (contains(all_of(said), "not waiting in a collective") || contains(all_of(said), "(waiting for rank 0")),
        all_of(said));
}

BOOST_DATA_TEST_CASE(ranks_have_other_numbers_of_elements, sizes * seeds, size, seed) {
    for (std::size_t const odd : {0U, 1U, 20U, 30'000U}) {
        auto const said = after_recovery(size, seed, [&](ranks& world) {
            std::vector<int> both(world.rank() == size - 1 ? odd : 10U, 1);
            tutti::all_reduce(world, tutti::inplace(both), plus);
            for (int i = 0; i != 3; ++i) { tutti::barrier(world); }
        });
        BOOST_TEST_INFO_SCOPE(odd << " elements on the last rank");
        check_all_throw(said);
    }
}

BOOST_DATA_TEST_CASE(a_plan_on_some_ranks_is_another_call_on_others, sizes * seeds, size, seed) {
    for (bool const most_have_plans : {true, false}) {
        auto const said = after_recovery(size, seed, [&](ranks& world) {
            std::vector<int> both(5, 1);
            if ((world.rank() == size - 1) != most_have_plans) {
                auto plan = tutti::plan::all_reduce(world, tutti::inplace(both), plus);
                plan.start();
                plan.wait();
            } else {
                tutti::all_reduce(world, tutti::inplace(both), plus);
            }
        });
        check_all_throw(said);
        BOOST_TEST(contains(all_of(said), " meets "), all_of(said));
    }
}

BOOST_DATA_TEST_CASE(an_exception_destroys_a_plan_while_it_runs, sizes * seeds, size, seed) {
    auto const said = after_recovery(size, seed, [&](ranks& world) {
        std::vector<int> both(20'000, 1);
        auto plan = tutti::plan::all_reduce(world, tutti::inplace(both), plus);
        plan.start();
        if (world.rank() == 0) { throw std::runtime_error{"my own trouble"}; }
        plan.wait();
        tutti::barrier(world);
    });
    BOOST_TEST(said.front() == "my own trouble");
    check_all_throw(said);
    BOOST_TEST(contains(all_of(said), "destroyed a plan"), all_of(said));
}

BOOST_DATA_TEST_CASE(ranks_that_are_behind_end_their_call_before_they_hear_of_a_plan_that_was_destroyed, sizes * seeds,
                     size, seed) {
    std::vector<int> came(static_cast<std::size_t>(size));
    auto const said = after_recovery(size, seed, [&](ranks& world) {
        // down a chain, so that all wait for rank 1 but rank 0, which goes on
        if (world.rank() == 1) { std::this_thread::sleep_for(std::chrono::milliseconds{10}); }
        tutti::broadcast(world, came[static_cast<std::size_t>(world.rank())] = world.rank() + 1, 0, tutti::pipeline{});
        std::vector<int> both(20'000, 1);
        auto plan = tutti::plan::all_reduce(world, tutti::inplace(both), plus);
        plan.start();
        if (world.rank() == 0) { throw std::runtime_error{"my own trouble"}; }
        plan.wait();
        tutti::barrier(world);
    });
    BOOST_TEST((came == std::vector<int>(static_cast<std::size_t>(size), 1)), all_of(said));
    BOOST_TEST(contains(all_of(said), "destroyed a plan"), all_of(said));
}

BOOST_DATA_TEST_CASE(a_plan_that_runs_when_the_communicator_recovers_is_given_up, sizes * seeds, size, seed) {
    auto const said = support::channels::run(size, seed, [&](ranks& world) {
        std::vector<int> both(10, 1);
        auto plan = tutti::plan::all_reduce(world, tutti::inplace(both), plus);
        plan.start();
        tutti::recover(world);
        auto const why = sentence_of([&] { plan.wait(); });
        bool const may_have_ended = why.empty();
        if (!may_have_ended && !contains(why, "was running when the communicator recovered")) {
            throw std::logic_error{why};
        }
        both.assign(10, 1);
        plan.start();
        plan.wait();
        if (both.front() != size) { throw std::logic_error{"a wrong sum"}; }
    });
    check_none_throws(said);
}

BOOST_DATA_TEST_CASE(one_rank_alone_changes_what_follows, sizes * seeds, size, seed) {
    auto const options = [](ranks& world) { tutti::configure(world, tutti::execution{.check_calls = true}); };
    auto const nodes = [](ranks& world) { tutti::configure(world, tutti::node_map::of_width(2)); };
    auto const costs = [](ranks& world) { tutti::use(world, tutti::machine_model{}); };
    for (auto const& change : std::vector<std::function<void(ranks&)>>{options, nodes, costs}) {
        auto const said = after_recovery(size, seed, [&](ranks& world) {
            if (world.rank() == 1) { change(world); }
            check_that_calls_work(world);
            tutti::barrier(world);
        });
        check_all_throw(said);
        BOOST_TEST((contains(all_of(said), "configure on rank 1") || contains(all_of(said), "use on rank 1")),
                   all_of(said));
    }
}

BOOST_DATA_TEST_CASE(options_and_node_maps_that_differ_are_refused, sizes * seeds, size, seed) {
    for (bool const of_nodes : {false, true}) {
        auto const said = after_recovery(size, seed, [&](ranks& world) {
            bool const odd = world.rank() == 1;
            if (of_nodes) {
                tutti::configure(world, tutti::node_map::of_width(odd ? 1 : 2));
            } else {
                tutti::configure(world, tutti::execution{.timeout = std::chrono::milliseconds{odd ? 0 : 60'000}});
            }
            check_that_calls_work(world);
            tutti::barrier(world);
        });
        check_all_throw(said);
        // a rank that hears late may first miss one that has heard, and say so
        BOOST_TEST(contains(all_of(said), "configure is not the same on "), all_of(said));
        BOOST_TEST((contains(said[1], "configure is not the same on ") ||
                    (contains(said[1], "configure (waiting for ") && contains(said[1], "has left this call"))),
                   all_of(said));
    }
}

// All are in one call, with the same name of the algorithm; one waits for messages that the others' parameters do not
// make.
BOOST_DATA_TEST_CASE(algorithms_of_other_parameters_are_told_apart, make({0U, 1U, 2U, 3U}), seed) {
    auto const said = after_recovery(4, seed, [&](ranks& world) {
        std::vector<int> both(10, 1);
        tutti::all_reduce(world, tutti::inplace(both), plus, tutti::recursive_multiplying{world.rank() == 1 ? 4U : 2U});
        tutti::barrier(world);
    });
    check_all_throw(said);
}

// A rank that has begun one run more than the others has not left theirs.
BOOST_DATA_TEST_CASE(runs_are_counted_anew_after_a_recovery, sizes * seeds, size, seed) {
    int const ahead = static_cast<int>(seed) % size;
    auto const said = support::channels::run(size, seed, [&](ranks& world) {
        // down a chain, so that those behind that rank wait for it
        std::vector<int> both(10);
        auto plan = tutti::plan::broadcast(world, both, size - 1, tutti::pipeline{});
        if (world.rank() == ahead) { plan.start(); }
        tutti::recover(world);
        if (world.rank() == ahead) { static_cast<void>(sentence_of([&] { plan.wait(); })); }
        for (int run = 0; run != 2; ++run) {
            if (world.rank() == size - 1) { std::this_thread::sleep_for(std::chrono::milliseconds{20}); }
            both.assign(10, world.rank() + run);
            plan.start();
            plan.wait();
            if (both.front() != size - 1 + run) { throw std::logic_error{"a wrong broadcast"}; }
        }
    });
    check_none_throws(said);
}

BOOST_AUTO_TEST_SUITE_END()
