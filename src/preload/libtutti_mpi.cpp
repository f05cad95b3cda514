// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
// The library libtutti_mpi.so, one for every MPI, which LD_PRELOAD loads into every process of a program: also into
// shells and launchers. So it needs neither MPI nor the library of C++, and does nothing until one of MPI's functions
// is called. Then it asks which kind of MPI the program would call without it, and loads the library of
// libtutti_mpi_calls.cpp that was built for this kind, and lies beside it: libtutti_mpi_calls.openmpi.so, .mpich.so or
// .abi.so (MPI 5's standard ABI). If there is none, it writes a line, and all calls go to MPI.
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
#include <unistd.h>

namespace tutti::loader {

using word = std::uintptr_t;
using number [[gnu::vector_size(16)]] = float;  ///< what a register for numbers holds of arguments

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
    void* (*entry)(char const* name, int watches) = nullptr;  ///< what it has for a function
    bool watches = false;  ///< it takes functions that it does not perform
    pid_t number = 0;       ///< of the process that has loaded this library: a child of fork is another one
    std::array<char, 4096> first_folder{};
    link_map* last_of_first = nullptr;  ///< of the libraries that the process has begun with, which stay

    /// What the program would call without this library.
    [[nodiscard]] void* next(char const* name) const {
        auto* const found = dlsym(RTLD_NEXT, name);
        return found == nullptr && mpi != nullptr ? dlsym(mpi, name) : found;
    }
    /// The same of a call from `site`: its library may be one of those, loaded later, that only it sees.
    [[nodiscard]] void* next(char const* name, void const* site) const {
        if (auto* const found = dlsym(RTLD_NEXT, name)) { return found; }
        Dl_info caller{};
        if (dladdr(site, &caller) != 0) {
            if (auto* const found = symbol_in(caller.dli_fname, name)) { return found; }
        }
        for (auto* each = first_library(); each != nullptr; each = each->l_next) {
            if (auto* const found = symbol_in(each->l_name, name)) { return found; }
        }
        return nullptr;
    }

    /// Whether a function will be found wherever it is called from, and stays loaded.
    [[nodiscard]] bool stays(char const* name, void* function) const {
        Dl_info where{};
        link_map* of = nullptr;
        if (dlsym(RTLD_NEXT, name) != function ||
            dladdr1(function, &where, reinterpret_cast<void**>(&of), RTLD_DL_LINKMAP) == 0) {
            return false;
        }
        auto* each = first_library();
        while (each != nullptr && each != of && each != last_of_first) { each = each->l_next; }
        return each == of;
    }

    void open() {
        look_into_libraries();
        Dl_info where{};
        auto* const init = next("PMPI_Init");
        if (init == nullptr || dladdr(init, &where) == 0) { return; }
        load(kind_of_mpi(), where.dli_fname);
    }

    void look_into_libraries() {
        if (next("PMPI_Init") != nullptr) { return; }
        for (auto* each = first_library(); each != nullptr && mpi == nullptr; each = each->l_next) {
            auto* const found = dlopen(each->l_name, RTLD_LAZY | RTLD_NOLOAD);
            if (found != nullptr && dlsym(found, "PMPI_Init") != nullptr) { mpi = found; }
        }
    }

    void begin() {
        number = getpid();
        if (getcwd(first_folder.data(), first_folder.size()) == nullptr) { first_folder[0] = '\0'; }
        for (auto* each = first_library(); each != nullptr; each = each->l_next) { last_of_first = each; }
    }

private:
    [[nodiscard]] static link_map* first_library() {
        link_map* first = nullptr;
        return dlinfo(dlopen(nullptr, RTLD_LAZY), RTLD_DI_LINKMAP, &first) == 0 ? first : nullptr;
    }

