// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

// The library libtutti_mpi.so, one for every MPI, which LD_PRELOAD loads into every process of a program: also into
// shells and launchers. So it needs neither MPI nor the library of C++, and does nothing until one of MPI's functions
// is called. Then it asks which kind of MPI the program would call without it, and loads the library of compiled_
// accelerator.hpp that was built for this kind, and lies beside it: libtutti_mpi_calls.openmpi.so, .mpich.so or .abi.so
// (MPI 5's standard ABI). If there is none, it writes a line, and all calls go to MPI.
//
// Of the arguments it knows only the number: handles are integers in one MPI and addresses in another, and either
// travels as a machine word (as on x86-64 and AArch64 Linux).
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>

#include <tutti/accelerator/intercepted.hpp>

namespace tutti::preload {

using word = std::uintptr_t;

/// A kind of MPI: libraries whose handles and constants are the same.
struct kind {
    char const* name;
    char const* calls;  ///< the library that is built for it
    char const* build;  ///< what builds that
};
inline constexpr kind open_mpi{"Open MPI", "$ORIGIN/libtutti_mpi_calls.openmpi.so", "./dev accelerate --mpi openmpi"};
inline constexpr kind mpich{"MPICH", "$ORIGIN/libtutti_mpi_calls.mpich.so", "./dev accelerate --mpi mpich"};
inline constexpr kind standard_abi{"the standard ABI of MPI", "$ORIGIN/libtutti_mpi_calls.abi.so",
                                   "CMake's target tutti::accelerator with the MPI's mpicc_abi"};

/// Whether this is the first process of a run, or one of a launcher that numbers none: the others are silent.
[[nodiscard]] inline bool is_first() {
    for (auto const* const each : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID"}) {
        auto const* const rank = std::getenv(each);
        if (rank != nullptr) { return std::strcmp(rank, "0") == 0; }
    }
    return true;
}

/// Where the calls of this process go.
struct process {
    void* mpi = nullptr;    ///< a library that sees MPI, if others do not: an extension of Python's has its own
    void* calls = nullptr;  ///< the library for calls, if there is one
    bool watches = false;   ///< it takes functions that it does not perform

    /// What the program would call without this library.
    [[nodiscard]] void* next(char const* name) const {
        auto* const found = dlsym(RTLD_NEXT, name);
        return found == nullptr && mpi != nullptr ? dlsym(mpi, name) : found;
    }

    void open() {
        look_into_libraries();
        Dl_info where{};
        auto* const init = next("PMPI_Init");
        if (init == nullptr || dladdr(init, &where) == 0) { return; }
        load(kind_of_mpi(), where.dli_fname);
    }

    void look_into_libraries() {
        link_map* each = nullptr;
        if (next("PMPI_Init") != nullptr || dlinfo(dlopen(nullptr, RTLD_LAZY), RTLD_DI_LINKMAP, &each) != 0) { return; }
        for (; each != nullptr && mpi == nullptr; each = each->l_next) {
            auto* const found = dlopen(each->l_name, RTLD_LAZY | RTLD_NOLOAD);
            if (found != nullptr && dlsym(found, "PMPI_Init") != nullptr) { mpi = found; }
        }
    }

private:
    [[nodiscard]] kind const& kind_of_mpi() const {
        int version = -1;
        int subversion = 0;
        if (auto* const ask = next("MPI_Abi_get_version")) {
            reinterpret_cast<int (*)(int*, int*)>(ask)(&version, &subversion);
        }
        return version > 0 ? standard_abi : next("ompi_mpi_comm_self") != nullptr ? open_mpi : mpich;
    }

    /// The library for calls takes MPI's functions and constants from the process, so they must be seen there.
    void load(kind const& of, char const* file_of_mpi) {
        dlopen(file_of_mpi, RTLD_LAZY | RTLD_NOLOAD | RTLD_GLOBAL);
        auto* const found = dlopen(of.calls, RTLD_NOW | RTLD_LOCAL);
        if (found != nullptr) {
            if (auto* const begin = dlsym(found, "tutti_begin")) {
                watches = reinterpret_cast<int (*)(void* (*)(char const*))>(begin)(&next_of_all) != 0;
                calls = found;
            }
        } else if (is_first()) {
            std::fprintf(stderr,
                         "tutti: this program runs on %s (%s), for which libtutti_mpi.so has no library (%s), so MPI "
                         "performs all calls; build it by %s --print\n",
                         of.name, file_of_mpi, dlerror(), of.build);
        }
    }

