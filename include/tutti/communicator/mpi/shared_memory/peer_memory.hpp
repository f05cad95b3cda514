// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <span>

#include <fcntl.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

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
            if (count <= 0) { return (errno == EPERM || errno == ENOSYS) && read_file(from, into); }
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
    // A program may forbid itself that system call between two messages, and must not fail for it.
    [[gnu::cold, gnu::noinline]] bool read_file(std::uint64_t from, std::span<std::byte> into) const noexcept {
        std::array<char, 32> name{};
        std::snprintf(name.data(), name.size(), "/proc/%d/mem", static_cast<int>(process_));
        int const file = ::open(name.data(), O_RDONLY | O_CLOEXEC);
        if (file < 0) { return false; }
        while (!into.empty()) {
            auto const count = ::pread(file, into.data(), into.size(), static_cast<off_t>(from));
            if (count <= 0) { break; }
            from += static_cast<std::uint64_t>(count);
            into = into.subspan(static_cast<std::size_t>(count));
        }
        ::close(file);
        return into.empty();
    }

    [[noreturn, gnu::cold, gnu::noinline]] void refuse() const {
        throw control::fetch_failed{
            text::joined({"tutti: the memory of process ", process_, " cannot be read: ", std::strerror(errno),
                          " (has it ended, or freed what it sends, in the middle of a call? "
                          "TUTTI_SINGLE_COPY=never sends memory that other processes cannot read)"})};
    }

    pid_t process_;
};

}  // namespace tutti::mpi::node
