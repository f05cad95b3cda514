// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>

#include <tutti/communicator/mpi/declarations.hpp>
#include <unistd.h>

#include <tutti/communicator/mpi/error.hpp>
#include <tutti/communicator/mpi/shared_memory/segment_layout.hpp>
#include <tutti/dynamic_array.hpp>
#include <tutti/type_name.hpp>

namespace tutti::mpi {

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
    return static_cast<std::int64_t>(hash_of_name({text.data(), count}) >> 1U);
}

/// Finds ranks of this machine whose processes have ended, which MPI libraries do not report.
class death_watch {
public:
    /// Collective over `comm`, of which this process is a rank.
    void begin(MPI_Comm comm, node::process const& self = node::this_process()) {
        int rank = 0, size = 0;
        ensure("MPI_Comm_rank", MPI_Comm_rank(comm, &rank));
        ensure("MPI_Comm_size", MPI_Comm_size(comm, &size));
        std::array<std::int64_t, numbers> const mine{self.number, self.started, process_namespace()};
        dynamic_array<std::int64_t> all(numbers * static_cast<std::size_t>(size));
        constexpr auto bytes = static_cast<int>(sizeof mine);
        ensure("MPI_Allgather", MPI_Allgather(mine.data(), bytes, MPI_BYTE, all.data(), bytes, MPI_BYTE, comm));
        watched_.clear();
        for (int peer = 0; peer != size; ++peer) {
            auto const* const reported = all.data() + numbers * static_cast<std::size_t>(peer);
            if (peer == rank || reported[1] == 0 || reported[2] == 0 || reported[2] != mine[2]) { continue; }
            watched_.push_back({peer, {reported[0], reported[1]}});
        }
    }

    static constexpr int no_rank = -1;

    /// A rank that is dead, or `no_rank`. Looks at most four times a second, and believes what it has seen twice.
    [[nodiscard]] int find() noexcept {
        constexpr double between_looks = 0.25;  // s
        auto const now = MPI_Wtime();
        if (now - last_look_ < between_looks) { return no_rank; }
        last_look_ = now;
        for (auto const& each : watched_) {
            if (node::is_alive(each.who)) { continue; }
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
        node::process who;
    };

    dynamic_array<watched> watched_;
    int suspect_ = no_rank;
    double last_look_ = 0;  // s
};

}  // namespace tutti::mpi
