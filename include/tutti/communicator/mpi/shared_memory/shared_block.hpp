// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <memory>
#include <new>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <tutti/communicator/mpi/agreement.hpp>
#include <tutti/communicator/mpi/error.hpp>
#include <tutti/communicator/mpi/running.hpp>
#include <tutti/communicator/mpi/shared_memory/mapped_memory.hpp>
#include <tutti/communicator/mpi/shared_memory/shared_file.hpp>
#include <tutti/communicator/mpi/shared_memory/shared_segment.hpp>
#include <tutti/dynamic_array.hpp>

namespace tutti::mpi::node {

class shared_block {
public:
    shared_block() = default;
    shared_block(shared_block const&) = delete;
    shared_block& operator=(shared_block const&) = delete;
    [[gnu::cold]] ~shared_block() { end(); }

    [[gnu::cold]] void open(MPI_Comm ranks, std::size_t bytes);

    [[nodiscard]] void* memory() const noexcept { return memory_; }

private:
    /// What the ranks exchange about their blocks: each is an open file without a name, which ends with its last user.
    struct announcement {
        std::int64_t process;
        std::int64_t file;
        std::int64_t inode;  // so that nothing else is taken for it where ranks number processes differently
        std::int64_t number;
        std::int64_t address;
        std::int64_t bytes;
    };

    void exchange(MPI_Comm node, int file, dynamic_array<announcement>& all);
    void map(announcement const& there) noexcept;
    void end() noexcept;

    void* memory_ = nullptr;
    std::size_t bytes_ = 0;
    mapped_memory::number number_ = mapped_memory::no_block;
    std::unique_ptr<mapped_block*[]> others_;
    std::size_t mapped_ = 0;
};

[[nodiscard]] inline std::int64_t inode_of(int file) noexcept {
    struct stat about {};
    return ::fstat(file, &about) == 0 ? static_cast<std::int64_t>(about.st_ino) : -1;
}

/// Maps the blocks of the other ranks of the node, which all call; `file` is that of this rank's block.
inline void shared_block::exchange(MPI_Comm node, int file, dynamic_array<announcement>& all) {
    int rank = 0;
    ensure("MPI_Comm_rank", MPI_Comm_rank(node, &rank));
    announcement const own{::getpid(),
                           file,
                           inode_of(file),
                           number_,
                           reinterpret_cast<std::intptr_t>(memory_),
                           static_cast<std::int64_t>(bytes_)};
    constexpr int words = sizeof own / sizeof own.process;
    ensure("MPI_Allgather", PMPI_Allgather(&own, words, MPI_INT64_T, all.data(), words, MPI_INT64_T, node));
    for (std::size_t other = 0; other != all.size(); ++other) {
        if (std::cmp_not_equal(other, rank)) { map(all[other]); }
    }
    ensure("MPI_Barrier", PMPI_Barrier(node));  // before the file is closed
}

inline void shared_block::open(MPI_Comm ranks, std::size_t bytes) {
    constexpr std::size_t most = std::numeric_limits<std::ptrdiff_t>::max();
    MPI_Comm node = MPI_COMM_NULL;
    auto const status = MPI_Comm_split_type(ranks, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    require_on_all(ranks, [&] { ensure("MPI_Comm_split_type", status); });
    int size = 0;
    ensure("MPI_Comm_size", MPI_Comm_size(node, &size));
    bytes_ = bytes + (bytes == 0);
    int const file = ::memfd_create("tutti", MFD_CLOEXEC);
    dynamic_array<announcement> all;
    try {  // all that needs memory, before the ranks have agreed that they have it
        all.resize(static_cast<std::size_t>(size));
        others_ = std::make_unique<mapped_block*[]>(all.size());
        if (file >= 0 && bytes <= most && set_length(file, bytes_)) {
            memory_ = map_file(file, bytes_, PROT_READ | PROT_WRITE);
        }
        if (memory_ != nullptr && take_room(file, 0, bytes_)) { number_ = mapped_memory::get().give(memory_, bytes_); }
    } catch (std::bad_alloc const&) {  // so that there is no number
    }
    bool const all_have_memory = on_all(ranks, number_ != mapped_memory::no_block);
    if (all_have_memory) { exchange(node, file, all); }
    if (file >= 0) { ::close(file); }
    MPI_Comm_free(&node);
    if (all_have_memory) { return; }
    if (bytes > most) { throw std::bad_array_new_length{}; }
    throw std::bad_alloc{};
}

// A block that cannot be mapped is read by the kernel, like any other memory.
[[gnu::cold]] inline void shared_block::map(announcement const& there) noexcept {
    std::array<char, 64> name{};
    std::snprintf(name.data(), name.size(), "/proc/%lld/fd/%lld", static_cast<long long>(there.process),
                  static_cast<long long>(there.file));
    int const file = ::open(name.data(), O_RDONLY | O_CLOEXEC);
    if (file < 0) { return; }
    auto const bytes = static_cast<std::size_t>(there.bytes);
    auto* const here = inode_of(file) == there.inode ? map_file(file, bytes, PROT_READ) : nullptr;
    ::close(file);
    if (here == nullptr) { return; }
    try {
        others_[mapped_] =
            mapped_memory::get().add({there.process, static_cast<mapped_memory::number>(there.number),
                                      static_cast<std::uint64_t>(there.address), bytes, static_cast<std::byte*>(here)});
        ++mapped_;
    } catch (std::bad_alloc const&) { ::munmap(here, bytes); }
}

[[gnu::cold]] inline void shared_block::end() noexcept {
    if (number_ != mapped_memory::no_block) { mapped_memory::get().end(number_); }
    for (std::size_t i = 0; i != mapped_; ++i) { mapped_memory::get().remove(others_[i]); }
    if (memory_ != nullptr) { ::munmap(memory_, bytes_); }
}

inline shared_block* make_block(MPI_Comm ranks, std::size_t bytes, void*& memory) {
    require_running();
    std::unique_ptr<shared_block> made{new (std::nothrow) shared_block};
    if (!on_all(ranks, made != nullptr)) { throw std::bad_alloc{}; }
    made->open(ranks, bytes);
    memory = made->memory();
    return made.release();
}

inline void end_block(shared_block* block) noexcept { delete block; }

}  // namespace tutti::mpi::node
