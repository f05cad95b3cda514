/* Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
 *
 * late PATTERN: ranks come late to 100 calls, by a pattern. The first rank prints how often each was the last one, as
 * "rank:calls" with ";" in between, those that were last most often first: by the clock that processes share, since a
 * busy machine makes others late, too. */
#include <support/check.h>

#include <time.h>

enum { calls = 100, ms = 1000, longest = 64 };

int main(int argc, char** argv) {
    const char* const pattern = argc > 1 ? argv[1] : "";
    unsigned state = 12345; /* the same on all ranks */
    int times[longest] = {0};
    struct timespec now;
    struct {
        double at; /* s */
        int rank;
    } came[calls], latest[calls];
    begin_mpi(&argc, &argv);
    for (int i = 0; i < calls; ++i) {
        int last = size - 1;
        int delay = 0; /* us */
        if (strcmp(pattern, "linear") == 0) {
            delay = rank * 20 * ms;
        } else if (strcmp(pattern, "random") == 0) {
            last = draw(&state, size);
            const int some = draw(&state, 5 * ms);
            delay = rank == last ? 40 * ms : some * rank / size;
        } else { /* one, elsewhere, which calls from another line, or bursty */
            if (strcmp(pattern, "bursty") == 0) { last = i / 20 % size; }
            delay = rank == last ? 40 * ms : 0;
        }
        usleep((useconds_t)delay);
        clock_gettime(CLOCK_REALTIME, &now);
        came[i].at = (double)(now.tv_sec % 100000) + 1e-9 * (double)now.tv_nsec;
        came[i].rank = rank;
        double in = rank, out;
        if (rank == last && strcmp(pattern, "elsewhere") == 0) {
            MPI_Allreduce(&in, &out, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        } else {
            MPI_Allreduce(&in, &out, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        }
    }
    PMPI_Reduce(came, latest, calls, MPI_DOUBLE_INT, MPI_MAXLOC, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        for (int i = 0; i < calls; ++i) ++times[latest[i].rank];
        const char* between = "";
        for (int left = calls; left > 0;) {
            int most = 0;
            for (int r = 1; r < size; ++r) {
                if (times[r] > times[most]) most = r;
            }
            printf("%s%d:%d", between, most, times[most]);
            between = ";";
            left -= times[most];
            times[most] = 0;
        }
        printf("\n");
    }
    MPI_Finalize();
    return 0;
}
