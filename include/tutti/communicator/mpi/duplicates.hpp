// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

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
#include <tutti/communicator/store.hpp>
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
        mpi::ensure("MPI_Comm_set_attr", MPI_Comm_set_attr(owner, key(), object.get()));
        return *object.release();
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

/// What is kept with a communicator of the user's until that ends: tutti's duplicate of it, once a collective has used
/// it, and the things of programs that observe or perform its calls.
struct attached {
    attached(MPI_Comm user, dynamic_array<attached*>& all) : original{user}, registered{&all} {
        auto const lock = std::lock_guard{guard};
        all.push_back(this);
    }
    attached(attached const&) = delete;
    attached& operator=(attached const&) = delete;
    ~attached() {
        ended.fetch_add(1, std::memory_order_release);
        auto const lock = std::lock_guard{guard};
        if (registered != nullptr) { registered->erase_if([this](attached const* each) { return each == this; }); }
    }

    MPI_Comm original;
    std::unique_ptr<communicator> duplicate;
    control::store things;                 // destroyed before the duplicate
    dynamic_array<attached*>* registered;  // in this list

    // threads may use different communicators at once; never held while MPI communicates
    inline static std::mutex guard;
    inline static std::atomic<unsigned> ended{0};
};

/// tutti's duplicates of the communicators that this process has handed to a collective.
///
/// A duplicate ends with the user's communicator, of which `attached` is an attribute, except for MPI_COMM_WORLD. The
/// list of all of them is an attribute of MPI_COMM_SELF, whose attributes MPI_Finalize destroys before anything else:
/// it ends the duplicates of communicators that the user never frees, while MPI still works, and waits for the ranks
/// of all others.
class duplicates {
public:
    /// The duplicate of `original`, made at the first call: then all ranks of `original` have to call.
    [[nodiscard]] static communicator& find_or_make(MPI_Comm original) {
        // the ranks that SMPI simulates are no threads, but have one memory
        if constexpr (is_smpi) { return look_or_make(original); }
        auto& last = last_found_;
        if (last.with_duplicate != original || last.ended != ended()) {
            auto& made = look_or_make(original);
            static_cast<void>(attached_to(original));
            last.with_duplicate = original;
            last.duplicate = &made;
        }
        return *last.duplicate;
    }

    /// What is kept with `original`, of which nothing is asked but an attribute.
    [[nodiscard]] static attached& attached_to(MPI_Comm original) {
        if constexpr (is_smpi) { return look(original); }
        auto& last = last_found_;
        if (last.original != original || last.ended != ended()) {
            auto const before = ended();
            last = {original, &look(original), before, MPI_COMM_NULL, nullptr};
        }
        return *last.kept;
    }

    /// How many of these have ended: as long as that stays, those that were found are there.
    [[nodiscard]] static unsigned ended() noexcept { return attached::ended.load(std::memory_order_acquire); }

    /// Makes what this process needs once, without the others: what can fail on one rank alone.
    static void prepare() {
        static_cast<void>(attribute<attached>::find(MPI_COMM_SELF));
        static_cast<void>(of_process());
    }

    [[gnu::cold]] ~duplicates() {
        if (!is_finalised()) {
            for (auto* const each : all_) {
                if (each->duplicate) { each->duplicate->close(); }
            }
            deferred_frees::await_all();
        }
        world_.reset();
        while (!all_.empty()) {
            auto* const last = all_.back();
            auto const original = last->original;
            all_.pop_back();
            last->registered = nullptr;
            // an attribute of MPI_COMM_SELF itself is destroyed by the function that destroys this one; and SMPI
            // destroys this one too late, when MPI takes no more calls
            if (original != MPI_COMM_SELF && !is_finalised()) { attribute<attached>::remove(original); }
        }
    }

private:
    [[nodiscard, gnu::noinline]] static attached& look(MPI_Comm original) {
        if (original != MPI_COMM_WORLD) {
            if (auto* const found = attribute<attached>::find(original)) { return *found; }
            return attribute<attached>::attach(original, std::make_unique<attached>(original, of_process().all_));
        }
        // kept here, not as its attribute: where ranks are simulated in one process they share MPI_COMM_WORLD
        auto& all = of_process();
        if (!all.world_) { all.world_ = std::make_unique<attached>(original, all.all_); }
        return *all.world_;
    }

    [[nodiscard, gnu::noinline, gnu::cold]] static communicator& look_or_make(MPI_Comm original) {
        require_running();
        attached* kept = nullptr;
        std::unique_ptr<communicator> fresh;
        try {
            kept = &look(original);
            if (kept->duplicate) { return *kept->duplicate; }
            fresh = std::make_unique<communicator>();
        } catch (...) {
            // the others make theirs meanwhile, and must not do that without this rank
            static_cast<void>(private_communicator(original, std::current_exception()));
            throw;
        }
        fresh->open(original);
        fresh->begin();
        kept->duplicate = std::move(fresh);
        return *kept->duplicate;
    }

    [[gnu::cold]] static duplicates& of_process() {
        if (auto* const found = attribute<duplicates>::find(MPI_COMM_SELF)) { return *found; }
        auto const lock = std::lock_guard{attached::guard};
        auto* const found = attribute<duplicates>::find(MPI_COMM_SELF);
        return found != nullptr ? *found : attribute<duplicates>::attach(MPI_COMM_SELF, std::make_unique<duplicates>());
    }

    // What this thread used last: most calls are on the communicator of the call before, and to ask MPI takes 30 ns. It
    // is what MPI would answer, so that no rank does anything else for it.
    struct found {
        MPI_Comm original;
        attached* kept;
        unsigned ended;           // of all that had ended then: MPI may give a handle again
        MPI_Comm with_duplicate;  // the same, once it has one
        communicator* duplicate;
    };
    inline static thread_local found last_found_{MPI_COMM_NULL, nullptr, 0, MPI_COMM_NULL, nullptr};
    std::unique_ptr<attached> world_;
    dynamic_array<attached*> all_;
};

}  // namespace tutti::mpi

inline tutti::mpi::communicator& tutti::communicator_of<MPI_Comm>::get(MPI_Comm world) {
    if (world == MPI_COMM_NULL) { throw std::invalid_argument{tutti::mpi::null_communicator}; }
    return mpi::duplicates::find_or_make(world);
}
