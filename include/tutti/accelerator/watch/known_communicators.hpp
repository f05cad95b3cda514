// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include <tutti/communicator/mpi/declarations.hpp>
#include <tutti/accelerator/watch/call_site.hpp>
#include <tutti/accelerator/world_ranks.hpp>
#include <tutti/accelerator/watch/arrival_history.hpp>
#include <tutti/accelerator/watch/recent_call.hpp>
#include <tutti/text.hpp>

namespace tutti::accelerator::watch {

/// What is known of a communicator while it lives. Its `id` is the same on all ranks, which find it out without
/// messages: the ranks of MPI_COMM_WORLD that are in it, and the how-manieth of these it is.
struct known_communicator {
    MPI_Comm comm = MPI_COMM_NULL;
    std::uint64_t id = 0;
    std::string name;          ///< "MPI_COMM_WORLD", "communicator 2 of ranks 0-3"
    std::vector<int> members;  ///< ranks of MPI_COMM_WORLD, in its order
    int rank = 0;
    bool is_inter = false;
    void const* made_at = nullptr;

    /// Collectives that have begun on it: written by the thread that calls, read by others.
    std::atomic<std::uint64_t> calls{0};
    arrival_history stamps;

    [[nodiscard]] call_site& site(void const* returns_to, char const* name_of_function) {
        if (last_ == nullptr || last_->returns_to != returns_to || last_->name != name_of_function) {
            last_ = &find(returns_to, name_of_function);
        }
        return *last_;
    }
    std::vector<std::unique_ptr<call_site>> sites;

private:
    [[nodiscard]] call_site& find(void const* returns_to, char const* function) {
        auto& found = by_place_[{returns_to, function}];
        if (found == nullptr) {
            sites.push_back(std::make_unique<call_site>());
            found = sites.back().get();
            found->number = static_cast<std::uint32_t>(sites.size() - 1);
            found->returns_to = returns_to;
            found->name = function;
        }
        return *found;
    }

    std::map<std::pair<void const*, char const*>, call_site*> by_place_;
    call_site* last_ = nullptr;
};

/// Ranks as "0-3, 5".
[[nodiscard]] inline std::string text_of_ranks(std::vector<int> ranks) {
    std::sort(ranks.begin(), ranks.end());
    std::string text;
    for (std::size_t i = 0; i != ranks.size();) {
        auto j = i;
        while (j + 1 != ranks.size() && ranks[j + 1] == ranks[j] + 1) { ++j; }
        text += (text.empty() ? "" : ", ") + std::to_string(ranks[i]);
        if (j != i) { text += (j == i + 1 ? ", " : "-") + std::to_string(ranks[j]); }
        i = j + 1;
    }
    return text;
}

/// The communicators of this process, known by an attribute of theirs. A lock is taken where one is made or freed, and
/// by a thread that wants to know of those of others.
class known_communicators {
public:
    [[nodiscard]] static known_communicators& get() { return all_of_process_; }

    /// Null for those of which some ranks are of another MPI_COMM_WORLD.
    [[nodiscard]] known_communicator* find(MPI_Comm comm) {
        auto& last = this_thread;
        auto const freed = freed_.load(std::memory_order_relaxed);
        if (last.comm != comm || last.freed != freed || last.known == nullptr) {
            last.known = comm == MPI_COMM_NULL ? nullptr : look_up(comm, nullptr);
            last.comm = comm;
            last.freed = freed;
        }
        return last.known;
    }

    /// Those of this process that have been freed.
    [[nodiscard]] unsigned freed() const noexcept { return freed_.load(std::memory_order_relaxed); }

    /// One that has been made, in a call that returns to `made_at`.
    void made(MPI_Comm comm, void const* made_at) {
        if (comm != MPI_COMM_NULL) { static_cast<void>(look_up(comm, made_at)); }
    }

    /// Calls `use` with each one, while none is made or freed.
    template <class Use>
    void for_each(Use use) {
        auto const lock = std::lock_guard{guard_};
        for (auto const& each : all_) { use(*each); }
    }

