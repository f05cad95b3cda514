// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

// MPICH waits without ever leaving its processor: where ranks are more than processors, each of its own collective
// calls, by which a test sets things up, takes some turns of the scheduler, and a test up to ten times as long.
// Debian's waits in UCX. This function is found before UCX's own, and leaves the processor to others where nothing has
// come.

#include <mpi.h>

#if defined(MPICH_VERSION)
#include <dlfcn.h>

#include <thread>

extern "C" [[gnu::used]] unsigned ucp_worker_progress(void* worker) {
    static auto const progress = reinterpret_cast<unsigned (*)(void*)>(dlsym(RTLD_NEXT, "ucp_worker_progress"));
    unsigned const come = progress(worker);
    if (come == 0) { std::this_thread::yield(); }
    return come;
}
#endif
