// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

// The library libtutti_mpi.so, which LD_PRELOAD loads into every process of a program: also into shells and launchers,
// and into programs of another MPI than the one that it was compiled for. So it needs neither MPI nor the library of
// C++, does nothing until one of MPI's functions is called, and loads the accelerator (compiled_accelerator.hpp), which
// lies beside it as libtutti_mpi_calls.so, only where that fits the MPI that the program would call without it. Else
// it says so, and all calls go to that MPI.
//
// Of the arguments it knows only the number: handles are integers in one MPI and addresses in another, and either
// travels as a machine word.
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>

#include <tutti/communicator/mpi/declarations.hpp>

namespace tutti::preload {

using word = std::uintptr_t;

/// Functions whose handles and constants fit each other.
enum class abi { open_mpi, mpich, standard };

inline constexpr abi compiled_for =
#if defined(OPEN_MPI)
    abi::open_mpi;
#elif defined(MPI_ABI_VERSION) && !defined(MPICH_VERSION)
    abi::standard;
#else
    abi::mpich;
#endif

[[nodiscard]] constexpr char const* name_of(abi which) {
    return which == abi::open_mpi ? "Open MPI" : which == abi::mpich ? "MPICH" : "the standard ABI of MPI";
}

/// Whether this is the first process of a run, or one of no launcher that says: the others are silent.
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
    void* calls = nullptr;  ///< the accelerator, if it fits

    /// What the program would call without this library.
    [[nodiscard]] void* next(char const* name) const {
        auto* const found = dlsym(RTLD_NEXT, name);
        return found == nullptr && mpi != nullptr ? dlsym(mpi, name) : found;
    }

    void open() {
        look_into_libraries();
        auto* const init = next("PMPI_Init");
        Dl_info where{};
        if (init == nullptr || dladdr(init, &where) == 0) { return; }
        auto const found = std::strstr(where.dli_fname, "mpi_abi") != nullptr ? abi::standard
                           : next("ompi_mpi_comm_world") != nullptr           ? abi::open_mpi
                                                                              : abi::mpich;
        if (found != compiled_for) {
            if (is_first()) {
                std::fprintf(
                    stderr,
                    "tutti: this program runs on %s (%s), and libtutti_mpi.so was built for %s, so MPI performs "
                    "all calls; build it for this MPI, by ./dev accelerate --mpi %s --print\n",
                    name_of(found), where.dli_fname, name_of(compiled_for), found == abi::mpich ? "mpich" : "openmpi");
            }
            return;
        }
        load_beside(init);
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
    void load_beside(void* init) {
        auto* const found = dlopen("$ORIGIN/libtutti_mpi_calls.so", RTLD_NOW | RTLD_LOCAL);
        char const* const wrong = found == nullptr                    ? dlerror()
                                  : dlsym(found, "PMPI_Init") != init ? "it needs another version of MPI"
                                                                      : nullptr;
        if (wrong == nullptr) {
            calls = found;
        } else if (is_first()) {
            std::fprintf(stderr,
                         "tutti: libtutti_mpi_calls.so cannot be loaded (%s), so MPI performs all calls; build both "
                         "libraries for this MPI, by ./dev accelerate --print, and keep them in one folder\n",
                         wrong);
        }
    }
};

[[nodiscard]] inline process& this_process() {
    static process all;
    return all;
}

/// Whether MPI's functions have been called, and the last one.
inline std::atomic<bool> is_called{false};
inline std::atomic<bool> is_finalised{false};

/// With TUTTI=report, where nothing else is printed: why.
[[gnu::destructor]] inline void explain_silence() {
    auto const* const says = std::getenv("TUTTI");
    if (says == nullptr || std::strstr(says, "report") == nullptr || is_finalised || !is_first()) { return; }
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

/// Whom a function of MPI goes to.
[[nodiscard, gnu::cold]] inline void* find(char const* name) {
    auto& all = this_process();
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, [] { this_process().open(); });
    is_called = true;
    if (std::strstr(name, "inalize") != nullptr || std::strstr(name, "FINALIZE") != nullptr) { is_finalised = true; }
    auto* found = all.calls != nullptr ? dlsym(all.calls, name) : nullptr;
    if (found == nullptr) { found = all.next(name); }
    if (found == nullptr) {
        std::fprintf(stderr, "tutti: the MPI of this program has no %s; remove libtutti_mpi.so from LD_PRELOAD\n",
                     name);
        std::abort();
    }
    return found;
}

}  // namespace tutti::preload

