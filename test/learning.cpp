// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/ranks.hpp>

#include <chrono>
#include <cstddef>
#include <functional>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <tutti/cost/in_use.hpp>
#include <tutti/learning.hpp>
#include <tutti/threads.hpp>
#include <tutti/tutti.hpp>

BOOST_AUTO_TEST_SUITE(learning)

namespace threads = tutti::threads;

namespace {

std::vector<double> operands(int rank, std::size_t n) {
    std::vector<double> result(n);
    for (std::size_t i = 0; i != n; ++i) {
        result[i] = 1.0 / static_cast<double>(static_cast<std::size_t>(rank) * 7 + i + 3);
    }
    return result;
}

/// What rank 0 sees after `calls` sums, and how many different results there were.
std::size_t different_sums(int ranks, std::size_t calls, bool reproducible) {
    std::mutex guard;
    std::set<std::vector<double>> seen;
    threads::run(ranks, [&](threads::communicator& world) {
        auto const in = operands(world.rank(), 100);
        std::vector<double> out(in.size());
        if (reproducible) { tutti::configure(world, tutti::execution{.reproducible = true}); }
        for (bool const learns : {false, true}) {
            if (learns) { tutti::use(world, tutti::learning{}); }
            for (std::size_t i = 0; i != calls; ++i) {
                tutti::all_reduce(world, in, out, std::plus<>{});
                auto const lock = std::lock_guard{guard};
                seen.insert(out);
            }
        }
    });
    return seen.size();
}

}  // namespace

BOOST_AUTO_TEST_CASE(sums_of_floating_point_numbers_have_the_same_bits_as_without) {
    for (int const ranks : {2, 3, 4, 7, 8}) {
        for (bool const reproducible : {false, true}) { BOOST_TEST(different_sums(ranks, 300, reproducible) == 1U); }
    }
}

BOOST_AUTO_TEST_CASE(all_ranks_choose_alike_and_say_what_they_have_tried) {
    std::mutex guard;
    std::set<std::string> chosen;
    threads::run(5,
                 [&](threads::communicator& world) {
                     tutti::use(world, tutti::learning{});
                     std::vector<long> in(50, world.rank()), out(50);
                     for (int i = 0; i != 400; ++i) { tutti::all_reduce(world, in, out, tutti::maximum<>{}); }
                     support::check(out.front() == 4, "the maximum");
                     auto const text = tutti::explain_learning(world);
                     support::check(text.find("all_reduce of 400 bytes: 1 trial") == 0U, "what rank 0 explains");
                     support::check(text.find("us expected: ") != std::string::npos, "what is expected");
                     auto const model = tutti::learned(world);
                     support::check_equal(model.choices.size(), std::size_t{1}, "rules");
                     auto const lock = std::lock_guard{guard};
                     chosen.insert(text);
                 },
                 {.perturb = 7});
    BOOST_TEST(chosen.size() == 1U);
}

BOOST_AUTO_TEST_CASE(what_was_learned_is_a_rule_for_later_runs) {
    threads::run(4, [](threads::communicator& world) {
        tutti::use(world, tutti::learning{});
        std::vector<int> in(1000, 1), out(1000);
        for (int i = 0; i != 200; ++i) { tutti::all_reduce(world, in, out, std::plus<>{}); }
        auto const model = tutti::learned(world);
        support::check_equal(model.choices.size(), std::size_t{1}, "rules");
        auto const learned_name = model.choices.front().algorithm;
        tutti::use(world, tutti::learning{.on = false});
        tutti::use(world, model);
        auto plan = tutti::plan::all_reduce(world, in, out, std::plus<>{});
        support::check(plan.explain().find("algorithm: " + learned_name) != std::string::npos, "what was learned");
        support::check(plan.explain().find("named by the tuning file") != std::string::npos, "its reason");
    });
}

BOOST_AUTO_TEST_CASE(plans_take_what_has_been_chosen) {
    threads::run(4, [](threads::communicator& world) {
        tutti::use(world, tutti::learning{});
        std::vector<int> in(1000, 1), out(1000);
        for (int i = 0; i != 200; ++i) { tutti::all_reduce(world, in, out, std::plus<>{}); }
        auto plan = tutti::plan::all_reduce(world, in, out, std::plus<>{});
        support::check(plan.explain().find("chosen by the times of earlier calls") != std::string::npos, "the reason");
        plan.start();
        plan.wait();
        support::check(out.front() == 4, "the sum");
    });
}

BOOST_AUTO_TEST_CASE(other_costs_begin_anew_and_it_can_be_switched_off) {
    threads::run(3, [](threads::communicator& world) {
        std::vector<int> in(1000, 1), out(1000);
        support::check(tutti::explain_learning(world) == "nothing is learned on this communicator\n", "before");
        tutti::use(world, tutti::learning{});
        for (int i = 0; i != 200; ++i) { tutti::all_reduce(world, in, out, std::plus<>{}); }
        auto plan = tutti::plan::all_reduce(world, in, out, std::plus<>{});
        auto model = tutti::machine_of(world);
        model.handling *= 2;
        tutti::use(world, model);
        for (int i = 0; i != 3; ++i) { tutti::all_reduce(world, in, out, std::plus<>{}); }
        support::check(tutti::explain_learning(world).find("no trial has ended") != std::string::npos,
                       "after other costs");
        support::check(!plan.explain().empty(), "a plan of what is gone");  // made of what is gone
        tutti::use(world, tutti::learning{.on = false});
        tutti::all_reduce(world, in, out, std::plus<>{});
        support::check(tutti::explain_learning(world) == "nothing is learned on this communicator\n",
                       "after switching off");
        support::check(!plan.explain().empty(), "a plan of what is gone");
    });
}

