// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <mpi.h>

#include <tutti/communicator/mpi.hpp>

#include "../collectives/machine.hpp"
#include "../collectives/operators.hpp"
#include "../support/on_ranks.hpp"

namespace tutti::benchmark::arrivals {

/// The ranks of this run, as MPI has started them; see over_threads.hpp for those that it has not.
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

    /// On rank 0: the sum of each number over all ranks.
    [[nodiscard]] static std::vector<double> total(std::vector<double> numbers) {
        return command_line::combined_on_first(std::move(numbers), std::plus<>{});
    }

    /// The numbers that rank 0 has.
    [[nodiscard]] std::vector<double> told_by_first(std::vector<double> numbers) const {
        MPI_Bcast(numbers.data(), static_cast<int>(numbers.size()), MPI_DOUBLE, 0, MPI_COMM_WORLD);
        return numbers;
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

}  // namespace tutti::benchmark::arrivals
