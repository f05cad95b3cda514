/* Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0. */

/* opened_later LIBRARY ARGUMENT...: a program without MPI that opens a library which uses it, and lets no other see its
 * symbols, as Python does. */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char** argv) {
    void* const library = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
    if (library == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    int (*begin)(int, char**) = NULL;
    *(void**)&begin = dlsym(library, "program");
    return begin(argc - 1, argv + 1);
}
