// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <barrier>
#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include <tutti/communicator/threads.hpp>

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

    /// On rank 0: the sum of each number over all ranks.
    [[nodiscard]] std::vector<double> total(std::vector<double> numbers) const {
        all_->numbers_of(rank()) = numbers;
        all_->meet();
        if (rank_ == 0) {
            for (std::size_t peer = 1; peer != size(); ++peer) {
                auto const& theirs = all_->numbers_of(peer);
                for (std::size_t i = 0; i != numbers.size(); ++i) { numbers[i] += theirs[i]; }
            }
        }
        all_->meet();
        return numbers;
    }

    /// The numbers that rank 0 has.
    [[nodiscard]] std::vector<double> told_by_first(std::vector<double> numbers) const {
        if (rank_ == 0) { all_->numbers_of(0) = std::move(numbers); }
        all_->meet();
        auto result = all_->numbers_of(0);
        all_->meet();
        return result;
    }

    [[nodiscard]] static std::plus<> sum(double, bool) { return {}; }

private:
    gathering* all_;
    int rank_;
    std::size_t worlds_ = 0;
};

}  // namespace tutti::benchmark::arrivals
