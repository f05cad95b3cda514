// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tutti/communicator.hpp>
#include <tutti/execution/progress_engine.hpp>

namespace tutti {

/// Elements of a message that have come in. `elements` is null where they were received right into place.
template <class T>
struct received_fragment {
    fragment what;
    completion how;
    T const* elements = nullptr;
    bool missing = false;  ///< the sender had nothing to send because an operand had failed

    /// Whether the elements are still in the sender's memory, out of reach until they are fetched.
    [[nodiscard]] bool is_remote() const { return !missing && elements == nullptr && how.lease != nullptr; }
};

}  // namespace tutti