// Parameters and arguments of a function of so many words.
#define TUTTI_0 (), ()
#define TUTTI_1 (word a), (a)
#define TUTTI_2 (word a, word b), (a, b)
#define TUTTI_3 (word a, word b, word c), (a, b, c)
#define TUTTI_4 (word a, word b, word c, word d), (a, b, c, d)
#define TUTTI_5 (word a, word b, word c, word d, word e), (a, b, c, d, e)
#define TUTTI_6 (word a, word b, word c, word d, word e, word f), (a, b, c, d, e, f)
#define TUTTI_7 (word a, word b, word c, word d, word e, word f, word g), (a, b, c, d, e, f, g)
#define TUTTI_8 (word a, word b, word c, word d, word e, word f, word g, word h), (a, b, c, d, e, f, g, h)
#define TUTTI_9 (word a, word b, word c, word d, word e, word f, word g, word h, word i), (a, b, c, d, e, f, g, h, i)
#define TUTTI_10                                                                                                       \
    (word a, word b, word c, word d, word e, word f, word g, word h, word i, word j), (a, b, c, d, e, f, g, h, i, j)

// Each function is looked up when it is called first. MPI's own declarations have other parameters under these names.
#define TUTTI_FUNCTION_OF(name, parameters, arguments)                                                                 \
    word tutti_##name parameters __asm__(#name);                                                                       \
    static word tutti_first_##name parameters;                                                                         \
    static std::atomic<word(*) parameters> tutti_known_##name{tutti_first_##name};                                     \
    word tutti_first_##name parameters {                                                                               \
        auto const found = reinterpret_cast<word(*) parameters>(tutti::preload::find(#name));                          \
        tutti_known_##name.store(found, std::memory_order_relaxed);                                                    \
        return found arguments;                                                                                        \
    }                                                                                                                  \
    word tutti_##name parameters { return tutti_known_##name.load(std::memory_order_relaxed) arguments; }
#define TUTTI_FUNCTION_AS(...) TUTTI_FUNCTION_OF(__VA_ARGS__)
#define TUTTI_FUNCTION(name, words) TUTTI_FUNCTION_AS(name, TUTTI_##words)

// Names, and the numbers of words of a call in C, and in Fortran.
#define TUTTI_COLLECTIVES(FORMS)                                                                                       \
    FORMS(Allreduce, allreduce, ALLREDUCE, 6, 7)                                                                       \
    FORMS(Reduce, reduce, REDUCE, 7, 8)                                                                                \
    FORMS(Reduce_scatter, reduce_scatter, REDUCE_SCATTER, 6, 7)                                                        \
    FORMS(Reduce_scatter_block, reduce_scatter_block, REDUCE_SCATTER_BLOCK, 6, 7)                                      \
    FORMS(Scan, scan, SCAN, 6, 7)                                                                                      \
    FORMS(Exscan, exscan, EXSCAN, 6, 7)                                                                                \
    FORMS(Bcast, bcast, BCAST, 5, 6)                                                                                   \
    FORMS(Gather, gather, GATHER, 8, 9)                                                                                \
    FORMS(Gatherv, gatherv, GATHERV, 9, 10)                                                                            \
    FORMS(Scatter, scatter, SCATTER, 8, 9)                                                                             \
    FORMS(Scatterv, scatterv, SCATTERV, 9, 10)                                                                         \
    FORMS(Allgather, allgather, ALLGATHER, 7, 8)                                                                       \
    FORMS(Allgatherv, allgatherv, ALLGATHERV, 8, 9)

#define TUTTI_FORM(name, f_name, NAME, words, f_words) TUTTI_FUNCTION(MPI_##name, words)
#define TUTTI_LARGE_FORM(name, f_name, NAME, words, f_words) TUTTI_FUNCTION(MPI_##name##_c, words)
#define TUTTI_FORTRAN(name, NAME, words)                                                                               \
    TUTTI_FUNCTION(ompi_##name##_f, words)                                                                             \
    TUTTI_FUNCTION(mpi_##name##_, words)                                                                               \
    TUTTI_FUNCTION(mpi_##name##__, words)                                                                              \
    TUTTI_FUNCTION(mpi_##name, words)                                                                                  \
    TUTTI_FUNCTION(MPI_##NAME, words)
#define TUTTI_FORTRAN_FORM(name, f_name, NAME, words, f_words) TUTTI_FORTRAN(f_name, NAME, f_words)

#pragma GCC visibility push(default)

extern "C" {

using tutti::preload::word;

TUTTI_COLLECTIVES(TUTTI_FORM)
TUTTI_FUNCTION(MPI_Barrier, 1)
TUTTI_FUNCTION(MPI_Init, 2)
TUTTI_FUNCTION(MPI_Init_thread, 4)
TUTTI_FUNCTION(MPI_Finalize, 0)
#if MPI_VERSION >= 4
TUTTI_COLLECTIVES(TUTTI_LARGE_FORM)
#endif
#ifdef OPEN_MPI
TUTTI_COLLECTIVES(TUTTI_FORTRAN_FORM)
TUTTI_FORTRAN(barrier, BARRIER, 2)
TUTTI_FORTRAN(finalize, FINALIZE, 1)
TUTTI_FORTRAN(init, INIT, 1)
TUTTI_FORTRAN(init_thread, INIT_THREAD, 3)
#endif

}  // extern "C"

#pragma GCC visibility pop
