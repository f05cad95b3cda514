// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
//
// program LIBRARY return|thread|quick: calls collectives at every moment of the end of a process, the last of which
// finalises MPI. LIBRARY is library.c, to be opened; another one is linked.
#include <support/check.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <thread>

#include <dlfcn.h>
#include <pthread.h>

extern "C" void at_the_end_of_the_library(void (*call)(char const*), char const* of);

namespace {

int moments = 0;
int moments_expected = 0;

void moment(char const* name) {
    for (int i = 0; i != 200; ++i) {
        std::array<int, 300> in{};
        std::array<int, 300> out{};
        std::array<double, 300> some{};
        in.fill(rank + i);
        MPI_Allreduce(in.data(), out.data(), 300, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
        bool right = out[17] == size - 1 + i;
        MPI_Reduce(in.data(), out.data(), 300, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
        right = right && (rank != 0 || out[299] == sum_below(size) + i * size);
        some.fill(rank == i % size ? i : -1);
        MPI_Bcast(some.data(), 300, MPI_DOUBLE, i % size, MPI_COMM_WORLD);
        right = right && some[1] == i;
        MPI_Barrier(MPI_COMM_WORLD);
        if (!check(right, "wrong at %s", name)) { break; }
    }
    if (++moments == moments_expected) {
        if (end_mpi() != 0) { std::_Exit(1); }
        if (rank == 0) { std::printf("%d moments, the last one %s\n", moments, name); }
        std::fflush(stdout);
    }
}

struct at_its_end {
    char const* name = nullptr;
    ~at_its_end() {
        if (name != nullptr) { moment(name); }
    }
};
at_its_end global_object;
thread_local at_its_end of_thread;

void in_another_thread() {
    pthread_key_t key{};
    pthread_key_create(&key, [](void*) { moment("a key of a thread"); });
    pthread_setspecific(key, &key);
    of_thread.name = "an object of a thread";
    moment("a thread");
}

}  // namespace

int main(int argc, char** argv) {
    std::string_view const how = argc > 2 ? argv[2] : "";
    if (how == "quick") {
        std::at_quick_exit([] { moment("quick_exit, registered before MPI_Init"); });
    } else {
        std::atexit([] { moment("atexit, registered before MPI_Init"); });
    }
    begin_mpi_with_threads(MPI_THREAD_SERIALIZED, &argc, &argv);
    moment("main");
    std::thread{in_another_thread}.join();
    if (how == "quick") {
        moments_expected = 6;
        std::at_quick_exit([] { moment("quick_exit"); });
        std::quick_exit(0);
    }
    moments_expected = 10;
    std::atexit([] { moment("atexit"); });
    global_object.name = "a global object";
    of_thread.name = "an object of the thread that ends the process";
    at_the_end_of_the_library(moment, "a linked library");
    void* const opened = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    void* const at_its_end = opened != nullptr ? dlsym(opened, "at_the_end_of_the_library") : nullptr;
    if (at_its_end == nullptr) {
        std::printf("wrong: %s\n", dlerror());
        std::_Exit(1);
    }
    reinterpret_cast<decltype(&at_the_end_of_the_library)>(at_its_end)(moment, "a library that was opened");
    if (how == "thread") {
        of_thread.name = nullptr;
        std::thread{[] {
            of_thread.name = "an object of the thread that ends the process";
            std::exit(0);
        }}.join();
    }
}
