// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <stdexcept>
#include <utility>

#include <tutti/communicator/mpi/declarations.hpp>

#include <tutti/communicator/mpi/error.hpp>
#include <tutti/dynamic_array.hpp>
#include <tutti/text.hpp>

namespace tutti::mpi {

/// The union of the sets of all ranks, each given as bits, by dissemination: one message a round, to the rank that is
/// 1, 2,
/// 4, ... further. Point to point, since ranks that have failed may not all begin one: nothing else of the communicator
/// waits for it then.
class bit_union {
public:
    using bits = dynamic_array<std::uint64_t>;

    /// All ranks give as many bits.
    bit_union(MPI_Comm ranks, int tag, bits mine) : ranks_{ranks}, tag_{tag}, mine_{std::move(mine)}, theirs_{mine_} {
        ensure("MPI_Comm_rank", MPI_Comm_rank(ranks, &rank_));
        ensure("MPI_Comm_size", MPI_Comm_size(ranks, &size_));
        exchange();
    }
    bit_union(bit_union const&) = delete;
    bit_union& operator=(bit_union const&) = delete;
    /// MPI still reads and writes memory that it has been given.
    ~bit_union() {
        if (!is_complete()) { static_cast<void>(new (std::nothrow) std::array{std::move(mine_), std::move(theirs_)}); }
    }

    [[nodiscard]] bool is_complete() const noexcept { return distance_ >= size_; }
    [[nodiscard]] bits const& result() const noexcept { return mine_; }

    /// Goes on as far as messages have come.
    void poll() {
        while (!is_complete()) {
            int ended = 0;
            ensure("MPI_Testall", MPI_Testall(2, under_way_.data(), &ended, MPI_STATUSES_IGNORE));
            if (ended == 0) { return; }
            for (std::size_t i = 0; i != mine_.size(); ++i) { mine_[i] |= theirs_[i]; }
            distance_ *= 2;
            exchange();
        }
    }

private:
    void exchange() {
        if (is_complete()) { return; }
        auto const words = static_cast<int>(mine_.size());
        ensure("MPI_Irecv", MPI_Irecv(theirs_.data(), words, MPI_UINT64_T, (rank_ + size_ - distance_) % size_, tag_,
                                      ranks_, &under_way_[0]));
        ensure("MPI_Isend",
               MPI_Isend(mine_.data(), words, MPI_UINT64_T, (rank_ + distance_) % size_, tag_, ranks_, &under_way_[1]));
    }

    MPI_Comm ranks_;
    int tag_;
    int rank_ = 0;
    int size_ = 1;
    int distance_ = 1;
    bits mine_;
    bits theirs_;
    std::array<MPI_Request, 2> under_way_{MPI_REQUEST_NULL, MPI_REQUEST_NULL};
};

/// Tags from 1 on, below a bound, that are held for as long as their owners like. All ranks take theirs in the same
/// order and get the same; each puts its own back when it likes, and one is given again when no rank holds it any more.
///
/// That becomes known to all by a `bit_union`, which begins when half of the tags at hand are left, and has to end when
/// none is: a rank waits for another one only if it is ahead of that by this many tags. As many are at hand as are held
/// at most, but at least 4096, if there are this many.
class tag_pool {
public:
    /// `own` is the tag of its messages.
    tag_pool(int bound, int own) : bound_{bound}, own_{own}, limit_{std::min(bound, 4096)} {}

    /// Calls `idle` again and again while it waits. Errors: std::runtime_error, on all ranks, if all tags are held.
    template <class Idle>
    [[nodiscard]] int take(MPI_Comm ranks, Idle idle) {
        poll();
        if (!counting_ && at_hand() <= limit_ / 2) { counting_ = std::make_unique<bit_union>(ranks, own_, in_use()); }
        if (at_hand() == 0) {
            for (; !is_idle(); poll()) { idle(); }
            collect(counting_->result());
            counting_.reset();
            require_one();
        }
        int tag = fresh_;
        if (!free_.empty()) {
            tag = free_.back();
            free_.pop_back();
        } else {
            holders_.resize(static_cast<std::size_t>(++fresh_));
        }
        holder_of(tag) = ++taken_;
        return tag;
    }

