// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include <tutti/accelerator/environment.hpp>
#include <tutti/communicator/mpi/declarations.hpp>

/// Nonblocking and persistent calls. A thread of each communicator performs them, so that they progress whatever the
/// program waits in, a receive, MPI_Comm_split or a function of Fortran's: without a thread, each such function would have
/// to be intercepted and turned into a loop.
///
/// Nonblocking calls are performed as blocking ones, in the order in which they were begun, which is the same on all
/// ranks; the user's request is a generalized one, which all functions of MPI know. Persistent calls may be started in
/// another order on each rank: they are plans, all of which the thread polls, and from the first one on so are all other
/// calls of the communicator, blocking ones too. The request of a persistent call is a persistent receive of nothing from
/// the rank itself, which sends that when the call has ended: a generalized request cannot be started again.
///
/// They are taken if MPI gives MPI_THREAD_MULTIPLE on all ranks of MPI_COMM_WORLD, and on communicators that already
/// have their duplicate: to make one is a collective call of its own, which must not happen while the program goes on.
namespace tutti::accelerator {

/// The thread of a communicator; begins with the first call.
class worker {
public:
    /// Something that is done bit by bit: whether it has ended.
    using work = std::function<bool()>;

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

    void add(work call) {
        auto const lock = std::lock_guard{guard_};
        if (!thread_.joinable()) {
            thread_ = std::thread{[this] { run(); }};
        }
        calls_.push_back(std::move(call));
        changed_.notify_all();
    }

    /// Has the thread call `step` in its turn until it has ended, and waits for that.
    template <class Step>
    void perform_all(Step step) {
        auto const done = std::make_shared<std::promise<void>>();
        auto const ended = done->get_future();
        add([&step, done] {
            bool const has_ended = step();
            if (has_ended) { done->set_value(); }
            return has_ended;
        });
        ended.wait();
    }
    /// Once.
    template <class Action>
    void perform(Action action) {
        perform_all([&] { return action(), true; });
    }

    /// Waits for all calls.
    void drain() {
        auto lock = std::unique_lock{guard_};
        changed_.wait(lock, [&] { return calls_.empty(); });
    }

    /// From now on all calls of the communicator are plans that the thread polls.
    void poll_all() { polls_all_ = true; }
    [[nodiscard]] bool polls_all() const { return polls_all_; }

private:
    void run() {
        auto lock = std::unique_lock{guard_};
        for (;;) {
            changed_.wait(lock, [&] { return ends_ || !calls_.empty(); });
            if (calls_.empty()) { return; }
            bool any_ended = false;
            for (std::size_t i = 0; i != calls_.size();) {
                auto const& call = calls_[i];  // which stays where it is when others are added
                lock.unlock();
                bool const ended = call();
                lock.lock();
                any_ended = any_ended || ended;
                if (ended) {
                    calls_.erase(calls_.begin() + static_cast<std::ptrdiff_t>(i));
                } else {
                    ++i;
                }
            }
            if (any_ended) {
                changed_.notify_all();
            } else {
                lock.unlock();
                std::this_thread::yield();
                lock.lock();
            }
        }
    }

    std::mutex guard_;
    std::condition_variable changed_;
    std::deque<work> calls_;
    bool ends_ = false;
    std::atomic<bool> polls_all_{false};
    std::thread thread_;
};

/// A persistent call, of which a derived class knows the rest.
class persistent_operation {
public:
    persistent_operation(MPI_Comm comm, worker& by) : comm_{comm}, by_{by} {}
    persistent_operation(persistent_operation const&) = delete;
    persistent_operation& operator=(persistent_operation const&) = delete;
    virtual ~persistent_operation() = default;

    [[nodiscard]] MPI_Comm comm() const { return comm_; }
    [[nodiscard]] worker& by() const { return by_; }
    /// Begins a run; its end is told by `ended`.
    virtual void start(std::function<void()> ended) = 0;

private:
    MPI_Comm comm_;
    worker& by_;
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
        works_ = PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, end_of_communicator, &key_, nullptr) == MPI_SUCCESS &&
                 PMPI_Comm_dup(MPI_COMM_WORLD, &ends_) == MPI_SUCCESS && PMPI_Comm_rank(ends_, &rank_) == MPI_SUCCESS;
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

    /// Makes the request of a persistent call.
    [[nodiscard]] int add(std::unique_ptr<persistent_operation> one, MPI_Request* request) {
        auto const lock = std::lock_guard{guard_};
        int const code = PMPI_Recv_init(nullptr, 0, MPI_BYTE, rank_, next_tag_, ends_, request);
        if (code != MPI_SUCCESS) { return code; }
        persistent_[*request] = {std::move(one), next_tag_};
        begins();  // it may use its operator and type as long as it is there
        next_tag_ = (next_tag_ + 1) % least_bound_of_tags;
        return MPI_SUCCESS;
    }

    /// Starts a persistent call; false if the request is none of ours.
    [[nodiscard]] bool start(MPI_Request* request, int& code) {
        if (!works_) { return false; }
        auto const lock = std::lock_guard{guard_};
        auto const found = persistent_.find(*request);
        if (found == persistent_.end()) { return false; }
        code = PMPI_Start(request);
        if (code != MPI_SUCCESS) { return true; }
        found->second.call->start(
            [this, tag = found->second.tag] { PMPI_Send(nullptr, 0, MPI_BYTE, rank_, tag, ends_); });
        return true;
    }

    /// Ends the persistent calls for which `which(request, call)` is true.
    template <class Which>
    void forget(Which which) {
        if (!works_) { return; }
        std::vector<std::unique_ptr<persistent_operation>> ended;
        {
            auto const lock = std::lock_guard{guard_};
            for (auto each = persistent_.begin(); each != persistent_.end();) {
                if (which(each->first, *each->second.call)) {
                    ended.push_back(std::move(each->second.call));
                    each = persistent_.erase(each);
                } else {
                    ++each;
                }
            }
        }
        for (auto& each : ended) {
            each->by().perform([&] { each.reset(); });
            has_ended();
        }
    }

    /// Before MPI_Finalize.
    void end() {
        forget([](auto const&, auto const&) { return true; });
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

    struct persistent {
        std::unique_ptr<persistent_operation> call;
        int tag = 0;
    };
    static constexpr int least_bound_of_tags = 32767;

    bool works_ = false;
    int key_ = MPI_KEYVAL_INVALID;
    /// For what ends requests of persistent calls, from a rank to itself. All ranks have it: of a communicator of one
    /// rank alone MPICH 4.0 loses such messages, about one in 20,000, if one thread sends and another one waits.
    MPI_Comm ends_ = MPI_COMM_NULL;
    int rank_ = 0;
    std::mutex guard_;
    std::vector<std::unique_ptr<worker>> all_;
    std::map<MPI_Request, persistent> persistent_;
    int next_tag_ = 0;
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

/// Has a worker do `steps`, which says in the end what the error code is, and makes the user's request.
template <class Steps>
[[nodiscard]] int begin_on(worker& by, MPI_Request* request, Steps steps) {
    auto state = std::make_unique<pending_call>();
    int const code =
        PMPI_Grequest_start(pending_call::query, pending_call::free, pending_call::cancel, state.get(), request);
    if (code != MPI_SUCCESS) { return code; }
    auto* const call = state.release();
    workers::get().begins();
    by.add([call, same = *request, does = std::move(steps)]() mutable {
        auto const ended = does();
        if (!ended) { return false; }
        call->code = *ended;
        workers::get().has_ended();
        PMPI_Grequest_complete(same);
        return true;
    });
    return MPI_SUCCESS;
}

}  // namespace tutti::accelerator
