// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <chrono>
#include <cstdio>
#include <array>
#include <future>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include <dlfcn.h>
#include <pthread.h>

#include <watch/source_lines.hpp>

namespace tutti::watch {

/// Asks the interpreter of this process; waits for its lock.
[[nodiscard]] inline std::string ask_python(pthread_t of) {
    auto const named = [](char const* name) { return library_function{RTLD_DEFAULT, name}; };
    int (*const lock)() = named("PyGILState_Ensure");
    void (*const unlock)(int) = named("PyGILState_Release");
    void* (*const new_dictionary)() = named("PyDict_New");
    void* (*const run)(char const*, int, void*, void*) = named("PyRun_String");
    char const* (*const text)(void*) = named("PyUnicode_AsUTF8");
    void (*const clear)() = named("PyErr_Clear");
    void (*const release)(void*) = named("Py_DecRef");
    if (text == nullptr) { return {}; }  // Python 2
    std::array<char, 400> code{};
    std::snprintf(code.data(), code.size(),
                  "(lambda f: '%%s, %%s:%%d' %% (f.f_code.co_name, f.f_code.co_filename.split('/')[-1], f.f_lineno)"
                  " if f else '')(__import__('sys')._current_frames().get(%lu))",
                  static_cast<unsigned long>(of));
    constexpr int expression = 258;  // Py_eval_input
    int const state_of_lock = lock();
    void* const names = new_dictionary();
    void* const result = run(code.data(), expression, names, names);
    char const* const found = result != nullptr ? text(result) : nullptr;
    std::string line = found != nullptr ? found : "";
    clear();
    if (result != nullptr) { release(result); }
    release(names);
    unlock(state_of_lock);
    return line;
}

/// The function and line of a Python program that a thread executes: "step, solver.py:88"; empty if the process runs no
/// Python, or another thread keeps the interpreter's lock for half a second.
[[nodiscard]] inline std::string python_line(pthread_t of) {
    int (*const is_running)() = library_function{RTLD_DEFAULT, "Py_IsInitialized"};
    if (is_running == nullptr || is_running() == 0) { return {}; }
    std::packaged_task<std::string()> ask{[of] { return ask_python(of); }};
    auto line = ask.get_future();
    try {
        std::thread{std::move(ask)}.detach();
    } catch (std::system_error const&) { return {}; }
    bool const is_ready = line.wait_for(std::chrono::milliseconds{500}) == std::future_status::ready;
    return is_ready ? line.get() : std::string{};
}

}  // namespace tutti::watch
