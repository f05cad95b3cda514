// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>

namespace tutti {

/// How long messages are cut: into pieces of equal length, the same on both sides.
///
/// The last piece is shorter than the others by as few elements as possible, but never as long. So receivers of another
/// number of elements find out: where the pieces are of one length, the last of one side meets a whole one of the
/// other. Nothing short follows long pieces: it would travel eagerly and overtake them, or wait for a buffer of its
/// own.
struct pieces {
    std::size_t longest = 1;  ///< elements; where none is longer
    std::size_t unit = 1;     ///< elements that stay together
    bool is_limit = false;    ///< no piece may be longer, as one of a message that `longest` divides else is, by a unit

    /// Elements of each piece of a message but the last. Where it is one piece, of that.
    [[nodiscard]] constexpr std::size_t length(std::size_t elements) const {
        if (elements <= longest) { return elements; }
        auto const units = elements / unit;
        auto const most = longest / unit;
        auto const count = is_limit ? units / most + 1 : (units - 1) / most + 1;
        return (units / count + 1) * unit;
    }

    [[nodiscard]] constexpr std::size_t count(std::size_t elements) const {
        return elements == 0 ? 0 : (elements - 1) / length(elements) + 1;
    }
};

}  // namespace tutti
