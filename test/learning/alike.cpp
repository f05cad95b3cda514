// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/ranks.hpp>

#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include <tutti/collectives.hpp>
#include <tutti/cost/in_use.hpp>
#include <tutti/error.hpp>
#include <tutti/execution/configure.hpp>
#include <tutti/learning.hpp>
#include <tutti/operation/annotated.hpp>
#include <tutti/operation/minmax.hpp>
#include <tutti/learning/arrival_aware.hpp>

// What all ranks must do alike goes by the calls of the communicator, and by nothing that a rank does or has alone.

// program: threads
BOOST_AUTO_TEST_SUITE(learning_alike)

namespace {

#ifdef MPI_VERSION
auto const several_threads = support::thread_level = MPI_THREAD_MULTIPLE;
#endif

constexpr std::size_t watched = 17'000;  // ints: more than 64 KiB, so that arrivals matter

/// Of a network where messages are expensive: ranks get all operands in one round, and each combines them for itself.
tutti::machine_model latency_bound() {
    tutti::machine_model result;
    result.between_nodes = result.within_node = {.latency = 1e-3, .per_byte = 1e-12};
    return result;
}

/// A sum that fails on the ranks that want it to.
struct fragile_sum {
    bool fails = false;
    int operator()(int a, int b) const {
        if (fails) { throw std::domain_error{"refused"}; }
        return a + b;
    }
};

/// Calls on some of the ranks, or on each alone.
class other_ranks {
public:
#ifdef MPI_VERSION
    other_ranks() { MPI_Comm_split(MPI_COMM_WORLD, support::world_rank() % 2, 0, &some_); }
    ~other_ranks() { MPI_Comm_free(&some_); }
    void call() { static_cast<void>(tutti::all_reduce(some_, 1, std::plus<>{})); }
    void call_alone() { static_cast<void>(tutti::all_reduce(MPI_COMM_SELF, 1, std::plus<>{})); }

private:
    MPI_Comm some_ = MPI_COMM_NULL;
#else
    other_ranks() = default;
    void call() {}
    void call_alone() {}
#endif
    other_ranks(other_ranks const&) = delete;
    other_ranks& operator=(other_ranks const&) = delete;
};

/// `action` in this thread, or in another one.
template <class Action>
void in_some_thread(bool in_another, Action action) {
    if (!in_another) { return action(); }
    std::exception_ptr thrown;
    std::thread{[&] {
        try {
            action();
        } catch (...) { thrown = std::current_exception(); }
    }}.join();
    if (thrown) { std::rethrow_exception(thrown); }
}

/// Calls that all ranks draw from one seed, each in a way of its own.
template <class World>
class calls {
public:
    calls(World& world, unsigned seed)
        : world_{world}, rank_{support::rank_of(world)}, size_{support::size_of(world)}, same_{seed},
          own_{1000 * seed + static_cast<unsigned>(rank_)} {}

    void make() {
        auto const what = same_() % 2 == 0 ? 0 : same_() % 8;
        auto const ranks = static_cast<unsigned long>(size_);
        auto const root = static_cast<int>(same_() % ranks);
        auto const who_fails = static_cast<int>(same_() % (2 * ranks));
        if (same_() % 16 == 0) { others_.call(); }
        if (own_() % 8 == 0) { others_.call_alone(); }
        if (own_() % 32 == 0) { std::this_thread::sleep_for(std::chrono::microseconds{own_() % 500}); }
        bool const in_another = may_change_threads() && own_() % 4 == 0;
        in_some_thread(in_another, [&] { make(what, root, who_fails == rank_); });
    }

private:
    [[nodiscard]] static bool may_change_threads() {
#ifdef MPI_VERSION
        int level = MPI_THREAD_SINGLE;
        MPI_Query_thread(&level);
        return level == MPI_THREAD_MULTIPLE;
#else
        return true;
#endif
    }

    void make(unsigned long what, int root, bool fails) {
        auto const ranks = static_cast<std::size_t>(size_);
        auto const here = rank_ == root;
        switch (what) {
        case 0: all_reduce(50); break;
        case 1: all_reduce(watched); break;
        case 2:
        case 3: {
            std::vector<int> const part(5, rank_);
            std::vector<int> all(here ? 5 * ranks : 0);
            std::vector<std::size_t> const counts(ranks, 5);
            if (what == 2) {
                tutti::gather(world_, part, all, root);
            } else {
                tutti::gather(world_, part, all, counts, root);
            }
            support::check(!here || all.back() == size_ - 1, "gather");
            break;
        }
        case 4: {
            std::vector<double> x(20, 1);
            if (own_() % 2 == 0) {
                tutti::reduce(world_, tutti::inplace(x), std::plus<>{}, root);
            } else {
                std::vector<double> const in = x;
                tutti::reduce(world_, in, x, std::plus<>{}, root);
            }
            support::check(!here || x.back() == size_, "reduce");
            break;
        }
        case 5: {
            std::vector<int> x(30, rank_);
            tutti::broadcast(world_, std::span{x}, root);
            support::check(x.back() == root, "broadcast");
            break;
        }
        case 6: {
            std::vector<int> const in(watched, 1);
            std::vector<int> out(watched);
            try {
                tutti::all_reduce(world_, in, out, tutti::commutative(fragile_sum{fails}), tutti::arrival_aware{});
                support::check(out.back() == size_, "all_reduce by arrivals");
            } catch (std::domain_error const&) {
                support::check(fails, "an operator that has not failed");
            } catch (tutti::operand_missing const&) {
                support::check(!fails, "an operator that has failed");
            }
            break;
        }
        default: {
            std::vector<int> const in(40, 1);
            std::vector<int> out(40);
            tutti::inclusive_scan(world_, in, out, std::plus<>{});
            support::check(out.back() == rank_ + 1, "inclusive_scan");
        }
        }
    }

