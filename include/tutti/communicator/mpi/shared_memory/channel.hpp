// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <exception>
#include <memory>
#include <stdexcept>
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
    void is_useless(char const* why) { why_not_ = why; }

    /// Whether all ranks are on one node, and have the same numbers there.
    [[nodiscard]] bool is_whole() const noexcept { return local_ranks_.empty(); }

    /// Whether that rank shares memory with this one, and its number among the ranks that do.
    [[nodiscard]] bool has(int peer) const noexcept {
        return end_ != nullptr && static_cast<unsigned>(peer) < ranks_ && rank_of(peer) != on_other_node;
    }
    [[nodiscard]] int rank_of(int peer) const noexcept {
        return local_ranks_.empty() ? peer : local_ranks_[static_cast<std::size_t>(peer)];
    }

    [[nodiscard]] endpoint* get() const noexcept { return end_.get(); }
    [[nodiscard]] endpoint* operator->() const noexcept { return end_.get(); }

    /// Sets the memory up, in place of the present one; on no node if one has no room for it. All ranks of `world` have
    /// to call.
    [[gnu::cold]] void make(MPI_Comm world, int rank, node_map const& map) {
        int size = 0;
        ensure("MPI_Comm_size", MPI_Comm_size(world, &size));
        ranks_ = static_cast<unsigned>(size);
        end_.reset();
        why_not_.clear();
        local_ranks_.clear();
        try {
            if (map.count(static_cast<std::size_t>(size)) == 1) {
                end_ = std::make_unique<endpoint>(world, most_slots);
            } else {
                make_for_node(world, rank, size, map);
            }
        } catch (std::exception const& why) { why_not_ = why.what(); }
        is_there_ = on_all(world, why_not_.empty());
        if (is_there_) { return; }
        static_cast<void>(end_.release());  // its destructor is collective
        if (why_not_.empty()) { why_not_ = "another rank could not share memory"; }
    }

    /// All ranks have to call.
    [[gnu::cold]] void end() noexcept { end_.reset(); }

    /// Whether `end` waits for the other ranks: not where an exception ends it.
    [[nodiscard]] bool waits_at_its_end() const noexcept {
        return end_ != nullptr && end_->memory().waits_at_its_end();
    }

    /// The first message that no receive waits for, with one of these tags, or any.
    [[nodiscard]] control::stray_message find(std::span<int const> tags) const noexcept {
        auto result = end_ != nullptr ? end_->find(tags) : control::stray_message{};
        if (result.from >= 0) { result.from = end_->memory().global_rank(result.from); }
        return result;
    }

private:
    // Messages leave slots at once, and a few slots that are used in turn stay in the caches.
    static constexpr std::size_t most_slots = 16;
    static constexpr int on_other_node = -1;

    void make_for_node(MPI_Comm world, int rank, int size, node_map const& map) {
        auto const own = map.node_of(static_cast<std::size_t>(rank));
        dynamic_array<int> neighbours;
        for (int peer = 0; peer != size; ++peer) {
            bool const is_local = map.node_of(static_cast<std::size_t>(peer)) == own;
            local_ranks_.push_back(is_local ? static_cast<int>(neighbours.size()) : on_other_node);
            if (is_local) { neighbours.push_back(peer); }
        }
        auto const count = neighbours.size();
        MPI_Comm ranks = MPI_COMM_NULL;
        ensure("MPI_Comm_split", MPI_Comm_split(world, static_cast<int>(own), rank, &ranks));
        try {
            if (count > 1) { end_ = std::make_unique<endpoint>(ranks, most_slots, std::move(neighbours)); }
        } catch (...) {
            MPI_Comm_free(&ranks);
            throw;
        }
        MPI_Comm_free(&ranks);
    }

    bool is_there_ = false;
    std::unique_ptr<endpoint> end_;
    unsigned ranks_ = 0;
    dynamic_array<int> local_ranks_;  // of each rank, or on_other_node; empty: the same
    std::string why_not_;
};

}  // namespace tutti::mpi::node
