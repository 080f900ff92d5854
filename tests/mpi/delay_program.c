/* What a delayed program may do, for tests/mpi/test_delay.sh: each case is right or ends with an
 * error, and says how long it took. The clock is the system's. */
#include <mpi.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int rank, n_ranks;

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "rank %d: line %d: not so: %s\n", rank, __LINE__, #condition);         \
            MPI_Abort(MPI_COMM_WORLD, 3);                                                          \
            exit(3);                                                                               \
        }                                                                                          \
    } while (0)

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Least and median of n durations, in microseconds. */
static void print_times(const char *name, double *times_s, int n)
{
    qsort(times_s, (size_t)n, sizeof *times_s, compare);
    printf("%s %.1f %.1f\n", name, 1e6 * times_s[0], 1e6 * times_s[n / 2]);
}

static void compute(double duration_s)
{
    double end_s = now_s() + duration_s;
    while (now_s() < end_s)
        ;
}

/* ---- times ---- */

/* How a message of a round trip is received, or that it is one of a collective. */
enum way { PLAIN, PROBED, PERSISTENT, COLLECTIVE };

static void receive(enum way way, char *buffer, int bytes)
{
    MPI_Message message;
    MPI_Request request;
    if (way == PLAIN) {
        MPI_Recv(buffer, bytes, MPI_BYTE, 1 - rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (way == PROBED) {
        MPI_Mprobe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
        MPI_Mrecv(buffer, bytes, MPI_BYTE, &message, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv_init(buffer, bytes, MPI_BYTE, 1 - rank, 1, MPI_COMM_WORLD, &request);
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Request_free(&request);
    }
}

/* Half a round trip between ranks 0 and 1, which are the communicator `pair`. */
static void pingpong(const char *name, int n, int bytes, enum way way, MPI_Comm pair)
{
    char *buffer = calloc((size_t)bytes + 1, 1);
    double *times_s = calloc((size_t)n, sizeof *times_s);
    EXPECT(buffer && times_s);
    for (int i = 0; i < n && rank < 2; i++) {
        double start_s = now_s();
        for (int turn = 0; turn < 2; turn++)
            if (way == COLLECTIVE)
                MPI_Bcast(buffer, bytes, MPI_BYTE, turn, pair);
            else if (rank == turn)
                MPI_Send(buffer, bytes, MPI_BYTE, 1 - rank, 1, MPI_COMM_WORLD);
            else
                receive(way, buffer, bytes);
        times_s[i] = (now_s() - start_s) / 2;
    }
    if (rank == 0)
        print_times(name, times_s, n);
    free(buffer);
    free(times_s);
}

/* How long a synchronous send of rank 0 takes, whose receive is posted. */
static void synchronous(int n)
{
    double *times_s = calloc((size_t)n, sizeof *times_s);
    EXPECT(times_s);
    for (int i = 0; i < n && rank < 2; i++) {
        int value = i;
        MPI_Request request;
        if (rank == 0) {
            MPI_Recv(NULL, 0, MPI_INT, 1, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            double start_s = now_s();
            MPI_Ssend(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
            times_s[i] = now_s() - start_s;
        } else {
            MPI_Irecv(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &request);
            MPI_Send(NULL, 0, MPI_INT, 0, 9, MPI_COMM_WORLD);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
    }
    if (rank == 0)
        print_times("synchronous", times_s, n);
    free(times_s);
}

/*
 * Two messages in a row, as in LLAMP's figure 8: how long their sends take the sender, and when the
 * receiver has the first and both, counted from the start of a round by the sender's clock: ranks
 * are on one machine. With a gap the sender computes between them.
 */
static void two_messages(const char *name, int n, double gap_s, bool is_posted)
{
    double *sends_s = calloc((size_t)n, sizeof *sends_s);
    double *first_s = calloc((size_t)n, sizeof *first_s),
           *both_s = calloc((size_t)n, sizeof *both_s);
    char text[64];
    EXPECT(sends_s && first_s && both_s);
    for (int i = 0; i < n && rank < 2; i++) {
        double start_s = 0;
        int data[2] = {0};
        if (rank == 0) {
            MPI_Recv(NULL, 0, MPI_INT, 1, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            start_s = now_s();
            MPI_Send(&i, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
            sends_s[i] = now_s() - start_s;
            compute(gap_s);
            double again_s = now_s();
            MPI_Send(&i, 1, MPI_INT, 1, 2, MPI_COMM_WORLD);
            sends_s[i] += now_s() - again_s;
            MPI_Send(&start_s, 1, MPI_DOUBLE, 1, 3, MPI_COMM_WORLD);
            continue;
        }
        MPI_Request requests[2];
        if (is_posted)
            for (int k = 0; k < 2; k++)
                MPI_Irecv(&data[k], 1, MPI_INT, 0, 1 + k, MPI_COMM_WORLD, &requests[k]);
        MPI_Send(NULL, 0, MPI_INT, 0, 9, MPI_COMM_WORLD);
        double had_s[2];
        for (int k = 0; k < 2; k++) {
            if (is_posted)
                MPI_Wait(&requests[k], MPI_STATUS_IGNORE);
            else
                MPI_Recv(&data[k], 1, MPI_INT, 0, 1 + k, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            had_s[k] = now_s();
        }
        MPI_Recv(&start_s, 1, MPI_DOUBLE, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        first_s[i] = had_s[0] - start_s;
        both_s[i] = had_s[1] - start_s;
        EXPECT(data[0] == i && data[1] == i);
    }
    if (rank == 0) {
        snprintf(text, sizeof text, "%s_sends", name);
        print_times(text, sends_s, n);
        fflush(stdout);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {
        snprintf(text, sizeof text, "%s_first", name);
        print_times(text, first_s, n);
        snprintf(text, sizeof text, "%s_both", name);
        print_times(text, both_s, n);
    }
    free(sends_s);
    free(first_s);
    free(both_s);
}

/* A message that arrives when the receiver has begun to compute: when the receiver has it, after it
 * was sent.
 */
static void while_computing(int n, double compute_s)
{
    double *times_s = calloc((size_t)n, sizeof *times_s);
    EXPECT(times_s);
    for (int i = 0; i < n && rank < 2; i++) {
        double start_s;
        if (rank == 0) {
            MPI_Recv(NULL, 0, MPI_INT, 1, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            start_s = now_s();
            MPI_Send(&start_s, 1, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD);
        } else {
            MPI_Send(NULL, 0, MPI_INT, 0, 9, MPI_COMM_WORLD);
            compute(compute_s);
            MPI_Recv(&start_s, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            times_s[i] = now_s() - start_s;
        }
    }
    if (rank == 1)
        print_times("computing", times_s, n);
    free(times_s);
}

static void measure(int n)
{
    MPI_Comm pair;
    MPI_Comm_split(MPI_COMM_WORLD, rank < 2, rank, &pair);
    pingpong("small", n, 8, PLAIN, pair);
    pingpong("large", n, 65536, PLAIN, pair);
    pingpong("probed", n, 8, PROBED, pair);
    pingpong("persistent", n, 8, PERSISTENT, pair);
    pingpong("collective", n, 8, COLLECTIVE, pair);
    MPI_Comm_free(&pair);
    synchronous(n);
    two_messages("posted", n, 0, true);
    two_messages("unexpected", n, 0, false);
    two_messages("posted_gap", n, 2e-3, true);
    two_messages("unexpected_gap", n, 2e-3, false);
    while_computing(n, 2.5e-3);
}

/* ---- what an MPI promises ---- */

static void any_source(void)
{
    int seen[64] = {0}, next[64] = {0};
    if (rank > 0) {
        for (int i = 0; i < 20; i++)
            MPI_Send(&i, 1, MPI_INT, 0, 5 + i % 3, MPI_COMM_WORLD);
        return;
    }
    for (int i = 0; i < 20 * (n_ranks - 1); i++) {
        int value, count;
        MPI_Status status;
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_INT, &count);
        EXPECT(count == 1 && status.MPI_TAG == 5 + value % 3);
        EXPECT(value == next[status.MPI_SOURCE]); /* messages of a rank do not overtake */
        next[status.MPI_SOURCE]++;
        seen[status.MPI_SOURCE]++;
    }
    for (int from = 1; from < n_ranks; from++)
        EXPECT(seen[from] == 20);
}

static void probes(void)
{
    int peer = rank ^ 1, value = 100 + rank, got = -1, flag = 0;
    char large[20000];
    MPI_Status status;
    MPI_Message message;
    MPI_Request request;
    if (peer >= n_ranks)
        return;
    memset(large, rank, sizeof large);
    MPI_Isend(&value, 1, MPI_INT, peer, 1, MPI_COMM_WORLD, &request);
    MPI_Probe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status);
    EXPECT(status.MPI_SOURCE == peer);
    MPI_Recv(&got, 1, MPI_INT, peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    EXPECT(got == 100 + peer);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int bytes = 100; bytes <= 20000; bytes *= 200) { /* eager, rendezvous */
        MPI_Isend(large, bytes, MPI_BYTE, peer, 2, MPI_COMM_WORLD, &request);
        flag = 0;
        while (!flag)
            MPI_Improbe(peer, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &message, &status);
        int count;
        MPI_Get_count(&status, MPI_BYTE, &count);
        EXPECT(count == bytes && status.MPI_TAG == 2);
        char *buffer = malloc((size_t)bytes);
        EXPECT(buffer);
        MPI_Mrecv(buffer, bytes, MPI_BYTE, &message, &status);
        for (int i = 0; i < bytes; i++)
            EXPECT(buffer[i] == (char)peer);
        free(buffer);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}

static void cancel(void)
{
    int value = -1, cancelled;
    MPI_Request requests[40];
    MPI_Status status;
    for (int i = 0; i < 40; i++)
        MPI_Irecv(&value, 1, MPI_INT, i % 2 ? MPI_ANY_SOURCE : (rank + 1) % n_ranks, 700 + i,
                  MPI_COMM_WORLD, &requests[i]);
    for (int i = 39; i >= 0; i -= 2)
        MPI_Cancel(&requests[i]);
    for (int i = 0; i < 40; i += 2)
        MPI_Cancel(&requests[i]);
    for (int i = 0; i < 40; i++) {
        MPI_Wait(&requests[i], &status);
        MPI_Test_cancelled(&status, &cancelled);
        EXPECT(cancelled);
    }
    EXPECT(value == -1);
    /* What has a message does not cancel. */
    MPI_Irecv(&value, 1, MPI_INT, (rank + n_ranks - 1) % n_ranks, 8, MPI_COMM_WORLD, &requests[0]);
    MPI_Send(&rank, 1, MPI_INT, (rank + 1) % n_ranks, 8, MPI_COMM_WORLD);
    MPI_Wait(&requests[0], &status);
    MPI_Test_cancelled(&status, &cancelled);
    EXPECT(!cancelled && value == (rank + n_ranks - 1) % n_ranks);
}

/* Requests that are freed while they are active, short and by rendezvous. */
static void freed(void)
{
    enum { N = 10, LONG = 20000 };
    static int sent[N][LONG], got[N][LONG];
    int next = (rank + 1) % n_ranks, before = (rank + n_ranks - 1) % n_ranks, done = 0;
    MPI_Request request;
    for (int i = 0; i < N; i++) {
        int n = i % 2 ? LONG : 1;
        sent[i][n - 1] = 1000 * rank + i;
        MPI_Irecv(got[i], n, MPI_INT, before, 30 + i, MPI_COMM_WORLD, &request);
        MPI_Request_free(&request);
        if (i % 4 < 2)
            MPI_Isend(sent[i], n, MPI_INT, next, 30 + i, MPI_COMM_WORLD, &request);
        else
            MPI_Issend(sent[i], n, MPI_INT, next, 30 + i, MPI_COMM_WORLD, &request);
        MPI_Request_free(&request);
    }
    MPI_Sendrecv(&done, 1, MPI_INT, next, 50, &done, 1, MPI_INT, before, 50, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < N; i++) {
        volatile int *last = &got[i][i % 2 ? LONG - 1 : 0];
        while (*last != 1000 * before + i) /* not waited for: it may come after the barrier */
            MPI_Iprobe(MPI_ANY_SOURCE, 51, MPI_COMM_WORLD, &done, MPI_STATUS_IGNORE);
    }
}

/* Each way to send, short and by rendezvous. */
static void modes(void)
{
    enum { LONG = 20000 };
    typedef int send_function(const void *, int, MPI_Datatype, int, int, MPI_Comm);
    static send_function *const sends[] = {MPI_Send, MPI_Bsend, MPI_Ssend, MPI_Rsend};
    static int out[LONG], in[LONG];
    int next = (rank + 1) % n_ranks, before = (rank + n_ranks - 1) % n_ranks;
    int room = 2 * (int)sizeof out + 2 * MPI_BSEND_OVERHEAD;
    void *buffer = malloc((size_t)room);
    EXPECT(buffer);
    MPI_Buffer_attach(buffer, room);
    for (int i = 0; i < 8; i++) {
        int n = i % 2 ? LONG : 1;
        MPI_Request request;
        out[n - 1] = 100 * rank + i;
        MPI_Irecv(in, n, MPI_INT, before, i, MPI_COMM_WORLD, &request);
        MPI_Barrier(MPI_COMM_WORLD); /* MPI_Rsend needs the receive */
        sends[i / 2](out, n, MPI_INT, next, i, MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        EXPECT(in[n - 1] == 100 * before + i);
        MPI_Barrier(MPI_COMM_WORLD); /* what MPI_Bsend has taken is sent before it changes */
    }
    MPI_Buffer_detach(&buffer, &room);
    free(buffer);
}

static void persistent(void)
{
    int out, in;
    MPI_Request requests[2];
    MPI_Recv_init(&in, 1, MPI_INT, (rank + n_ranks - 1) % n_ranks, 3, MPI_COMM_WORLD, &requests[0]);
    MPI_Ssend_init(&out, 1, MPI_INT, (rank + 1) % n_ranks, 3, MPI_COMM_WORLD, &requests[1]);
    for (int i = 0; i < 5; i++) {
        out = 10 * i + rank;
        in = -1;
        MPI_Startall(2, requests);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        EXPECT(in == 10 * i + (rank + n_ranks - 1) % n_ranks);
    }
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
}

/* Every second int of a vector, small and large, by each way to send. */
static void derived_types(void)
{
    for (int n = 10; n <= 20000; n *= 2000) {
        int *out = malloc(2 * sizeof *out * (size_t)n), *in = calloc(2 * (size_t)n, sizeof *in);
        MPI_Datatype type;
        MPI_Request requests[2];
        EXPECT(out && in);
        for (int i = 0; i < 2 * n; i++)
            out[i] = 7 * i + rank;
        MPI_Type_vector(n, 1, 2, MPI_INT, &type);
        MPI_Type_commit(&type);
        MPI_Irecv(in, 1, type, (rank + n_ranks - 1) % n_ranks, 4, MPI_COMM_WORLD, &requests[0]);
        MPI_Issend(out, 1, type, (rank + 1) % n_ranks, 4, MPI_COMM_WORLD, &requests[1]);
        MPI_Type_free(&type);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        for (int i = 0; i < 2 * n - 1; i++)
            EXPECT(in[i] == (i % 2 ? 0 : 7 * i + (rank + n_ranks - 1) % n_ranks));
        free(out);
        free(in);
    }
}

static void truncation(void)
{
    for (int bytes = 100; bytes <= 20000; bytes *= 200) {
        char *buffer = calloc((size_t)bytes, 1);
        EXPECT(buffer);
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
        if (rank == 0) {
            MPI_Send(buffer, bytes, MPI_BYTE, 1, 6, MPI_COMM_WORLD);
        } else if (rank == 1) {
            int class = MPI_SUCCESS, code = MPI_Recv(buffer, bytes / 2, MPI_BYTE, 0, 6,
                                                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Error_class(code, &class);
            EXPECT(class == MPI_ERR_TRUNCATE);
        }
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
        free(buffer);
    }
}

static void communicators(void)
{
    MPI_Comm half, copy;
    for (int round = 0; round < 4; round++) {
        int sum, sum_of_half = 0, value = rank;
        MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
        MPI_Comm_dup(half, &copy);
        MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, copy);
        for (int other = rank % 2; other < n_ranks; other += 2)
            sum_of_half += other;
        EXPECT(sum == sum_of_half);
        int me, n;
        MPI_Comm_rank(copy, &me);
        MPI_Comm_size(copy, &n);
        MPI_Sendrecv(&value, 1, MPI_INT, (me + 1) % n, 1, &sum, 1, MPI_INT, (me + n - 1) % n, 1,
                     copy, MPI_STATUS_IGNORE);
        EXPECT(sum % 2 == rank % 2);
        MPI_Comm_free(&copy);
        MPI_Comm_free(&half);
    }
}

static void collectives(void)
{
    static int out[4000], in[64 * 4000];
    MPI_Request requests[2];
    long long sum = 0, value = rank + 1;
    for (int i = 0; i < 4000; i++)
        out[i] = i + rank;
    MPI_Iallreduce(&value, &sum, 1, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD, &requests[0]);
    MPI_Iallgather(out, 4000, MPI_INT, in, 4000, MPI_INT, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    EXPECT(sum == (long long)n_ranks * (n_ranks + 1) / 2);
    for (int from = 0; from < n_ranks; from++)
        EXPECT(in[4000 * from] == from && in[4000 * from + 3999] == 3999 + from);
    MPI_Bcast(out, 4000, MPI_INT, n_ranks - 1, MPI_COMM_WORLD);
    EXPECT(out[0] == n_ranks - 1);
}

static void one_sided(void)
{
    int *window, value = 10 + rank, got = -1;
    MPI_Win win;
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window, &win);
    window[0] = window[1] = 0;
    MPI_Win_fence(0, win);
    MPI_Put(&value, 1, MPI_INT, (rank + 1) % n_ranks, 0, 1, MPI_INT, win);
    MPI_Accumulate(&value, 1, MPI_INT, 0, 1, 1, MPI_INT, MPI_SUM, win);
    MPI_Win_fence(0, win);
    EXPECT(window[0] == 10 + (rank + n_ranks - 1) % n_ranks);
    if (rank == 0)
        EXPECT(window[1] == 10 * n_ranks + n_ranks * (n_ranks - 1) / 2);
    MPI_Win_lock(MPI_LOCK_SHARED, (rank + 1) % n_ranks, 0, win);
    MPI_Get(&got, 1, MPI_INT, (rank + 1) % n_ranks, 0, 1, MPI_INT, win);
    MPI_Win_unlock((rank + 1) % n_ranks, win);
    EXPECT(got == 10 + rank);
    MPI_Win_free(&win);
}

/* Long queues of both kinds, received in the reverse order. */
static void queues(void)
{
    enum { N = 500 };
    static int out[N], in[N];
    static MPI_Request requests[2 * N];
    int next = (rank + 1) % n_ranks, before = (rank + n_ranks - 1) % n_ranks;
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < N; i++) {
            out[i] = i + rank;
            MPI_Isend(&out[i], 1, MPI_INT, next, i, MPI_COMM_WORLD, &requests[i]);
        }
        if (round == 1)
            MPI_Barrier(MPI_COMM_WORLD);
        for (int i = N - 1; i >= 0; i--)
            MPI_Irecv(&in[i], 1, MPI_INT, i % 7 ? before : MPI_ANY_SOURCE, i, MPI_COMM_WORLD,
                      &requests[N + i]);
        MPI_Waitall(2 * N, requests, MPI_STATUSES_IGNORE);
        for (int i = 0; i < N; i++)
            EXPECT(in[i] == i + before);
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

/* Two threads of a rank that send, receive and free at the same time, each among its like. */
enum { THREADS = 2 };
struct talk {
    MPI_Comm comm;
    pthread_t thread;
};

static void *talk(void *data)
{
    enum { ROUNDS = 100, WINDOW = 4 };
    MPI_Comm comm = ((struct talk *)data)->comm;
    int next = (rank + 1) % n_ranks, before = (rank + n_ranks - 1) % n_ranks;
    int out[WINDOW], in[WINDOW] = {0}, last = -1;
    MPI_Request requests[2 * WINDOW];
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < WINDOW; i++) {
            out[i] = WINDOW * round + i;
            MPI_Irecv(&in[i], 1, MPI_INT, before, i, comm, &requests[i]);
            if (round % 2)
                MPI_Isend(&out[i], 1, MPI_INT, next, i, comm, &requests[WINDOW + i]);
            else
                MPI_Issend(&out[i], 1, MPI_INT, next, i, comm, &requests[WINDOW + i]);
        }
        MPI_Waitall(2 * WINDOW, requests, MPI_STATUSES_IGNORE);
        for (int i = 0; i < WINDOW; i++)
            EXPECT(in[i] == WINDOW * round + i);
        MPI_Sendrecv(&round, 1, MPI_INT, next, 9, &last, 1, MPI_INT, before, 9, comm,
                     MPI_STATUS_IGNORE);
        EXPECT(last == round);
    }
    return NULL;
}

static void threads(void)
{
    struct talk talks[THREADS];
    for (int i = 0; i < THREADS; i++)
        MPI_Comm_dup(MPI_COMM_WORLD, &talks[i].comm);
    for (int i = 0; i < THREADS; i++)
        EXPECT(pthread_create(&talks[i].thread, NULL, talk, &talks[i]) == 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(talks[i].thread, NULL);
    for (int i = 0; i < THREADS; i++)
        MPI_Comm_free(&talks[i].comm);
}

static void check_all(bool has_threads)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } cases[] = {{"any_source", any_source},
                 {"probes", probes},
                 {"cancel", cancel},
                 {"freed", freed},
                 {"modes", modes},
                 {"persistent", persistent},
                 {"derived_types", derived_types},
                 {"truncation", truncation},
                 {"communicators", communicators},
                 {"collectives", collectives},
                 {"one_sided", one_sided},
                 {"queues", queues}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cases[i].run();
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 0) {
            printf("%s\n", cases[i].name);
            fflush(stdout);
        }
    }
    if (has_threads)
        threads();
}

/* Ends in a way that a program should not. */
static void end_early(const char *how)
{
    int value = rank;
    MPI_Request request;
    MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &request);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0 && strcmp(how, "abort") == 0)
        MPI_Abort(MPI_COMM_WORLD, 5);
    if (strcmp(how, "exit") == 0)
        exit(6);
    for (;;)
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* 1..10^6 rounds; 0: the text is no such number. */
static int rounds_of(const char *text)
{
    enum { ROUNDS_MAX = 1000000 };
    char *end;
    long n = strtol(text, &end, 10);
    return end != text && *end == '\0' && n >= 1 && n <= ROUNDS_MAX ? (int)n : 0;
}

int main(int argc, char **argv)
{
    int provided, rounds = 0;
    bool measures = argc > 1 && strcmp(argv[1], "measure") == 0;
    if (measures && argc > 2)
        rounds = rounds_of(argv[2]);
    if (argc < 2 || (measures && rounds == 0)) {
        fprintf(stderr, "usage: %s check|check-threads|measure N|abort|exit|wait\n", argv[0]);
        return 2;
    }
    bool has_threads = strcmp(argv[1], "check-threads") == 0;
    MPI_Init_thread(&argc, &argv, has_threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
    EXPECT(!has_threads || provided == MPI_THREAD_MULTIPLE);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
    if (strncmp(argv[1], "check", 5) == 0)
        check_all(has_threads);
    else if (measures)
        measure(rounds);
    else
        end_early(argv[1]);
    MPI_Finalize();
    return 0;
}
