// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tutti/communicator/mpi/declarations.hpp>

#include <tutti/communicator/mpi/error.hpp>

namespace tutti::mpi {

/// The tags `first`, `first` + 1, ..., below a bound, and from `first` again. Tag 0 is never among them.
class tag_sequence {
public:
    explicit tag_sequence(int bound, int first = 1) noexcept : first_{first}, bound_{bound}, last_{first - 1} {}

    int next() noexcept {
        last_ = last_ + 1 < bound_ ? last_ + 1 : first_;
        return last_;
    }

    [[nodiscard]] int first() const noexcept { return first_; }

    /// What `next` gave, or the tag before the first. May be set to that of another rank.
    [[nodiscard]] int last() const noexcept { return last_; }
    void last(int tag) noexcept { last_ = tag; }

private:
    int first_;
    int bound_;
    int last_;
};

/// The largest tag that this MPI takes.
inline int tag_upper_bound() {
    constexpr int guaranteed = 32767;
    void* value = nullptr;
    int found = 0;
    ensure("MPI_Comm_get_attr", MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, static_cast<void*>(&value), &found));
    return found != 0 ? *static_cast<int const*>(value) : guaranteed;
}

}  // namespace tutti::mpi
