// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

#include <tutti/communicator/mpi/declarations.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <tutti/communicator/mpi/agreement.hpp>
#include <tutti/communicator/mpi/error.hpp>
#include <tutti/dynamic_array.hpp>
#include <tutti/text.hpp>

namespace tutti::mpi {

/// A process of this machine, and the time at which it started, since its number may be given to another one later.
struct process {
    static constexpr std::int64_t unknown = -1;

    std::int64_t number = 0;
    std::int64_t started = 0;  ///< clock ticks since the machine was booted; 0: not known

    friend bool operator==(process const&, process const&) = default;
};

/// The process with a number as /proc shows it: `started` is 0 where there is none any more, or it has ended and its
/// parent has not taken note of that; `process::unknown` where /proc cannot be read now.
[[nodiscard]] inline process process_with(std::int64_t number) noexcept {
    process result{number, 0};
    std::array<char, 64> path{};
    std::snprintf(path.data(), path.size(), "/proc/%lld/stat", static_cast<long long>(number));
    int const file = ::open(path.data(), O_RDONLY | O_CLOEXEC);  // a stream would allocate
    auto const is_gone = [] { return errno == ENOENT || errno == ESRCH; };
    if (file < 0) { return is_gone() ? result : process{number, process::unknown}; }
    std::array<char, 1024> text{};
    auto const count = ::read(file, text.data(), text.size() - 1);
    auto const was_gone = count == 0 || is_gone();
    ::close(file);
    if (count <= 0) { return was_gone ? result : process{number, process::unknown}; }
    // "number (name) state ...": the name may have anything in it
    auto const* at = std::strrchr(text.data(), ')');
    if (at == nullptr || std::strlen(at) < 4 || at[2] == 'Z' || at[2] == 'X') { return result; }
    constexpr int from_state_to_start = 19;  // fields
    ++at;
    for (int field = 0; field != from_state_to_start && at != nullptr; ++field) { at = std::strchr(at + 1, ' '); }
    if (at != nullptr) { result.started = std::strtoll(at, nullptr, 10); }
    return result;
}

[[nodiscard]] inline process this_process() noexcept { return process_with(getpid()); }

/// Whether it was alive a moment ago. Where nothing is known of it, it is believed to be.
[[nodiscard]] inline bool is_alive(process const& one) noexcept {
    if (one.started == 0 || one.started == process::unknown) { return true; }
    auto const now = process_with(one.number);
    return now == one || now.started == process::unknown;
}

/// A number of the process namespace: of the machine since it was booted, and of its container. Processes of one
/// namespace know each other by their process numbers. 0 where that is not known.
[[nodiscard]] inline std::int64_t process_namespace() noexcept {
    std::array<char, 128> text{};
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> const file{std::fopen("/proc/sys/kernel/random/boot_id", "re"),
                                                               &std::fclose};
    if (file == nullptr) { return 0; }
    auto count = std::fread(text.data(), 1, text.size() / 2, file.get());
    auto const more = readlink("/proc/self/ns/pid", text.data() + count, text.size() - count);
    if (count == 0 || more <= 0) { return 0; }
    count += static_cast<std::size_t>(more);
    return static_cast<std::int64_t>(text::hash_of_name({text.data(), count}) >> 1U);
}

/// Finds ranks of this machine whose processes have ended, which MPI libraries do not report.
class death_watch {
public:
    /// Collective over `comm`, of which this process is a rank.
    void begin(MPI_Comm comm, process const& self = this_process()) {
        int rank = 0, size = 0;
        ensure("MPI_Comm_rank", MPI_Comm_rank(comm, &rank));
        ensure("MPI_Comm_size", MPI_Comm_size(comm, &size));
        std::array<std::int64_t, numbers> const mine{self.number, self.started, process_namespace()};
        dynamic_array<std::int64_t> all;
        require_on_all(comm, [&] { all.resize(numbers * expect(size)); });
        constexpr auto bytes = static_cast<int>(sizeof mine);
        ensure("MPI_Allgather", PMPI_Allgather(mine.data(), bytes, MPI_BYTE, all.data(), bytes, MPI_BYTE, comm));
        for (int peer = 0; peer != size; ++peer) {
            auto const* const reported = all.data() + numbers * static_cast<std::size_t>(peer);
            if (peer == rank || reported[1] == 0 || reported[2] == 0 || reported[2] != mine[2]) { continue; }
            processes_.push_back({reported[0], reported[1]});
            watch(peer, processes_.back());
        }
    }
    /// Watches none of `ranks` ranks yet, and has room for all; returns their number.
    std::size_t expect(int ranks) {
        auto const count = static_cast<std::size_t>(ranks);
        watched_.clear();
        watched_.reserve(count);
        processes_.clear();
        processes_.reserve(count);  // so that they stay where they are
        return count;
    }
    /// `who` stays where it is.
    void watch(int rank, process const& who) { watched_.push_back({rank, &who}); }
    void forget(int rank) {
        watched_.erase_if([&](watched const& each) { return each.rank == rank; });
    }

    static constexpr int no_rank = -1;

    /// A rank that is dead, or `no_rank`. Looks at most four times a second, and believes what it has seen twice.
    [[nodiscard]] int find() noexcept {
        constexpr double between_looks = 0.25;  // s
        auto const now = MPI_Wtime();
        if (now - last_look_ < between_looks) { return no_rank; }
        last_look_ = now;
        for (auto const& each : watched_) {
            if (is_alive(*each.who)) { continue; }
            if (suspect_ == each.rank) { return each.rank; }
            suspect_ = each.rank;
            return no_rank;
        }
        return no_rank;
    }

private:
    static constexpr std::size_t numbers = 3;

    struct watched {
        int rank;
        process const* who;
    };

    dynamic_array<process> processes_;
    dynamic_array<watched> watched_;
    int suspect_ = no_rank;
    double last_look_ = 0;  // s
};

}  // namespace tutti::mpi