    static void* next_of_all(char const* name);
};

[[nodiscard]] inline process& this_process() {
    static process all;
    return all;
}
inline void* process::next_of_all(char const* name) { return this_process().next(name); }

/// Whether MPI's functions have been called, and the last one.
inline std::atomic<bool> is_called{false};
inline std::atomic<bool> is_finalised{false};

/// With TUTTI=report, where nothing else is printed: why.
[[gnu::destructor]] inline void explain_silence() {
    auto const* const words = std::getenv("TUTTI");
    bool const asked =
        words != nullptr && (std::strstr(words, "report") != nullptr || std::strstr(words, "watch") != nullptr);
    if (!asked || is_finalised || (is_called && std::strstr(words, "watch") != nullptr) || !is_first()) { return; }
    if (!is_called) {
        this_process().look_into_libraries();
        if (this_process().next("PMPI_Init") != nullptr) {
            std::fputs("tutti: this process has MPI, and no call of it has come to libtutti_mpi.so: the program looks "
                       "functions "
                       "up in MPI's library, or a tool that is loaded before it takes them\n",
                       stderr);
        }
    } else {
        std::fputs(
            "tutti: no report, since no MPI_Finalize has come to libtutti_mpi.so: a tool that is loaded before it "
            "takes calls, or the program has only sessions, whose collectives are left to MPI; call MPI_Init, too\n",
            stderr);
    }
}

[[noreturn]] void abort();

/// Makes sure that the MPI of the process is known.
inline void look() {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, [] { this_process().open(); });
}

/// The function of the library for calls that takes a function of MPI, if it does: its first argument is the address
/// that the program calls from, and then come those of MPI's.
[[nodiscard, gnu::cold]] inline void* find_taken(char const* name) {
    look();
    is_called = true;
    if (std::strstr(name, "inalize") != nullptr || std::strstr(name, "FINALIZE") != nullptr) { is_finalised = true; }
    auto const& all = this_process();
    if (all.calls == nullptr) { return nullptr; }
    std::array<char, 64> full{};
    std::snprintf(full.data(), full.size(), "tutti_%s", name);
    auto* const taken = dlsym(all.calls, full.data());
    if (taken != nullptr || !all.watches) { return taken; }
    std::snprintf(full.data(), full.size(), "tutti_watch_%s", name);
    return dlsym(all.calls, full.data());
}

/// MPI's own function.
[[nodiscard, gnu::cold]] inline void* find_next(char const* name) {
    look();
    auto* const found = this_process().next(name);
    if (found == nullptr) {
        std::fprintf(stderr, "tutti: the MPI of this program has no %s; remove libtutti_mpi.so from LD_PRELOAD\n",
                     name);
        tutti::preload::abort();
    }
    return found;
}

/// The address that the program calls a Fortran function of MPI from, while that calls another function of MPI.
[[gnu::tls_model("initial-exec")]] inline constinit thread_local word outer_site = 0;

/// A process that is aborted, also by an exception that nothing catches, reports under TUTTI=watch where.
[[noreturn, gnu::cold]] inline void abort() {
    auto const& all = this_process();
    if (all.watches) {
        if (auto* const speak = dlsym(all.calls, "tutti_last_words")) {
            reinterpret_cast<void (*)(char const*)>(speak)("is aborted");
        }
    }
    if (auto* const next = dlsym(RTLD_NEXT, "abort")) { reinterpret_cast<void (*)()>(next)(); }
    __builtin_trap();
}

/// Calls a Fortran function of MPI.
template <class Call>
word noting(word site, Call call) {
    word const before = outer_site;
    outer_site = site;
    word const result = call();
    outer_site = before;
    return result;
}

}  // namespace tutti::preload