    /// As a library sees it beyond what all see.
    [[nodiscard]] static void* symbol_in(char const* library, char const* name) {
        auto* const handle = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
        if (handle == nullptr) { return nullptr; }
        Dl_info where{};
        Dl_info here{};
        auto* const found = dlsym(handle, name);
        dlclose(handle);
        dladdr(reinterpret_cast<void*>(&next_of_all), &here);
        bool const is_other = found != nullptr && dladdr(found, &where) != 0 && where.dli_fbase != here.dli_fbase;
        return is_other ? found : nullptr;
    }

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
        auto* found = dlopen(of.calls, RTLD_NOW | RTLD_LOCAL);
        if (found == nullptr) {  // of sanitizers, which call dlopen for others, $ORIGIN is their own folder
            std::array<char, 4096> beside{};
            Dl_info here{};
            dladdr(reinterpret_cast<void*>(&next_of_all), &here);
            auto const* const slash = std::strrchr(here.dli_fname, '/');
            auto const folder = slash != nullptr ? static_cast<int>(slash - here.dli_fname) : 0;
            std::snprintf(beside.data(), beside.size(), "%.*s%s", folder, here.dli_fname, std::strchr(of.calls, '/'));
            found = dlopen(beside.data(), RTLD_NOW | RTLD_LOCAL);
        }
        auto* const begin = found != nullptr ? dlsym(found, "tutti_begin") : nullptr;
        auto* const takes = begin != nullptr ? dlsym(found, "tutti_entry") : nullptr;
        if (takes != nullptr) {
            watches = reinterpret_cast<int (*)(void* (*)(char const*), char const*)>(begin)(
                          &next_of_all, first_folder.data()) != 0;
            entry = reinterpret_cast<void* (*)(char const*, int)>(takes);
            calls = found;
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
inline void explain_silence() {
    auto const* const words = std::getenv("TUTTI");
    bool const asked =
        words != nullptr && (std::strstr(words, "report") != nullptr || std::strstr(words, "watch") != nullptr);
    if (!asked || is_finalised || (is_called && std::strstr(words, "watch") != nullptr) || !is_first()) { return; }
    if (!is_called) {
        this_process().look_into_libraries();
        if (this_process().next("PMPI_Init") != nullptr) {
            std::fputs("tutti: this process has MPI, and no call of it has come to libtutti_mpi.so: the program looks "
                       "functions up in MPI's library, or a tool that is loaded, too, takes them\n",
                       stderr);
        }
    } else {
        std::fputs(
            "tutti: no report, since no MPI_Finalize has come to libtutti_mpi.so: a tool that is loaded, too, "
            "takes calls, or the program has only sessions, whose collectives are left to MPI; call MPI_Init, too\n",
            stderr);
    }
}

/// Makes sure that the MPI of the process is known.
inline void look() {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, [] { this_process().open(); });
}

/// Whether a function is MPI's: a library of MPI has those of the profiling interface beside the others. Those of the
/// program, or of a tool, which have the same names are none of ours.
[[nodiscard, gnu::cold]] inline bool is_mpis(void* function) {
    Dl_info one{};
    if (function == nullptr || dladdr(function, &one) == 0) { return false; }
    auto* const library = dlopen(one.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    if (library == nullptr) { return false; }
    bool has_others = false;
    for (auto const* const each : {"PMPI_Init", "pmpi_init_", "pmpi_init_f08_", "pmpir_init_f08_"}) {
        Dl_info other{};
        auto* const found = dlsym(library, each);  // also in those that it is linked with
        has_others = has_others || (found != nullptr && dladdr(found, &other) != 0 && other.dli_fbase == one.dli_fbase);
    }
    dlclose(library);
    return has_others;
}

/// The function of the library for calls that takes a function of MPI, if it does: its first argument is the address
/// that the program calls from, and then come those of MPI's.
[[nodiscard, gnu::cold]] inline void* find_taken(char const* name) {
    look();
    is_called = true;
    if (std::strstr(name, "inalize") != nullptr || std::strstr(name, "FINALIZE") != nullptr) { is_finalised = true; }
    auto const& all = this_process();
    return all.calls != nullptr ? all.entry(name, all.watches ? 1 : 0) : nullptr;
}

/// What the program would call without this library, from `site`, and what takes it; whether it is MPI's.
[[nodiscard, gnu::cold]] inline bool find(char const* symbol, char const* name, word site, void*& taken, void*& next) {
    next = this_process().next(symbol, reinterpret_cast<void const*>(site));
    if (next == nullptr) {
        std::fprintf(stderr, "tutti: the MPI of this program has no %s; remove libtutti_mpi.so from LD_PRELOAD\n",
                     symbol);
        std::abort();
    }
    if (!is_mpis(next)) { return false; }
    taken = find_taken(name);
    return true;
}

/// The address that the program calls a Fortran function of MPI from, while that calls another function of MPI.
[[gnu::tls_model("initial-exec")]] inline constinit thread_local word outer_site = 0;

/// Where the program calls a function that returns to this address.
[[nodiscard]] inline word site_of(void* returns_to) {
    return outer_site != 0 ? outer_site : reinterpret_cast<word>(returns_to);
}

/// Under TUTTI=watch, writes where a process ends that does not call MPI_Finalize.
[[gnu::cold]] inline void report_exit(char const* how) {
    auto const& all = this_process();
    if (!all.watches) { return; }
    if (auto* const exit_report = dlsym(all.calls, "tutti_exit_report")) {
        reinterpret_cast<void (*)(char const*)>(exit_report)(how);
    }
}

[[gnu::constructor]] inline void begin() {
    this_process().begin();
    at_quick_exit([] { report_exit("leaves by quick_exit, without MPI_Finalize"); });
}

extern "C" int __cxa_atexit(void (*)(void*), void*, void*);

/// Destructors of other libraries may come after this one, and may call MPI_Finalize: what is registered here comes
/// after them all.
[[gnu::destructor]] inline void end() {
    auto const last = [](void*) {
        if (this_process().number != getpid()) { return; }
        report_exit("leaves by exit, or by returning from main, without MPI_Finalize");
        explain_silence();
    };
    __cxa_atexit(last, nullptr, nullptr);
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

}  // namespace tutti::loader

// As many words as a function has: its parameters as TUTTI_WORDS_n(word), its arguments as TUTTI_WORDS_n().
#define TUTTI_WORDS_0(type)
#define TUTTI_WORDS_1(type) type a
#define TUTTI_WORDS_2(type) TUTTI_WORDS_1(type), type b
#define TUTTI_WORDS_3(type) TUTTI_WORDS_2(type), type c
#define TUTTI_WORDS_4(type) TUTTI_WORDS_3(type), type d
#define TUTTI_WORDS_5(type) TUTTI_WORDS_4(type), type e
#define TUTTI_WORDS_6(type) TUTTI_WORDS_5(type), type f
#define TUTTI_WORDS_7(type) TUTTI_WORDS_6(type), type g
#define TUTTI_WORDS_8(type) TUTTI_WORDS_7(type), type h
#define TUTTI_WORDS_9(type) TUTTI_WORDS_8(type), type i
#define TUTTI_WORDS_10(type) TUTTI_WORDS_9(type), type j
#define TUTTI_WORDS_11(type) TUTTI_WORDS_10(type), type k
#define TUTTI_WORDS_12(type) TUTTI_WORDS_11(type), type l
#define TUTTI_WORDS_13(type) TUTTI_WORDS_12(type), type m
#define TUTTI_AFTER(first, ...) first __VA_OPT__(, ) __VA_ARGS__

// How many there are in a list; and how many are passed on to what the program calls, which may be none of MPI's: all
// that a processor passes in registers, where there are fewer.
#define TUTTI_LENGTH(...) TUTTI_CHOSEN(__VA_ARGS__ __VA_OPT__(, ) 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, )
#ifdef __aarch64__
#define TUTTI_PASSED(...) TUTTI_CHOSEN(__VA_ARGS__ __VA_OPT__(, ) 13, 12, 11, 10, 9, 8, 8, 8, 8, 8, 8, 8, 8, 8, )
#else
#define TUTTI_PASSED(...) TUTTI_CHOSEN(__VA_ARGS__ __VA_OPT__(, ) 13, 12, 11, 10, 9, 8, 7, 6, 6, 6, 6, 6, 6, 6, )
#endif
#define TUTTI_CHOSEN(a, b, c, d, e, f, g, h, i, j, k, l, m, chosen, ...) chosen

// What is not MPI's gets all that its caller may have passed: in registers of words and of numbers, and on the stack,
// which is the caller's and only read. On other processors it gets as many words as MPI's function has.
#if defined(__x86_64__) || defined(__aarch64__)
#define TUTTI_NUMBERS number q, number r, number s, number t, number u, number v, number w, number x
#ifdef __x86_64__
#define TUTTI_GIVEN(parameters) (TUTTI_WORDS_6(word), TUTTI_NUMBERS)
#define TUTTI_OTHERS(at) g = at[0], h = at[1], i = at[2], j = at[3], k = at[4], l = at[5], m = at[6]
#else
#define TUTTI_GIVEN(parameters) (TUTTI_WORDS_8(word), TUTTI_NUMBERS)
#define TUTTI_OTHERS(at) i = at[0], j = at[1], k = at[2], l = at[3], m = at[4], n = at[5], o = at[6]
#endif
#define TUTTI_READ_STACK                                                                                               \
    auto const* const stack = static_cast<word const*>(__builtin_dwarf_cfa());                                         \
    [[maybe_unused]] word const TUTTI_OTHERS(stack)
#ifdef __x86_64__
#define TUTTI_HANDED_ON(arguments)                                                                                     \
    (TUTTI_WORDS_6(), q, r, s, t, u, v, w, x, g, h, i, j, k, l, m, stack[7], stack[8], stack[9])
#else
#define TUTTI_HANDED_ON(arguments) (TUTTI_WORDS_8(), q, r, s, t, u, v, w, x, i, j, k, l, m, n, o, stack[7])
#endif
#else
#define TUTTI_GIVEN(parameters) parameters
#define TUTTI_READ_STACK
#define TUTTI_HANDED_ON(arguments) arguments
#endif

#ifndef __OPTIMIZE__
#error "tutti: libtutti_mpi.so hands calls on by jumps, which compilers make if they optimise; compile it with -O2"
#endif

// Each function is looked up when it is called first: until then its `next` is what looks, to which it jumps, so that
// no register for arguments and no word on the stack has changed. MPI's own declarations have other parameters under
// these names. `LEFT` is what takes a call that is left to MPI, if MPI is not to be called at once.
#define TUTTI_FUNCTION_OF(LEFT, symbol, name, parameters, arguments, with_site, and_site, own_parameters,              \
                          own_arguments)                                                                               \
    word tutti_##symbol parameters __asm__(#symbol);                                                                   \
    [[gnu::visibility("hidden")]] word tutti_first_##symbol TUTTI_GIVEN(parameters);                                   \
    [[gnu::visibility("hidden")]] word tutti_look_##symbol parameters __asm__("tutti_first_" #symbol);                 \
    static std::atomic<word(*) with_site> tutti_taken_##symbol{nullptr};                                               \
    static std::atomic<word(*) parameters> tutti_next_##symbol{tutti_look_##symbol};                                   \
    [[maybe_unused]] static word tutti_noted_##symbol with_site {                                                      \
        auto* const found = reinterpret_cast<void*>(tutti_next_##symbol.load());                                       \
        auto const next = reinterpret_cast<word(*) own_parameters>(found);                                             \
        return tutti::loader::noting(site, [&] { return next own_arguments; });                                       \
    }                                                                                                                  \
    [[gnu::cold]] word tutti_first_##symbol TUTTI_GIVEN(parameters) {                                                  \
        TUTTI_READ_STACK;                                                                                              \
        static std::atomic<void*> not_mpis{nullptr};                                                                   \
        word const site = tutti::loader::site_of(__builtin_return_address(0));                                        \
        void* taken = nullptr;                                                                                         \
        void* next = not_mpis.load(std::memory_order_acquire);                                                         \
        if (next != nullptr || !tutti::loader::find(#symbol, name, site, taken, next)) {                              \
            if (tutti::loader::this_process().stays(#symbol, next)) { not_mpis = next; }                              \
            return reinterpret_cast<word (*)(...)>(next) TUTTI_HANDED_ON(arguments);                                   \
        }                                                                                                              \
        auto const by_us = taken != nullptr ? reinterpret_cast<word(*) with_site>(taken) : LEFT(symbol);               \
        auto const by_mpi = reinterpret_cast<word(*) parameters>(next);                                                \
        if (taken == nullptr) { tutti_next_##symbol.store(by_mpi, std::memory_order_release); }                        \
        tutti_taken_##symbol.store(by_us, std::memory_order_release);                                                  \
        return by_us != nullptr ? by_us and_site : by_mpi arguments;                                                   \
    }                                                                                                                  \
    word tutti_##symbol parameters {                                                                                   \
        auto const taken = tutti_taken_##symbol.load(std::memory_order_acquire);                                       \
        if (taken != nullptr) {                                                                                        \
            word const site = tutti::loader::site_of(__builtin_return_address(0));                                    \
            return taken and_site;                                                                                     \
        }                                                                                                              \
        return tutti_next_##symbol.load(std::memory_order_acquire) arguments;                                          \
    }
#define TUTTI_AT_ONCE(symbol) nullptr
#define TUTTI_NOTED(symbol) tutti_noted_##symbol

#define TUTTI_LIST(...) __VA_ARGS__
#define TUTTI_DEFINE(LEFT, symbol, name, ...)                                                                          \
    TUTTI_EXPANDED(LEFT, symbol, name, TUTTI_LENGTH(__VA_ARGS__), TUTTI_PASSED(__VA_ARGS__))
#define TUTTI_EXPANDED(...) TUTTI_DEFINE_OF(__VA_ARGS__)
#define TUTTI_DEFINE_OF(LEFT, symbol, name, n, passed)                                                                 \
    TUTTI_FUNCTION_OF(LEFT, symbol, name, (TUTTI_WORDS_##passed(word)), (TUTTI_WORDS_##passed()),                      \
                      (TUTTI_AFTER(word site, TUTTI_WORDS_##n(word))), (TUTTI_AFTER(site, TUTTI_WORDS_##n())),         \
                      (TUTTI_WORDS_##n(word)), (TUTTI_WORDS_##n()))

#pragma GCC visibility push(default)

extern "C" {

using tutti::loader::number;
using tutti::loader::word;

// In C, with large counts too.
#define TUTTI_FUNCTION(Name, name, NAME, does, roles)                                                                  \
    TUTTI_DEFINE(TUTTI_AT_ONCE, MPI_##Name, "MPI_" #Name, TUTTI_LIST roles)
#define TUTTI_LARGE(Name, name, NAME, does, roles)                                                                     \
    TUTTI_FUNCTION(Name, name, NAME, does, roles)                                                                      \
    TUTTI_DEFINE(TUTTI_AT_ONCE, MPI_##Name##_c, "MPI_" #Name "_c", TUTTI_LIST roles)
#include <pmpi/functions.def>

// In Fortran: under the names that its compilers make, the inner one of Open MPI that these and the module mpi_f08
// call, and those of the modules mpi_f08 of Open MPI and MPICH. Each text has a length.
#define text text, length
#define tag_text tag_text, length
#define TUTTI_IN_FORTRAN(name, NAME, ...)                                                                              \
    TUTTI_DEFINE(TUTTI_NOTED, ompi_##name##_f, "ompi_" #name "_f", __VA_ARGS__)                                        \
    TUTTI_DEFINE(TUTTI_NOTED, mpi_##name##_, "ompi_" #name "_f", __VA_ARGS__)                                          \
    TUTTI_DEFINE(TUTTI_NOTED, mpi_##name##__, "ompi_" #name "_f", __VA_ARGS__)                                         \
    TUTTI_DEFINE(TUTTI_NOTED, mpi_##name, "ompi_" #name "_f", __VA_ARGS__)                                             \
    TUTTI_DEFINE(TUTTI_NOTED, MPI_##NAME, "ompi_" #name "_f", __VA_ARGS__)                                             \
    TUTTI_DEFINE(TUTTI_NOTED, mpi_##name##_f08_, "mpi_" #name "_f08_", __VA_ARGS__)                                    \
    TUTTI_DEFINE(TUTTI_NOTED, mpi_##name##_f08ts_, "mpi_" #name "_f08_", __VA_ARGS__)
#define TUTTI_FUNCTION(Name, name, NAME, does, roles)                                                                  \
    TUTTI_IN_FORTRAN(name, NAME, TUTTI_AFTER(code, TUTTI_LIST roles))
#include <pmpi/functions.def>

}  // extern "C"

#pragma GCC visibility pop
