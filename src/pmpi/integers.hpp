// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <tutti/communicator/mpi/declarations.hpp>

namespace tutti::pmpi {

/// Counts or displacements of all ranks, as the functions of MPI give them, those with large counts too.
class integers {
public:
    integers(std::nullptr_t) {}
    template <std::signed_integral Integer>
    integers(Integer const* first) : first_{reinterpret_cast<std::byte const*>(first)}, bytes_{sizeof(Integer)} {}

    [[nodiscard]] explicit operator bool() const { return first_ != nullptr; }
    [[nodiscard]] MPI_Count operator[](std::size_t r) const {
        return bytes_ == sizeof(int) ? read<int>(r) : read<std::int64_t>(r);
    }

private:
    template <class Integer>
    [[nodiscard]] Integer read(std::size_t r) const {
        Integer value;
        std::memcpy(&value, first_ + r * sizeof value, sizeof value);
        return value;
    }

    std::byte const* first_ = nullptr;
    std::size_t bytes_ = 0;  // of each
};

}  // namespace tutti::pmpi
