// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <stdexcept>
#include <thread>
#include <utility>

#include <tutti/communicator/mpi/declarations.hpp>

#include <tutti/communicator/mpi/error.hpp>
#include <tutti/dynamic_array.hpp>
#include <tutti/error.hpp>

namespace tutti::mpi {

/// The tags `first`, `first` + 1, ..., below a bound, and from `first` again, for uses that end in the order in which they
/// began: messages of one tag between two ranks stay in order. Uses are numbered from 1 on, and numbers never come again.
class tag_sequence {
public:
    explicit tag_sequence(int bound, int first) noexcept : first_{first}, bound_{bound}, last_{first - 1} {}

    int next() noexcept {
        if (++last_ == bound_) {
            last_ = first_;
            ++rounds_;
        }
        return last_;
    }

    [[nodiscard]] int first() const noexcept { return first_; }

    /// What `next` gave, or the tag before the first.
    [[nodiscard]] int last() const noexcept { return last_; }

    /// Of the newest use of a tag.
    [[nodiscard]] std::int64_t number_of(int tag) const noexcept {
        return (rounds_ - (tag > last_ ? 1 : 0)) * (bound_ - first_) + tag - first_ + 1;
    }

private:
    int first_;
    int bound_;
    int last_;
    std::int64_t rounds_ = 0;
};

/// Tags from 1 on, below a bound, that are held for as long as their owners like. All ranks take theirs in the same order
/// and get the same; each puts its own back when it likes, and one is given again when no rank holds it any more.
///
/// That becomes known to all by one MPI_Iallreduce of a bit for each tag, which begins when half of the tags at hand are
/// left, and has to end when none is: a rank waits for another one only if it is ahead of that by so many tags. As many
/// are at hand as are held at most, but at least 4096, if there are so many.
class tag_pool {
public:
    explicit tag_pool(int bound) : bound_{bound}, limit_{std::min(bound, 4096)} {}
    tag_pool(tag_pool const&) = delete;
    tag_pool& operator=(tag_pool const&) = delete;
    ~tag_pool() { abandon(); }