// Parameters and arguments of a function of this many words.
#define TUTTI_PARAMETERS_1 word a
#define TUTTI_ARGUMENTS_1 a
#define TUTTI_PARAMETERS_2 TUTTI_PARAMETERS_1, word b
#define TUTTI_ARGUMENTS_2 TUTTI_ARGUMENTS_1, b
#define TUTTI_PARAMETERS_3 TUTTI_PARAMETERS_2, word c
#define TUTTI_ARGUMENTS_3 TUTTI_ARGUMENTS_2, c
#define TUTTI_PARAMETERS_4 TUTTI_PARAMETERS_3, word d
#define TUTTI_ARGUMENTS_4 TUTTI_ARGUMENTS_3, d
#define TUTTI_PARAMETERS_5 TUTTI_PARAMETERS_4, word e
#define TUTTI_ARGUMENTS_5 TUTTI_ARGUMENTS_4, e
#define TUTTI_PARAMETERS_6 TUTTI_PARAMETERS_5, word f
#define TUTTI_ARGUMENTS_6 TUTTI_ARGUMENTS_5, f
#define TUTTI_PARAMETERS_7 TUTTI_PARAMETERS_6, word g
#define TUTTI_ARGUMENTS_7 TUTTI_ARGUMENTS_6, g
#define TUTTI_PARAMETERS_8 TUTTI_PARAMETERS_7, word h
#define TUTTI_ARGUMENTS_8 TUTTI_ARGUMENTS_7, h
#define TUTTI_PARAMETERS_9 TUTTI_PARAMETERS_8, word i
#define TUTTI_ARGUMENTS_9 TUTTI_ARGUMENTS_8, i
#define TUTTI_PARAMETERS_10 TUTTI_PARAMETERS_9, word j
#define TUTTI_ARGUMENTS_10 TUTTI_ARGUMENTS_9, j
#define TUTTI_PARAMETERS_11 TUTTI_PARAMETERS_10, word k
#define TUTTI_ARGUMENTS_11 TUTTI_ARGUMENTS_10, k
#define TUTTI_PARAMETERS_12 TUTTI_PARAMETERS_11, word l
#define TUTTI_ARGUMENTS_12 TUTTI_ARGUMENTS_11, l
#define TUTTI_PARAMETERS_13 TUTTI_PARAMETERS_12, word m
#define TUTTI_ARGUMENTS_13 TUTTI_ARGUMENTS_12, m

