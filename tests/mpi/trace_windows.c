/* One-sided calls: each access and each way to synchronize, with the values that the memory must
 * have. `plain`: without locks and their like. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

/* MPICH 4.0.2 (ch4:ucx) accesses other memory than that of a window that begins between multiples
 * of 16. */
#define ALIGNED _Alignas(16)

struct neighbourhood {
    int rank, n, next, before;
};

static void expect(int holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "trace_windows: wrong: %s\n", what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* A put to the next rank, a get from the one before, and a sum of all in rank 0; what is for
 * MPI_PROC_NULL, or for the rank itself, is no message. */
static void fences(struct neighbourhood at)
{
    ALIGNED int memory[4] = {-1, at.rank + 10, 0, -1};
    int out = at.rank, in = -1, one = 1;
    MPI_Win window;
    MPI_Win_create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_fence(MPI_MODE_NOPRECEDE, window);
    MPI_Put(&out, 1, MPI_INT, at.next, 0, 1, MPI_INT, window);
    MPI_Put(&out, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, window);
    MPI_Put(&out, 1, MPI_INT, at.rank, 3, 1, MPI_INT, window);
    MPI_Get(&in, 1, MPI_INT, at.before, 1, 1, MPI_INT, window);
    MPI_Accumulate(&one, 1, MPI_INT, 0, 2, 1, MPI_INT, MPI_SUM, window);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, window);
    expect(memory[0] == at.before && memory[3] == at.rank, "put");
    expect(in == at.before + 10, "get");
    expect(at.rank != 0 || memory[2] == at.n, "accumulate");
    MPI_Win_free(&window);
}

/* Each rank opens its memory to the one before, and puts to the next. */
static void posts(struct neighbourhood at)
{
    ALIGNED double memory[100], out[100];
    MPI_Win window;
    MPI_Group all, next, before;
    int done = 0;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 1, &at.next, &next);
    MPI_Group_incl(all, 1, &at.before, &before);
    MPI_Win_create(memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    for (int pass = 0; pass < 3; pass++) {
        for (int i = 0; i < 100; i++)
            out[i] = at.rank + i + pass;
        MPI_Win_post(before, 0, window);
        MPI_Win_start(next, 0, window);
        MPI_Put(out, 100, MPI_DOUBLE, at.next, 0, 100, MPI_DOUBLE, window);
        MPI_Win_complete(window);
        if (pass < 2)
            MPI_Win_wait(window);
        while (pass == 2 && !done)
            MPI_Win_test(window, &done);
        expect(memory[99] == at.before + 99 + pass, "post");
    }
    MPI_Win_free(&window);
    MPI_Group_free(&all);
    MPI_Group_free(&next);
    MPI_Group_free(&before);
}

/* A counter and a sum in the memory of rank 0. */
static void locks(struct neighbourhood at)
{
    long *memory, ticket = -1, one = 1, three = 3, got = -1;
    MPI_Win window;
    MPI_Win_allocate((at.rank == 0 ? 2 : 0) * (MPI_Aint)sizeof *memory, sizeof *memory,
                     MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    if (at.rank == 0) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
        memset(memory, 0, 2 * sizeof *memory);
        MPI_Win_unlock(0, window);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
    MPI_Fetch_and_op(&one, &ticket, MPI_LONG, 0, 0, MPI_SUM, window);
    MPI_Win_flush(0, window);
    expect(ticket >= 0 && ticket < at.n, "fetch_and_op");
    MPI_Get_accumulate(&three, 1, MPI_LONG, &got, 1, MPI_LONG, 0, 1, 1, MPI_LONG, MPI_SUM, window);
    MPI_Win_flush_local(0, window);
    expect(got >= 0 && got % 3 == 0, "get_accumulate");
    MPI_Win_unlock(0, window);
    MPI_Barrier(MPI_COMM_WORLD);
    if (at.rank == 1) {
        const long expected = at.n, changed = 77;
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, MPI_MODE_NOCHECK, window);
        MPI_Compare_and_swap(&changed, &expected, &got, MPI_LONG, 0, 0, window);
        MPI_Win_unlock(0, window);
        expect(got == at.n, "compare_and_swap");
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (at.rank == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
        expect(memory[0] == 77 && memory[1] == 3 * (long)at.n, "locks");
        MPI_Win_unlock(0, window);
    }
    MPI_Win_free(&window);
}

/* Accesses with requests, in an epoch to all, of the ranks with the same parity. */
static void requests(struct neighbourhood at)
{
    enum { N = 1000 };
    static int out[N], in[N];
    int *memory, rank, n;
    MPI_Comm half;
    MPI_Win window;
    MPI_Request request[2];
    MPI_Comm_split(MPI_COMM_WORLD, at.rank % 2, at.rank, &half);
    MPI_Comm_rank(half, &rank);
    MPI_Comm_size(half, &n);
    MPI_Win_allocate(3 * N * (MPI_Aint)sizeof *memory, sizeof *memory, MPI_INFO_NULL, half, &memory,
                     &window);
    MPI_Win_lock_all(0, window);
    for (int i = 0; i < N; i++) {
        out[i] = at.rank + i;
        memory[i] = memory[N + i] = memory[2 * N + i] = 0;
    }
    MPI_Win_sync(window);
    MPI_Barrier(half);
    int next = (rank + 1) % n;
    MPI_Rput(out, N, MPI_INT, next, 0, N, MPI_INT, window, &request[0]);
    MPI_Raccumulate(out, N, MPI_INT, next, N, N, MPI_INT, MPI_SUM, window, &request[1]);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    MPI_Win_flush_all(window);
    MPI_Barrier(half);
    MPI_Rget(in, N, MPI_INT, next, 0, N, MPI_INT, window, &request[0]);
    MPI_Wait(&request[0], MPI_STATUS_IGNORE);
    expect(in[N - 1] == at.rank + N - 1, "rput and rget");
    MPI_Rget_accumulate(out, N, MPI_INT, in, N, MPI_INT, next, N, N, MPI_INT, MPI_NO_OP, window,
                        &request[0]);
    MPI_Wait(&request[0], MPI_STATUS_IGNORE);
    expect(in[N - 1] == at.rank + N - 1, "raccumulate and rget_accumulate");
    MPI_Put(out, N, MPI_INT, next, 2 * N, N, MPI_INT, window);
    MPI_Win_flush_local_all(window);
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    MPI_Comm_free(&half);
}

#if MPI_VERSION >= 4
static void large_counts(struct neighbourhood at)
{
    ALIGNED int memory = -1;
    int out = at.rank, in = -1;
    MPI_Win window;
    MPI_Win_create_c(&memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_fence(0, window);
    MPI_Put_c(&out, 1, MPI_INT, at.next, 0, 1, MPI_INT, window);
    MPI_Win_fence(0, window);
    MPI_Get_c(&in, 1, MPI_INT, at.next, 0, 1, MPI_INT, window);
    MPI_Win_fence(0, window);
    expect(memory == at.before && in == at.rank, "large counts");
    MPI_Win_free(&window);
}
#endif

int main(int argc, char **argv)
{
    struct neighbourhood at;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &at.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &at.n);
    at.next = (at.rank + 1) % at.n;
    at.before = (at.rank + at.n - 1) % at.n;
    fences(at);
    posts(at);
    if (argc < 2 || strcmp(argv[1], "plain") != 0) {
        locks(at);
        requests(at);
    }
#if MPI_VERSION >= 4
    large_counts(at);
#endif
    MPI_Finalize();
    return 0;
}
