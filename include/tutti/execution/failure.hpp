// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

#include <tutti/error.hpp>

namespace tutti {

/// Thrown on a rank that received another number of elements than its own arguments call for. It tells the others, so
/// that those that wait throw `peer_failed`, and the communicator has failed, see `recover`.
class count_mismatch : public std::runtime_error {
public:
    [[gnu::cold]] count_mismatch(int peer, std::size_t came, std::size_t expected)
        : std::runtime_error{
              joined({"tutti: rank ", peer, " sent ", came, " elements where ", expected,
                      " were expected; give every rank the same number of elements and the same algorithm"})} {}
};

/// Thrown on a rank that received something else than the packed elements that its own arguments call for; otherwise as
/// count_mismatch.
class packet_mismatch : public std::runtime_error {
public:
    [[gnu::cold]] packet_mismatch(int peer, std::string_view came, std::size_t elements, std::string_view type)
        : std::runtime_error{joined(
              {"tutti: rank ", peer, " sent ", came, " where ", elements, " ", type,
               " were expected; give every rank the same type and number of elements and the same algorithm"})} {}
};

}  // namespace tutti
