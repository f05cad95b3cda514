// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <array>
#include <atomic>
#include <chrono>
#include <string>
#include <thread>

#include <dlfcn.h>
#include <pthread.h>

namespace tutti::watch {

/// The function and line of a Python program that a thread executes: "step, solver.py:88"; empty if the process runs no
/// Python, or does not let us ask within half a second, since a thread keeps the interpreter's lock.
[[nodiscard]] inline std::string python_line(pthread_t of) {
    struct question {
        unsigned long thread;
        std::atomic<bool> is_answered{false};
        std::string answer;
    };
    using is_running = int();
    auto const running = reinterpret_cast<is_running*>(dlsym(RTLD_DEFAULT, "Py_IsInitialized"));
    if (running == nullptr || running() == 0) { return {}; }
    auto asked = std::make_shared<question>();
    asked->thread = static_cast<unsigned long>(of);
    auto* const handed_over = new std::shared_ptr<question>{asked};
    auto const ask = [](void* state) -> void* {
        std::unique_ptr<std::shared_ptr<question>> const own{static_cast<std::shared_ptr<question>*>(state)};
        auto& one = **own;
        auto const find = []<class F>(F*& to, char const* name) {
            to = reinterpret_cast<F*>(dlsym(RTLD_DEFAULT, name));
            return to != nullptr;
        };
        int (*lock)() = nullptr;
        void (*unlock)(int) = nullptr;
        void* (*new_dictionary)() = nullptr;
        void* (*run)(char const*, int, void*, void*) = nullptr;
        char const* (*text)(void*) = nullptr;
        void (*clear)() = nullptr;
        void (*release)(void*) = nullptr;
        if (!find(lock, "PyGILState_Ensure") || !find(unlock, "PyGILState_Release") ||
            !find(new_dictionary, "PyDict_New") || !find(run, "PyRun_String") || !find(text, "PyUnicode_AsUTF8") ||
            !find(clear, "PyErr_Clear") || !find(release, "Py_DecRef")) {
            return nullptr;
        }
        std::array<char, 400> code{};
        std::snprintf(code.data(), code.size(),
                      "(lambda f: '%%s, %%s:%%d' %% (f.f_code.co_name, f.f_code.co_filename.split('/')[-1], f.f_lineno)"
                      " if f else '')(__import__('sys')._current_frames().get(%lu))",
                      one.thread);
        constexpr int expression = 258;  // Py_eval_input
        int const state_of_lock = lock();
        void* const names = new_dictionary();
        void* const result = run(code.data(), expression, names, names);
        char const* const found = result != nullptr ? text(result) : nullptr;
        if (found != nullptr) { one.answer = found; }
        clear();
        if (result != nullptr) { release(result); }
        release(names);
        unlock(state_of_lock);
        one.is_answered.store(true, std::memory_order_release);
        return nullptr;
    };
    pthread_t helper{};
    if (pthread_create(&helper, nullptr, ask, handed_over) != 0) {
        delete handed_over;
        return {};
    }
    pthread_detach(helper);
    for (int i = 0; i != 100 && !asked->is_answered.load(std::memory_order_acquire); ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds{5});
    }
    return asked->is_answered.load(std::memory_order_acquire) ? asked->answer : std::string{};
}

}  // namespace tutti::watch
