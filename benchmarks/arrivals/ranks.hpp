// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <barrier>
#include <deque>
#include <mutex>
#include <thread>

#include <tutti/communicator/threads.hpp>

#if __has_include(<mpi.h>)
#define TUTTI_BENCHMARK_MPI
#include <tutti/communicator/mpi.hpp>

#include "../collectives/machine.hpp"
#include "../collectives/operators.hpp"
#include "../support/on_ranks.hpp"
#endif

#include "../support/timing.hpp"

namespace tutti::benchmark::arrivals {

/// What the threads of a run share.
class gathering {
public:
    explicit gathering(std::size_t size) : size_{static_cast<int>(size)}, start_{size_}, numbers_(size) {}

    /// The k-th team of all ranks. Each contender has one: a team is a communicator.
    [[nodiscard]] threads::team& team(std::size_t k) {
        std::lock_guard const lock{mutex_};
        while (teams_.size() <= k) { teams_.emplace_back(size_, threads::options{}); }
        return teams_[k];
    }

    void meet() { start_.arrive_and_wait(); }
    [[nodiscard]] std::vector<double>& numbers_of(std::size_t rank) { return numbers_[rank]; }
    [[nodiscard]] std::size_t size() const { return numbers_.size(); }

private:
    int size_;
    std::barrier<> start_;
    std::vector<std::vector<double>> numbers_;
    std::mutex mutex_;
    std::deque<threads::team> teams_;
};

/// The ranks of this run as threads, on one of them.
class ranks_of_threads {
public:
    using world = threads::communicator;
    static constexpr bool has_mpi = false;
    static constexpr bool is_simulated = false;

    /// Memory of this rank.
    class vector {
    public:
        vector(std::size_t elements, bool) : own_(elements) {}
        [[nodiscard]] std::span<float> first(std::size_t elements) { return std::span{own_}.first(elements); }

    private:
        std::vector<float> own_;
    };

    ranks_of_threads(gathering& all, int rank) : all_{&all}, rank_{rank} {}

    [[nodiscard]] std::size_t rank() const { return static_cast<std::size_t>(rank_); }
    [[nodiscard]] std::size_t size() const { return all_->size(); }

    [[nodiscard]] std::shared_ptr<world> new_world() { return std::make_shared<world>(all_->team(worlds_++), rank_); }

    void start() const { all_->meet(); }

    [[nodiscard]] static double now() { return timing::wall_time(); }
    static void idle(double seconds) { std::this_thread::sleep_for(std::chrono::duration<double>{seconds}); }

    /// The sum of each number over all ranks, on all of them.
    [[nodiscard]] std::vector<double> totals(std::vector<double> const& numbers) const {
        all_->numbers_of(rank()) = numbers;
        all_->meet();
        std::vector<double> result(numbers.size());
        for (std::size_t peer = 0; peer != size(); ++peer) {
            for (std::size_t i = 0; i != result.size(); ++i) { result[i] += all_->numbers_of(peer)[i]; }
        }
        all_->meet();
        return result;
    }

    [[nodiscard]] static std::plus<> sum(double, bool) { return {}; }

private:
    gathering* all_;
    int rank_;
    std::size_t worlds_ = 0;
};

#ifdef TUTTI_BENCHMARK_MPI

/// The ranks of this run, as MPI has started them.
class ranks_of_mpi {
public:
    using world = MPI_Comm;
    using vector = machine::vector_of<float>;
    static constexpr bool has_mpi = true;
    static constexpr bool is_simulated = machine::is_simulated;

    ranks_of_mpi() : start_{size_of(MPI_COMM_WORLD)} { MPI_Comm_rank(MPI_COMM_WORLD, &rank_); }

    [[nodiscard]] std::size_t rank() const { return static_cast<std::size_t>(rank_); }
    [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(size_of(MPI_COMM_WORLD)); }

    [[nodiscard]] static std::shared_ptr<world> new_world() {
        auto handle = MPI_COMM_NULL;
        MPI_Comm_dup(MPI_COMM_WORLD, &handle);
        return {new MPI_Comm{handle}, [](MPI_Comm* own) {
                    MPI_Comm_free(own);
                    delete own;
                }};
    }

    /// Lets all ranks go at about the same time.
    void start() const {
        start_.wait();
        start_.wait();
    }

    [[nodiscard]] static double now() { return MPI_Wtime(); }
    static void idle(double seconds) { machine::idle(seconds); }

    /// The sum of each number over all ranks, on all of them.
    [[nodiscard]] static std::vector<double> totals(std::vector<double> numbers) {
        auto result = command_line::combined_on_first(std::move(numbers), std::plus<>{});
        MPI_Bcast(result.data(), static_cast<int>(result.size()), MPI_DOUBLE, 0, MPI_COMM_WORLD);
        return result;
    }

    [[nodiscard]] static auto sum(double gamma, bool with_data) {
        return operator_for_tutti<operators::sum, float>({gamma, with_data});
    }

    /// As users of MPI call it.
    [[nodiscard]] static std::function<void(std::span<float const>, std::span<float>)>
    all_reduce_of_mpi(double gamma, bool with_data) {
        auto const op = std::make_shared<operator_for_mpi<operators::sum, float>>(cost{gamma, with_data});
        return [op, all = new_world()](std::span<float const> in, std::span<float> out) {
            MPI_Allreduce(in.data(), out.data(), static_cast<int>(in.size()), MPI_FLOAT, op->handle(), *all);
        };
    }

private:
    [[nodiscard]] static int size_of(MPI_Comm all) {
        int size = 0;
        MPI_Comm_size(all, &size);
        return size;
    }

    int rank_ = 0;
    machine::start_line start_;
};

#endif

}  // namespace tutti::benchmark::arrivals
