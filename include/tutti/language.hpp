// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

// Included before all else that tutti has, and the second line ends the compilation: after #error it would go on, and
// report hundreds of errors of headers that an older language cannot read.
#if __cplusplus < 202002L
#error "tutti: C++20 is needed; compile with -std=c++20 or later"
#include <tutti/language/is_too_old>
#endif
