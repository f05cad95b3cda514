// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <exception>
#include <new>
#include <stdexcept>

#include <tutti/communicator/mpi/declarations.hpp>
#include <tutti/error.hpp>
#include <tutti/operation/run_time_operator.hpp>

#pragma GCC visibility push(default)
#include <tutti/tutti.h>
#pragma GCC visibility pop

namespace tutti::c {

/// What tutti_last_error returns, without a destructor: other objects that end with the thread may still fail.
inline constinit thread_local std::array<char, 4096> last_error{};

/// Keeps `what` for tutti_last_error, cut where it is longer.
inline void note_error(char const* what) noexcept {
    auto const bytes = std::min(std::strlen(what), last_error.size() - 1);
    std::memmove(last_error.data(), what, bytes);  // of this one, too
    last_error[bytes] = '\0';
}

[[nodiscard, gnu::cold]] inline int code_for(std::exception const& wrong) {
    if (dynamic_cast<needs_recovery const*>(&wrong) != nullptr) { return TUTTI_COMMUNICATION; }
    if (dynamic_cast<std::bad_alloc const*>(&wrong) != nullptr) { return TUTTI_OUT_OF_MEMORY; }
    if (dynamic_cast<std::invalid_argument const*>(&wrong) != nullptr) { return TUTTI_INVALID_ARGUMENT; }
    return dynamic_cast<std::logic_error const*>(&wrong) != nullptr ? TUTTI_WRONG_USE : TUTTI_OTHER;
}

/// What a function of C returns that does `action`.
template <class Action>
[[nodiscard]] int code_of(Action action) noexcept {
    try {
        action();
        return TUTTI_SUCCESS;
    } catch (std::exception const& wrong) {
        note_error(wrong.what());
        return code_for(wrong);
    } catch (...) {
        note_error("tutti: the operator has thrown what is no std::exception");
        return TUTTI_OTHER;
    }
}

/// Set by an operator of this thread that cannot combine its operands, and read when it returns: the call has failed
/// then as by an exception. What was wrong is the last error.
inline thread_local bool operator_has_failed = false;

/// An operator of C's, which has no exceptions.
struct operator_of_c : run_time_operator {
    /// Errors: std::runtime_error where the operator calls tutti_fail.
    void combine_bytes(std::byte const* left, std::byte const* right, std::byte* out, std::size_t n,
                       std::size_t extent) const {
        operator_has_failed = false;
        run_time_operator::combine_bytes(left, right, out, n, extent);
        if (operator_has_failed) { throw std::runtime_error{last_error.data()}; }
    }
};

}  // namespace tutti::c

template <>
inline constexpr bool tutti::operators::is_block_operator<tutti::c::operator_of_c> = true;

template <>
inline constexpr bool tutti::operators::is_run_time_operator<tutti::c::operator_of_c> = true;
