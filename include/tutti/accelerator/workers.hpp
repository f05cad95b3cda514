// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include <tutti/accelerator/environment.hpp>
#include <tutti/accelerator/worker.hpp>
#include <tutti/communicator/mpi/agreement.hpp>
#include <tutti/communicator/mpi/declarations.hpp>

/// Nonblocking and persistent calls. A thread of each communicator performs them, so that they progress whatever the
/// program waits in, a receive, MPI_Comm_split or a function of Fortran's: without a thread, each such function would
/// have to be intercepted and turned into a loop.
///
/// Nonblocking calls are performed as blocking ones, in the order in which they were begun, which is the same on all
/// ranks; the user's request is a generalized one, which all functions of MPI know. Persistent calls may be started in
/// another order on each rank: they are plans, all of which the thread polls, and from the first one on so are all
/// other calls of the communicator, blocking ones too. The request of a persistent call is a persistent receive of
/// nothing from the rank itself, which sends that when the call has ended: a generalized request cannot be started
/// again.
///
/// They are taken if MPI gives MPI_THREAD_MULTIPLE on all ranks of MPI_COMM_WORLD, and on communicators that already
/// have their duplicate: to make one is a collective call of its own, which must not happen while the program goes on.
namespace tutti::accelerator {

/// What a program may free while a call still needs it.
struct needed_handles {
    MPI_Op op = MPI_OP_NULL;
    std::array<MPI_Datatype, 2> types{MPI_DATATYPE_NULL, MPI_DATATYPE_NULL};

    [[nodiscard]] bool shares(needed_handles const& other) const {
        auto const has = [&](MPI_Datatype type) {
            return type != MPI_DATATYPE_NULL && (type == types[0] || type == types[1]);
        };
        return (op != MPI_OP_NULL && op == other.op) || has(other.types[0]) || has(other.types[1]);
    }
};

/// A persistent call, of which a derived class knows the rest.
class persistent_operation {
public:
    persistent_operation(MPI_Comm comm, worker& by, needed_handles needs) : comm_{comm}, by_{by}, needs_{needs} {}
    persistent_operation(persistent_operation const&) = delete;
    persistent_operation& operator=(persistent_operation const&) = delete;
    virtual ~persistent_operation() = default;

    [[nodiscard]] MPI_Comm comm() const { return comm_; }
    [[nodiscard]] worker& by() const { return by_; }
    [[nodiscard]] needed_handles const& needs() const { return needs_; }
    /// Begins a run; its end, and the error code, are told by `ended`.
    void start(std::function<void(int)> ended) {
        is_active_ = true;
        by_.add([this, ended = std::move(ended)] {
            auto const code = go_on();
            if (!code) { return false; }
            is_active_ = false;
            ended(*code);
            return true;
        });
    }
    [[nodiscard]] bool is_active() const { return is_active_; }

protected:
    /// Goes on with a run; the error code if it has ended.
    [[nodiscard]] virtual std::optional<int> go_on() = 0;

private:
    MPI_Comm comm_;
    worker& by_;
    needed_handles needs_;
    std::atomic<bool> is_active_{false};
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

    /// After MPI_Init, on all ranks. Result: what to tell the program, which may insist on the level it has asked for.
    [[nodiscard]] int begin(int asked, int provided) {
        if (level(asked) != asked) { level_told_ = asked; }
        if (level(MPI_THREAD_SINGLE) == MPI_THREAD_MULTIPLE && is_on()) { prepare(provided == MPI_THREAD_MULTIPLE); }
        return std::min(provided, level_told());
    }
    [[nodiscard]] int level_told() const { return level_told_; }

    /// Gives a communicator its worker, if all ranks get a thread for theirs: in its first blocking call.
    void admit(MPI_Comm comm) {
        if (!works_ || found(comm) != nullptr) { return; }
        auto made = std::make_unique<worker>();
        bool const is_ready = PMPI_Comm_set_attr(comm, key_, made.get()) == MPI_SUCCESS && made->start();
        if (!mpi::on_all(comm, is_ready)) { made->refuse(); }
        auto const lock = std::lock_guard{guard_};
        all_.push_back(std::move(made));
    }

    /// The worker of a communicator, or null if it has none.
    [[nodiscard]] worker* of(MPI_Comm comm) const {
        auto* const its = found(comm);
        return its != nullptr && !its->is_refused() ? its : nullptr;
    }

    /// Waits for the calls of a communicator.
    void drain(MPI_Comm comm) const {
        if (auto* const found = of(comm)) { found->drain(); }
    }

    /// Makes the request of a persistent call.
    [[nodiscard]] int add(std::unique_ptr<persistent_operation> one, MPI_Request* request) {
        auto const lock = std::lock_guard{guard_};
        if (persistent_.size() == least_bound_of_tags) { return MPI_ERR_NO_MEM; }
        auto const is_taken = [&] {
            return std::any_of(persistent_.begin(), persistent_.end(),
                               [&](auto const& each) { return each.second.tag == next_tag_; });
        };
        do { next_tag_ = (next_tag_ + 1) % least_bound_of_tags; } while (is_taken());
        int const code = PMPI_Recv_init(nullptr, 0, MPI_BYTE, rank_, next_tag_, ends_, request);
        if (code == MPI_SUCCESS) { persistent_[*request] = {std::move(one), next_tag_}; }
        return code;
    }

