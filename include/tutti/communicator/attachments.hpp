// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <tutti/dynamic_array.hpp>
#include <tutti/error.hpp>

namespace tutti {

/// The record of a collective call that a rank enters. Threads compare those of all ranks and report a mismatch;
/// over MPI they are compared if calls are to be checked, see `execution::check_calls`. The string_views must have
/// static lifetime.
struct call {
    static constexpr std::size_t known_to_root = static_cast<std::size_t>(-1);

    std::string_view collective;
    std::string_view algorithm;
    std::string_view element;          ///< name of the element type
    std::size_t elements = 0;          ///< of the whole vector; or `known_to_root`, since counts are
    std::optional<int> root;
    std::span<std::size_t const> counts = {};  ///< of each rank, where they may differ; see `between`
    std::string_view combine = {};             ///< name of the operator's type
    bool is_plan = false;
    void const* words = nullptr;  ///< calls with the same pointer have the same words
};

class held_algorithm;

/// Why calls on a communicator have more to do than to move their data.
enum class call_watch : unsigned {
    counting = 1,   ///< ranks have still to decide whether to share memory
    comparing = 2,  ///< calls are compared before they begin; all ranks say the same
    empty = 4       ///< this rank had no elements in some calls before, and other ranks may have had some
};

/// A call, or a run of a plan, in which this rank is, for ranks that wait for it in vain.
class waiting_call {
public:
    waiting_call() = default;
    waiting_call(waiting_call const&) = delete;
    waiting_call& operator=(waiting_call const&) = delete;

    [[nodiscard]] virtual bool is_under_way() const = 0;
    [[nodiscard]] virtual int tag() const = 0;
    /// The number of the call, or plan, that has the tag now, see `communicator_defaults::number_of`; in the lower 32
    /// bits that of the run, of a plan.
    [[nodiscard]] virtual std::int64_t run() const = 0;
    [[nodiscard]] virtual call const& entered() const = 0;
    /// All ranks whose messages, or receives, are still awaited, or some of them.
    [[nodiscard]] virtual dynamic_array<int> awaited() const = 0;

protected:
    ~waiting_call() = default;
};

/// Objects that others keep on a communicator for as long as it lives, one per type or key. They are destroyed in
/// reverse order of creation.
class attachments {
public:
    attachments() = default;
    attachments(attachments const&) = delete;
    attachments& operator=(attachments const&) = delete;
    ~attachments() { clear(); }

    void clear() {
        while (!kept_.empty()) {
            // removed from the list before it is destroyed, since its destructor may look for other objects
            auto const last = kept_.back();
            kept_.pop_back();
            last.end(last.object);
        }
    }

    template <class T>
    [[nodiscard]] T& get() {
        return get<T>(&key_of<T>);
    }

    /// The object of a key, where there are several of a type: `wanted` is an address that stands for T and stays valid
    /// as long.
    template <class T>
    [[nodiscard]] T& get(void const* wanted) {
        // Every collective call asks for two of a handful: addresses are compared fastest.
        for (auto const& each : kept_) {
            if (each.key == wanted) { return *static_cast<T*>(each.object); }
        }
        kept_.reserve(kept_.size() + 1);  // before there is an object that could get lost
        auto* const fresh = new T();
        kept_.push_back({wanted, fresh, [](void* object) noexcept { delete static_cast<T*>(object); }});
        return *fresh;
    }

    /// Incremented when a setting changes that invalidates prepared calls.
    [[nodiscard]] std::size_t generation() const { return generation_; }
    void begin_generation() { ++generation_; }

    /// A call has failed in communication because of `why`: from now on `require_sound` throws, and what was prepared
    /// before is prepared anew, so that calls on a sound communicator need not ask.
    void fail(std::string_view why) {
        if (failed_) { return; }
        failed_ = true;
        failure_ = why;
        begin_generation();
    }
    void end_failure() {
        failed_ = false;
        begin_generation();
    }
    [[nodiscard]] bool failed() const { return failed_; }
    void require_sound() const {
        if (failed_) { throw communicator_failed{failure_}; }
    }

