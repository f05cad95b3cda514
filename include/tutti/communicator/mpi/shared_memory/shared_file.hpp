// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

namespace tutti::mpi::node {

/// Gives a file its length. False, with errno, where this process may not write that much: the kernel would end it by
/// SIGXFSZ.
[[nodiscard]] inline bool set_length(int file, std::size_t bytes) noexcept {
    rlimit most{};
    if (::getrlimit(RLIMIT_FSIZE, &most) == 0 && most.rlim_cur < bytes) {
        errno = EFBIG;
        return false;
    }
    return ::ftruncate(file, static_cast<off_t>(bytes)) == 0;
}

/// Takes memory for a part of a file in memory. False, with errno, where there is none: the first to write it would be
/// ended by SIGBUS.
[[nodiscard]] inline bool take_room(int file, std::size_t begin, std::size_t bytes) noexcept {
    constexpr std::size_t at_once = std::size_t{64} << 10;  // bytes: what a signal undoes that comes meanwhile
    for (auto const end = begin + bytes; begin < end; begin += at_once) {
        auto const count = std::min(at_once, end - begin);
        do {
            errno = ::posix_fallocate(file, static_cast<off_t>(begin), static_cast<off_t>(count));
        } while (errno == EINTR);
        if (errno != 0) { return false; }
    }
    return true;
}

[[nodiscard]] inline void* map_file(int file, std::size_t bytes, int protection) noexcept {
    auto* const here = ::mmap(nullptr, bytes, protection, MAP_SHARED, file, 0);
    return here != MAP_FAILED ? here : nullptr;
}

/// A file in /dev/shm by which the processes of a node share memory. One makes it and the others open it; its name ends
/// with the object that has made it, what is mapped stays.
///
/// Not a window of MPI: where one rank has no descriptor left, or may not write such files, Open MPI 4.1 waits for it
/// forever, and MPICH 4.0 gives memory that ends the process when it is used.
class shared_file {
public:
    explicit shared_file(std::uint64_t number) noexcept {
        std::snprintf(name_.data(), name_.size(), "/dev/shm/tutti-%016llx", static_cast<unsigned long long>(number));
    }
    shared_file(shared_file const&) = delete;
    shared_file& operator=(shared_file const&) = delete;
    ~shared_file() {
        if (file_ >= 0) { ::close(file_); }
        if (is_made_) { ::unlink(name_.data()); }
    }

    [[nodiscard]] bool make(std::size_t bytes) noexcept {
        file_ = ::open(name_.data(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
        is_made_ = file_ >= 0;
        return is_made_ && set_length(file_, bytes);
    }
    [[nodiscard]] bool open() noexcept {
        if (file_ < 0) { file_ = ::open(name_.data(), O_RDWR | O_CLOEXEC | O_NOFOLLOW); }
        return file_ >= 0;
    }
    [[nodiscard]] bool take_room(std::size_t begin, std::size_t bytes) const noexcept {
        return node::take_room(file_, begin, bytes);
    }
    [[nodiscard]] void* map(std::size_t bytes) const noexcept { return map_file(file_, bytes, PROT_READ | PROT_WRITE); }

private:
    std::array<char, 40> name_{};
    int file_ = -1;
    bool is_made_ = false;
};

}  // namespace tutti::mpi::node
