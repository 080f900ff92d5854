/*
 * Collectives between two groups, of sizes that differ, in all their forms. With a word: a file of
 * that name and the rank has what MPICH handed to UCX for them, "DESTINATION BYTES" a line; an MPI
 * that does not use UCX gets no file.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum form { BLOCKING, NONBLOCKING, PERSISTENT, N_FORMS };
enum { RANKS_MAX = 16, LARGE = 1000, SENT_MAX = 100000 };

/* ---- messages that are seen on their way ---- */

static struct {
    int n;
    struct {
        const void *endpoint;
        size_t bytes;
    } of[SENT_MAX];
} sent;

void *ucp_tag_send_nbx(void *endpoint, const void *buffer, size_t count, unsigned long tag,
                       const void *param);

void *ucp_tag_send_nbx(void *endpoint, const void *buffer, size_t count, unsigned long tag,
                       const void *param)
{
    void *(*next)(void *, const void *, size_t, unsigned long, const void *);
    void *symbol = dlsym(RTLD_NEXT, "ucp_tag_send_nbx");
    if (!symbol)
        abort();
    memcpy(&next, &symbol, sizeof next);
    if (sent.n < SENT_MAX) {
        sent.of[sent.n].endpoint = endpoint;
        sent.of[sent.n++].bytes = count;
    }
    return next(endpoint, buffer, count, tag, param);
}

