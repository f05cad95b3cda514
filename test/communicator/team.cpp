// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/affine_maps.hpp>
#include <support/ranks.hpp>

#include <chrono>
#include <cstddef>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include <support/sentences.hpp>
#include <support/team.hpp>

#include <tutti/collective/all_reduce.hpp>
#include <tutti/collective/broadcast.hpp>
#include <tutti/collective/explain.hpp>
#include <tutti/collective/plan.hpp>
#include <tutti/collective/reduce.hpp>
#include <tutti/collective/scan.hpp>
#include <tutti/communicator/recover.hpp>
#include <tutti/error.hpp>
#include <tutti/execution/configure.hpp>
#include <tutti/generator/all.hpp>

// program: threads
BOOST_AUTO_TEST_SUITE(communicator_team)

using support::check;
using support::check_equal;
using support::composed;
using support::contains;
using support::maps_of;
using support::sentence_of;

namespace {

#if defined(TUTTI_TEST_OVER_MPI) || defined(TUTTI_TEST_OVER_BOOST_MPI)
auto const several_threads = support::thread_level = MPI_THREAD_MULTIPLE;
#endif

support::composition const compose;
std::plus<> const plus;

/// Of a process: 1, 2, 3, 1, ...
int threads_of(int process) { return 1 + process % 3; }
int first_rank_of(int process) {
    int result = 0;
    for (int before = 0; before != process; ++before) { result += threads_of(before); }
    return result;
}

/// Calls `body(world, thread)` on the ranks of a team of unequal processes.
template <class Processes, class Body>
void on_unequal_team(Processes& processes, Body body) {
    support::on_threads_of_team(processes, threads_of(support::rank_of(processes)), body);
}

/// Calls that give what they should.
template <class World>
void check_calls(World& world) {
    for (auto const n : std::vector<std::size_t>{1, 300, 20'000}) {
        auto all = maps_of(world.rank(), n);
        tutti::all_reduce(world, tutti::inplace(all), compose);
        check_equal(all == composed(0, world.size(), n), true, "all_reduce");
    }
}

}  // namespace

BOOST_AUTO_TEST_CASE_ON_EACH_RANK(ranks_are_numbered_process_by_process) {
    on_unequal_team(world, [&](auto& team) {
        check_equal(team.size(), first_rank_of(size), "size");
        auto const first = first_rank_of(rank);
        check(team.rank() >= first && team.rank() < first + threads_of(rank), "rank");
        std::vector<int> numbers(1, 1);
        tutti::exclusive_scan(team, tutti::inplace(numbers), plus);
        check(team.rank() == 0 || numbers[0] == team.rank(), "every number is one rank's");
    });
}

BOOST_AUTO_TEST_CASE_ON_EACH_RANK(operands_are_combined_in_the_order_of_ranks) {
    on_unequal_team(world, [](auto& team) {
        for (auto const n : std::vector<std::size_t>{1, 40, 3000, 70'000}) {
            auto const mine = maps_of(team.rank(), n);
            auto const total = composed(0, team.size(), n);
            std::vector<support::affine_map> result(n);
            tutti::all_reduce(team, mine, result, compose);
            check(result == total, "all_reduce");
            for (int root = 0; root < team.size(); root += 3) {
                tutti::reduce(team, mine, result, compose, root);
                check(team.rank() != root || result == total, "reduce");
            }
            tutti::inclusive_scan(team, mine, result, compose);
            check(result == composed(0, team.rank() + 1, n), "inclusive_scan");
            result = mine;
            tutti::broadcast(team, result, team.size() - 1);
            check(result == maps_of(team.size() - 1, n), "broadcast");
        }
    });
}

BOOST_AUTO_TEST_CASE_ON_EACH_RANK(algorithms_by_levels_keep_the_order_too) {
    support::on_threads_of_team(world, 2, [](auto& team) {
        for (auto const n : std::vector<std::size_t>{1, 3000}) {
            auto const mine = maps_of(team.rank(), n);
            std::vector<support::affine_map> result(n);
            auto const& processes = tutti::communicator_of<std::remove_cvref_t<decltype(team)>>::get(team).nodes();
            tutti::all_reduce(team, mine, result, compose, tutti::hierarchical{processes});
            check(result == composed(0, team.size(), n), "hierarchical");
            tutti::all_reduce(team, mine, result, compose, tutti::multi_lane{processes});
            check(result == composed(0, team.size(), n), "multi_lane");
        }
    });
}

BOOST_AUTO_TEST_CASE_ON_EACH_RANK(plans_and_nonblocking_calls_run_beside_blocking_ones) {
    on_unequal_team(world, [](auto& team) {
        auto const total = composed(0, team.size(), 500);
        auto values = maps_of(team.rank(), 500);
        auto plan = tutti::plan::all_reduce(team, tutti::inplace(values), compose);
        for (int i = 0; i != 3; ++i) {
            auto others = maps_of(team.rank(), 500);
            values = others;
            plan.start();
            auto call = tutti::async::all_reduce(team, tutti::inplace(others), compose);
            check_calls(team);
            call.wait();
            plan.wait();
            check(values == total && others == total, "results");
        }
        check(contains(plan.explain(), "between threads in place"), plan.explain());
        for (int i = 0; i != 200; ++i) { static_cast<void>(tutti::plan::all_reduce(team, tutti::inplace(values), compose)); }
    });
}

BOOST_AUTO_TEST_CASE_ON_EACH_RANK(several_teams_live_at_once_and_come_and_go) {
    for (int i = 0; i != 3; ++i) {
        tutti::team first{world, 1};
        tutti::team second{world, 1};
        auto const one = first.rank(0);
        auto const two = second.rank(0);
        auto all = maps_of(rank, 10);
        auto call = tutti::async::all_reduce(one, tutti::inplace(all), compose);
        check_calls(two);
        call.wait();
        check(all == composed(0, size, 10), "first");
        auto outer = maps_of(rank, 10);
        tutti::all_reduce(world, tutti::inplace(outer), compose);
        check(outer == all, "the world of the processes may be used, too");
    }
}

BOOST_AUTO_TEST_CASE_ON_EACH_RANK(a_thread_reads_the_memory_of_another_where_it_lies) {
    std::vector<int> const sent(1000, rank);
    support::on_threads_of_team(world, 2, [&](auto& team) {
        auto& ranks = tutti::communicator_of<std::remove_cvref_t<decltype(team)>>::get(team);
        tutti::completion done;
        if (team.rank() % 2 == 0) {
            auto one = ranks.send(team.rank() + 1, 5, std::as_bytes(std::span{sent}));
            check_equal(ranks.wait_some(std::span{&one, 1}, std::span{&done, 1}), 1U, "send");
        } else {
            auto one = ranks.receive_lent(team.rank() - 1, 5, sent.size() * sizeof(int));
            check_equal(ranks.wait_some(std::span{&one, 1}, std::span{&done, 1}), 1U, "receive");
            check(done.lent == reinterpret_cast<std::byte const*>(sent.data()), "no copy");
            ranks.give_back(done);
        }
    });
}

BOOST_AUTO_TEST_CASE_ON_EACH_RANK(a_thread_takes_its_rank_again_in_the_next_region) {
    tutti::team team{world, 2};
    for (int region = 0; region != 3; ++region) {
        std::vector<std::jthread> threads;
        for (int i = 0; i != 2; ++i) {
            threads.emplace_back([&, i] {
                auto mine = team.rank((i + region) % 2);  // whichever thread it was before
                check_calls(mine);
            });
        }
    }
}

BOOST_AUTO_TEST_CASE_ON_EACH_RANK(numbers_that_are_none_are_refused) {
    {
        tutti::team team{world, 2};
        check_equal(team.threads(), 2, "threads");
        auto const none = sentence_of([&] { static_cast<void>(team.rank(2)); });
        check(contains(none, "tutti: this process brings 2 threads to its team, so rank(2) is none of them"), none);
        auto const held = team.rank(1);
        auto const twice = sentence_of([&] { static_cast<void>(team.rank(1)); });
        check(contains(twice, "tutti: another thread is rank(1) of this team already"), twice);
    }
    auto const none = sentence_of([&] { tutti::team team{world, rank == size - 1 ? 0 : 1}; });
    check(contains(none, "brings 0 threads to a team; bring at least 1"), none);
}

BOOST_AUTO_TEST_CASE_ON_EACH_RANK(a_thread_that_throws_ends_the_calls_of_all_ranks) {
    tutti::team team{world, 2};
    std::vector<std::string> seen(2);
    auto const in_all_threads = [&](auto body) {
        std::vector<std::jthread> threads;
        for (int i = 0; i != 2; ++i) { threads.emplace_back([&, i] { seen[static_cast<std::size_t>(i)] = body(i); }); }
    };
    bool const throws = rank == size - 1;
    in_all_threads([&](int i) {
        return sentence_of([&] {
            auto mine = team.rank(i);
            check_calls(mine);
            if (throws && i == 1) { throw std::runtime_error{"no such file"}; }
            check_calls(mine);
        });
    });
    auto const failed = seen;
    in_all_threads([&](int i) {
        return sentence_of([&] {
            auto mine = team.rank(i);
            tutti::recover(mine);
            check_calls(mine);
        });
    });
    check_equal(seen[0] + seen[1], std::string{}, "after recover");
    auto const place = "process " + std::to_string(size - 1) + ", thread 1: its thread has been left by an exception";
    check(contains(failed[0], place), failed[0]);
    check_equal(contains(failed[1], throws ? "no such file" : place), true, failed[1]);
}

// After a second: it might come back.
BOOST_AUTO_TEST_CASE_ON_EACH_RANK(a_thread_that_returns_early_is_named_on_all_ranks) {
    if (size > 3) { return; }
    tutti::team team{world, 2};
    std::vector<std::string> seen(2);
    auto const in_all_threads = [&](auto body) {
        std::vector<std::jthread> threads;
        for (int i = 0; i != 2; ++i) {
            threads.emplace_back([&, i] {
                seen[static_cast<std::size_t>(i)] = sentence_of([&] {
                    auto mine = team.rank(i);
                    body(mine, i);
                });
            });
        }
    };
    in_all_threads([&](auto& mine, int i) {
        check_calls(mine);
        if (rank != size - 1 || i != 1) { check_calls(mine); }
    });
    auto const failed = seen;
    in_all_threads([&](auto& mine, int) {
        tutti::recover(mine);
        check_calls(mine);
    });
    check_equal(seen[0] + seen[1], std::string{}, "after recover");
    auto const place = "which process " + std::to_string(size - 1) + ", thread 1 has given back before this call";
    check(contains(failed[0], place), failed[0]);
    check(rank == size - 1 ? failed[1].empty() : contains(failed[1], place), failed[1]);
}

BOOST_AUTO_TEST_CASE_ON_EACH_RANK(a_thread_may_return_before_others_have_ended_a_call_that_it_has_made) {
    if (size != 2) { return; }
    support::on_threads_of_team(world, 2, [](auto& team) {
        using namespace std::chrono_literals;
        check_calls(team);
        std::this_thread::sleep_for(team.rank() < 2 ? 0ms : 1500ms);
        std::vector<int> values(20, 1);
        tutti::reduce(team, tutti::inplace(values), plus, 0);  // rank 1 returns at once, and rank 0 waits
        check(team.rank() != 0 || values[0] == 4, "sum");
    });
}

BOOST_AUTO_TEST_CASE_ON_EACH_RANK(a_rank_may_be_taken_for_each_call_by_itself) {
    if (size > 2) { return; }
    tutti::team team{world, 2};
    std::vector<std::jthread> threads;
    for (int i = 0; i != 2; ++i) {
        threads.emplace_back([&, i] {
            using namespace std::chrono_literals;
            for (int call = 0; call != 2; ++call) {
                {
                    auto mine = team.rank(i);
                    std::vector<int> values(20, 1);
                    tutti::all_reduce(mine, tutti::inplace(values), plus);
                    check(values[0] == 2 * size, "sum");
                    if (i == 1 && call == 0) { std::this_thread::sleep_for(200ms); }  // the other one is in the next call
                }
                if (i == 1 && call == 0) { std::this_thread::sleep_for(1500ms); }
            }
        });
    }
}

// Where processes are threads, a message between them that is too long ends them for good.
BOOST_AUTO_TEST_CASE_ON_RANKS(other_numbers_of_elements_are_an_error_on_all_ranks) {
#if defined(TUTTI_TEST_OVER_MPI) || defined(TUTTI_TEST_OVER_BOOST_MPI)
    // MPICH gives errors of messages to these, which tutti leaves alone where all threads may call
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
#else
    if (support::size_of(world) != 1) { return; }
#endif
    for (auto const odd : std::vector<std::size_t>{10, 30, 70'000}) {
        support::on_threads_of_team(world, 3, [&](auto& team) {
            std::vector<int> values(team.rank() == 1 ? odd : 20, 1);
            auto const wrong = sentence_of(
                [&] { tutti::all_reduce(team, tutti::inplace(values), plus, tutti::recursive_doubling{}); });
            tutti::recover(team);
            check_calls(team);
            check(wrong.starts_with("tutti: "), wrong);
        });
    }
}

BOOST_AUTO_TEST_CASE_ON_EACH_RANK(calls_are_compared_where_that_is_asked_for) {
    on_unequal_team(world, [](auto& team) {
        if (team.size() == 1) { return; }
        tutti::configure(team, tutti::execution{.check_calls = true});
        check_calls(team);
        std::vector<int> values(20, 1);
        auto const wrong = sentence_of([&] {
            if (team.rank() == 1) {
                tutti::broadcast(team, values, 0);
            } else {
                tutti::all_reduce(team, tutti::inplace(values), plus);
            }
        });
        tutti::recover(team);
        check_calls(team);
        check(contains(wrong, "broadcast of 20 int"), wrong);
    });
}

// After a second: the rank that waits asks.
BOOST_AUTO_TEST_CASE_ON_EACH_RANK(a_process_whose_team_ends_is_named_by_those_that_wait_for_it) {
    if (size != 2) { return; }
    std::string wrong;
    {
        tutti::team team{world, 1};
        auto mine = team.rank(0);
        check_calls(mine);
        if (rank == 1) { wrong = sentence_of([&] { check_calls(mine); }); }
    }
    check_equal(rank == 0 || contains(wrong, "is process 0, thread 0, whose team ends"), true, wrong);
}

#if defined(TUTTI_TEST_OVER_BOOST_MPI)
BOOST_AUTO_TEST_CASE_ON_RANKS(serialised_elements_travel_among_threads_and_processes) {
    on_unequal_team(world, [](auto& team) {
        std::string letters;
        for (int i = 0; i != team.size(); ++i) { letters += static_cast<char>('a' + i); }
        std::vector<std::string> all(20, std::string(1, static_cast<char>('a' + team.rank())));
        tutti::all_reduce(team, tutti::inplace(all), plus);
        check(all == std::vector<std::string>(20, letters), "in the order of ranks");
    });
}
#endif

BOOST_AUTO_TEST_SUITE_END()
