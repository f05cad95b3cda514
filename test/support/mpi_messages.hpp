// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

// Short words for tests that send messages by hand.

#include <cstddef>
#include <exception>
#include <span>
#include <string>
#include <vector>

#include <tutti/communicator/mpi/duplicates.hpp>

namespace support {

using tutti::completion;
using request = tutti::mpi::communicator::request;

inline tutti::mpi::communicator& tutti_of(MPI_Comm comm) { return tutti::communicator_of<MPI_Comm>::get(comm); }

template <class T>
std::span<std::byte const> bytes_of(std::vector<T> const& data) {
    return std::as_bytes(std::span{data});
}

template <class T>
std::span<std::byte> memory_of(std::vector<T>& data) {
    return std::as_writable_bytes(std::span{data});
}

inline void finish(tutti::mpi::communicator& comm, std::vector<request> requests) {
    std::vector<completion> done(requests.size());
    while (comm.wait_some(requests, done) != 0) {}
}

/// All ranks in a ring.
struct neighbours {
    tutti::mpi::communicator& comm = tutti_of(MPI_COMM_WORLD);
    int next = (comm.rank() + 1) % comm.size();
    int previous = (comm.rank() + comm.size() - 1) % comm.size();
};

/// What the exception says that `function` throws.
std::string sentence_of(auto&& function) {
    try {
        function();
    } catch (std::exception const& thrown) {
        return thrown.what();
    }
    return "nothing was thrown";
}

inline bool contains(std::string const& text, std::string const& part) { return text.find(part) != std::string::npos; }

}  // namespace support
