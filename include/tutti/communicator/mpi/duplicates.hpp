// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <utility>

#include <dlfcn.h>

#include <tutti/communicator/mpi/communicator.hpp>
#include <tutti/communicator/mpi/declarations.hpp>
#include <tutti/communicator/mpi/error.hpp>
#include <tutti/communicator/mpi/private_communicator.hpp>
#include <tutti/communicator/mpi/running.hpp>
#include <tutti/communicator/mpi/world.hpp>
#include <tutti/dynamic_array.hpp>

namespace tutti::mpi {

/// Keeps the library that has this code loaded until the process ends, also where it is a plugin that its host unloads:
/// for code whose address MPI or a thread is given, which call it later.
[[gnu::cold]] inline void keep_loaded(void const* code) {
    Dl_info library{};
    if (dladdr(code, &library) != 0) { dlopen(library.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE); }
}

/// An object of type T that lives on a communicator of MPI and ends with it. Duplicates of the communicator do
/// not inherit it.
template <class T>
class attribute {
public:
    [[nodiscard]] static T* find(MPI_Comm owner) {
        void* value = nullptr;
        int found = 0;
        ensure("MPI_Comm_get_attr", MPI_Comm_get_attr(owner, key(), static_cast<void*>(&value), &found));
        return found != 0 ? static_cast<T*>(value) : nullptr;
    }

    static T& attach(MPI_Comm owner, std::unique_ptr<T> object) {
        auto* const kept = object.get();
        mpi::ensure("MPI_Comm_set_attr", try_attach(owner, object));
        return *kept;
    }

    /// What MPI returns; if it takes the object, that is no longer the caller's.
    [[nodiscard]] static int try_attach(MPI_Comm owner, std::unique_ptr<T>& object) {
        auto const status = MPI_Comm_set_attr(owner, key(), object.get());
        if (status == MPI_SUCCESS) { static_cast<void>(object.release()); }
        return status;
    }

    static void remove(MPI_Comm owner) { ensure("MPI_Comm_delete_attr", MPI_Comm_delete_attr(owner, key())); }

private:
    static int key() {
        static int const created = [] {
            int result = MPI_KEYVAL_INVALID;
            keep_loaded(reinterpret_cast<void const*>(&destroy));
            ensure("MPI_Comm_create_keyval", MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, &destroy, &result, nullptr));
            return result;
        }();
        return created;
    }

    static int destroy(MPI_Comm, int, void* value, void*) {
        delete static_cast<T*>(value);
        return MPI_SUCCESS;
    }
};

/// tutti's duplicates of the communicators that this process has handed to a collective.
///
/// A duplicate is an attribute of the user's communicator and ends with it, except for MPI_COMM_WORLD. The list of
/// all of them is an attribute of MPI_COMM_SELF, whose attributes MPI_Finalize destroys before anything else: it ends
/// the duplicates of communicators that the user never frees, while MPI still works, and waits for the ranks of all
/// others.
class duplicates {
public:
    /// The duplicate of `original`, made at the first call: then all ranks of `original` have to call.
    [[nodiscard]] static communicator& find_or_make(MPI_Comm original) {
        // the ranks that SMPI simulates are no threads, but have one memory
        if constexpr (is_smpi) { return look_or_make(original); }
        auto& last = last_found_;
        if (last.original != original || last.ended != ended()) {
            auto const before = ended();
            last = {original, &look_or_make(original), before};
        }
        return *last.duplicate;
    }

    /// How many duplicates have ended: as long as that stays, those that were found are there.
    [[nodiscard]] static unsigned ended() noexcept { return ended_.load(std::memory_order_acquire); }

    /// How many have been made.
    [[nodiscard]] static unsigned made() noexcept { return made_.load(std::memory_order_acquire); }

    /// Makes what this process needs once, without the others: what can fail on one rank alone.
    static void prepare() {
        static_cast<void>(attribute<holder>::find(MPI_COMM_SELF));
        static_cast<void>(of_process());
    }

    duplicates() { in_use_.fetch_add(1, std::memory_order_release); }

