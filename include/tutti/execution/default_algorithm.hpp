// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <string_view>

#include <tutti/communicator.hpp>

namespace tutti::selection {
class held_algorithm;
}

namespace tutti::engine {

/// The algorithm of calls on one communicator that name none, as its store keeps it: `hold` makes it from the name of a
/// collective; null: tutti chooses.
struct default_algorithm {
    selection::held_algorithm* (*hold)(std::string_view collective) = nullptr;

    /// All ranks say the same.
    template <communicator C>
    static void set(C& ranks, default_algorithm chosen) {
        auto& kept = ranks.store().template get<default_algorithm>();
        if (kept.hold != chosen.hold) { ranks.supervisor().begin_generation(); }
        kept = chosen;
    }
};

}  // namespace tutti::engine
