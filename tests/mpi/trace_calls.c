/*
 * Makes every kind of call that the tracer records, on any number of ranks >= 2, and checks that
 * the program still gets what MPI promises. test_trace.sh compares the traces with what it did.
 */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct neighbourhood {
    int rank, n, next, before;
};

static void expect(int holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "trace_calls: %s\n", what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* A ring of each way to send, received by any source. */
static void blocking(struct neighbourhood at)
{
    static char room[1 << 16];
    int number = at.rank, got = -1;
    MPI_Status status;
    MPI_Buffer_attach(room, sizeof room);
    if (at.rank == 0) {
        MPI_Send(&number, 1, MPI_INT, at.next, 1, MPI_COMM_WORLD);
        MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        expect(status.MPI_SOURCE == at.before && status.MPI_TAG == 1, "status of a receive");
    } else {
        MPI_Recv(&got, 1, MPI_INT, at.before, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&number, 1, MPI_INT, at.next, 1, MPI_COMM_WORLD);
    }
    expect(got == at.before, "ring");
    MPI_Bsend(&number, 1, MPI_INT, at.next, 2, MPI_COMM_WORLD);
    MPI_Recv(&got, 1, MPI_INT, at.before, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(&number, 1, MPI_INT, at.next, 3, &got, 1, MPI_INT, MPI_ANY_SOURCE, 3,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv_replace(&number, 1, MPI_INT, at.next, 4, at.before, 4, MPI_COMM_WORLD, &status);
    expect(number == at.before, "replaced");
    MPI_Send(&number, 1, MPI_INT, MPI_PROC_NULL, 5, MPI_COMM_WORLD);
    MPI_Recv(&got, 1, MPI_INT, MPI_PROC_NULL, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    void *address;
    int size;
    MPI_Buffer_detach(&address, &size);
}

/* Many messages at once, completed by every call that completes. */
static void nonblocking(struct neighbourhood at)
{
    enum { MANY = 6 };
    double out[MANY], in[MANY];
    MPI_Request requests[2 * MANY];
    MPI_Status statuses[2 * MANY];
    for (int i = 0; i < MANY; i++) {
        out[i] = at.rank + 100 * i;
        MPI_Irecv(&in[i], 1, MPI_DOUBLE, i % 2 ? at.before : MPI_ANY_SOURCE, 10 + i, MPI_COMM_WORLD,
                  &requests[i]);
    }
    for (int i = 0; i < MANY; i++)
        MPI_Isend(&out[i], 1, MPI_DOUBLE, at.next, 10 + i, MPI_COMM_WORLD, &requests[MANY + i]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    int flag = 0, index, n_done = 0, indices[MANY];
    while (!flag)
        MPI_Test(&requests[1], &flag, &statuses[0]);
    MPI_Waitany(MANY, requests, &index, &statuses[0]);
    MPI_Waitsome(MANY, requests, &n_done, indices, MPI_STATUSES_IGNORE);
    expect(index >= 2 && index < MANY && n_done >= 1, "indices");
    MPI_Waitall(2 * MANY, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < MANY; i++)
        expect(in[i] == at.before + 100 * i, "nonblocking");
}

static void persistent(struct neighbourhood at)
{
    int out = at.rank, in = -1;
    MPI_Request requests[3];
    MPI_Recv_init(&in, 1, MPI_INT, at.before, 20, MPI_COMM_WORLD, &requests[0]);
    MPI_Send_init(&out, 1, MPI_INT, MPI_PROC_NULL, 20, MPI_COMM_WORLD, &requests[1]);
    MPI_Send_init(&out, 1, MPI_INT, at.next, 20, MPI_COMM_WORLD, &requests[2]);
    for (int i = 0; i < 3; i++) {
        MPI_Startall(3, requests);
        MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
        expect(in == at.before, "persistent");
        in = -1;
    }
    for (int i = 0; i < 3; i++)
        MPI_Request_free(&requests[i]);
}

/* One persistent request gets the messages of all others, one after the other; at last it is freed
 * without another start. */
static void persistent_from_any(struct neighbourhood at)
{
    int number = -1;
    MPI_Request request;
    MPI_Recv_init(&number, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
    for (int source = 1; source < at.n; source++) {
        if (at.rank == 0) {
            MPI_Start(&request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
            expect(number == source, "persistent, from any");
        } else if (at.rank == source) {
            MPI_Send(&at.rank, 1, MPI_INT, 0, 90 + source % 2, MPI_COMM_WORLD);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Request_free(&request);
}

/* One persistent request gets the messages of all others, which may come in any order. */
static void persistent_from_many(struct neighbourhood at)
{
    int number = -1, sum = 0;
    MPI_Request request;
    MPI_Recv_init(&number, 1, MPI_INT, MPI_ANY_SOURCE, 97, MPI_COMM_WORLD, &request);
    if (at.rank > 0)
        MPI_Send(&at.rank, 1, MPI_INT, 0, 97, MPI_COMM_WORLD);
    for (int i = 1; at.rank == 0 && i < at.n; i++) {
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        sum += number;
    }
    expect(at.rank > 0 || sum == at.n * (at.n - 1) / 2, "persistent, from many");
    MPI_Request_free(&request);
}

/* Steps with requests that were made before, or are made in one step and freed in the next. */
static void persistent_in_steps(struct neighbourhood at)
{
    enum { STEPS = 200 };
    int out = at.rank, in = -1, sum;
    MPI_Request requests[2], other = MPI_REQUEST_NULL;
    MPI_Recv_init(&in, 1, MPI_INT, at.before, 95, MPI_COMM_WORLD, &requests[0]);
    MPI_Send_init(&out, 1, MPI_INT, at.next, 95, MPI_COMM_WORLD, &requests[1]);
    for (int step = 0; step < STEPS; step++) {
        MPI_Allreduce(&out, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        if (step % 2 == 0)
            MPI_Send_init(&out, 1, MPI_INT, at.next, 96, MPI_COMM_WORLD, &other);
        MPI_Startall(2, requests);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        if (step % 2 == 1)
            MPI_Request_free(&other);
    }
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
}

/* Rings of the other ways to send; a ready send needs its receive posted. */
static void modes(struct neighbourhood at)
{
    static char room[1 << 16];
    int out = at.rank, in = -1;
    void *address;
    int size;
    MPI_Request requests[2];
    MPI_Buffer_attach(room, sizeof room);
    for (int way = 0; way < 8; way++) {
        MPI_Irecv(&in, 1, MPI_INT, at.before, 70 + way, MPI_COMM_WORLD, &requests[0]);
        MPI_Barrier(MPI_COMM_WORLD);
        requests[1] = MPI_REQUEST_NULL;
        if (way == 0)
            MPI_Ssend(&out, 1, MPI_INT, at.next, 70, MPI_COMM_WORLD);
        if (way == 1)
            MPI_Rsend(&out, 1, MPI_INT, at.next, 71, MPI_COMM_WORLD);
        if (way == 2)
            MPI_Issend(&out, 1, MPI_INT, at.next, 72, MPI_COMM_WORLD, &requests[1]);
        if (way == 3)
            MPI_Ibsend(&out, 1, MPI_INT, at.next, 73, MPI_COMM_WORLD, &requests[1]);
        if (way == 4)
            MPI_Irsend(&out, 1, MPI_INT, at.next, 74, MPI_COMM_WORLD, &requests[1]);
        if (way == 5)
            MPI_Ssend_init(&out, 1, MPI_INT, at.next, 75, MPI_COMM_WORLD, &requests[1]);
        if (way == 6)
            MPI_Bsend_init(&out, 1, MPI_INT, at.next, 76, MPI_COMM_WORLD, &requests[1]);
        if (way == 7)
            MPI_Rsend_init(&out, 1, MPI_INT, at.next, 77, MPI_COMM_WORLD, &requests[1]);
        if (way > 4)
            MPI_Start(&requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        expect(in == at.before, "modes");
        if (way > 4)
            MPI_Request_free(&requests[1]);
    }
    MPI_Buffer_detach(&address, &size);
}

/* Messages completed by the tests of several requests; one request is of nobody. */
static void tested(struct neighbourhood at)
{
    int in[3], flag = 0, index = -1, n_done = 0, indices[4];
    MPI_Request requests[4];
    for (int i = 0; i < 3; i++)
        MPI_Irecv(&in[i], 1, MPI_INT, MPI_ANY_SOURCE, 80 + i, MPI_COMM_WORLD, &requests[i]);
    MPI_Irecv(&index, 1, MPI_INT, MPI_PROC_NULL, 80, MPI_COMM_WORLD, &requests[3]);
    for (int i = 0; i < 3; i++)
        MPI_Send(&at.rank, 1, MPI_INT, at.next, 80 + i, MPI_COMM_WORLD);
    while (!flag)
        MPI_Testany(1, requests, &index, &flag, MPI_STATUS_IGNORE);
    while (n_done == 0)
        MPI_Testsome(1, requests + 1, &n_done, indices, MPI_STATUSES_IGNORE);
    for (flag = 0; !flag;)
        MPI_Testall(4, requests, &flag, MPI_STATUSES_IGNORE);
    expect(in[0] == at.before && in[1] == at.before && in[2] == at.before, "tested");
}

static void probed(struct neighbourhood at)
{
    int out[3] = {at.rank, 0, 0}, in[3], count;
    MPI_Status status;
    MPI_Message message;
    MPI_Request request;
    MPI_Isend(out, 3, MPI_INT, at.next, 30, MPI_COMM_WORLD, &request);
    MPI_Probe(MPI_ANY_SOURCE, 30, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    expect(count == 3, "probe");
    MPI_Recv(in, count, MPI_INT, status.MPI_SOURCE, 30, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Isend(out, 2, MPI_INT, at.next, 31, MPI_COMM_WORLD, &request);
    memset(&status, 0xff, sizeof status); /* a status is undefined before the call that sets it */
    MPI_Mprobe(at.before, 31, MPI_COMM_WORLD, &message, &status);
    memset(&status, 0xff, sizeof status);
    MPI_Mrecv(in, 2, MPI_INT, &message, &status);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Send(out, 1, MPI_INT, at.next, 33, MPI_COMM_WORLD);
    for (int found = 0; !found;)
        MPI_Improbe(MPI_ANY_SOURCE, 33, MPI_COMM_WORLD, &found, &message, MPI_STATUS_IGNORE);
    MPI_Imrecv(in, 1, MPI_INT, &message, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    expect(in[0] == at.before, "matched probe");
    MPI_Irecv(in, 1, MPI_INT, at.before, 32, MPI_COMM_WORLD, &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, &status);
    int cancelled;
    MPI_Test_cancelled(&status, &cancelled);
    expect(cancelled, "cancelled");
}

/* Collectives with different sizes, so that each can be told from its bytes. */
static void collectives(struct neighbourhood at)
{
    size_t n = (size_t)at.n;
    int *from = calloc(n * n, sizeof *from), *to = calloc(n * n, sizeof *to);
    int *counts = calloc(n, sizeof *counts), *displacements = calloc(n, sizeof *displacements);
    for (int i = 0; i < at.n; i++) {
        counts[i] = 1;
        displacements[i] = i;
    }
    MPI_Request requests[2];
    int root = at.n - 1;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Bcast(from, 2, MPI_INT, root, MPI_COMM_WORLD);
    MPI_Reduce(from, to, 3, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, to, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Scan(from, to, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Exscan(from, to, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Gather(from, 1, MPI_INT, to, 1, MPI_INT, root, MPI_COMM_WORLD);
    MPI_Gatherv(from, 1, MPI_INT, to, counts, displacements, MPI_INT, root, MPI_COMM_WORLD);
    MPI_Scatter(from, 1, MPI_INT, to, 1, MPI_INT, root, MPI_COMM_WORLD);
    MPI_Scatterv(from, counts, displacements, MPI_INT, to, 1, MPI_INT, root, MPI_COMM_WORLD);
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, to, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Allgatherv(from, 1, MPI_INT, to, counts, displacements, MPI_INT, MPI_COMM_WORLD);
    MPI_Alltoall(from, 1, MPI_INT, to, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Alltoallv(from, counts, displacements, MPI_INT, to, counts, displacements, MPI_INT,
                  MPI_COMM_WORLD);
    MPI_Reduce_scatter(from, to, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Reduce_scatter_block(from, to, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Iallreduce(from, to, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[0]);
    MPI_Ibarrier(MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    free(from);
    free(to);
    free(counts);
    free(displacements);
}

/* What names a type or a count for each member, and every nonblocking collective. */
static void more_collectives(struct neighbourhood at)
{
    enum { MOST = 64, KINDS = 14 };
    int from[MOST] = {0}, to[MOST], counts[MOST] = {0}, displacements[MOST] = {0};
    MPI_Datatype types[MOST] = {0};
    MPI_Request requests[KINDS], *next = requests;
    static int room[KINDS][MOST];
    expect(at.n <= MOST, "at most 64 ranks");
    for (int i = 0; i < at.n; i++) {
        counts[i] = 1;
        displacements[i] = i * (int)sizeof(int);
        types[i] = MPI_INT;
    }
    MPI_Alltoallw(from, counts, displacements, types, to, counts, displacements, types,
                  MPI_COMM_WORLD);
    for (int i = 0; i < at.n; i++)
        displacements[i] = i;
    MPI_Ibcast(room[0], 5, MPI_INT, 0, MPI_COMM_WORLD, next++);
    MPI_Ireduce(from, room[1], 5, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD, next++);
    MPI_Iscan(from, room[2], 5, MPI_INT, MPI_SUM, MPI_COMM_WORLD, next++);
    MPI_Iexscan(from, room[3], 5, MPI_INT, MPI_SUM, MPI_COMM_WORLD, next++);
    MPI_Igather(from, 1, MPI_INT, room[4], 1, MPI_INT, 0, MPI_COMM_WORLD, next++);
    MPI_Igatherv(from, 1, MPI_INT, room[5], counts, displacements, MPI_INT, 0, MPI_COMM_WORLD,
                 next++);
    MPI_Iscatter(from, 1, MPI_INT, room[6], 1, MPI_INT, 0, MPI_COMM_WORLD, next++);
    MPI_Iscatterv(from, counts, displacements, MPI_INT, room[7], 1, MPI_INT, 0, MPI_COMM_WORLD,
                  next++);
    MPI_Iallgather(from, 1, MPI_INT, room[8], 1, MPI_INT, MPI_COMM_WORLD, next++);
    MPI_Iallgatherv(from, 1, MPI_INT, room[9], counts, displacements, MPI_INT, MPI_COMM_WORLD,
                    next++);
    MPI_Ialltoall(from, 1, MPI_INT, room[10], 1, MPI_INT, MPI_COMM_WORLD, next++);
    MPI_Ialltoallv(from, counts, displacements, MPI_INT, room[11], counts, displacements, MPI_INT,
                   MPI_COMM_WORLD, next++);
    MPI_Ireduce_scatter(from, room[12], counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD, next++);
    MPI_Ireduce_scatter_block(from, room[13], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, next++);
    MPI_Waitall((int)(next - requests), requests, MPI_STATUSES_IGNORE);
}

/* A ring of neighbours, with every collective of them. */
static void neighbours(struct neighbourhood at)
{
    int out[2] = {1, 2}, in[2], one = 1, none = 0;
    MPI_Aint start = 0;
    MPI_Datatype type = MPI_INT;
    MPI_Comm ring;
    MPI_Request requests[2];
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &at.before, MPI_UNWEIGHTED, 1, &at.next,
                                   MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &ring);
    MPI_Neighbor_allgather(out, 1, MPI_INT, in, 1, MPI_INT, ring);
    MPI_Neighbor_allgatherv(out, 1, MPI_INT, in, &one, &none, MPI_INT, ring);
    MPI_Neighbor_alltoallv(out, &one, &none, MPI_INT, in, &one, &none, MPI_INT, ring);
    MPI_Neighbor_alltoallw(out, &one, &start, &type, in, &one, &start, &type, ring);
    MPI_Ineighbor_allgather(out, 1, MPI_INT, in, 1, MPI_INT, ring, &requests[0]);
    MPI_Ineighbor_alltoall(out, 1, MPI_INT, in + 1, 1, MPI_INT, ring, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Comm_free(&ring);
}

/* Partners in other communicators: reversed, halves, a grid, a copy made meanwhile. */
static void communicators(struct neighbourhood at)
{
    MPI_Comm reversed, half, grid, copy;
    MPI_Request request;
    int got = -1, rank, n, dims[1] = {at.n}, periods[1] = {0}, out[2] = {1, 2}, in[2];
    MPI_Comm_split(MPI_COMM_WORLD, 0, -at.rank, &reversed);
    MPI_Comm_rank(reversed, &rank);
    if (rank == 0)
        MPI_Send(&at.rank, 1, MPI_INT, 1, 40, reversed);
    else if (rank == 1)
        MPI_Recv(&got, 1, MPI_INT, 0, 40, reversed, MPI_STATUS_IGNORE);
    expect(rank != 1 || got == at.n - 1, "reversed");
    MPI_Comm_split(MPI_COMM_WORLD, at.rank % 2, at.rank, &half);
    MPI_Comm_size(half, &n);
    MPI_Bcast(&got, 1, MPI_INT, n - 1, half);
    MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &grid);
    MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, grid);
    MPI_Comm_idup(reversed, &copy, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Barrier(copy);
    MPI_Comm_free(&copy);
    MPI_Comm_free(&grid);
    MPI_Comm_free(&half);
    MPI_Comm_free(&reversed);
}

/* The other ways to make one; a barrier or a call of neighbours in each that the rank is in. */
static void more_communicators(struct neighbourhood at)
{
    enum { MOST = 8 };
    int ends[2] = {0, at.n - 1}, dims[2] = {0, 0}, periods[2] = {1, 1}, rows[2] = {0, 1};
    int index[MOST], edges[2 * MOST], one = 1, out = 1, in[2];
    MPI_Group all, group;
    MPI_Comm made[9], half, inter, grid;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 2, ends, &group);
    MPI_Comm_create(MPI_COMM_WORLD, group, &made[0]);
    made[1] = MPI_COMM_NULL;
    if (at.rank == ends[0] || at.rank == ends[1])
        MPI_Comm_create_group(MPI_COMM_WORLD, group, 60, &made[1]);
    MPI_Comm_dup(MPI_COMM_WORLD, &made[2]);
    MPI_Comm_dup_with_info(MPI_COMM_WORLD, MPI_INFO_NULL, &made[3]);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &made[4]);
    MPI_Dims_create(at.n, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
    MPI_Cart_sub(grid, rows, &made[5]);
    MPI_Comm_split(MPI_COMM_WORLD, at.rank % 2, at.rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, at.rank % 2 ? 0 : 1, 61, &inter);
    MPI_Intercomm_merge(inter, at.rank % 2, &made[6]);
    expect(at.n <= MOST, "number of ranks");
    for (int i = 0; i < at.n; i++) {
        index[i] = 2 * (i + 1);
        edges[2 * i] = (i + at.n - 1) % at.n;
        edges[2 * i + 1] = (i + 1) % at.n;
    }
    MPI_Graph_create(MPI_COMM_WORLD, at.n, index, edges, 0, &made[7]);
    MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &at.rank, &one, &at.next, MPI_UNWEIGHTED,
                          MPI_INFO_NULL, 0, &made[8]);
    for (int i = 0; i < 7; i++)
        if (made[i] != MPI_COMM_NULL)
            MPI_Barrier(made[i]);
    MPI_Neighbor_allgather(&out, 1, MPI_INT, in, 1, MPI_INT, made[7]);
    MPI_Neighbor_allgather(&out, 1, MPI_INT, in, 1, MPI_INT, made[8]);
    for (int i = 0; i < 9; i++)
        if (made[i] != MPI_COMM_NULL)
            MPI_Comm_free(&made[i]);
    MPI_Comm_disconnect(&inter);
    MPI_Comm_free(&half);
    MPI_Comm_free(&grid);
    MPI_Group_free(&group);
    MPI_Group_free(&all);
}

/* What the tracer cannot model. */
static void others(struct neighbourhood at)
{
    MPI_Win win;
    int shared = 0, local = at.rank;
    MPI_Win_create(&shared, sizeof shared, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    MPI_Put(&local, 1, MPI_INT, at.next, 0, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    expect(shared == at.before, "put");
    MPI_Win_free(&win);
    MPI_File file;
    MPI_Request request;
    MPI_File_open(MPI_COMM_WORLD, "calls.out", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL,
                  &file);
    MPI_File_iwrite_at(file, at.rank * (MPI_Offset)sizeof local, &local, 1, MPI_INT, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_File_write_at_all_begin(file, at.rank * (MPI_Offset)sizeof local, &local, 1, MPI_INT);
    MPI_File_write_at_all_end(file, &local, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
}

/* Between even and odd ranks; rank 1 of the even ones, if there are two, is the root. */
static void collectives_between(struct neighbourhood at, MPI_Comm inter, MPI_Comm half)
{
    enum { LARGE = 2000, RANKS = 64 };
    static int out[LARGE], in[RANKS * LARGE], part[LARGE];
    int n_local, n_remote, rank, sum = 0, all = 0;
    MPI_Request request;
    MPI_Comm_size(inter, &n_local);
    MPI_Comm_rank(inter, &rank);
    MPI_Comm_remote_size(inter, &n_remote);
    const int odd = at.rank % 2;
    const int first = (at.n > 2) && !odd, root = odd             ? at.n > 2
                                                 : rank == first ? MPI_ROOT
                                                                 : MPI_PROC_NULL;
    expect(n_local + n_remote == at.n && at.n <= RANKS, "two groups");
    for (int i = 0; i < LARGE; i++)
        out[i] = at.rank;
    in[0] = 77;
    MPI_Bcast(root == MPI_ROOT ? out : in, 3, MPI_INT, root, inter);
    expect(!odd || in[2] == 2 * (at.n > 2), "bcast between groups");
    for (int i = 0; i < at.n; i++)
        all += i % 2 != odd ? i : 0; /* of the other group */
    MPI_Reduce(out, &sum, 1, MPI_INT, MPI_SUM, root, inter);
    expect(root != MPI_ROOT || sum == all, "reduce between groups");
    MPI_Allreduce(out, &sum, 1, MPI_INT, MPI_SUM, inter);
    expect(sum == all, "allreduce between groups");
    MPI_Allgather(out, 2, MPI_INT, in, 2, MPI_INT, inter);
    expect(in[2 * n_remote - 1] == 2 * (n_remote - 1) + !odd, "allgather between groups");
    for (int count = 1; count <= LARGE; count += LARGE - 1) { /* by the first rank, and from each */
        MPI_Gather(out, count, root == MPI_ROOT ? MPI_DATATYPE_NULL : MPI_INT, in, count, MPI_INT,
                   root, inter);
        expect(root != MPI_ROOT || in[count] == 3, "gather between groups");
        if (root == MPI_ROOT)
            for (int i = 0; i < n_remote * count; i++)
                in[i] = i;
        MPI_Scatter(in, count, MPI_INT, root == MPI_ROOT ? NULL : part, count, MPI_INT, root,
                    inter);
        expect(!odd || part[0] == rank * count, "scatter between groups");
    }
    MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, inter);
    expect(in[n_remote - 1] == 2 * (n_remote - 1) + !odd, "alltoall between groups");
    MPI_Ibarrier(inter, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Barrier(half);
}

/* Ranks with odd numbers wait for the others. */
static void between(struct neighbourhood at)
{
    const struct timespec while_ = {.tv_nsec = 100000000};
    MPI_Comm half, inter;
    MPI_Comm_split(MPI_COMM_WORLD, at.rank % 2, at.rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, at.rank % 2 ? 0 : 1, 50, &inter);
    if (at.rank % 2 == 0)
        nanosleep(&while_, NULL);
    MPI_Barrier(inter);
    int out = at.rank, in[2] = {-1, -1}, n_other;
    MPI_Request request;
    MPI_Comm_remote_size(inter, &n_other);
    if (at.rank / 2 < n_other) { /* with the neighbour of the other group */
        MPI_Irecv(in, 2, MPI_INT, MPI_ANY_SOURCE, 51, inter, &request);
        MPI_Send(&out, 1, MPI_INT, at.rank / 2, 51, inter);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        expect(in[0] == (at.rank ^ 1), "between groups");
    }
    collectives_between(at, inter, half);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
}

static void *ring_of_thread(void *argument)
{
    struct neighbourhood at = *(struct neighbourhood *)argument;
    int out = at.rank, in = -1;
    MPI_Sendrecv(&out, 1, MPI_INT, at.next, 90, &in, 1, MPI_INT, at.before, 90, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    expect(in == at.before, "thread");
    return NULL;
}

static void threads(struct neighbourhood at)
{
    pthread_t thread;
    expect(pthread_create(&thread, NULL, ring_of_thread, &at) == 0, "thread begins");
    pthread_join(thread, NULL);
}

/* Ranks with odd numbers ask again and again for a message that comes after a while. */
static void polling(struct neighbourhood at)
{
    const struct timespec while_ = {.tv_nsec = 100000000};
    int number = at.rank, flag = 0;
    MPI_Request request;
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < 3 && at.rank % 2 == 0; i++) {
        nanosleep(&while_, NULL);
        MPI_Send(&number, 1, MPI_INT, at.next, 60 + i, MPI_COMM_WORLD);
    }
    if (at.rank % 2 == 0)
        return;
    while (!flag)
        MPI_Iprobe(at.before, 60, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    MPI_Recv(&number, 1, MPI_INT, at.before, 60, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Irecv(&number, 1, MPI_INT, at.before, 61, MPI_COMM_WORLD, &request);
    for (flag = 0; !flag;)
        MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    expect(number == at.before, "polling");
    MPI_Irecv(&number, 1, MPI_INT, at.before, 62, MPI_COMM_WORLD, &request);
    for (flag = 0; !flag;)
        MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* Receives that the program sees complete, and frees, or waits for. */
static void seen(struct neighbourhood at)
{
    for (int round = 0; round < 2; round++) {
        int in = 0, flag = 0;
        MPI_Request request;
        MPI_Status status;
        MPI_Irecv(&in, 1, MPI_INT, at.before, 98, MPI_COMM_WORLD, &request);
        MPI_Send(&at.rank, 1, MPI_INT, at.next, 98, MPI_COMM_WORLD);
        while (!flag)
            MPI_Request_get_status(request, &flag, round == 0 ? &status : MPI_STATUS_IGNORE);
        if (round == 0)
            MPI_Request_free(&request);
        else
            MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}

/* Messages of 40 B for receives of 8 B: by each call that can complete them. */
static void short_receives(struct neighbourhood at)
{
    int out[10] = {0}, in[2], index = 0, flag = 0, n = 0;
    MPI_Request requests[2];
    MPI_Status statuses[2];
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (int way = 0; way < 6; way++) {
        MPI_Irecv(in, 2, MPI_INT, at.before, 100 + way, MPI_COMM_WORLD, &requests[0]);
        MPI_Send(out, 10, MPI_INT, at.next, 100 + way, MPI_COMM_WORLD);
        requests[1] = MPI_REQUEST_NULL;
        if (way == 0)
            MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
        else if (way == 1)
            MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        else if (way == 2)
            MPI_Waitany(2, requests, &index, statuses);
        else if (way == 3)
            MPI_Waitsome(2, requests, &n, (int[2]){0}, statuses);
        for (flag = 0; way == 4 && !flag;)
            MPI_Test(&requests[0], &flag, statuses);
        for (flag = 0; way == 5 && !flag;)
            MPI_Testall(2, requests, &flag, statuses);
    }
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

struct words {
    int n;
    char **list;
};

static int has(struct words words, const char *word)
{
    for (int i = 1; i < words.n; i++)
        if (strcmp(words.list[i], word) == 0)
            return 1;
    return 0;
}

/* What is made after the calls that each program makes. */
static const struct {
    const char *word;
    void (*run)(struct neighbourhood at);
} parts[] = {{"intercommunicator", between},
             {"threads", threads},
             {"poll", polling},
             {"any", persistent_from_any},
             {"many", persistent_from_many},
             {"steps", persistent_in_steps},
             {"seen", seen},
             {"short", short_receives}};

int main(int argc, char **argv)
{
    struct neighbourhood at;
    struct words words = {argc, argv};
    int provided;
    if (has(words, "threads"))
        MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    else
        MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &at.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &at.n);
    at.next = (at.rank + 1) % at.n;
    at.before = (at.rank + at.n - 1) % at.n;
    blocking(at);
    nonblocking(at);
    persistent(at);
    modes(at);
    tested(at);
    probed(at);
    collectives(at);
    more_collectives(at);
    communicators(at);
    neighbours(at);
    more_communicators(at);
    if (argc == 1)
        others(at);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (has(words, parts[i].word))
            parts[i].run(at);
    if (has(words, "abort") && at.rank == 0)
        MPI_Abort(MPI_COMM_WORLD, 3);
    if (has(words, "abort"))
        MPI_Recv(&at.n, 1, MPI_INT, 0, 99, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
