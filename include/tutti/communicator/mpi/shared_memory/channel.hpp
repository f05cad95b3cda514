// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include <tutti/communicator/mpi/declarations.hpp>

#include <tutti/communicator/mpi/agreement.hpp>
#include <tutti/communicator/mpi/error.hpp>
#include <tutti/communicator/mpi/shared_memory/endpoint.hpp>
#include <tutti/dynamic_array.hpp>
#include <tutti/node_map.hpp>

namespace tutti::mpi::node {

/// The shared memory of a communicator's ranks, on each node. A rank that has a node of its own has none, though
/// `is_there` is the same on all ranks.
class channel {
public:
    [[nodiscard]] bool is_there() const noexcept { return is_there_; }

    /// Why there is none, where it is known.
    [[nodiscard]] std::string const& why_not() const noexcept { return why_not_; }
    void note(char const* why) noexcept {
        try {
            why_not_ = why;
        } catch (std::bad_alloc const&) {  // what is not there matters more than why
        }
    }

    /// Whether all ranks are on one node, and have the same numbers there.
    [[nodiscard]] bool is_whole() const noexcept { return local_ranks_.empty(); }

    /// Whether that rank shares memory with this one, and its number among the ranks that do.
    [[nodiscard]] bool has(int peer) const noexcept {
        return end_ != nullptr && static_cast<unsigned>(peer) < ranks_ && rank_of(peer) != on_other_node;
    }
    [[nodiscard]] int rank_of(int peer) const noexcept {
        return local_ranks_.empty() ? peer : local_ranks_[static_cast<std::size_t>(peer)];
    }

    [[nodiscard]] endpoint* get() const noexcept { return end_ != nullptr ? &**end_ : nullptr; }
    [[nodiscard]] endpoint* operator->() const noexcept { return &**end_; }

    /// Sets the memory up, in place of the present one; on no node if one has no room for it. All ranks of `world` have
    /// to call.
    [[gnu::cold]] void make(MPI_Comm world, int rank, node_map const& map) {
        int size = 0;
        ensure("MPI_Comm_size", MPI_Comm_size(world, &size));
        ranks_ = static_cast<unsigned>(size);
        end_.reset();
        why_not_.clear();
        local_ranks_.clear();
        bool is_made = false;
        try {
            make_on_nodes(world, rank, size, map);
            is_made = true;
        } catch (std::exception const& why) { note(why.what()); }
        is_there_ = on_all(world, is_made);
        if (is_there_) { return; }
        static_cast<void>(end_.release());  // its destructor is collective
        if (is_made) { note("another rank could not share memory"); }
    }

    /// Whether an exception is ending it, which the other ranks have to know at once.
    [[nodiscard]] bool ends_by_exception() const noexcept {
        return end_ != nullptr && (*this)->memory().ends_by_exception();
    }

    /// The first message that no receive waits for, with one of these tags, or any.
    [[nodiscard]] control::unmatched_message find(std::span<int const> tags) const noexcept {
        auto result = end_ != nullptr ? (*this)->find(tags) : control::unmatched_message{};
        if (result.from >= 0) { result.from = (*this)->memory().global_rank(result.from); }
        return result;
    }

private:
    // Messages leave slots at once, and a few slots that are used in turn stay in the caches.
    static constexpr std::size_t most_slots = 16;
    static constexpr int on_other_node = -1;

    struct node_ranks {
        MPI_Comm comm = MPI_COMM_NULL;

        ~node_ranks() {
            if (comm != MPI_COMM_NULL) { MPI_Comm_free(&comm); }
        }
    };

    [[gnu::cold]] void make_on_nodes(MPI_Comm world, int rank, int size, node_map const& map) {
        auto const own = map.node_of(static_cast<std::size_t>(rank));
        bool const is_one = map.count(static_cast<std::size_t>(size)) == 1;
        node_ranks node;
        auto const status = is_one ? MPI_SUCCESS : MPI_Comm_split(world, static_cast<int>(own), rank, &node.comm);
        dynamic_array<int> neighbours;
        std::unique_ptr<std::optional<endpoint>> made;
        require_on_all(world, [&] {
            ensure("MPI_Comm_split", status);
            made = std::make_unique<std::optional<endpoint>>();
            for (int peer = 0; peer != size && !is_one; ++peer) {
                bool const is_local = map.node_of(static_cast<std::size_t>(peer)) == own;
                local_ranks_.push_back(is_local ? static_cast<int>(neighbours.size()) : on_other_node);
                if (is_local) { neighbours.push_back(peer); }
            }
        });
        if (!is_one && neighbours.size() == 1) { return; }
        made->emplace(is_one ? world : node.comm, most_slots, std::move(neighbours));
        end_ = std::move(made);
    }

    bool is_there_ = false;
    std::unique_ptr<std::optional<endpoint>> end_;
    unsigned ranks_ = 0;
    dynamic_array<int> local_ranks_;  // of each rank, or on_other_node; empty: the same
    std::string why_not_;
};

}  // namespace tutti::mpi::node
