/*
 * The tracer in a program with several threads, linked to it, so that ThreadSanitizer sees both:
 * threads that communicate, make requests and communicators at the same time leave a trace that is
 * whole, and with `full`, where the disk takes no more after a while, one that can be read as far
 * as it goes.
 *
 *     test_trace_threads [full]
 */
#include "trace/convert/summary.h"
#include "trace/pmpi/tracer.h"

#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* A piece of a trace's file is 256 KiB: `full` lets the first one be written. */
enum { THREADS = 4, ROUNDS = 400, ROOM_BYTES = 400 << 10, FULL_ROUNDS = 20 * ROUNDS };

struct worker {
    pthread_t thread;
    MPI_Comm comm; /* its own: calls on one communicator must not overlap */
    int rounds;
    int n_wrong;
};

static void *communicate(void *data)
{
    struct worker *worker = data;
    for (int round = 0; round < worker->rounds; round++) {
        int out = round, in = -1, sum = 0;
        MPI_Request requests[2];
        MPI_Status statuses[2];
        MPI_Irecv(&in, 1, MPI_INT, 0, 7, worker->comm, &requests[0]);
        MPI_Isend(&out, 1, MPI_INT, 0, 7, worker->comm, &requests[1]);
        MPI_Waitall(2, requests, statuses);
        MPI_Allreduce(&in, &sum, 1, MPI_INT, MPI_SUM, worker->comm);
        worker->n_wrong += sum != round;
        if (round % 50 == 0) {
            MPI_Comm copy;
            MPI_Comm_dup(worker->comm, &copy);
            MPI_Barrier(copy);
            MPI_Comm_free(&copy);
        }
    }
    return NULL;
}

static int run_threads(int rounds)
{
    struct worker workers[THREADS];
    int n_wrong = 0;
    for (int i = 0; i < THREADS; i++) {
        workers[i] = (struct worker){.rounds = rounds};
        MPI_Comm_dup(MPI_COMM_SELF, &workers[i].comm);
    }
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&workers[i].thread, NULL, communicate, &workers[i]) != 0)
            abort();
    for (int i = 0; i < THREADS; i++) {
        pthread_join(workers[i].thread, NULL);
        MPI_Comm_free(&workers[i].comm);
        n_wrong += workers[i].n_wrong;
    }
    return n_wrong;
}

static bool expect(bool holds, const char *what)
{
    if (!holds)
        printf("FAILED: %s\n", what);
    return holds;
}

static bool is_whole(const struct ct_trace_summary *summary)
{
    const struct ct_trace_count *kinds = summary->kinds;
    bool good = expect(summary->n_cut == 0, "the trace goes on to MPI_Finalize");
    good &= expect(kinds[CT_TRACE_SEND].calls == THREADS * ROUNDS, "every send is in the trace");
    good &= expect(kinds[CT_TRACE_ALLREDUCE].calls == THREADS * ROUNDS,
                   "every reduction is in the trace");
    good &= expect(summary->n_threads == 1 + THREADS, "it tells the threads");
    good &= expect(summary->n_unmodelled == 0, "threads are no warning");
    return good;
}

static bool is_cut(const struct ct_trace_summary *summary)
{
    uint64_t sends = summary->kinds[CT_TRACE_SEND].calls;
    return expect(summary->n_cut == 1, "the trace ends before MPI_Finalize") &&
           expect(sends > 0 && sends < THREADS * FULL_ROUNDS, "some sends are in the trace");
}

static bool read_trace(const char *directory, bool full)
{
    struct ct_events events;
    struct ct_trace_summary summary;
    struct ct_error err;
    bool good = false;
    if (ct_trace_events_open(directory, &events, &err) != CT_OK) {
        printf("FAILED: %s\n", err.text);
        return false;
    }
    if (ct_events_summarize(&events, &summary, &err) == CT_OK) {
        good = full ? is_cut(&summary) : is_whole(&summary);
        ct_trace_summary_free(&summary);
    } else {
        printf("FAILED: %s\n", err.text);
    }
    events.close(events.context);
    return good;
}

int main(int argc, char **argv)
{
    char directory[] = "/tmp/crosstalk-threads-XXXXXX", path[64];
    bool full = argc > 1 && strcmp(argv[1], "full") == 0;
    int provided;
    if (!mkdtemp(directory) || setenv(CT_TRACE_DIRECTORY_VARIABLE, directory, 1) != 0)
        return 1;
    MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &provided);
    if (provided != MPI_THREAD_MULTIPLE) {
        printf("skipped: this MPI library is not for several threads\n");
        MPI_Finalize();
        return 77;
    }
    if (full) {
        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &(struct rlimit){ROOM_BYTES, ROOM_BYTES});
    }
    bool good = expect(run_threads(full ? FULL_ROUNDS : ROUNDS) == 0, "every message arrives");
    MPI_Finalize();
    good = read_trace(directory, full) && good;
    snprintf(path, sizeof path, "%s/rank-000000.trace", directory);
    unlink(path);
    rmdir(directory);
    return !good;
}
