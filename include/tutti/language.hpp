// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

// Included before all else that tutti has. The line after each #error ends the compilation: otherwise it would go on,
// and report hundreds of errors of headers that cannot be read like this.
#if __cplusplus < 202002L
#error "tutti: C++20 is needed; compile with -std=c++20 or later"
#include <tutti/language/is_too_old>
#endif

#include <bit>
#include <cstdint>
#include <version>  // some standard libraries undefine min and max themselves

#ifndef __cpp_exceptions
#error "tutti: exceptions are needed; compile without -fno-exceptions"
#include <tutti/language/has_no_exceptions>
#elif !defined __cpp_rtti
#error "tutti: run-time type information is needed; compile without -fno-rtti"
#include <tutti/language/has_no_type_information>
#elif defined min || defined max
#error "tutti: min or max is a macro; write #undef min and #undef max before this include"
#include <tutti/language/has_macros>
#endif

namespace tutti {

namespace engine {

/// Whether what is declared here is linked from tutti::compiled, see <tutti/seam.hpp>.
#ifdef TUTTI_COMPILED
inline constexpr bool is_linked = true;
#else
inline constexpr bool is_linked = false;
#endif

}  // namespace engine

namespace language {

/// Whether programs may have infinities and NaNs: with -ffinite-math-only, which is part of -ffast-math, compilers take
/// it that none exists, so that comparisons with them, and std::isfinite, give anything.
inline constexpr bool has_infinities = __FINITE_MATH_ONLY__ == 0;

/// std::isfinite, by bits, whatever the compiler takes it. By reference: of arguments by value it takes that, too.
[[nodiscard]] constexpr bool is_finite(double const& x) {
    constexpr std::uint64_t exponent = 0x7ff0'0000'0000'0000;
    return (std::bit_cast<std::uint64_t>(x) & exponent) != exponent;
}

}  // namespace language

}  // namespace tutti
