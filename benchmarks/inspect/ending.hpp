// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <unistd.h>

#include <array>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

/// What is said of a call that does not return: a library may hang in it, crash, or end the program.
namespace tutti::inspect {

inline std::string call_now{};      ///< "rank 1: bcast, elements 100: WRONG: "
inline std::size_t patience = 60;  ///< seconds

/// Only with functions that signal handlers may call.
inline void tell_ending(char const* how) {
    if (call_now.empty()) { return; }
    std::array<std::string_view, 3> const parts{call_now, how, "\n"};
    for (auto const part : parts) {
        if (write(STDERR_FILENO, part.data(), part.size()) < 0) { break; }
    }
    call_now.clear();
}

inline void tell_signal(int signal) {
    tell_ending(signal == SIGALRM ? "it hangs" : signal == SIGABRT ? "it aborts" : "it uses memory that it has not");
    _exit(EXIT_FAILURE);
}

inline void tell_endings(std::string first_call) {
    call_now = std::move(first_call);
    for (int const signal : {SIGALRM, SIGABRT, SIGSEGV, SIGBUS}) { std::signal(signal, tell_signal); }
    std::atexit([] { tell_ending("it ends the program"); });
}

}  // namespace tutti::inspect