    /// The same for all there have been, in the order of their ids; at the end.
    template <class Use>
    void for_all_ever(Use use) {
        auto const lock = std::lock_guard{guard_};
        std::vector<known_communicator*> ever;
        for (auto const& each : all_) { ever.push_back(each.get()); }
        for (auto const& each : freed_ones_) { ever.push_back(each.get()); }
        std::sort(ever.begin(), ever.end(), [](auto const* a, auto const* b) { return a->id < b->id; });
        for (auto* const each : ever) { use(*each); }
    }

private:
    static constexpr std::size_t most_freed = 1000;  // whose stamps are kept
    static constexpr std::size_t most_stamps_of_freed = 4096;

    known_communicators() = default;

    [[nodiscard]] known_communicator* look_up(MPI_Comm comm, void const* made_at) {
        static int const key = [] {
            int result = MPI_KEYVAL_INVALID;
            PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, &forget, &result, nullptr);
            return result;
        }();
        void* known = nullptr;
        int is_known = 0;
        if (PMPI_Comm_get_attr(comm, key, static_cast<void*>(&known), &is_known) != MPI_SUCCESS) { return nullptr; }
        if (is_known == 0) {
            known = describe(comm, made_at);
            PMPI_Comm_set_attr(comm, key, known);
        }
        return static_cast<known_communicator*>(known);
    }

    static int forget(MPI_Comm, int, void* known, void*) {
        auto& all = get();
        auto const lock = std::lock_guard{all.guard_};
        all.freed_.fetch_add(1, std::memory_order_relaxed);
        auto const found =
            std::find_if(all.all_.begin(), all.all_.end(), [&](auto const& each) { return each.get() == known; });
        if (found != all.all_.end()) {
            (*found)->stamps.keep(all.freed_ones_.size() < most_freed ? most_stamps_of_freed : 0);
            all.freed_ones_.push_back(std::move(*found));
            all.all_.erase(found);
        }
        return MPI_SUCCESS;
    }

    [[nodiscard]] known_communicator* describe(MPI_Comm comm, void const* made_at) {
        auto one = std::make_unique<known_communicator>();
        one->comm = comm;
        one->made_at = made_at;
        if (!add_members(comm, &PMPI_Comm_group, *one)) { return nullptr; }
        int inter = 0;
        PMPI_Comm_test_inter(comm, &inter);
        one->is_inter = inter != 0;
        if (one->is_inter) {
            if (!add_members(comm, &PMPI_Comm_remote_group, *one)) { return nullptr; }
            std::sort(one->members.begin(), one->members.end());
        }
        PMPI_Comm_rank(comm, &one->rank);
        std::string_view const bytes{reinterpret_cast<char const*>(one->members.data()),
                                     one->members.size() * sizeof(int)};
        auto const lock = std::lock_guard{guard_};
        auto const ordinal = ++made_of_[text::hash_of_name(bytes)];
        one->id = text::hash_of_name(bytes) * 31 + ordinal;
        if (comm == MPI_COMM_WORLD) {
            one->name = "MPI_COMM_WORLD";
        } else {
            one->name = "communicator " + std::to_string(ordinal) + " of ranks " + text_of_ranks(one->members);
        }
        all_.push_back(std::move(one));
        return all_.back().get();
    }

    [[nodiscard]] static bool add_members(MPI_Comm comm, int (*group_of)(MPI_Comm, MPI_Group*),
                                          known_communicator& to) {
        auto const in_world = world_ranks(comm, group_of);
        to.members.insert(to.members.end(), in_world.begin(), in_world.end());
        return std::find(in_world.begin(), in_world.end(), MPI_UNDEFINED) == in_world.end();
    }

    std::mutex guard_;
    std::vector<std::unique_ptr<known_communicator>> all_;
    std::vector<std::unique_ptr<known_communicator>> freed_ones_;
    std::map<std::uint64_t, std::uint64_t> made_of_;  // by the hash of the members
    std::atomic<unsigned> freed_{0};

    static known_communicators& all_of_process_;
};
inline known_communicators& known_communicators::all_of_process_ =
    *new known_communicators;  // which threads may still read while the process ends

}  // namespace tutti::accelerator::watch