    /// The greatest of integers of 8 bytes, whatever they are called here.
    void all_reduce(std::size_t n) {
        if (own_() % 2 == 0) {
            all_reduce_of<long>(n);
        } else {
            all_reduce_of<long long>(n);
        }
    }
    template <class T>
    void all_reduce_of(std::size_t n) {
        std::vector<T> in(n, rank_), out(n);
        tutti::maximum<> greatest;
        auto const same = greatest;
        switch (own_() % 3) {
        case 0: tutti::all_reduce(world_, in, out, greatest); break;
        case 1: tutti::all_reduce(world_, std::span{in}, std::span{out}, same); break;
        default:
            out = in;
            tutti::all_reduce(world_, tutti::inplace(out), same);
        }
        support::check(out.back() == size_ - 1, "all_reduce");
    }

    World& world_;
    int rank_;
    int size_;
    std::mt19937 same_;  ///< on all ranks
    std::mt19937 own_;
    other_ranks others_;
};

template <class World>
void check_same(World& world, std::string const& text) {
    auto const own = std::hash<std::string>{}(text);
    support::check_equal(own, tutti::all_reduce(world, own, tutti::minimum<>{}), "what this rank has learned");
}

}  // namespace

BOOST_AUTO_TEST_CASE(however_ranks_make_their_calls_they_choose_alike) {
    for (unsigned const seed : {1U, 2U}) {
        support::on_ranks([&](auto& world) {
            tutti::configure(world, tutti::execution{.check_calls = seed % 2 == 0});
            if (seed % 2 == 0) { tutti::use(world, latency_bound()); }
            tutti::use(world, tutti::learning{});
            calls<std::remove_reference_t<decltype(world)>> all{world, seed};
            for (int number = 0; number != 500; ++number) { all.make(); }
            check_same(world, tutti::explain_learning(world));
        });
    }
}

// Of such a gather only the root knows how many elements it has.
BOOST_AUTO_TEST_CASE_ON_RANKS(calls_with_counts_count_for_no_kind) {
    tutti::use(world, tutti::learning{});
    auto const ranks = static_cast<std::size_t>(support::size_of(world));
    std::vector<int> const part(5, support::rank_of(world));
    std::vector<int> all(support::rank_of(world) == 0 ? 5 * ranks : 0);
    std::vector<std::size_t> const counts(ranks, 5);
    for (int call = 0; call != 200; ++call) {
        tutti::gather(world, part, all, 0);
        if (call % 3 == 0) { tutti::gather(world, part, all, counts, 0); }
    }
    auto plan = tutti::plan::gather(world, part, all, counts, 0);
    support::check(plan.explain().find("linear") != std::string::npos, "a plan with counts: " + plan.explain());
    check_same(world, tutti::explain_learning(world));
}

// Ranks that return as usual would tell those of their arrival that do not ask.
BOOST_AUTO_TEST_CASE_ON_RANKS(an_operator_that_fails_on_one_rank_leaves_none_waiting) {
    tutti::use(world, latency_bound());
    std::vector<int> const in(watched, 1);
    std::vector<int> out(watched);
    int failed = 0;
    for (int call = 0; call != 40; ++call) {
        bool const fails = support::rank_of(world) == 0 && call > 10;
        try {
            tutti::all_reduce(world, in, out, tutti::commutative(fragile_sum{fails}), tutti::arrival_aware{});
        } catch (std::domain_error const&) { ++failed; } catch (tutti::operand_missing const&) {}
    }
    support::check(failed == (support::rank_of(world) == 0 && support::size_of(world) > 1 ? 29 : 0), "failures");
    support::check(tutti::all_reduce(world, 1, std::plus<>{}) == support::size_of(world), "afterwards");
}

BOOST_AUTO_TEST_CASE_ON_RANKS(one_rank_may_write_its_calls_otherwise_than_the_others) {
    tutti::use(world, tutti::learning{});
    std::vector<int> const in(50, 1);
    std::vector<int> out(50);
    std::plus<> plus;
    auto const constant = plus;
    for (int call = 0; call != 400; ++call) {
        if (support::rank_of(world) == 0 && call % 2 == 0) {
            tutti::all_reduce(world, in, out, plus);
        } else {
            tutti::all_reduce(world, in, out, constant);
        }
        support::check(out.back() == support::size_of(world), "the sum");
    }
    check_same(world, tutti::explain_learning(world));
}

BOOST_AUTO_TEST_SUITE_END()