    [[nodiscard]] bool watches_calls() const { return watched_ != 0; }
    [[nodiscard]] bool watches(call_watch why) const { return (watched_ & static_cast<unsigned>(why)) != 0; }
    void watch(call_watch why, bool wanted) {
        watched_ = (watched_ & ~static_cast<unsigned>(why)) | (wanted ? static_cast<unsigned>(why) : 0U);
    }

    /// The function that makes the algorithm of a call that names none, from the name of its collective; null: tutti
    /// chooses.
    using held_by_name = held_algorithm* (*)(std::string_view collective);
    [[nodiscard]] held_by_name held_by_default() const { return held_by_default_; }
    void held_by_default(held_by_name hold) {
        if (hold != held_by_default_) { begin_generation(); }
        held_by_default_ = hold;
    }

    /// Adds a call for as long as it may be under way. Calls that are left when the communicator ends are forgotten.
    void add(waiting_call const& one) { calls_.push_back(&one); }
    void remove(waiting_call const& one) {
        calls_.erase_if([&](waiting_call const* each) { return each == &one; });
    }

    /// The call that is under way with this tag; null if there is none.
    [[nodiscard]] waiting_call const* under_way(int tag) const {
        for (auto const* const each : calls_) {
            if (each->is_under_way() && each->tag() == tag) { return each; }
        }
        return nullptr;
    }

    [[nodiscard]] bool any_under_way() const {
        for (auto const* const each : calls_) {
            if (each->is_under_way()) { return true; }
        }
        return false;
    }

    /// The innermost call in which this rank waits; null if there is none.
    [[nodiscard]] waiting_call const* waiting() const { return waiting_; }

    /// Lives while this rank waits in a call.
    class waiting_scope {
    public:
        waiting_scope(attachments& here, waiting_call const& where)
            : here_{here}, outer_{std::exchange(here.waiting_, &where)} {}
        waiting_scope(waiting_scope const&) = delete;
        waiting_scope& operator=(waiting_scope const&) = delete;
        ~waiting_scope() { here_.waiting_ = outer_; }

    private:
        attachments& here_;
        waiting_call const* outer_;
    };

    /// Seconds after which a rank that waits in vain gives up; 0: never.
    [[nodiscard]] double time_limit() const { return timeout_; }
    void time_limit(double seconds) { timeout_ = seconds; }

private:
    template <class T>
    static inline char key_of = 0;

    struct attachment {
        void const* key;
        void* object;
        void (*end)(void*) noexcept;
    };

    std::size_t generation_ = 0;
    bool failed_ = false;
    unsigned watched_ = 0;
    held_by_name held_by_default_ = nullptr;
    std::string failure_;  // the first one
    dynamic_array<waiting_call const*> calls_;
    waiting_call const* waiting_ = nullptr;
    double timeout_ = 0;
    dynamic_array<attachment> kept_;
};

class close_handlers;

/// An object with requests under way on a communicator, which is told before the communicator is freed.
class close_handler {
public:
    close_handler(close_handler const&) = delete;
    close_handler& operator=(close_handler const&) = delete;

protected:
    explicit close_handler(close_handlers& here);
    virtual ~close_handler();

private:
    friend class close_handlers;

    /// The last moment at which the communicator can be used.
    virtual void on_close() noexcept = 0;

    /// The communicator recovers: requests under way are lost.
    virtual void on_recover() noexcept {}

    close_handlers* here_;
};

/// The close handlers of one communicator, as an attachment of it. When it ends it calls them, the newest first; those
/// that are destroyed later have nothing to leave.
class close_handlers {
public:
    close_handlers() = default;
    close_handlers(close_handlers const&) = delete;
    close_handlers& operator=(close_handlers const&) = delete;
    ~close_handlers() {
        while (!all_.empty()) {
            auto* const last = all_.back();
            all_.pop_back();
            last->here_ = nullptr;
            last->on_close();
        }
    }

    /// The communicator is about to be used anew, after a failure.
    void on_recover() noexcept {
        for (auto* const each : all_) { each->on_recover(); }
    }

private:
    friend class close_handler;

    dynamic_array<close_handler*> all_;
};

inline close_handler::close_handler(close_handlers& here) : here_{&here} { here.all_.push_back(this); }

inline close_handler::~close_handler() {
    if (here_ != nullptr) { here_->all_.erase_if([this](close_handler const* each) { return each == this; }); }
}

}  // namespace tutti