// These, and the same after the address that the program calls from, each after what comes before.
#define TUTTI_WORDS(n, F, ...)                                                                                         \
    F(__VA_ARGS__, (TUTTI_PARAMETERS_##n), (TUTTI_ARGUMENTS_##n), (word site, TUTTI_PARAMETERS_##n),                   \
      (site, TUTTI_ARGUMENTS_##n))
#define TUTTI_0(F, ...) F(__VA_ARGS__, (), (), (word site), (site))
#define TUTTI_1(F, ...) TUTTI_WORDS(1, F, __VA_ARGS__)
#define TUTTI_2(F, ...) TUTTI_WORDS(2, F, __VA_ARGS__)
#define TUTTI_3(F, ...) TUTTI_WORDS(3, F, __VA_ARGS__)
#define TUTTI_4(F, ...) TUTTI_WORDS(4, F, __VA_ARGS__)
#define TUTTI_5(F, ...) TUTTI_WORDS(5, F, __VA_ARGS__)
#define TUTTI_6(F, ...) TUTTI_WORDS(6, F, __VA_ARGS__)
#define TUTTI_7(F, ...) TUTTI_WORDS(7, F, __VA_ARGS__)
#define TUTTI_8(F, ...) TUTTI_WORDS(8, F, __VA_ARGS__)
#define TUTTI_9(F, ...) TUTTI_WORDS(9, F, __VA_ARGS__)
#define TUTTI_10(F, ...) TUTTI_WORDS(10, F, __VA_ARGS__)
#define TUTTI_11(F, ...) TUTTI_WORDS(11, F, __VA_ARGS__)
#define TUTTI_12(F, ...) TUTTI_WORDS(12, F, __VA_ARGS__)
#define TUTTI_13(F, ...) TUTTI_WORDS(13, F, __VA_ARGS__)

// Each function is looked up when it is called first. MPI's own declarations have other parameters under these names.
// `NEXT` calls MPI's own.
#define TUTTI_FUNCTION_OF(NEXT, symbol, name, parameters, arguments, with_site, and_site)                              \
    word tutti_##symbol parameters __asm__(#symbol);                                                                   \
    static word tutti_first_##symbol with_site;                                                                        \
    static std::atomic<word(*) with_site> tutti_taken_##symbol{tutti_first_##symbol};                                  \
    static std::atomic<word(*) parameters> tutti_next_##symbol{nullptr};                                               \
    [[gnu::cold]] static word tutti_first_##symbol with_site {                                                         \
        auto const taken = reinterpret_cast<word(*) with_site>(tutti::preload::find_taken(name));                      \
        if (taken == nullptr) {                                                                                        \
            auto const next = tutti::preload::find_next(#symbol);                                                      \
            tutti_next_##symbol.store(reinterpret_cast<word(*) parameters>(next), std::memory_order_release);          \
        }                                                                                                              \
        tutti_taken_##symbol.store(taken, std::memory_order_release);                                                  \
        return taken != nullptr ? taken and_site : NEXT(tutti_next_##symbol.load() arguments);                         \
    }                                                                                                                  \
    word tutti_##symbol parameters {                                                                                   \
        word const outer = tutti::preload::outer_site;                                                                 \
        word const site = outer != 0 ? outer : reinterpret_cast<word>(__builtin_return_address(0));                    \
        auto const taken = tutti_taken_##symbol.load(std::memory_order_acquire);                                       \
        if (taken != nullptr) { return taken and_site; }                                                               \
        return NEXT(tutti_next_##symbol.load(std::memory_order_relaxed) arguments);                                    \
    }
#define TUTTI_FORWARD(call) call
#define TUTTI_FORWARD_AND_NOTE(call) tutti::preload::noting(site, [&] { return call; })

// In C, with large counts, and in Fortran: under the names that its compilers make, the inner one of Open MPI that
// these and the module mpi_f08 call, and those of the modules mpi_f08 of Open MPI and MPICH.
#define TUTTI_FORM(name, f_name, NAME, words, f_words)                                                                 \
    TUTTI_##words(TUTTI_FUNCTION_OF, TUTTI_FORWARD, MPI_##name, "MPI_" #name)
#define TUTTI_LARGE_FORM(name, f_name, NAME, words, f_words)                                                           \
    TUTTI_##words(TUTTI_FUNCTION_OF, TUTTI_FORWARD, MPI_##name##_c, "MPI_" #name "_c")
#define TUTTI_FORTRAN_FORM(name, f_name, NAME, words, f_words)                                                         \
    TUTTI_##f_words(TUTTI_FUNCTION_OF, TUTTI_FORWARD_AND_NOTE, ompi_##f_name##_f, "ompi_" #f_name "_f")                \
        TUTTI_##f_words(TUTTI_FUNCTION_OF, TUTTI_FORWARD_AND_NOTE, mpi_##f_name##_, "ompi_" #f_name "_f")              \
            TUTTI_##f_words(TUTTI_FUNCTION_OF, TUTTI_FORWARD_AND_NOTE, mpi_##f_name##__, "ompi_" #f_name "_f")         \
                TUTTI_##f_words(TUTTI_FUNCTION_OF, TUTTI_FORWARD_AND_NOTE, mpi_##f_name, "ompi_" #f_name "_f")         \
                    TUTTI_##f_words(TUTTI_FUNCTION_OF, TUTTI_FORWARD_AND_NOTE, MPI_##NAME, "ompi_" #f_name "_f")       \
                        TUTTI_##f_words(TUTTI_FUNCTION_OF, TUTTI_FORWARD_AND_NOTE, mpi_##f_name##_f08_,                \
                                        "mpi_" #f_name "_f08")                                                         \
                            TUTTI_##f_words(TUTTI_FUNCTION_OF, TUTTI_FORWARD_AND_NOTE, mpi_##f_name##_f08ts_,          \
                                            "mpi_" #f_name "_f08")

#pragma GCC visibility push(default)

extern "C" {

using tutti::preload::word;

TUTTI_WITH_COUNTS(TUTTI_FORM)
TUTTI_WITH_COUNTS(TUTTI_LARGE_FORM)
TUTTI_WITH_COUNTS(TUTTI_FORTRAN_FORM)
TUTTI_WITHOUT_COUNTS(TUTTI_FORM)
TUTTI_WITHOUT_COUNTS(TUTTI_FORTRAN_FORM)
TUTTI_SINCE_MPI_4(TUTTI_FORM)
TUTTI_SINCE_MPI_4(TUTTI_FORTRAN_FORM)

[[noreturn]] void tutti_abort(void) __asm__("abort");
void tutti_abort(void) { tutti::preload::abort(); }

}  // extern "C"

#pragma GCC visibility pop
