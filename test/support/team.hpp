// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include <tutti/collective/execute.hpp>
#include <tutti/communicator/team.hpp>
#include <tutti/communicator/threads.hpp>

namespace support {

/// Calls `body(world)` on the threads of a team, of which this process brings so many, and rethrows what the first of
/// them throws.
template <class Outer, class Body>
void on_threads_of_team(Outer& processes, int threads, Body&& body) {
    tutti::team team{processes, threads};
    std::mutex guard;
    std::exception_ptr wrong;
    {
        std::vector<std::jthread> all;
        for (int i = 0; i != threads; ++i) {
            all.emplace_back([&, i] {
                try {
                    auto world = team.rank(i);
                    body(world);
                } catch (...) {
                    auto const lock = std::lock_guard{guard};
                    if (!wrong) { wrong = std::current_exception(); }
                }
            });
        }
    }
    if (wrong) { std::rethrow_exception(wrong); }
}

/// How many threads each of some processes brings, `size` in all.
[[nodiscard]] inline std::vector<int> threads_of_processes(int size) {
    switch (size) {
    case 1: return {1};
    case 2: return {2};
    case 3: return {1, 2};
    case 4: return {2, 2};
    case 7: return {3, 1, 2, 1};
    default: return {size / 2, 1, size - size / 2 - 1};
    }
}

/// Calls `body(world)` on the ranks of a team, whose processes are threads themselves.
template <class Body>
void on_team(int size, Body& body) {
    auto const threads = threads_of_processes(size);
    tutti::threads::run(static_cast<int>(threads.size()), [&](auto& processes) {
        on_threads_of_team(processes, threads[static_cast<std::size_t>(processes.rank())], body);
    });
}

}  // namespace support