/* The endpoint of each rank is that of a message to it. What was sent before is in no trace. */
static void find_endpoints(int rank, int n, const void **endpoints)
{
    sent.n = 0;
    for (int i = 1; i < n; i++) {
        int to = (rank + i) % n, from = (rank - i + n) % n, first = sent.n;
        MPI_Sendrecv(NULL, 0, MPI_BYTE, to, 1, NULL, 0, MPI_BYTE, from, 1, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        endpoints[to] = sent.n > first ? sent.of[first].endpoint : NULL;
    }
}

static void write_sent(const char *name, int rank, int n, const void *const *endpoints)
{
    char path[256];
    snprintf(path, sizeof path, "%s-%d", name, rank);
    FILE *file = sent.n > 0 ? fopen(path, "w") : NULL;
    for (int i = 0; file && i < sent.n; i++)
        for (int to = 0; to < n; to++)
            if (endpoints[to] == sent.of[i].endpoint)
                fprintf(file, "%d %zu\n", to, sent.of[i].bytes);
    if (file)
        fclose(file);
}

/* ---- calls ---- */

struct groups {
    MPI_Comm inter;
    int world_rank, rank, n_local, n_remote;
    int root;     /* of the first group: its last rank */
    int is_first; /* group: ranks 0, 3, 6 and so on */
};

static void expect(const struct groups *of, int holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "trace_between: rank %d: %s\n", of->world_rank, what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* What rank i of a group has in the world. */
static int world_rank(int is_first, int i)
{
    return is_first ? 3 * i : 3 * (i / 2) + 1 + i % 2;
}

static int sum_of(int is_first, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += world_rank(is_first, i);
    return sum;
}

#if MPI_VERSION >= 4
/* Once: MPICH 4.0 fails when it starts some of them again ("Invalid communicator"). */
#define START(blocking, ...)                                                                       \
    MPI_##blocking##_init(__VA_ARGS__, MPI_INFO_NULL, &request);                                   \
    MPI_Start(&request);                                                                           \
    MPI_Wait(&request, MPI_STATUS_IGNORE);                                                         \
    MPI_Request_free(&request)
#else
#define START(blocking, ...) MPI_##blocking(__VA_ARGS__)
#endif

#define CALL(form, blocking, nonblocking, ...)                                                     \
    do {                                                                                           \
        MPI_Request request;                                                                       \
        if ((form) == BLOCKING) {                                                                  \
            MPI_##blocking(__VA_ARGS__);                                                           \
        } else if ((form) == NONBLOCKING) {                                                        \
            MPI_##nonblocking(__VA_ARGS__, &request);                                              \
            MPI_Wait(&request, MPI_STATUS_IGNORE);                                                 \
        } else {                                                                                   \
            START(blocking, __VA_ARGS__);                                                          \
        }                                                                                          \
    } while (0)

static int out[RANKS_MAX * LARGE], in[RANKS_MAX * LARGE];

static void rooted(const struct groups *of, enum form form)
{
    const int sum = sum_of(0, of->n_remote), root = of->root, is_root = root == MPI_ROOT;
    for (int i = 0; i < LARGE; i++)
        out[i] = of->world_rank;
    in[2] = -1;
    /* MPICH (4.0 to 4.3) broadcasts within the other group from the rank that has the root's
     * number, which has the data in that of the first rank only, where the call does not block. */
    const int first = !of->is_first   ? 0
                      : of->rank == 0 ? MPI_ROOT
                                      : MPI_PROC_NULL,
              from = form == BLOCKING ? root : first;
    CALL(form, Bcast, Ibcast, from == MPI_ROOT ? out : in, 3, MPI_INT, from, of->inter);
    expect(of, of->is_first || in[2] == world_rank(1, from), "bcast");
    CALL(form, Reduce, Ireduce, out, in, 1, MPI_INT, MPI_SUM, root, of->inter);
    expect(of, !is_root || in[0] == sum, "reduce");
    for (int count = 1; count <= LARGE; count += LARGE - 1) { /* by the first rank, and from each */
        CALL(form, Gather, Igather, out, count, is_root ? MPI_DATATYPE_NULL : MPI_INT, in, count,
             MPI_INT, root, of->inter);
        expect(of, !is_root || in[count] == world_rank(0, 1), "gather");
        for (int i = 0; is_root && i < of->n_remote * count; i++)
            out[i] = i;
        CALL(form, Scatter, Iscatter, out, count, MPI_INT, in, count, MPI_INT, root, of->inter);
        expect(of, of->is_first || in[0] == of->rank * count, "scatter");
        for (int i = 0; i < LARGE; i++)
            out[i] = of->world_rank;
    }
}

/* Rank i has i elements, so the first one none. */
static void vectors(const struct groups *of, enum form form)
{
    int counts[RANKS_MAX], places[RANKS_MAX];
    const int root = of->root, is_root = root == MPI_ROOT, last = of->n_remote - 1;
    for (int i = 0; i < of->n_remote; i++) {
        counts[i] = i;
        places[i] = i * (i - 1) / 2;
    }
    CALL(form, Gatherv, Igatherv, out, of->rank, is_root ? MPI_DATATYPE_NULL : MPI_INT, in,
         is_root ? counts : NULL, is_root ? places : NULL, MPI_INT, root, of->inter);
    expect(of, !is_root || in[places[last]] == world_rank(0, last), "gatherv");
    CALL(form, Scatterv, Iscatterv, out, is_root ? counts : NULL, is_root ? places : NULL, MPI_INT,
         in, of->rank, is_root ? MPI_DATATYPE_NULL : MPI_INT, root, of->inter);
    expect(of, of->is_first || of->rank == 0 || in[0] == world_rank(1, root), "scatterv");
    CALL(form, Allgatherv, Iallgatherv, out, of->rank, MPI_INT, in, counts, places, MPI_INT,
         of->inter);
    expect(of, last == 0 || in[places[last]] == world_rank(!of->is_first, last), "allgatherv");
}

/* Rank i of the first group gives j of the other one i + 2 j elements, and back. */
static void exchanges(const struct groups *of, enum form form)
{
    int counts[RANKS_MAX], places[RANKS_MAX], bytes[RANKS_MAX];
    MPI_Datatype types[RANKS_MAX];
    const int last = of->n_remote - 1, other = world_rank(!of->is_first, last);
    for (int i = 0; i < of->n_remote; i++) {
        counts[i] = of->is_first ? of->rank + 2 * i : i + 2 * of->rank;
        places[i] = i == 0 ? 0 : places[i - 1] + counts[i - 1];
        bytes[i] = (int)sizeof *out * places[i];
        types[i] = MPI_INT;
    }
    CALL(form, Allgather, Iallgather, out, 2, MPI_INT, in, 2, MPI_INT, of->inter);
    expect(of, in[2 * last + 1] == other, "allgather");
    CALL(form, Alltoall, Ialltoall, out, 1, MPI_INT, in, 1, MPI_INT, of->inter);
    expect(of, in[last] == other, "alltoall");
    CALL(form, Alltoallv, Ialltoallv, out, counts, places, MPI_INT, in, counts, places, MPI_INT,
         of->inter);
    expect(of, counts[last] == 0 || in[places[last]] == other, "alltoallv");
    CALL(form, Alltoallw, Ialltoallw, out, counts, bytes, types, in, counts, bytes, types,
         of->inter);
    expect(of, counts[last] == 0 || in[places[last]] == other, "alltoallw");
}

static void reductions(const struct groups *of, enum form form)
{
    int counts[RANKS_MAX] = {0};
    const int sum = sum_of(!of->is_first, of->n_remote);
    for (int i = 0; i < of->n_local; i++)
        counts[i] = of->n_remote;
    counts[0]--;
    counts[of->n_local - 1]++;
    CALL(form, Allreduce, Iallreduce, out, in, 1, MPI_INT, MPI_SUM, of->inter);
    expect(of, in[0] == sum, "allreduce");
    CALL(form, Reduce_scatter, Ireduce_scatter, out, in, counts, MPI_INT, MPI_SUM, of->inter);
    expect(of, counts[of->rank] == 0 || in[counts[of->rank] - 1] == sum, "reduce_scatter");
    CALL(form, Reduce_scatter_block, Ireduce_scatter_block, out, in, of->n_remote, MPI_INT, MPI_SUM,
         of->inter);
    expect(of, in[of->n_remote - 1] == sum, "reduce_scatter_block");
}

/* Several are under way, and a message of the program. */
static void several(const struct groups *of)
{
    MPI_Request requests[5];
    int n = 3, sums[2], number = -1;
    MPI_Ibarrier(of->inter, &requests[0]);
    MPI_Iallreduce(out, &sums[0], 1, MPI_INT, MPI_SUM, of->inter, &requests[1]);
    MPI_Iallreduce(out, &sums[1], 1, MPI_INT, MPI_MAX, of->inter, &requests[2]);
    if (of->rank == 0) {
        MPI_Irecv(&number, 1, MPI_INT, 0, 1, of->inter, &requests[n++]);
        MPI_Isend(&of->world_rank, 1, MPI_INT, 0, 1, of->inter, &requests[n++]);
    }
    MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
    expect(of, of->rank > 0 || number == of->is_first, "a message beside collectives");
    expect(of, sums[0] == sum_of(!of->is_first, of->n_remote), "the first of two");
    expect(of, sums[1] == world_rank(!of->is_first, of->n_remote - 1), "the second of two");
}

int main(int argc, char **argv)
{
    const void *endpoints[RANKS_MAX] = {NULL};
    struct groups of = {0};
    int n = 0;
    MPI_Comm local;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &of.world_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    of.is_first = of.world_rank % 3 == 0;
    expect(&of, n >= 3 && n <= RANKS_MAX, "3 to 16 ranks");
    MPI_Comm_split(MPI_COMM_WORLD, of.is_first, of.world_rank, &local);
    MPI_Intercomm_create(local, 0, MPI_COMM_WORLD, of.is_first, 50, &of.inter);
    MPI_Comm_rank(of.inter, &of.rank);
    MPI_Comm_size(of.inter, &of.n_local);
    MPI_Comm_remote_size(of.inter, &of.n_remote);
    of.root = !of.is_first ? of.n_remote - 1 : of.rank == of.n_local - 1 ? MPI_ROOT : MPI_PROC_NULL;
    find_endpoints(of.world_rank, n, endpoints);
    for (enum form form = BLOCKING; form < N_FORMS; form++) {
        CALL(form, Barrier, Ibarrier, of.inter);
        rooted(&of, form);
        vectors(&of, form);
        exchanges(&of, form);
        reductions(&of, form);
    }
    several(&of);
    if (argc > 1)
        write_sent(argv[1], of.world_rank, n, endpoints);
    MPI_Comm_free(&of.inter);
    MPI_Comm_free(&local);
    MPI_Finalize();
    return 0;
}
