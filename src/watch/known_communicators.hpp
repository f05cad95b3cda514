// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pmpi/ranks.hpp>
#include <tutti/communicator/mpi/declarations.hpp>
#include <tutti/communicator/mpi/duplicates.hpp>
#include <tutti/text.hpp>
#include <watch/arrival_history.hpp>
#include <watch/call_record.hpp>
#include <watch/call_site.hpp>
#include <watch/thread_status.hpp>

namespace tutti::watch {

/// Sites of communicators that have been freed. Their memory is used again and never given back, since other threads
/// read the records in them.
class unused_sites {
public:
    [[nodiscard]] static std::unique_ptr<call_site> acquire() {
        auto const lock = std::lock_guard{guard_};
        auto const found = std::find_if(all_.begin(), all_.end(), is_unused);
        if (found == all_.end()) { return std::make_unique<call_site>(); }
        auto result = std::move(*found);
        all_.erase(found);
        result->begin_again();
        return result;
    }
    static void release(std::unique_ptr<call_site> site) {
        auto const lock = std::lock_guard{guard_};
        all_.push_back(std::move(site));
    }

private:
    /// Whether no thread's last call, and no nonblocking collective, refers to the site.
    [[nodiscard]] static bool is_unused(std::unique_ptr<call_site> const& site) {
        bool is_used = false;
        thread_statuses::for_each([&](thread_status const& each) {
            is_used = is_used || each.is_in(site->record) || each.site.load() == site.get();
        });
        return !is_used;
    }

    inline static std::mutex guard_;
    inline static auto& all_ = *new std::list<std::unique_ptr<call_site>>;
};

/// How a communicator is made, in terms that are the same on all its ranks, so that they name it alike without
/// messages.
struct origin {
    std::uint64_t id = 0;
    std::string number{};  ///< "2.1": the first made of the second made of MPI_COMM_WORLD; empty: of that itself
    void const* made_at = nullptr;
    /// Another communicator of the same ranks may have this `id`, so an ordinal is added to it, which `of` counts; if
    /// that is null, the process does.
    bool is_counted = false;
    struct known_communicator* of = nullptr;
};

/// What is known of a communicator while it lives. Its `id` is the same on all its ranks, and so is its name.
struct known_communicator : origin {
    MPI_Comm comm = MPI_COMM_NULL;
    std::string name;          ///< "MPI_COMM_WORLD", "communicator 2 of ranks 0-3"
    std::vector<int> members;  ///< ranks of MPI_COMM_WORLD, in its order
    int rank = 0;
    bool is_inter = false;
    std::uint64_t made = 0;                               ///< communicators that all its ranks have begun to make of it
    std::map<std::uint64_t, std::uint64_t> made_by_some;  ///< by `id`: the last ordinal, see `origin`
    std::uint64_t compared = 0;        ///< the last blocking call of which all ranks have found that they are in it
    std::atomic<unsigned> refused{0};  ///< how often calls on it have been found that differ

    /// Collectives that have begun on it: written by the thread that calls, read by others.
    std::atomic<std::uint64_t> calls{0};
    arrival_history stamps;

    /// The sites of the last calls, by the number of the call, for other threads.
    static constexpr std::size_t most_last = 8;
    std::array<std::atomic<call_site const*>, most_last> last{};

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
            sites.push_back(unused_sites::acquire());
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

/// The communicators of this process. A lock is taken to make or free one, and to look one up by its id, as other
/// threads do.
class known_communicators {
public:
    [[nodiscard]] static known_communicators& get() { return all_of_process_; }

    /// Null if some ranks are of another MPI_COMM_WORLD, or MPI keeps no attributes with the communicator.
    [[nodiscard]] known_communicator* find(MPI_Comm comm) {
        return comm == MPI_COMM_NULL ? nullptr : look_up(comm);
    }

    /// For a communicator that all ranks of `comm` begin to make of it.
    [[nodiscard]] origin next_of(MPI_Comm comm, void const* made_at) {
        auto* const known = find(comm);
        if (known == nullptr) { return unknown(); }
        auto const number = ++known->made;
        return {digest(known->id, number), part_of(*known) + std::to_string(number), made_at};
    }
    /// For one that some ranks of `comm` make of it, or ranks that have none in common; all of them know `word`.
    [[nodiscard]] origin by_some(MPI_Comm comm, std::string_view word, void const* made_at) {
        auto* const known = find(comm);
        if (comm != MPI_COMM_NULL && known == nullptr) { return unknown(); }
        auto const text = '(' + std::string{word} + ')';
        return {digest(known != nullptr ? known->id : 0, text::hash_of_name(word)),
                known != nullptr ? part_of(*known) + text : text, made_at, true, known};
    }

    /// One that has been made.
    void made(MPI_Comm comm, origin const& from) {
        if (comm == MPI_COMM_NULL) { return; }
        begun(comm, from);
        static_cast<void>(look_up(comm));
    }
    /// One that may be used once a nonblocking call has ended.
    void begun(MPI_Comm comm, origin const& from) {
        auto const lock = std::lock_guard{guard_};
        coming_[word_of(comm)] = from;
    }

    /// Calls `use` with the one that has this id, if there is one, while none is made or freed.
    template <class Use>
    void with(std::uint64_t id, Use use) {
        auto const lock = std::lock_guard{guard_};
        auto const same = [&](auto const& each) { return each->id == id; };
        auto const found = std::find_if(all_.begin(), all_.end(), same);
        if (found != all_.end()) { use(**found); }
    }

