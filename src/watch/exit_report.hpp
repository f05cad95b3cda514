// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <atomic>
#include <array>
#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>

#include <dlfcn.h>
#include <execinfo.h>
#include <signal.h>
#include <unistd.h>

#include <watch/source_lines.hpp>
#include <watch/watcher.hpp>

namespace tutti::watch {

/// What a rank writes when it ends while others may wait for it: by SIGABRT (abort, failed assertions, exceptions that
/// nothing catches) or MPI_Abort; libtutti_mpi.so adds exit and quick_exit.
class exit_report {
public:
    static void begin() {
        process_ = getpid();
        sigaction(SIGABRT, nullptr, &before_);
        if ((before_.sa_flags & SA_SIGINFO) == 0 && before_.sa_handler == SIG_IGN) { return; }
        struct sigaction ours {};
        ours.sa_handler = write_and_abort;  // on the thread's stack: that of UCX for signals is too small
        sigaction(SIGABRT, &ours, nullptr);
    }
    /// MPI_Finalize has been called.
    static void end() { process_ = 0; }

    static void write(char const* how, void const* returns_to) {
        auto self = getpid();
        if (!process_.compare_exchange_strong(self, 0)) { return; }  // a child of fork or vfork has other business
        int is_over = 0;  // by a tool that takes MPI_Finalize
        if (PMPI_Finalized(&is_over) == MPI_SUCCESS && is_over != 0) { return; }
        auto text = "tutti: rank " + std::to_string(watcher::rank()) + ' ';
        if (watcher::is_inside()) {  // as after an error that MPI takes for fatal
            text += "ends inside of MPI: in ";
        } else {
            auto const* const from = returns_to != nullptr ? returns_to : caller();
            text += std::string{how} + (from != nullptr ? ", from " + source_lines{}.of(from) : std::string{});
            text += "; its last call was ";
        }
        text += watcher::last_call() + '\n';
        std::fwrite(text.data(), 1, text.size(), stderr);
    }

private:
    /// Writes, and hands the signal on to its former handler. To write may need a lock that the aborted code holds:
    /// then the alarm ends the process.
    static void write_and_abort(int) {
        constexpr unsigned enough = 5;  // s
        struct sigaction usual {};
        struct sigaction of_program {};
        sigset_t alarms{};
        sigset_t blocked{};
        sigaddset(&alarms, SIGALRM);
        usual.sa_handler = SIG_DFL;
        sigaction(SIGALRM, &usual, &of_program);
        auto const left = alarm(enough);
        pthread_sigmask(SIG_UNBLOCK, &alarms, &blocked);
        write("is aborted", nullptr);
        alarm(left);
        sigaction(SIGALRM, &of_program, nullptr);
        pthread_sigmask(SIG_SETMASK, &blocked, nullptr);
        sigaction(SIGABRT, &before_, nullptr);
        raise(SIGABRT);  // comes when this returns
    }

    /// The innermost return address on the stack that is neither in this library nor in those of C, C++ and Fortran.
    [[nodiscard]] static void const* caller() {
        std::array<void*, 64> frames{};
        int const n = backtrace(frames.data(), static_cast<int>(frames.size()));
        auto const own = code_place::of(reinterpret_cast<void const*>(&exit_report::begin)).module;
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

    inline static std::atomic<pid_t> process_{0};
    inline static struct sigaction before_ {};
};

}  // namespace tutti::watch
