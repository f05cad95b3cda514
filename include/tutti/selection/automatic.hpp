// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

namespace tutti {

/// Lets tutti choose the algorithm, and its number of segments: the one that is expected to take the least time, unless
/// what is known of the machine has a rule for such calls.
///
/// The choice depends on the collective, the number of ranks, the size of the vector and of its parts, on whether the
/// operator commutes, on what is known of the machine (`use`, `measure`), and on nothing else: it is the same on all
/// ranks, and every time.
struct automatic {
    friend bool operator==(automatic const&, automatic const&) = default;
};

}  // namespace tutti
