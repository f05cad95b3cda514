// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include <tutti/accelerator/environment.hpp>
#include <tutti/communicator/mpi/declarations.hpp>

/// Nonblocking calls. A thread of each communicator performs them as blocking ones, in the order in which they were
/// begun, which is the same on all ranks. So they progress whatever the program waits in, a receive, MPI_Comm_split or a
/// function of Fortran's: without a thread, each such function would have to be intercepted and turned into a loop.
/// The user's request is a generalized one, which all functions of MPI know.
///
/// They are taken if MPI gives MPI_THREAD_MULTIPLE on all ranks of MPI_COMM_WORLD, and on communicators that already
/// have their duplicate: to make one is a collective call of its own, which must not happen while the program goes on.
namespace tutti::accelerator {

/// The thread of a communicator; begins with the first call.
class worker {
public:
    worker() = default;
    worker(worker const&) = delete;
    worker& operator=(worker const&) = delete;
    ~worker() {
        if (!thread_.joinable()) { return; }
        {
            auto const lock = std::lock_guard{guard_};
            ends_ = true;
        }
        changed_.notify_all();
        thread_.join();
    }

    void add(std::function<void()> call) {
        auto const lock = std::lock_guard{guard_};
        if (!thread_.joinable()) {
            thread_ = std::thread{[this] { run(); }};
        }
        calls_.push_back(std::move(call));
        changed_.notify_all();
    }

    /// Waits for all calls.
    void drain() {
        auto lock = std::unique_lock{guard_};
        changed_.wait(lock, [&] { return calls_.empty(); });
    }

private:
    void run() {
        auto lock = std::unique_lock{guard_};
        for (;;) {
            changed_.wait(lock, [&] { return ends_ || !calls_.empty(); });
            if (calls_.empty()) { return; }
            auto const& call = calls_.front();  // which stays where it is when others are added
            lock.unlock();
            call();
            lock.lock();
            calls_.pop_front();
            changed_.notify_all();
        }
    }

    std::mutex guard_;
    std::condition_variable changed_;
    std::deque<std::function<void()>> calls_;
    bool ends_ = false;
    std::thread thread_;
};

/// The workers of all communicators, and operators and types that were freed while calls might use them.
class workers {
public:
    /// Never destroyed: a program may exit without MPI_Finalize.
    [[nodiscard]] static workers& get() {
        static auto* const all = new workers;
        return *all;
    }

    /// The level of threads to ask MPI for.
    [[nodiscard]] static int level(int asked) {
        auto const& says = environment::get();
        return says.all && !says.off ? MPI_THREAD_MULTIPLE : asked;
    }

    /// After MPI_Init, on all ranks.
    void begin(int provided) {
        if (level(MPI_THREAD_SINGLE) != MPI_THREAD_MULTIPLE) { return; }
        int const mine = provided == MPI_THREAD_MULTIPLE ? 1 : 0;
        int all = 0;
        if (PMPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD) != MPI_SUCCESS || all == 0) { return; }
        works_ = PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, end_of_communicator, &key_, nullptr) == MPI_SUCCESS;
    }

    /// Notes that a communicator has its duplicate.
    void admit(MPI_Comm comm) {
        if (!works_ || of(comm) != nullptr) { return; }
        auto made = std::make_unique<worker>();
        if (PMPI_Comm_set_attr(comm, key_, made.get()) != MPI_SUCCESS) { return; }
        auto const lock = std::lock_guard{guard_};
        all_.push_back(std::move(made));
    }

    /// The worker of a communicator, or null if it was not admitted.
    [[nodiscard]] worker* of(MPI_Comm comm) const {
        void* found = nullptr;
        int flag = 0;
        if (!works_ || PMPI_Comm_get_attr(comm, key_, &found, &flag) != MPI_SUCCESS || flag == 0) { return nullptr; }
        return static_cast<worker*>(found);
    }

    /// Waits for the calls of a communicator.
    void drain(MPI_Comm comm) const {
        if (auto* const found = of(comm)) { found->drain(); }
    }

    /// Before MPI_Finalize.
    void end() {
        std::vector<std::unique_ptr<worker>> ended;
        {
            auto const lock = std::lock_guard{guard_};
            ended.swap(all_);
            works_ = false;
        }
        ended.clear();
        free_what_waits();
    }

    void begins() { ++running_; }
    void has_ended() {
        if (--running_ == 0) { free_what_waits(); }
    }

    /// Calls `release` once no nonblocking call can use any more what it frees; false if none runs.
    [[nodiscard]] bool free_later(std::function<void()> release) {
        auto const lock = std::lock_guard{waiting_guard_};
        if (running_ == 0) { return false; }
        waiting_.push_back(std::move(release));
        return true;
    }

private:
    workers() = default;

    static int end_of_communicator(MPI_Comm, int, void* value, void*) {
        auto& self = get();
        std::unique_ptr<worker> ended;
        auto const lock = std::lock_guard{self.guard_};
        for (auto& each : self.all_) {
            if (each.get() == value) { ended = std::move(each); }
        }
        std::erase(self.all_, nullptr);
        return MPI_SUCCESS;
    }

    void free_what_waits() {
        std::vector<std::function<void()>> ended;
        {
            auto const lock = std::lock_guard{waiting_guard_};
            if (running_ == 0) { ended.swap(waiting_); }
        }
        for (auto const& release : ended) { release(); }
    }

    bool works_ = false;
    int key_ = MPI_KEYVAL_INVALID;
    std::mutex guard_;
    std::vector<std::unique_ptr<worker>> all_;
    std::atomic<std::size_t> running_{0};
    std::mutex waiting_guard_;
    std::vector<std::function<void()>> waiting_;
};

/// What the request of a nonblocking call refers to.
struct pending_call {
    std::atomic<int> code{MPI_SUCCESS};

    static int query(void* state, MPI_Status* status) {
        PMPI_Status_set_elements(status, MPI_BYTE, 0);
        PMPI_Status_set_cancelled(status, 0);
        status->MPI_SOURCE = MPI_UNDEFINED;
        status->MPI_TAG = MPI_UNDEFINED;
        return static_cast<pending_call*>(state)->code;
    }
    static int free(void* state) {
        delete static_cast<pending_call*>(state);
        return MPI_SUCCESS;
    }
    static int cancel(void*, int) { return MPI_ERR_REQUEST; }  // a program must not, of a collective
};

/// Has a worker perform `action`, which returns an error code, and makes the user's request.
template <class Action>
[[nodiscard]] int begin_on(worker& by, MPI_Request* request, Action action) {
    auto state = std::make_unique<pending_call>();
    int const code =
        PMPI_Grequest_start(pending_call::query, pending_call::free, pending_call::cancel, state.get(), request);
    if (code != MPI_SUCCESS) { return code; }
    auto* const call = state.release();
    workers::get().begins();
    by.add([call, same = *request, does = std::move(action)]() mutable {
        call->code = does();
        workers::get().has_ended();
        PMPI_Grequest_complete(same);
    });
    return MPI_SUCCESS;
}

}  // namespace tutti::accelerator
