// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <tutti/communicator.hpp>

/// Point-to-point messages over a `tutti::communicator`, for tests of communicators.
namespace point_to_point {

/// On a rank; the exception fails the test, where Boost.Test's own checks are not made for threads.
inline void require(bool holds, std::string const& what) {
    if (!holds) { throw std::logic_error{"not so: " + what}; }
}

template <class T>
[[nodiscard]] std::span<std::byte const> bytes_of(std::vector<T> const& values) {
    return std::as_bytes(std::span{values});
}

template <class T>
[[nodiscard]] std::span<std::byte> memory_of(std::vector<T>& values) {
    return std::as_writable_bytes(std::span{values});
}

/// Waits for all requests; the completions, by the position of the request.
template <class C>
std::vector<tutti::completion> wait_all(C& world, std::vector<typename C::request> requests) {
    std::vector<tutti::completion> ended(requests.size());
    std::vector<tutti::completion> done(requests.size());
    while (auto const count = world.wait_some(requests, done)) {
        for (std::size_t i = 0; i < count; ++i) { ended[done[i].index] = done[i]; }
    }
    return ended;
}

template <class C, class T>
void send(C& world, int peer, int tag, std::vector<T> const& values) {
    wait_all(world, {world.send(peer, tag, bytes_of(values))});
}

template <class T, class C>
[[nodiscard]] std::vector<T> receive(C& world, int peer, int tag, std::size_t most) {
    std::vector<T> values(most);
    auto const ended = wait_all(world, {world.receive(peer, tag, memory_of(values))});
    values.resize(ended.front().bytes / sizeof(T));
    return values;
}

}  // namespace point_to_point