BOOST_AUTO_TEST_CASE(every_collective_learns) {
    threads::run(4,
                 [](threads::communicator& world) {
                     tutti::use(world, tutti::learning{});
                     std::vector<int> in(64, world.rank()), out(64), all(256), parts(16);
                     for (int i = 0; i != 150; ++i) {
                         tutti::broadcast(world, out, 2);
                         tutti::inclusive_scan(world, in, out, std::plus<>{});
                         support::check(out[5] == world.rank() * (world.rank() + 1) / 2, "inclusive_scan");
                         tutti::exclusive_scan(world, in, out, std::plus<>{});
                         if (world.rank() != 0) {
                             support::check(out[5] == world.rank() * (world.rank() - 1) / 2, "exclusive_scan");
                         }
                         tutti::all_gather(world, in, all);
                         support::check(all[64 * 3] == 3, "all_gather");
                         tutti::reduce_scatter(world, in, parts, std::plus<>{});
                         support::check(parts[0] == 6, "reduce_scatter");
                         if (world.rank() == i % 2) {
                             tutti::reduce(world, in, out, std::plus<>{}, i % 2);
                             support::check(out[63] == 6, "reduce");
                         } else {
                             tutti::reduce(world, in, std::plus<>{}, i % 2);
                         }
                     }
                     auto const text = tutti::explain_learning(world);
                     for (auto const* const name : {"broadcast", "inclusive_scan", "exclusive_scan", "all_gather",
                                                    "reduce_scatter", "reduce of"}) {
                         support::check(text.find(name) != std::string::npos, "what is explained");
                     }
                 },
                 {.perturb = 3});
}

BOOST_AUTO_TEST_CASE(calls_whose_operator_throws_count_on_all_ranks) {
    threads::run(4, [](threads::communicator& world) {
        tutti::use(world, tutti::learning{});
        int number = 0;
        auto const add = tutti::commutative([&](int a, int b) {
            if (number % 5 == 0 && a + b > 3) { throw std::runtime_error{"too much"}; }
            return a + b;
        });
        std::vector<int> in(8, 1), out(8);
        for (number = 0; number != 300; ++number) {
            try {
                tutti::reduce(world, in, out, add, 0);
            } catch (std::runtime_error const&) {}
            tutti::all_reduce(world, in, out, std::plus<>{});
            support::check(out[0] == 4, "the sum");
        }
    });
}

BOOST_AUTO_TEST_CASE(exact_calls_go_by_arrivals_and_others_keep_their_bits) {
    std::string const goes = " by when ranks came: ";
    for (int const size : {2, 3, 7}) {
        std::string explained;
        // on a machine that is busy with other things all ranks may be late: then the last one has to be later
        for (int late = 10; late <= 160 && explained.find(goes) == std::string::npos; late *= 2) {
            threads::run(size, [&](threads::communicator& world) {
                auto const rank = world.rank();
                tutti::machine_model model;  // of a slow network, so that something is gained
                model.between_nodes = model.within_node = {.latency = 1e-6, .per_byte = 1e-6};
                tutti::use(world, model);
                std::size_t const n = 20'000;
                std::vector<long> const mine(n, rank);
                std::vector<long> greatest(n);
                auto const parts = operands(rank, n);
                std::vector<double> first(n), sum(n);
                tutti::all_reduce(world, parts, first, std::plus<>{});
                tutti::use(world, tutti::learning{});
                std::size_t wrong = 0;
                for (int call = 0; call != 12; ++call) {
                    if (rank == size - 1) { std::this_thread::sleep_for(std::chrono::milliseconds{late}); }
                    tutti::all_reduce(world, mine, greatest, tutti::maximum<>{});
                    wrong += greatest != std::vector<long>(n, size - 1);
                    tutti::all_reduce(world, parts, sum, std::plus<>{});
                    wrong += sum != first;
                }
                std::size_t all_wrong = 0;
                tutti::all_reduce(world, wrong, all_wrong, std::plus<>{});
                if (rank == 0) {
                    BOOST_TEST(all_wrong == 0U);
                    explained = tutti::explain_learning(world);
                }
            });
            if (size == 2) { break; }
        }
        auto const found = explained.find(goes);
        BOOST_TEST((found != std::string::npos) == (size >= 3), explained);
        if (size >= 3) { BOOST_TEST(explained.find(goes, found + 1) == std::string::npos, explained); }
    }
}

BOOST_AUTO_TEST_CASE(more_kinds_than_are_learned_work_all_the_same) {
    threads::run(2, [](threads::communicator& world) {
        tutti::use(world, tutti::learning{});
        for (int round = 0; round != 3; ++round) {
            for (std::size_t n = 1; n != 100; ++n) {
                std::vector<int> in(n, 1), out(n);
                tutti::all_reduce(world, in, out, std::plus<>{});
                support::check(out.back() == 2, "the sum");
            }
        }
    });
}

BOOST_AUTO_TEST_SUITE_END()