    /// How many tags have been taken: the number of the newest.
    [[nodiscard]] std::int64_t taken() const noexcept { return taken_; }

    void put_back(int tag) noexcept { holder_of(tag) = 0; }

    /// How many tags had been taken when this rank took this one, which it holds; 0 for one that it does not.
    [[nodiscard]] std::int64_t number_of(int tag) const noexcept {
        return tag < fresh_ ? holders_[static_cast<std::size_t>(tag)] : 0;
    }

    /// Lets a union of bits go on, so that other ranks need not wait for this one.
    void poll() {
        if (!is_idle()) { counting_->poll(); }
    }
    /// Whether none of its messages is under way.
    [[nodiscard]] bool is_idle() const noexcept { return !counting_ || counting_->is_complete(); }

    /// Makes the ranks agree that have taken different numbers of tags. All have to call.
    [[gnu::cold]] void agree(MPI_Comm ranks) {
        counting_.reset();
        std::array<std::int64_t, 3> most{fresh_, limit_, taken_};
        ensure("MPI_Allreduce", PMPI_Allreduce(MPI_IN_PLACE, most.data(), 3, MPI_INT64_T, MPI_MAX, ranks));
        fresh_ = static_cast<int>(most[0]);
        limit_ = static_cast<int>(most[1]);
        taken_ = most[2];
        holders_.resize(static_cast<std::size_t>(fresh_));
        free_.clear();
        auto all = in_use();
        ensure("MPI_Allreduce",
               PMPI_Allreduce(MPI_IN_PLACE, all.data(), static_cast<int>(all.size()), MPI_UINT64_T, MPI_BOR, ranks));
        collect(all);
    }

private:
    [[nodiscard]] std::int64_t& holder_of(int tag) noexcept { return holders_[static_cast<std::size_t>(tag)]; }
    [[nodiscard]] int at_hand() const noexcept { return static_cast<int>(free_.size()) + limit_ - fresh_; }

    // A bit for each tag that this rank holds, or has at hand.
    [[nodiscard]] bit_union::bits in_use() {
        counted_ = holders_.size();
        bit_union::bits result(counted_ / 64 + 1);
        auto const set = [&](std::size_t tag) { result[tag / 64] |= std::uint64_t{1} << tag % 64; };
        for (std::size_t tag = 1; tag != counted_; ++tag) {
            if (holders_[tag] != 0) { set(tag); }
        }
        for (int const tag : free_) { set(static_cast<std::size_t>(tag)); }
        return result;
    }

    void collect(bit_union::bits const& in_use) {
        for (std::size_t tag = 1; tag != counted_; ++tag) {
            if ((in_use[tag / 64] >> tag % 64 & 1) == 0) { free_.push_back(static_cast<int>(tag)); }
        }
        if (at_hand() < limit_ / 2) { limit_ = std::min(2 * limit_, bound_); }
    }

    void require_one() const {
        if (at_hand() != 0) { return; }
        throw std::runtime_error{text::joined({"tutti: ", limit_ - 1,
                                         " plans of one communicator live, and this MPI has no tag "
                                         "for one more; end some, or make it on a duplicate of the communicator"})};
    }

    int bound_;
    int own_;
    int limit_;      // tags from here on are not given yet
    int fresh_ = 1;  // the first tag that never has been
    std::int64_t taken_ = 0;
    dynamic_array<std::int64_t> holders_{0};  // of each tag below `fresh_`, its `number_of`
    dynamic_array<int> free_;
    std::size_t counted_ = 1;
    std::unique_ptr<bit_union> counting_;  // of the tags below `counted_`
};

}  // namespace tutti::mpi
