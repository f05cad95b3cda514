// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <mpi.h>

#include <tutti/communicator/mpi.hpp>
#include <tutti/operation/annotated.hpp>
#include <tutti/operation/combine.hpp>
#include <tutti/operation/on_blocks.hpp>

#include "../collectives/machine.hpp"

namespace tutti::benchmark::arrivals {

/// A sum that costs what combining is said to cost in a simulation, which does not count the program's own work.
struct charged_sum {
    double gamma = 0;
    bool with_data = true;
    std::plus<> op{};

    void operator()(std::span<float const> left, std::span<float const> right, std::span<float> out) const {
        if (with_data) { tutti::combine(op, left.data(), right.data(), out.data(), out.size()); }
        machine::compute(gamma * static_cast<double>(out.size_bytes()));
    }
};

/// The sum as a user of MPI gives it: MPI's own where it costs nothing.
class sum_of_mpi {
public:
    sum_of_mpi(double gamma, bool with_data) {
        if (gamma == 0 && with_data) { return; }
        charge() = {.gamma = gamma, .with_data = with_data};
        MPI_Op_create(&combine, 1, &created_);
    }
    sum_of_mpi(sum_of_mpi const&) = delete;
    sum_of_mpi& operator=(sum_of_mpi const&) = delete;
    ~sum_of_mpi() {
        if (created_ != MPI_OP_NULL) { MPI_Op_free(&created_); }
    }

    [[nodiscard]] MPI_Op handle() const { return created_ != MPI_OP_NULL ? created_ : MPI_SUM; }

private:
    // MPI hands no state to a user's function.
    static charged_sum& charge() {
        static charged_sum one{};
        return one;
    }

    static void combine(void* left, void* right, int* count, MPI_Datatype*) {
        auto const n = static_cast<std::size_t>(*count);
        auto* const both = static_cast<float*>(right);
        charge()({static_cast<float const*>(left), n}, {both, n}, {both, n});
    }

    MPI_Op created_ = MPI_OP_NULL;
};

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

    /// On rank 0: the sum of each number over all ranks. By single messages: no collective under test is involved.
    [[nodiscard]] std::vector<double> total(std::vector<double> numbers) const {
        auto const n = static_cast<int>(numbers.size());
        if (rank_ != 0) {
            MPI_Send(numbers.data(), n, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
            return numbers;
        }
        std::vector<double> theirs(numbers.size());
        for (int peer = 1; std::cmp_less(peer, size()); ++peer) {
            MPI_Recv(theirs.data(), n, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            for (std::size_t i = 0; i != numbers.size(); ++i) { numbers[i] += theirs[i]; }
        }
        return numbers;
    }

    /// The numbers that rank 0 has.
    [[nodiscard]] std::vector<double> told_by_first(std::vector<double> numbers) const {
        MPI_Bcast(numbers.data(), static_cast<int>(numbers.size()), MPI_DOUBLE, 0, MPI_COMM_WORLD);
        return numbers;
    }

    /// The operator as a user of tutti gives it.
    [[nodiscard]] static auto sum(double gamma, bool with_data) {
        if constexpr (machine::is_simulated) {
            return commutative(on_blocks(charged_sum{.gamma = gamma, .with_data = with_data}));
        } else {
            static_cast<void>(gamma);
            static_cast<void>(with_data);
            return std::plus<>{};
        }
    }
    [[nodiscard]] static std::shared_ptr<arrivals::sum_of_mpi const> sum_of_mpi(double gamma, bool with_data) {
        return std::make_shared<arrivals::sum_of_mpi const>(gamma, with_data);
    }
    static void all_reduce_of_mpi(world all, std::span<float const> in, std::span<float> out,
                                  arrivals::sum_of_mpi const& op) {
        MPI_Allreduce(in.data(), out.data(), static_cast<int>(in.size()), MPI_FLOAT, op.handle(), all);
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
