// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
// The libraries libtutti_mpi_calls.openmpi.so, .mpich.so and .abi.so, one for each kind of MPI: they take calls of
// programs that know nothing of tutti, which libtutti_mpi.so hands to them (libtutti_mpi.cpp), and use MPI's
// profiling interface. They are not linked with MPI: its functions are those of the program's process.
// `./dev accelerate` and the target tutti::accelerator compile this file, once, with hidden visibility.
//
// Which functions are taken, see pmpi/functions.def; which calls of them, preload/who_performs.hpp. The rest is MPI's
// own, and so are nonblocking and persistent collectives, and those of intercommunicators. What is noted of calls for
// TUTTI=report and TUTTI=watch, see watch. What the variable TUTTI may be, see preload/environment.hpp.
#include <tutti/language.hpp>

static_assert(!tutti::engine::is_linked,
              "tutti: this translation unit defines what those with TUTTI_COMPILED declare; compile "
              "it without that");

#define TUTTI_KEEPS_ERROR_HANDLERS

#include <tutti/communicator/mpi/declarations.hpp>

// What tutti itself calls here is not to come back to it.
#define TUTTI_FUNCTION(Name, ...) extern "C" decltype(MPI_##Name) MPI_##Name __asm__("PMPI_" #Name);
#define TUTTI_SINCE_4(...)
#include <pmpi/functions.def>

#include <preload/entries.hpp>

// Of Open MPI all functions are taken in Fortran, too; of MPICH those of its module mpi_f08 that call the profiling
// interface: all without buffers. Its others call MPI's own functions of C.
#if defined(OPEN_MPI)
#define TUTTI_LARGE_IN_FORTRAN(Name) TUTTI_TAKEN(fortran, fortran_entry, Name, PMPI_##Name)
#else
#define TUTTI_LARGE_IN_FORTRAN(Name)
#endif
#if defined(OPEN_MPI) || defined(MPICH_VERSION)
#define TUTTI_IN_FORTRAN(Name) TUTTI_TAKEN(fortran, fortran_entry, Name, PMPI_##Name)
#else
#define TUTTI_IN_FORTRAN(Name)
#endif
#if MPI_VERSION >= 4
#define TUTTI_WITH_LARGE_COUNTS(Name) TUTTI_TAKEN(name, entry, Name##_c, PMPI_##Name##_c)
#define TUTTI_SINCE_4(Name, ...) TUTTI_TAKEN(name, entry, Name, PMPI_##Name) TUTTI_IN_FORTRAN(Name)
#else
#define TUTTI_WITH_LARGE_COUNTS(Name)
#define TUTTI_SINCE_4(...)
#endif
#define TUTTI_TAKEN(key, entry, Name, next)                                                                            \
    {functions::Name::key, reinterpret_cast<void*>(&entry<functions::Name, next>::call), functions::Name::does},
#define TUTTI_FUNCTION(Name, ...) TUTTI_TAKEN(name, entry, Name, PMPI_##Name) TUTTI_IN_FORTRAN(Name)
#define TUTTI_LARGE(Name, ...)                                                                                         \
    TUTTI_TAKEN(name, entry, Name, PMPI_##Name) TUTTI_WITH_LARGE_COUNTS(Name) TUTTI_LARGE_IN_FORTRAN(Name)

#pragma GCC visibility push(default)

extern "C" {

/// Where the code of this library begins and ends, as linkers name it.
[[gnu::visibility("hidden")]] extern char const __ehdr_start;
[[gnu::visibility("hidden")]] extern char const etext;

/// Called first, with the folder in which the process began: whether calls are watched, so that functions which do
/// nothing else are to be handed over, too.
int tutti_begin(void* (*next)(char const*), char const* first_folder) {
    tutti::pmpi::next = next;
    tutti::preload::environment::first_folder = first_folder;
    // Made one by one, pages of code delay the first calls: a loop of 100 broadcasts of 4 KiB took 0.51 ms, and 0.38
    // so (medians of 7 runs in turn, 2 ranks, Open MPI 4.1, Intel Xeon, 2026-11-29).
    tutti::mpi::node::make_pages(&__ehdr_start, static_cast<std::size_t>(&etext - &__ehdr_start),
                                 tutti::mpi::node::first_use::read);
    auto const& asked = tutti::preload::environment::get();
    return !asked.off && (asked.observed.watch || asked.observed.report) ? 1 : 0;
}

/// What takes a function of MPI, if something does: performing it, or, where calls are watched, noting it.
void* tutti_entry(char const* name, int watches) {
    struct entry_point {
        char const* name;
        void* entry;
        tutti::pmpi::category does;
    };
    using namespace tutti::preload;
    static entry_point const all[] = {
#include <pmpi/functions.def>
    };
    for (auto const& each : all) {
        if (std::strcmp(each.name, name) == 0) {
            return watches != 0 || each.does <= category::ends ? each.entry : nullptr;
        }
    }
    return nullptr;
}

void tutti_exit_report(char const* how) { tutti::watch::report_exit(how, nullptr); }

}  // extern "C"

#pragma GCC visibility pop
