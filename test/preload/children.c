/* Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0. */

/* Children of a rank that end in every way, between collectives: only the ranks are to be told of. */
#include <support/check.h>

#include <spawn.h>
#include <sys/wait.h>

#define CHILD(made_by, ends)                                                                                           \
    if ((child = made_by()) == 0) { ends; }                                                                            \
    waitpid(child, NULL, 0)

int main(int argc, char** argv) {
    begin_mpi(&argc, &argv);
    for (int i = 0; i != 4; ++i) {
        char line[16] = "";
        pid_t child;
        CHILD(fork, exit(0));
        CHILD(fork, quick_exit(0));
        CHILD(fork, abort());
        CHILD(vfork, _exit(0));
        check(system("exit 3") == 3 * 256, "system");
        FILE* const text = popen("echo text | cat", "r");
        check(text != NULL && fgets(line, sizeof line, text) != NULL && pclose(text) == 0 && line[3] == 't', "popen");
        char* const arguments[] = {(char*)"sh", (char*)"-c", (char*)"exit 0", NULL};
        check(posix_spawn(&child, "/bin/sh", NULL, NULL, arguments, environ) == 0, "posix_spawn");
        waitpid(child, NULL, 0);
        check_maxima(500);
    }
    int const code = end_mpi();
    if (rank == 0 && code == 0) { puts("0 checks failed on rank 0"); }
    return code;
}
