// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
// The libraries libtutti_mpi_calls.openmpi.so, .mpich.so and .abi.so, one for each kind of MPI: they take calls of
// programs that know nothing of tutti, which libtutti_mpi.so hands to them (compiled_preload.hpp), and use MPI's
// profiling interface. They are not linked with MPI: its functions are those of the program's process.
// `./dev accelerate` and the target tutti::preload compile this file, once, with hidden visibility.
//
// What is taken, see accelerator/who_performs.hpp. The rest is MPI's own, and so are nonblocking and persistent
// collectives, and those of intercommunicators. What is noted of calls for TUTTI=report and TUTTI=watch, see
// accelerator/watch. What the environment variable TUTTI may say, see accelerator/environment.hpp.
#include <tutti/language.hpp>

static_assert(!tutti::engine::is_linked,
              "tutti: this translation unit defines what those with TUTTI_COMPILED declare; compile "
              "it without that");

#define TUTTI_KEEPS_ERROR_HANDLERS

#include <tutti/communicator/mpi/declarations.hpp>
#include <preload/intercepted.hpp>

// What tutti itself calls here is not to come back to it.
#define TUTTI_FORM(name, f_name, NAME, words, f_words)                                                                 \
    extern "C" decltype(MPI_##name) MPI_##name __asm__("PMPI_" #name);
TUTTI_WITH_COUNTS(TUTTI_FORM)
TUTTI_WITHOUT_COUNTS(TUTTI_FORM)
#undef TUTTI_FORM

#include <preload/moves.hpp>
#include <preload/reductions.hpp>
#include <watch/lengths.hpp>

#pragma GCC visibility push(default)

#include <preload/collectives.hpp>
#include <watch/functions.hpp>

namespace tutti::preload {

/// After MPI_Init.
inline void begin() {
    roll_call::get().hold();
    int rank = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) { environment::get().explain(); }
    if (environment::get().off || !roll_call::get().all_are_alike()) { return; }
    communicator_state::begin();
    tuning_file::begin();
    auto const& asked = environment::get().observed;
    auto* const world = asked.report || asked.watch ? communicator_state::find_or_make(MPI_COMM_WORLD) : nullptr;
    watch::observer::begin(asked, world != nullptr && world->make_private_one());
}

/// A function of the process's MPI, as the program would find it.
inline void* (*next)(char const* name) = nullptr;

}  // namespace tutti::preload

extern "C" {

/// Where the code of this library begins and ends, as linkers name it.
[[gnu::visibility("hidden")]] extern char const __ehdr_start;
[[gnu::visibility("hidden")]] extern char const etext;

/// Called first, with the folder in which the process began: whether calls are watched, so that functions which do
/// nothing else are to be handed over, too.
int tutti_begin(void* (*next)(char const*), char const* first_folder) {
    tutti::preload::next = next;
    tutti::preload::environment::first_folder = first_folder;
    // Made one by one, pages of code delay the first calls: a loop of 100 broadcasts of 4 KiB took 0.51 ms, and 0.38
    // so (medians of 7 runs in turn, 2 ranks, Open MPI 4.1, Intel Xeon, 2026-11-29).
    tutti::mpi::node::make_pages(&__ehdr_start, static_cast<std::size_t>(&etext - &__ehdr_start),
                                 tutti::mpi::node::first_use::read);
    auto const& asked = tutti::preload::environment::get();
    return !asked.off && (asked.observed.watch || asked.observed.report) ? 1 : 0;
}

int tutti_MPI_Barrier(void* site, MPI_Comm comm) {
    using namespace tutti::preload;
    return performer::collective(
        function::barrier, {"MPI_Barrier", comm}, site, tutti::watch::observer::none, [&](call_entry& entry) { return barrier(entry, comm); },
        [&] { return PMPI_Barrier(comm); });
}

int tutti_MPI_Init(void*, int* argc, char*** argv) {
    tutti::preload::roll_call::get().announce();
    int const code = PMPI_Init(argc, argv);
    if (code == MPI_SUCCESS) { tutti::preload::begin(); }
    return code;
}

int tutti_MPI_Init_thread(void*, int* argc, char*** argv, int asked, int* provided) {
    tutti::preload::roll_call::get().announce();
    int const code = PMPI_Init_thread(argc, argv, asked, provided);
    if (code == MPI_SUCCESS) { tutti::preload::begin(); }
    return code;
}

int tutti_MPI_Finalize(void* site) {
    return tutti::watch::observer::ending(site, [] {
        auto const code = PMPI_Finalize();  // ends the private communicators, with what is learned of each
        tutti::preload::tuning_file::write();
        return code;
    });
}

}  // extern "C"

#if defined(OPEN_MPI) || defined(MPICH_VERSION)
#include <preload/fortran.hpp>
#endif

#pragma GCC visibility pop