    /// Whether the request is that of a persistent call.
    [[nodiscard]] bool has(MPI_Request const* request) {
        if (!works_ || request == nullptr) { return false; }
        auto const lock = std::lock_guard{guard_};
        return persistent_.count(*request) != 0;
    }

    /// Starts such a call.
    [[nodiscard]] int start(MPI_Request* request) {
        auto const lock = std::lock_guard{guard_};
        auto const& found = persistent_.at(*request);
        if (found.call == nullptr) {  // its communicator has been freed
            PMPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_REQUEST);
            return MPI_ERR_REQUEST;
        }
        int const code = PMPI_Start(request);
        if (code != MPI_SUCCESS) { return code; }
        found.call->start([this, tag = found.tag](int result) {
            char const failed = 1;  // a byte more than is received: the request's error
            PMPI_Send(&failed, result == MPI_SUCCESS ? 0 : 1, MPI_BYTE, rank_, tag, ends_);
        });
        return code;
    }

    /// Ends a persistent call, after the run that is under way.
    void forget(MPI_Request const& request) {
        persistent one;
        {
            auto const lock = std::lock_guard{guard_};
            auto const found = persistent_.find(request);
            if (found == persistent_.end()) { return; }
            one = std::move(found->second);
            persistent_.erase(found);
        }
        end(one);
    }

    /// Before a communicator is freed: waits for its calls, ends its persistent ones.
    void end(MPI_Comm comm) {
        if (!works_) { return; }
        drain(comm);
        end_all([&](persistent_operation const& each) { return each.comm() == comm; });
    }

    /// Before MPI_Finalize.
    void end() {
        end_all([](persistent_operation const&) { return true; });
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

    /// Calls `release` once no call can use any more what it frees; false if none does now.
    [[nodiscard]] bool free_later(needed_handles const& what, std::function<void()> release) {
        if (!works_) { return false; }
        auto const lock = std::lock_guard{guard_};
        if (running_ == 0 && !is_needed(what)) { return false; }
        waiting_.push_back({what, std::move(release)});
        return true;
    }

private:
    workers() = default;

    [[nodiscard]] worker* found(MPI_Comm comm) const {
        void* its = nullptr;
        int flag = 0;
        if (!works_ || PMPI_Comm_get_attr(comm, key_, &its, &flag) != MPI_SUCCESS || flag == 0) { return nullptr; }
        return static_cast<worker*>(its);
    }

    void prepare(bool is_multiple) {
        int const mine = is_multiple ? 1 : 0;
        int all = 0;
        if (PMPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD) != MPI_SUCCESS || all == 0) { return; }
        works_ = PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, end_of_communicator, &key_, nullptr) == MPI_SUCCESS &&
                 PMPI_Comm_dup(MPI_COMM_WORLD, &ends_) == MPI_SUCCESS &&
                 PMPI_Comm_set_errhandler(ends_, MPI_ERRORS_RETURN) == MPI_SUCCESS &&
                 PMPI_Comm_rank(ends_, &rank_) == MPI_SUCCESS;
    }

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

    struct persistent {
        std::unique_ptr<persistent_operation> call;  // null if its communicator has been freed
        int tag = 0;
    };
    struct waiting {
        needed_handles what;
        std::function<void()> release;
    };

    [[nodiscard]] bool is_needed(needed_handles const& what) const {
        return std::any_of(persistent_.begin(), persistent_.end(), [&](auto const& each) {
            return each.second.call != nullptr && each.second.call->needs().shares(what);
        });
    }

    void free_what_waits() {
        std::vector<waiting> ended;
        {
            auto const lock = std::lock_guard{guard_};
            if (running_ != 0) { return; }
            auto const kept = std::stable_partition(waiting_.begin(), waiting_.end(),
                                                    [&](waiting const& each) { return is_needed(each.what); });
            ended.assign(std::make_move_iterator(kept), std::make_move_iterator(waiting_.end()));
            waiting_.erase(kept, waiting_.end());
        }
        for (auto const& each : ended) { each.release(); }
    }

    // By the worker, since no other thread may use plans of its communicator.
    void end(persistent& one) {
        if (one.call == nullptr) { return; }
        one.call->by().perform_all([&] {
            if (one.call->is_active()) { return false; }
            one.call.reset();
            return true;
        });
        free_what_waits();
    }

    template <class Which>
    void end_all(Which which) {
        std::vector<persistent> ended;
        {
            auto const lock = std::lock_guard{guard_};
            for (auto& [request, each] : persistent_) {
                if (each.call != nullptr && which(*each.call)) { ended.push_back({std::move(each.call), each.tag}); }
            }
        }
        for (auto& each : ended) { end(each); }
    }

    static constexpr int least_bound_of_tags = 32767;

    int level_told_ = MPI_THREAD_MULTIPLE;  // unless another one than the program's was asked for
    bool works_ = false;
    int key_ = MPI_KEYVAL_INVALID;
    /// For what ends requests of persistent calls, from a rank to itself. All ranks have it: of a communicator of one
    /// rank alone MPICH 4.0 loses such messages (four of some 15,000) if one thread sends and another one waits.
    MPI_Comm ends_ = MPI_COMM_NULL;
    int rank_ = 0;
    std::mutex guard_;
    std::vector<std::unique_ptr<worker>> all_;
    std::map<MPI_Request, persistent> persistent_;
    int next_tag_ = 0;
    std::atomic<std::size_t> running_{0};
    std::vector<waiting> waiting_;
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
