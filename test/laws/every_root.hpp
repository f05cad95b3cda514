// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstdlib>

namespace laws {

/// Whether `./dev test all` asks for every root: proofs then take minutes.
inline bool const every_root = std::getenv("TUTTI_TEST_EVERY_ROOT") != nullptr;

}  // namespace laws
