/* Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
 *
 * What a program sees of its process is what it would see by MPI alone: the level of threads that it has asked for, its
 * error handlers, also from operators, its signals in its own threads. */
#include <support/check.h>

#include <dirent.h>
#include <signal.h>

static MPI_Errhandler mine;
static volatile sig_atomic_t signals = 0;

/* Threads of this process that take SIGUSR1: MPICH has one of its own by UCX. */
static int takers(void) {
    int result = 0;
    DIR* const tasks = opendir("/proc/self/task");
    for (struct dirent* each = readdir(tasks); each != NULL; each = readdir(tasks)) {
        char line[300];
        snprintf(line, sizeof line, "/proc/self/task/%s/status", each->d_name);
        result += (number_in(line, "SigBlk: %llx") >> (SIGUSR1 - 1) & 1) == 0;
    }
    closedir(tasks);
    return result;
}

static void ignore(MPI_Comm* comm, int* code, ...) { (void)comm, (void)code; }
static void count(int number) { (void)number, ++signals; }

static void check_handlers(void) {
    MPI_Errhandler world, self;
    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &world);
    MPI_Comm_get_errhandler(MPI_COMM_SELF, &self);
    check(world == mine, "the handler of MPI_COMM_WORLD is another one");
    check(self == mine, "the handler of MPI_COMM_SELF is another one");
    MPI_Errhandler_free(&world);
    MPI_Errhandler_free(&self);
}

static void add(void* in, void* inout, int* n, MPI_Datatype* type) {
    (void)type;
    for (int i = 0; i != *n; ++i) { ((double*)inout)[i] += ((double*)in)[i]; }
    check_handlers();
}

int main(int argc, char** argv) {
    int queried = -1, is_main = 0;
    int const provided = begin_mpi_with_threads(MPI_THREAD_FUNNELED, &argc, &argv);
    MPI_Query_thread(&queried);
    int const before = takers();
    MPI_Is_thread_main(&is_main);
    check(provided == MPI_THREAD_FUNNELED, "another level of threads is provided");
    check(queried == provided, "another level of threads is told");
    check(is_main, "the main thread is another one");

    MPI_Comm_create_errhandler(ignore, &mine);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, mine);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, mine);
    struct sigaction act = {.sa_handler = count};
    sigaction(SIGUSR1, &act, NULL);
    enum { most = 1 << 14 };
    static double in[most], out[most];
    MPI_Op op;
    MPI_Op_create(add, 1, &op);
    for (int n = 1; n <= most; n *= 4) {
        for (int i = 0; i != n; ++i) { in[i] = rank; }
        MPI_Allreduce(in, out, n, MPI_DOUBLE, op, MPI_COMM_WORLD);
        check(out[n - 1] == sum_below(size), "a wrong sum");
        MPI_Request request;
        MPI_Iallreduce(in, out, n, MPI_DOUBLE, op, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        check(out[n - 1] == sum_below(size), "a wrong sum without blocking");
        check_handlers();
    }
    check(takers() == before, "a thread more takes signals");
    sigset_t blocked, waiting;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &blocked, NULL);
    kill(getpid(), SIGUSR1);
    usleep(1000);
    sigpending(&waiting);
    check(before > 1 || (signals == 0 && sigismember(&waiting, SIGUSR1) == 1),
          "a signal went to a thread that is not the program's");
    pthread_sigmask(SIG_UNBLOCK, &blocked, NULL);
    check(signals == 1, "a signal was lost");
    MPI_Op_free(&op);
    MPI_Errhandler_free(&mine);
    return end_mpi();
}
