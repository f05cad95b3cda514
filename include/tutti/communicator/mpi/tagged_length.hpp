// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <limits>

#include <tutti/communicator/mpi/declarations.hpp>

#include <tutti/communicator/mpi/error.hpp>

namespace tutti::mpi {

/// The largest tag that this MPI takes.
inline int tag_upper_bound() {
    constexpr int guaranteed = 32767;
    void* value = nullptr;
    int found = 0;
    ensure("MPI_Comm_get_attr", MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, static_cast<void*>(&value), &found));
    return found != 0 ? *static_cast<int const*>(value) : guaranteed;
}

/// The length of a long message as part of its tag, where MPI has 31 bits for tags: a message of another length than
/// its receiver expects is not matched, and so never written. Open MPI (4.1), which has them, writes a long message
/// whole, behind the memory of the receive, before it reports the error. Other MPIs write no more than has room.
/// Lengths that differ by a multiple of 16381 bytes have the same tag.
struct tagged_length {
    static constexpr int unit = 1 << 17;           ///< tags without a length are smaller
    static constexpr std::size_t shortest = 2049;  ///< bytes; MPI sends less at once, which ends in time

    [[nodiscard]] static bool is_possible() { return tag_upper_bound() == std::numeric_limits<int>::max(); }
    [[nodiscard]] static int largest_plain_tag() { return is_possible() ? unit - 1 : tag_upper_bound(); }

    [[nodiscard]] static int add(int tag, std::size_t bytes) noexcept {
        return tag + (1 + static_cast<int>(bytes % 16381)) * unit;
    }
    [[nodiscard]] static bool has_one(int tag) noexcept { return tag >= unit; }
    /// What of a tag remains without a length.
    [[nodiscard]] static int remove(int tag) { return is_possible() ? tag % unit : tag; }
};

}  // namespace tutti::mpi
