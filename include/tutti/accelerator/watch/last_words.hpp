// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <atomic>
#include <array>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include <dlfcn.h>
#include <execinfo.h>
#include <unistd.h>

#include <tutti/accelerator/watch/source_lines.hpp>
#include <tutti/accelerator/watch/watcher.hpp>

namespace tutti::accelerator::watch {

/// What a rank writes that leaves the program while others may wait for it: by exit, abort, an exception that nothing
/// catches, or MPI_Abort.
class last_words {
public:
    static void begin() {
        process_ = getpid();
        std::atexit([] { speak("leaves by exit, or by returning from main, without MPI_Finalize", nullptr); });
    }
    /// MPI_Finalize has been called.
    static void end() { process_ = 0; }

    static void speak(char const* how, void const* returns_to) {
        if (process_.exchange(0) != getpid()) { return; }  // a child of fork has other business
        auto text = "tutti: rank " + std::to_string(watcher::rank()) + ' ';
        if (watcher::is_inside()) {  // as after an error that MPI takes for fatal
            text += "ends inside of MPI: in ";
        } else {
            auto const* const from = returns_to != nullptr ? returns_to : caller();
            text += how + (from != nullptr ? ", from " + source_lines{}.of(from) : std::string{});
            text += "; its last call was ";
        }
        text += watcher::last_call() + '\n';
        std::fwrite(text.data(), 1, text.size(), stderr);
    }

private:
    /// The innermost place of the program on the stack: what lies above the libraries of C and C++, and this one.
    [[nodiscard]] static void const* caller() {
        std::array<void*, 64> frames{};
        int const n = backtrace(frames.data(), static_cast<int>(frames.size()));
        auto const own = code_place::of(reinterpret_cast<void const*>(&last_words::begin)).module;
        for (int i = 0; i < n; ++i) {
            auto const module = code_place::of(frames[static_cast<std::size_t>(i)]).module;
            auto const name = std::string_view{module}.substr(module.rfind('/') + 1);
            bool const is_ours = module == own || name.starts_with("libtutti_mpi");
            bool const is_runtime = name.starts_with("libc.so") || name.starts_with("libstdc++.so") ||
                                    name.starts_with("ld-linux") || name.starts_with("libgfortran.so") ||
                                    name.starts_with("libgcc_s.so") || name.starts_with("libc-");
            if (!is_ours && !is_runtime) { return frames[static_cast<std::size_t>(i)]; }
        }
        return nullptr;
    }

    inline static std::atomic<int> process_{0};
};

}  // namespace tutti::accelerator::watch
