// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <type_traits>

#include <tutti/communicator/mpi/declarations.hpp>

namespace tutti::mpi {

namespace node {

class shared_block;

/// Memory of this rank, full of zeros, that the other ranks of its node can read where it lies; see `shared_vector`.
[[nodiscard]] shared_block* make_block(MPI_Comm ranks, std::size_t bytes, void*& memory);
void end_block(shared_block* block) noexcept;

struct end_of_block {
    void operator()(shared_block* block) const noexcept { end_block(block); }
};

}  // namespace node

/// Elements of this rank in memory that the other ranks of its node read where they lie: as an argument of a collective
/// they are combined there, without a copy.
///
/// Requires: T trivially copyable. All ranks of `ranks` construct it, with numbers of elements of their own, after
/// MPI_Init and before MPI_Finalize. Each ends its own when no call or plan uses it any more, without waiting.
/// Result: `elements` times T{}, a contiguous range; its size does not change.
/// Errors: std::bad_alloc, on all ranks, where one gets no memory. Where the kernel does not let ranks read each
/// other's memory, and between nodes, it is memory like any other.
/// Cost: what is received from it is combined with 3 touches of memory an element instead of 5, in messages of more
/// than
/// 8 KiB, up to 16 ranks of a node or where single copies pay, once ranks share memory, see `execution::shared_memory`.
/// Nothing stays behind of it after a crash.
template <class T>
class shared_vector {
    static_assert(std::is_trivially_copyable_v<T> && std::is_default_constructible_v<T>,
                  "tutti: elements of a shared_vector must be trivially copyable and default constructible");

public:
    using value_type = T;

    shared_vector(MPI_Comm ranks, std::size_t elements) : size_{elements} {
        void* memory = nullptr;
        block_.reset(node::make_block(ranks, bytes_of(elements), memory));
        first_ = static_cast<T*>(memory);
        std::uninitialized_value_construct_n(first_, elements);
    }

    [[nodiscard]] T* data() noexcept { return first_; }
    [[nodiscard]] T const* data() const noexcept { return first_; }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
    [[nodiscard]] T* begin() noexcept { return data(); }
    [[nodiscard]] T* end() noexcept { return data() + size_; }
    [[nodiscard]] T const* begin() const noexcept { return data(); }
    [[nodiscard]] T const* end() const noexcept { return data() + size_; }
    [[nodiscard]] T& operator[](std::size_t i) noexcept { return data()[i]; }
    [[nodiscard]] T const& operator[](std::size_t i) const noexcept { return data()[i]; }

private:
    [[nodiscard]] static std::size_t bytes_of(std::size_t elements) {
        constexpr auto most = std::numeric_limits<std::size_t>::max();  // none that this rank refuses alone
        return elements <= most / sizeof(T) ? elements * sizeof(T) : most;
    }

    std::unique_ptr<node::shared_block, node::end_of_block> block_;
    T* first_ = nullptr;
    std::size_t size_;
};

}  // namespace tutti::mpi

#define TUTTI_UNLESS_LINKED <tutti/communicator/mpi/shared_memory/shared_block.hpp>
#include <tutti/seam.hpp>
