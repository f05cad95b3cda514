// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include <mpi.h>

#ifdef SMPI_SHARED_MALLOC
#include <simgrid/actor.h>
#include <simgrid/barrier.h>
#include <simgrid/host.h>
#else
#include <chrono>
#include <thread>

#include <unistd.h>
#endif

namespace tutti::benchmark {

/// What is different in a simulation by SMPI, whose <mpi.h> is known by its macros.
namespace machine {

#ifdef SMPI_SHARED_MALLOC

inline constexpr bool is_simulated = true;

/// Lets time go by on this rank.
inline void idle(double seconds) { sg_actor_sleep_for(seconds); }

/// Lets this rank compute for some simulated time. Even no time costs real time.
inline void compute(double seconds) {
    if (seconds > 0) { smpi_execute_flops(seconds * sg_host_get_speed(sg_host_self())); }
}

/// Simulated memory has no caches.
[[nodiscard]] inline std::size_t bytes_of_last_cache() { return 0; }

/// Where ranks wait for each other. The simulator's own barrier sends no messages and lets all go at the same instant.
/// Which of two messages of the same instant is first depends on the order in which it lets ranks go: here that of
/// their numbers, and not that in which they have come.
class start_line {
public:
    explicit start_line(int size) : size_{size} {
        MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
        bar_ = static_cast<sg_bar_t>(SMPI_SHARED_CALL(make, "start line"));
    }
    void wait() const {
        sg_barrier_wait(bar_);
        auto const together = MPI_Wtime() + (size_ + 1) * gap;
        idle((rank_ + 1) * gap);
        idle(together - MPI_Wtime());
    }

private:
    static void* make() {
        int size = 0;
        MPI_Comm_size(MPI_COMM_WORLD, &size);
        return sg_barrier_init(static_cast<unsigned>(size));
    }

    static constexpr double gap = 1e-6;  // s

    int rank_ = 0;
    int size_;
    sg_bar_t bar_;
};

/// A vector of each rank. Without data all ranks and all vectors have the same memory.
template <class T>
class vector_of {
public:
    vector_of(std::size_t elements, bool with_data)
        : own_{with_data ? std::make_unique<T[]>(elements) : nullptr},
          first_{with_data ? own_.get() : static_cast<T*>(SMPI_SHARED_MALLOC(elements * sizeof(T)))} {}
    vector_of(vector_of const&) = delete;
    vector_of& operator=(vector_of const&) = delete;
    ~vector_of() {
        if (!own_) { SMPI_SHARED_FREE(first_); }
    }

    [[nodiscard]] std::span<T> first(std::size_t elements) const { return {first_, elements}; }

private:
    std::unique_ptr<T[]> own_;
    T* first_;
};

#else

inline constexpr bool is_simulated = false;

inline void idle(double seconds) { std::this_thread::sleep_for(std::chrono::duration<double>{seconds}); }

inline void compute(double) {}

/// 64 MiB where the system does not say.
[[nodiscard]] inline std::size_t bytes_of_last_cache() {
    auto const said = sysconf(_SC_LEVEL3_CACHE_SIZE);
    return said > 0 ? static_cast<std::size_t>(said) : std::size_t{64} << 20;
}

class start_line {
public:
    explicit start_line(int) {}
    void wait() const { MPI_Barrier(MPI_COMM_WORLD); }
};

template <class T>
class vector_of {
public:
    vector_of(std::size_t elements, bool) : own_{std::make_unique<T[]>(elements)} {}

    [[nodiscard]] std::span<T> first(std::size_t elements) const { return {own_.get(), elements}; }

private:
    std::unique_ptr<T[]> own_;
};

#endif

using vector = vector_of<double>;

}  // namespace machine

}  // namespace tutti::benchmark
