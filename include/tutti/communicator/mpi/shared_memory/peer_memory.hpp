// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include <sys/types.h>
#include <sys/uio.h>

#include <tutti/communicator.hpp>
#include <tutti/communicator/mpi/shared_memory/mapped_memory.hpp>
#include <tutti/text.hpp>

namespace tutti::mpi::node {

/// The memory of another process of this machine, which the kernel copies from where it lies: one copy instead of two
/// through a slot. It needs the right to trace that process, which containers and kernels may deny.
class peer_memory {
public:
    explicit peer_memory(std::int64_t process) noexcept : process_{static_cast<pid_t>(process)} {}

    /// False, with errno, if the kernel refuses or that memory is gone.
    [[nodiscard]] bool try_read(std::uint64_t from, std::span<std::byte> into) const noexcept {
        while (!into.empty()) {
            iovec const here{into.data(), into.size()};
            iovec const there{reinterpret_cast<void*>(from), into.size()};  // NOLINT: an address elsewhere
            auto const count = ::process_vm_readv(process_, &here, 1, &there, 1, 0);
            if (count <= 0) { return false; }
            from += static_cast<std::uint64_t>(count);
            into = into.subspan(static_cast<std::size_t>(count));
        }
        return true;
    }

    /// See `mapped_memory`.
    [[nodiscard]] mapped_block* find(mapped_memory::number block, std::uint64_t address,
                                     std::size_t bytes) const noexcept {
        return mapped_memory::get().find(process_, block, address, bytes);
    }

    void read(std::uint64_t from, std::span<std::byte> into) const {
        if (!try_read(from, into)) { refuse(); }
    }

private:
    [[noreturn, gnu::cold, gnu::noinline]] void refuse() const {
        throw control::fetch_failed{
            text::joined({"tutti: the memory of process ", process_, " cannot be read: ", std::strerror(errno),
                          " (has it ended, or freed what it sends, in the middle of a call? "
                          "TUTTI_SINGLE_COPY=never sends memory that other processes cannot read)"})};
    }

    pid_t process_;
};

}  // namespace tutti::mpi::node