    /// Calls `idle` again and again while it waits. Errors: std::runtime_error, on all ranks, if all tags are held.
    template <class Idle>
    [[nodiscard]] int take(MPI_Comm ranks, Idle idle) {
        if (counting_ == MPI_REQUEST_NULL && at_hand() <= limit_ / 2) { count(ranks); }
        if (at_hand() == 0) {
            while (!is_idle()) { idle(); }
            collect();
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

    void put_back(int tag) noexcept { holder_of(tag) = 0; }

    /// How many tags had been taken when this rank took this one, which it holds; 0 for one that it does not.
    [[nodiscard]] std::int64_t number_of(int tag) const noexcept {
        return tag < fresh_ ? holders_[static_cast<std::size_t>(tag)] : 0;
    }

    /// Whether none of its messages is under way.
    [[nodiscard]] bool is_idle() {
        int ended = 1;
        if (counting_ != MPI_REQUEST_NULL) { ensure("MPI_Test", MPI_Test(&counting_, &ended, MPI_STATUS_IGNORE)); }
        return ended != 0;
    }

    /// Before the communicator ends: whether no message of this is under way, after a while.
    [[nodiscard]] bool has_ended() noexcept {
        constexpr double longest = 1;  // s
        try {
            for (auto const begun = MPI_Wtime(); !is_idle();) {
                if (MPI_Wtime() - begun > longest) { return false; }
                std::this_thread::yield();
            }
        } catch (...) { return false; }
        return true;
    }

    /// Makes the ranks agree that have taken different numbers of tags. All have to call.
    [[gnu::cold]] void agree(MPI_Comm ranks) {
        abandon();
        std::array<std::int64_t, 3> most{fresh_, limit_, taken_};
        ensure("MPI_Allreduce", MPI_Allreduce(MPI_IN_PLACE, most.data(), 3, MPI_INT64_T, MPI_MAX, ranks));
        fresh_ = static_cast<int>(most[0]);
        limit_ = static_cast<int>(most[1]);
        taken_ = most[2];
        holders_.resize(static_cast<std::size_t>(fresh_));
        free_.clear();
        count(ranks);
        while (!is_idle()) {}
        collect();
    }

private:
    [[nodiscard]] std::int64_t& holder_of(int tag) noexcept { return holders_[static_cast<std::size_t>(tag)]; }
    [[nodiscard]] int at_hand() const noexcept { return static_cast<int>(free_.size()) + limit_ - fresh_; }

    // Begins to find out which tags are held on any rank, or at hand.
    [[gnu::cold]] void count(MPI_Comm ranks) {
        auto const set = [&](std::size_t tag) { in_use_[tag / 64] |= std::uint64_t{1} << tag % 64; };
        in_use_.clear();
        in_use_.resize(holders_.size() / 64 + 1);
        counted_ = holders_.size();
        for (std::size_t tag = 1; tag != counted_; ++tag) {
            if (holders_[tag] != 0) { set(tag); }
        }
        for (int const tag : free_) { set(static_cast<std::size_t>(tag)); }
        ensure("MPI_Iallreduce", MPI_Iallreduce(MPI_IN_PLACE, in_use_.data(), static_cast<int>(in_use_.size()),
                                               MPI_UINT64_T, MPI_BOR, ranks, &counting_));
    }

    [[gnu::cold]] void collect() {
        for (std::size_t tag = 1; tag != counted_; ++tag) {
            if ((in_use_[tag / 64] >> tag % 64 & 1) == 0) { free_.push_back(static_cast<int>(tag)); }
        }
        if (at_hand() < limit_ / 2) { limit_ = std::min(2 * limit_, bound_); }
        if (at_hand() == 0) {
            throw std::runtime_error{joined({"tutti: ", limit_ - 1, " plans of one communicator live, and this MPI has no "
                                             "tag for one more; end some, or make it on a duplicate of the communicator"})};
        }
    }

    // MPI still writes to memory that it has been given.
    [[gnu::cold]] void abandon() noexcept {
        if (std::exchange(counting_, MPI_REQUEST_NULL) == MPI_REQUEST_NULL) { return; }
        static_cast<void>(new (std::nothrow) dynamic_array<std::uint64_t>{std::move(in_use_)});
    }

    int bound_;
    int limit_;      // tags from here on are not given yet
    int fresh_ = 1;  // the first tag that never has been
    std::int64_t taken_ = 0;
    dynamic_array<std::int64_t> holders_{0};  // of each tag below `fresh_`, its `number_of`
    dynamic_array<int> free_;
    std::size_t counted_ = 1;
    dynamic_array<std::uint64_t> in_use_;  // a bit for each tag below `counted_`
    MPI_Request counting_ = MPI_REQUEST_NULL;
};

/// The largest tag that this MPI takes.
inline int tag_upper_bound() {
    constexpr int guaranteed = 32767;
    void* value = nullptr;
    int found = 0;
    ensure("MPI_Comm_get_attr", MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, static_cast<void*>(&value), &found));
    return found != 0 ? *static_cast<int const*>(value) : guaranteed;
}

/// The length of a long message as part of its tag, where MPI has 31 bits for tags: a message of another length than its
/// receiver expects is not matched, and so never written. Open MPI (4.1), which has them, writes a long message whole,
/// behind the memory of the receive, before it reports the error. Other MPIs write no more than has room.
/// Lengths that differ by a multiple of 16381 bytes have the same tag.
struct tagged_length {
    static constexpr int unit = 1 << 17;            ///< tags without a length are smaller
    static constexpr std::size_t shortest = 2049;  ///< bytes; MPI sends less at once, which ends in time

    [[nodiscard]] static bool is_possible() { return tag_upper_bound() == std::numeric_limits<int>::max(); }
    [[nodiscard]] static int largest_plain_tag() { return is_possible() ? unit - 1 : tag_upper_bound(); }

    [[nodiscard]] static int add(int tag, std::size_t bytes) noexcept {
        return tag + (1 + static_cast<int>(bytes % 16381)) * unit;
    }
    /// What of a tag remains without a length.
    [[nodiscard]] static int remove(int tag) { return is_possible() ? tag % unit : tag; }
};

}  // namespace tutti::mpi
