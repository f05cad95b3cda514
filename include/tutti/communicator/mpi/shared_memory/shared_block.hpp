// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <string>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <tutti/communicator/mpi/error.hpp>
#include <tutti/communicator/mpi/private_communicator.hpp>
#include <tutti/communicator/mpi/running.hpp>
#include <tutti/communicator/mpi/shared_memory/mapped_memory.hpp>
#include <tutti/communicator/mpi/shared_vector.hpp>
#include <tutti/dynamic_array.hpp>

namespace tutti::mpi::node {

namespace shared {

/// What the ranks exchange about their blocks: each is an open file without a name, which ends with its last user.
struct announcement {
    std::int64_t process;
    std::int64_t file;
    std::int64_t inode;  // so that nothing else is taken for it where ranks number processes differently
    std::int64_t number;
    std::int64_t address;
    std::int64_t bytes;
};

[[nodiscard]] inline std::int64_t inode_of(int file) noexcept {
    struct stat about {};
    return ::fstat(file, &about) == 0 ? static_cast<std::int64_t>(about.st_ino) : -1;
}

[[nodiscard]] inline void* map(int file, std::size_t bytes, int protection) noexcept {
    if (file < 0) { return nullptr; }
    auto* const here = ::mmap(nullptr, bytes, protection, MAP_SHARED, file, 0);
    return here != MAP_FAILED ? here : nullptr;
}

[[nodiscard]] inline bool on_all(MPI_Comm ranks, bool here) {
    int value = here ? 1 : 0;
    check("MPI_Allreduce", MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_MIN, ranks));
    return value != 0;
}

}  // namespace shared

[[gnu::cold]] inline shared_block::shared_block(MPI_Comm ranks, std::size_t bytes) : bytes_{bytes + (bytes == 0)} {
    require_running();
    MPI_Comm node = MPI_COMM_NULL;
    check("MPI_Comm_split_type", MPI_Comm_split_type(ranks, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node));
    int size = 0;
    int rank = 0;
    check("MPI_Comm_size", MPI_Comm_size(node, &size));
    check("MPI_Comm_rank", MPI_Comm_rank(node, &rank));
    int const file = ::memfd_create("tutti", MFD_CLOEXEC);
    if (file >= 0 && ::ftruncate(file, static_cast<off_t>(bytes_)) == 0) {
        memory_ = shared::map(file, bytes_, PROT_READ | PROT_WRITE);
    }
    if (!shared::on_all(ranks, memory_ != nullptr)) {
        if (memory_ != nullptr) { ::munmap(memory_, bytes_); }
        if (file >= 0) { ::close(file); }
        MPI_Comm_free(&node);
        throw std::bad_alloc{};
    }
    number_ = mapped_memory::get().give(memory_, bytes_);
    shared::announcement const own{::getpid(), file, shared::inode_of(file), number_,
                                   reinterpret_cast<std::intptr_t>(memory_), static_cast<std::int64_t>(bytes_)};
    constexpr int words = sizeof own / sizeof own.process;
    dynamic_array<shared::announcement> all;
    all.resize(static_cast<std::size_t>(size));
    check("MPI_Allgather", MPI_Allgather(&own, words, MPI_INT64_T, all.data(), words, MPI_INT64_T, node));
    others_ = std::make_unique<mapped_memory::mapping*[]>(all.size());
    for (std::size_t other = 0; other != all.size(); ++other) {
        if (static_cast<int>(other) != rank) { map(all[other]); }
    }
    check("MPI_Barrier", MPI_Barrier(node));  // before the file is closed
    ::close(file);
    MPI_Comm_free(&node);
}

// A block that cannot be mapped is read by the kernel, like any other memory.
[[gnu::cold]] inline void shared_block::map(shared::announcement const& there) {
    auto const name = "/proc/" + std::to_string(there.process) + "/fd/" + std::to_string(there.file);
    int const file = ::open(name.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) { return; }
    auto const bytes = static_cast<std::size_t>(there.bytes);
    auto* const here = shared::inode_of(file) == there.inode ? shared::map(file, bytes, PROT_READ) : nullptr;
    ::close(file);
    if (here == nullptr) { return; }
    others_[mapped_++] = mapped_memory::get().add({there.process, static_cast<mapped_memory::number>(there.number),
                                                   static_cast<std::uint64_t>(there.address), bytes,
                                                   static_cast<std::byte*>(here)});
}

[[gnu::cold]] inline shared_block::~shared_block() {
    mapped_memory::get().end(number_);
    for (std::size_t i = 0; i != mapped_; ++i) {
        mapped_memory::get().remove(others_[i]);
    }
    ::munmap(memory_, bytes_);
}

}  // namespace tutti::mpi::node