    ~duplicates() {
        ended_.fetch_add(1, std::memory_order_release);
        in_use_.fetch_sub(1, std::memory_order_release);
        if (!is_finalised()) {
            if (world_) { world_->leave(); }
            for (auto* const each : holders_) { each->duplicate.leave(); }
            farewells::await_all();
        }
        world_.reset();
        while (!holders_.empty()) {
            auto* const last = holders_.back();
            auto const original = last->original;
            holders_.pop_back();
            last->registered = nullptr;
            // an attribute of MPI_COMM_SELF itself is destroyed by the function that destroys this one; and SMPI
            // destroys this one too late, when MPI takes no more calls
            if (original != MPI_COMM_SELF && !is_finalised()) { attribute<holder>::remove(original); }
        }
    }

private:
    [[nodiscard, gnu::noinline]] static communicator& look_or_make(MPI_Comm original) {
        if (in_use_.load(std::memory_order_acquire) == 0) { require_running(); }
        std::unique_ptr<communicator> of_world;
        std::unique_ptr<holder> of_other;
        duplicates* all = nullptr;
        try {
            if (original != MPI_COMM_WORLD) {
                if (auto* const found = attribute<holder>::find(original)) { return found->duplicate; }
                of_other = std::make_unique<holder>(original, of_process());
            } else {
                // kept there, not as its attribute: where ranks are simulated in one process they share MPI_COMM_WORLD
                all = &of_process();
                if (all->world_) { return *all->world_; }
                of_world = std::make_unique<communicator>();
            }
        } catch (...) {
            // the others make theirs meanwhile, and must not do that without this rank
            static_cast<void>(private_communicator(original, std::current_exception()));
            throw;
        }
        if (of_other) { return make(std::move(of_other)); }
        of_world->open(original);
        of_world->begin();
        made_.fetch_add(1, std::memory_order_release);
        all->world_ = std::move(of_world);
        return *all->world_;
    }

    struct holder {
        holder(MPI_Comm user, duplicates& all) : original{user}, registered{&all} {
            auto const lock = std::lock_guard{guard_};
            all.holders_.push_back(this);
        }
        holder(holder const&) = delete;
        holder& operator=(holder const&) = delete;
        ~holder() {
            ended_.fetch_add(1, std::memory_order_release);
            auto const lock = std::lock_guard{guard_};
            if (registered != nullptr) {
                registered->holders_.erase_if([this](holder const* each) { return each == this; });
            }
        }

        MPI_Comm original;
        communicator duplicate;
        duplicates* registered;
    };

    static duplicates& of_process() {
        if (auto* const found = attribute<duplicates>::find(MPI_COMM_SELF)) { return *found; }
        auto const lock = std::lock_guard{guard_};
        auto* const found = attribute<duplicates>::find(MPI_COMM_SELF);
        return found != nullptr ? *found : attribute<duplicates>::attach(MPI_COMM_SELF, std::make_unique<duplicates>());
    }

    [[nodiscard]] static communicator& make(std::unique_ptr<holder> made) {
        auto* const kept = made.get();
        auto const original = kept->original;
        kept->duplicate.open(original);
        kept->duplicate.begin();
        made_.fetch_add(1, std::memory_order_release);
        auto const status = attribute<holder>::try_attach(original, made);
        if (on_all(original, status == MPI_SUCCESS)) { return kept->duplicate; }
        if (status == MPI_SUCCESS) { attribute<holder>::remove(original); }
        ensure("MPI_Comm_set_attr", status);
        throw error{"MPI_Comm_set_attr, on another rank,", MPI_ERR_OTHER};
    }

    // What this thread used last: most calls are on the communicator of the call before, and to ask MPI takes 30 ns. It
    // is what MPI would answer, so that no rank does anything else for it.
    struct found {
        MPI_Comm original;
        communicator* duplicate;
        unsigned ended;  // of all that had ended then: MPI may give a handle again
    };
    inline static thread_local found last_found_{MPI_COMM_NULL, nullptr, 0};
    inline static std::atomic<unsigned> ended_{0};
    inline static std::atomic<unsigned> made_{0};

    // threads may use different communicators at once; never held while MPI communicates
    inline static std::mutex guard_;
    inline static std::atomic<int> in_use_{0};  // while there is one, MPI has been initialised and not finalised

    std::unique_ptr<communicator> world_;
    dynamic_array<holder*> holders_;
};

}  // namespace tutti::mpi

inline tutti::mpi::communicator& tutti::communicator_of<MPI_Comm>::get(MPI_Comm world) {
    if (world == MPI_COMM_NULL) { throw std::invalid_argument{"tutti: the communicator is MPI_COMM_NULL"}; }
    return mpi::duplicates::find_or_make(world);
}
