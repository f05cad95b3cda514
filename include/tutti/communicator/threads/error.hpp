// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <stdexcept>

#include <tutti/error.hpp>

namespace tutti::threads {

/// An error that a team of threads has found.
struct error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Every rank waits or has left, and no message is under way.
struct deadlock : error {
    using error::error;
};

/// Two ranks disagree on which collective is called, how, or how often.
struct mismatch : error {
    using error::error;
};

/// A message, a receive or a lease was left over when all ranks had returned.
struct leak : error {
    using error::error;
};

/// A message is longer than the memory that receives it.
struct message_too_long : error {
    using error::error;
};

/// The ranks did not end in `options::timeout`.
struct timed_out : error {
    using error::error;
};

/// What the other ranks see when one has ended the team; `run` throws what that one threw.
struct team_ended : error, control::secondary_error {
    using error::error;
};

}  // namespace tutti::threads
