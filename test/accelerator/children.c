/* Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0. */

/* Children of a rank that end in every way, between collectives: only the ranks are to be told of. */
#include <mpi.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;
extern pid_t vfork(void);
extern FILE* popen(char const*, char const*);
extern int pclose(FILE*);

static void await(pid_t child) { waitpid(child, NULL, 0); }

int main(int argc, char** argv) {
    int rank = 0, size = 0, failed = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i != 4; ++i) {
        char line[16] = "";
        pid_t child = fork();
        if (child == 0) exit(0);
        await(child);
        if ((child = fork()) == 0) quick_exit(0);
        await(child);
        if ((child = fork()) == 0) abort();
        await(child);
        if ((child = vfork()) == 0) _exit(0);
        await(child);
        failed += system("exit 3") != 3 * 256;
        FILE* const text = popen("echo text | cat", "r");
        failed += text == NULL || fgets(line, sizeof line, text) == NULL || pclose(text) != 0 || line[3] != 't';
        char* const arguments[] = {(char*)"sh", (char*)"-c", (char*)"exit 0", NULL};
        failed += posix_spawn(&child, "/bin/sh", NULL, NULL, arguments, environ) != 0;
        await(child);
        for (int k = 0; k != 500; ++k) {
            int out[300], in[300] = {rank};
            MPI_Allreduce(in, out, 300, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
            failed += out[0] != size - 1;
        }
    }
    MPI_Finalize();
    if (failed != 0 || rank == 0) printf("%d checks failed on rank %d\n", failed, rank);
    return failed != 0;
}
