// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

#include <tutti/error.hpp>

namespace tutti {

/// Thrown on a rank whose result is missing because an operator threw on another rank. That rank throws the
/// operator's own exception; all messages are exchanged all the same, so that nobody waits in vain.
class operand_missing : public std::runtime_error, public secondary_error {
public:
    explicit operand_missing(int peer)
        : std::runtime_error{"tutti: there is no result on this rank because an operand is missing: the operator threw "
                             "on another rank (the news came from rank " +
                             std::to_string(peer) + ")"} {}
};

/// Thrown on a rank that received another number of elements than its own arguments call for. It takes no more messages
/// then: over MPI, a sender of more pieces than that may wait for ever, as in MPI's own calls.
class count_mismatch : public std::runtime_error {
public:
    count_mismatch(int peer, std::size_t came, std::size_t expected)
        : std::runtime_error{"tutti: rank " + std::to_string(peer) + " sent " + std::to_string(came) +
                             " elements where " + std::to_string(expected) +
                             " were expected; give every rank the same number of elements and the same algorithm"} {}
};

}  // namespace tutti