    /// Ranks of MPI_COMM_WORLD; none if there is no such communicator.
    [[nodiscard]] std::vector<int> members_of(std::uint64_t id) {
        std::vector<int> members;
        with(id, [&](known_communicator const& each) { members = each.members; });
        return members;
    }

    static constexpr auto sum_of_freed = ~std::uint64_t{0};  ///< the id of what stands for most that were freed

    /// Calls `use` with all communicators that there have been, in the order of their ids. In MPI_Finalize.
    template <class Use>
    void for_all_ever(Use use) {
        auto const lock = std::lock_guard{guard_};
        std::vector<known_communicator*> ever{&sum_of_freed_};
        for (auto const& each : all_) { ever.push_back(each.get()); }
        for (auto const& each : freed_ones_) { ever.push_back(each.get()); }
        std::sort(ever.begin(), ever.end(), [](auto const* a, auto const* b) { return a->id < b->id; });
        for (auto* const each : ever) { use(*each); }
    }

private:
    static constexpr std::size_t most_freed = 1000;  // of which all but some stamps is kept; of others, sums by place
    static constexpr std::size_t first_freed = 50;
    static constexpr std::size_t most_stamps_of_first = 4096;
    static constexpr std::size_t most_stamps_of_freed = 256;

    known_communicators() {
        sum_of_freed_.name = "communicators that were freed";
        sum_of_freed_.id = sum_of_freed;
    }

    [[nodiscard]] static std::uint64_t digest(std::uint64_t a, std::uint64_t b) {
        std::array const both{a, b};
        return text::hash_of_name({reinterpret_cast<char const*>(both.data()), sizeof both});
    }
    [[nodiscard]] static std::string part_of(known_communicator const& whole) {
        return whole.number.empty() ? std::string{} : whole.number + '.';
    }
    [[nodiscard]] static origin unknown() { return {0, "(unknown)", nullptr, true, nullptr}; }

    /// What is kept with a communicator.
    struct link {
        bool is_known = false;
        known_communicator* to = nullptr;

        ~link() {
            if (to != nullptr) { get().forget(*to); }
        }
    };

    [[nodiscard]] known_communicator* look_up(MPI_Comm comm) {
        try {
            auto& known = mpi::duplicates::attached_to(comm).things.get<link>();
            if (!known.is_known) {
                known.is_known = true;
                known.to = describe(comm);
            }
            return known.to;
        } catch (std::exception const&) { return nullptr; }  // MPI keeps nothing with it
    }

    /// Of one that is seen for the first time.
    [[nodiscard]] origin origin_of(MPI_Comm comm) {
        if (comm == MPI_COMM_WORLD) { return {1, ""}; }
        if (comm == MPI_COMM_SELF) { return {2, "0"}; }
        auto const lock = std::lock_guard{guard_};
        auto const found = coming_.extract(word_of(comm));
        return found.empty() ? unknown() : found.mapped();
    }

    void forget(known_communicator const& known) {
        auto const lock = std::lock_guard{guard_};
        auto const found =
            std::find_if(all_.begin(), all_.end(), [&](auto const& each) { return each.get() == &known; });
        auto one = std::move(*found);
        all_.erase(found);
        if (freed_ones_.size() < most_freed) {
            one->stamps.keep(freed_ones_.size() < first_freed ? most_stamps_of_first : most_stamps_of_freed);
            return freed_ones_.push_back(std::move(one));
        }
        auto& sum = sum_of_freed_;
        if (sum.members.size() < one->members.size()) { sum.members = one->members; }
        for (auto& each : one->sites) {
            sum.site(each->returns_to, each->name).add(*each);
            unused_sites::release(std::move(each));
        }
    }

    [[nodiscard]] known_communicator* describe(MPI_Comm comm) {
        auto one = std::make_unique<known_communicator>();
        static_cast<origin&>(*one) = origin_of(comm);
        one->comm = comm;
        one->rank = rank_of(comm);
        int inter = 0;
        PMPI_Comm_test_inter(comm, &inter);
        one->is_inter = inter != 0;
        one->members = world_ranks(comm);
        if (one->is_inter) {
            auto const remote = world_ranks(comm, &PMPI_Comm_remote_group);
            one->members.insert(one->members.end(), remote.begin(), remote.end());
            std::sort(one->members.begin(), one->members.end());
        }
        if (std::count(one->members.begin(), one->members.end(), MPI_UNDEFINED) != 0) { return nullptr; }
        auto const ranks =
            text::hash_of_name({reinterpret_cast<char const*>(one->members.data()), one->members.size() * sizeof(int)});
        one->id = digest(one->id, ranks);
        auto const lock = std::lock_guard{guard_};
        if (one->is_counted) {
            auto const ordinal = ++(one->of != nullptr ? one->of->made_by_some : made_by_some_)[one->id];
            one->id = digest(one->id, ordinal);
            one->number += std::to_string(ordinal);
        }
        auto const made = "communicator " + one->number + " of ranks " + text_of_ranks(one->members);
        one->name = comm == MPI_COMM_WORLD ? "MPI_COMM_WORLD" : comm == MPI_COMM_SELF ? "MPI_COMM_SELF" : made;
        all_.push_back(std::move(one));
        return all_.back().get();
    }

    std::mutex guard_;
    std::vector<std::unique_ptr<known_communicator>> all_;
    std::vector<std::unique_ptr<known_communicator>> freed_ones_;
    known_communicator sum_of_freed_;
    std::map<std::uint64_t, origin> coming_;  // by their handles
    std::map<std::uint64_t, std::uint64_t> made_by_some_;

    static known_communicators& all_of_process_;  // which threads may still read while the process ends
};
inline known_communicators& known_communicators::all_of_process_ = *new known_communicators;

}  // namespace tutti::watch
