// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstdlib>

namespace laws {

/// Whether `./dev test all` asks for every root, every number of ranks and every seed, which take minutes.
inline bool const thorough = std::getenv("TUTTI_TEST_THOROUGH") != nullptr;

}  // namespace laws
