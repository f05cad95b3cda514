// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>

namespace tutti::accelerator {

/// Says on standard error what this rank waits for, if it still does after 5 s.
class patience {
public:
    patience() : thread_{[this] { look_at_the_clock(); }} {}
    patience(patience const&) = delete;
    patience& operator=(patience const&) = delete;
    ~patience() {
        {
            auto const lock = std::lock_guard{guard_};
            is_over_ = true;
        }
        changed_.notify_all();
        thread_.join();
    }

private:
    void look_at_the_clock() {
        auto lock = std::unique_lock{guard_};
        if (changed_.wait_for(lock, std::chrono::seconds{5}, [this] { return is_over_; })) { return; }
        std::fputs(
            "tutti: a rank has waited for others in MPI_Init for 5 s; if some run without libtutti_mpi.so, load it on "
            "every rank, as in mpiexec -n 4 env LD_PRELOAD=$LIBRARY PROGRAM\n",
            stderr);
    }

    std::mutex guard_;
    std::condition_variable changed_;
    bool is_over_ = false;
    std::thread thread_;
};

}  // namespace tutti::accelerator
