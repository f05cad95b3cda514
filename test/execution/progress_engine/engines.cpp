// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/mpi_world.hpp>

#include <cstddef>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include <tutti/collective/all_reduce.hpp>
#include <tutti/collective/barrier.hpp>
#include <tutti/communicator/mpi.hpp>
#include <tutti/communicator/mpi/duplicates.hpp>
#include <tutti/execution/progress_engine.hpp>
#include <tutti/generator/all.hpp>

// program: threads
BOOST_AUTO_TEST_SUITE(execution_progress_engine_engines)

namespace {

auto const several_threads = support::thread_level = MPI_THREAD_MULTIPLE;

using progress_engines = tutti::engine::engines<tutti::mpi::communicator>;

std::plus<> plus;
constexpr std::size_t n = 60'000;

/// A communicator with a vector to be summed on it; 60 000 ints are longer than what MPI buffers.
class summation {
public:
    explicit summation(int factor) : in_(n, factor) {
        MPI_Comm_dup(MPI_COMM_WORLD, &world_);
        plan_.emplace(tutti::plan::all_reduce(world_, in_, out_, plus, tutti::pipeline{.segments = 5}));
    }
    summation(summation const&) = delete;
    summation& operator=(summation const&) = delete;
    ~summation() {
        plan_.reset();
        MPI_Comm_free(&world_);
    }

    void start() {
        out_.assign(n, -1);
        plan_->start();
    }
    void wait() { plan_->wait(); }
    [[nodiscard]] bool test() { return plan_->test(); }
    [[nodiscard]] bool is_right() const { return out_ == std::vector<int>(n, in_.front() * support::world_size()); }

private:
    std::vector<int> in_;
    std::vector<int> out_ = std::vector<int>(n);
    MPI_Comm world_ = MPI_COMM_NULL;
    std::optional<decltype(tutti::plan::all_reduce(std::declval<MPI_Comm&>(), in_, out_, plus, tutti::pipeline{}))>
        plan_;
};

}  // namespace

BOOST_AUTO_TEST_CASE(every_thread_has_its_own) {
    auto const& here = progress_engines::of(tutti::mpi::communicator::progress_domain());
    BOOST_TEST(here.is_owner_thread());
    BOOST_TEST(&here == &progress_engines::of(tutti::mpi::communicator::progress_domain()));
    auto const others = [&] {
        auto const& there = progress_engines::of(tutti::mpi::communicator::progress_domain());
        return &there != &here && there.is_owner_thread() && !here.is_owner_thread();
    };
    BOOST_TEST(std::async(std::launch::async, others).get());
}

// Each thread on its communicators, and in another order on every rank.
BOOST_AUTO_TEST_CASE(threads_use_different_communicators_at_the_same_time) {
    std::vector<std::unique_ptr<summation>> sums;
    for (int i = 0; i != 4; ++i) { sums.push_back(std::make_unique<summation>(i + 1)); }
    bool const odd = support::world_rank() % 2 == 1;
    auto const work = [odd](summation& first, summation& second) {
        bool right = true;
        for (int round = 0; round != 5; ++round) {
            first.start();
            second.start();
            (odd ? second : first).wait();
            (odd ? first : second).wait();
            right = right && first.is_right() && second.is_right();
        }
        return right;
    };
    auto there = std::async(std::launch::async, [&] { return work(*sums[0], *sums[1]); });
    BOOST_TEST(work(*sums[2], *sums[3]));
    BOOST_TEST(there.get());
}

// The thread that started it goes on with other collectives, or has gone itself.
BOOST_AUTO_TEST_CASE(a_plan_is_waited_for_by_another_thread) {
    summation handed_over{1};
    summation kept{2};
    for (int round = 0; round != 10; ++round) {
        kept.start();
        handed_over.start();
        auto const elsewhere = [&] {
            if (round % 2 == 0) {
                while (!handed_over.test()) {}
            }
            handed_over.wait();
            return handed_over.is_right();
        };
        auto right = std::async(std::launch::async, elsewhere);
        // some ranks go on, others wait first
        if (support::world_rank() % 2 == 0) { BOOST_TEST(right.get()); }
        kept.wait();
        BOOST_TEST(kept.is_right());
        if (right.valid()) { BOOST_TEST(right.get()); }

        std::thread{[&] { handed_over.start(); }}.join();
        BOOST_TEST(tutti::all_reduce(MPI_COMM_WORLD, 1, plus) == support::world_size());
        handed_over.wait();
        BOOST_TEST(handed_over.is_right());
    }
}

// One that runs meanwhile on the thread that waits elsewhere makes progress as well.
BOOST_AUTO_TEST_CASE(whoever_waits_for_another_thread_s_plan_goes_on_with_its_own) {
    summation foreign{1};
    summation own{2};
    std::thread{[&] { foreign.start(); }}.join();
    own.start();
    if (support::world_rank() % 2 == 0) {
        foreign.wait();
        own.wait();
    } else {
        own.wait();
        foreign.wait();
    }
    BOOST_TEST(own.is_right());
    BOOST_TEST(foreign.is_right());
}

BOOST_AUTO_TEST_SUITE_END()
