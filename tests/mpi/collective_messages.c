/*
 * The messages that this MPI sends in collectives, against those that the default rules expand the
 * same calls into: destinations and sizes, in order. Messages are seen where MPICH hands them to
 * UCX; an MPI that does not is none that the defaults speak of, and the test is skipped.
 */
#include "lp-bridge/collective/collective.h"

#include <assert.h>
#include <dlfcn.h>
#include <inttypes.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RANKS_MAX = 64, SENT_MAX = 4096, BLOCK_MAX_BYTES = 1 << 20, EXIT_SKIPPED = 77 };

struct sent {
    const void *endpoint;
    bool is_packed; /* by UCX, from a datatype with holes: its size is not known here */
    uint64_t bytes;
};

/* The beginning of ucp_request_param_t, UCX 1.x. */
struct request_param {
    uint32_t fields, flags;
    void *request;
    void (*callback)(void);
    uint64_t datatype;
};
enum { FIELD_DATATYPE = 1 << 3, DATATYPE_CLASS = 7 };

/* What the function below has seen; it has no argument of ours. */
static struct {
    bool is_on;
    size_t n;
    struct sent of[SENT_MAX];
} seen;

void *ucp_tag_send_nbx(void *endpoint, const void *buffer, size_t count, uint64_t tag,
                       const struct request_param *param);

void *ucp_tag_send_nbx(void *endpoint, const void *buffer, size_t count, uint64_t tag,
                       const struct request_param *param)
{
    void *(*next)(void *, const void *, size_t, uint64_t, const struct request_param *);
    void *symbol = dlsym(RTLD_NEXT, "ucp_tag_send_nbx");
    if (!symbol)
        abort();
    memcpy(&next, &symbol, sizeof next);
    if (seen.is_on && seen.n < SENT_MAX)
        seen.of[seen.n++] = (struct sent){.endpoint = endpoint,
                                          .is_packed = param->fields & FIELD_DATATYPE &&
                                                       param->datatype & DATATYPE_CLASS,
                                          .bytes = count};
    return next(endpoint, buffer, count, tag, param);
}

struct expected {
    size_t n;
    struct ct_collective_step of[SENT_MAX];
};

static enum ct_status expect(const struct ct_collective_step *step, void *context)
{
    struct expected *expected = context;
    if (step->is_send && expected->n < SENT_MAX)
        expected->of[expected->n++] = *step;
    return CT_OK;
}

struct world {
    uint32_t n_ranks, rank;
    const void *endpoints[RANKS_MAX];
    /* Of the v-variants: elements given or, where they differ, those got are the other ones. */
    int counts[RANKS_MAX], displacements[RANKS_MAX];
    int other_counts[RANKS_MAX], other_displacements[RANKS_MAX];
    uint64_t block_bytes[RANKS_MAX], other_block_bytes[RANKS_MAX];
    double *from, *to;
    unsigned long n_tried;
    struct expected expected;
};

static struct world *world_new(void)
{
    int n_ranks, rank;
    MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    struct world *world = calloc(1, sizeof *world);
    if (world && n_ranks <= RANKS_MAX) {
        world->n_ranks = (uint32_t)n_ranks;
        world->rank = (uint32_t)rank;
        world->from = calloc((size_t)n_ranks + 1, BLOCK_MAX_BYTES);
        world->to = calloc((size_t)n_ranks + 1, BLOCK_MAX_BYTES);
    }
    if (!world || !world->from || !world->to)
        MPI_Abort(MPI_COMM_WORLD, 1);
    return world;
}

static void world_free(struct world *world)
{
    free(world->from);
    free(world->to);
    free(world);
}

static void start_recording(void)
{
    seen.n = 0;
    seen.is_on = true;
}

/* Which endpoint leads to which rank; false if messages are not seen. */
static bool learn_endpoints(struct world *world)
{
    int n_ranks = (int)world->n_ranks, rank = (int)world->rank;
    int is_seen = 1;
    for (int distance = 0; distance < n_ranks; distance++) {
        int to = (rank + distance) % n_ranks, from = (rank + n_ranks - distance) % n_ranks;
        start_recording();
        MPI_Sendrecv(world->from, 1, MPI_DOUBLE, to, 0, world->to, 1, MPI_DOUBLE, from, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        seen.is_on = false;
        if (distance > 0 && (seen.n != 1 || seen.of[0].bytes != sizeof(double)))
            is_seen = 0;
        world->endpoints[to] = seen.n ? seen.of[0].endpoint : NULL;
    }
    MPI_Allreduce(MPI_IN_PLACE, &is_seen, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return is_seen;
}

static void call_mpi(struct world *w, enum ct_collective what, int root, int count)
{
    const MPI_Comm comm = MPI_COMM_WORLD;
    const MPI_Datatype type = MPI_DOUBLE;
    const MPI_Op op = MPI_SUM;
    switch (what) {
    case CT_COLLECTIVE_BARRIER:
        MPI_Barrier(comm);
        return;
    case CT_COLLECTIVE_BCAST:
        MPI_Bcast(w->from, count, type, root, comm);
        return;
    case CT_COLLECTIVE_REDUCE:
        MPI_Reduce(w->from, w->to, count, type, op, root, comm);
        return;
    case CT_COLLECTIVE_ALLREDUCE:
        MPI_Allreduce(w->from, w->to, count, type, op, comm);
        return;
    case CT_COLLECTIVE_REDUCE_SCATTER:
        MPI_Reduce_scatter_block(w->from, w->to, count / (int)w->n_ranks, type, op, comm);
        return;
    case CT_COLLECTIVE_ALLGATHER:
        MPI_Allgather(w->from, count, type, w->to, count, type, comm);
        return;
    case CT_COLLECTIVE_ALLTOALL:
        MPI_Alltoall(w->from, count, type, w->to, count, type, comm);
        return;
    case CT_COLLECTIVE_GATHER:
        MPI_Gather(w->from, count, type, w->to, count, type, root, comm);
        return;
    case CT_COLLECTIVE_SCATTER:
        MPI_Scatter(w->from, count, type, w->to, count, type, root, comm);
        return;
    case CT_COLLECTIVE_SCAN:
        MPI_Scan(w->from, w->to, count, type, op, comm);
        return;
    case CT_COLLECTIVE_EXSCAN:
        MPI_Exscan(w->from, w->to, count, type, op, comm);
        return;
    case CT_COLLECTIVE_N_COLLECTIVES:
        break;
    }
}

static void call_mpi_with_blocks(struct world *w, enum ct_collective what, int root)
{
    const MPI_Comm comm = MPI_COMM_WORLD;
    const MPI_Datatype type = MPI_DOUBLE;
    int own = w->counts[w->rank];
    if (what == CT_COLLECTIVE_REDUCE_SCATTER)
        MPI_Reduce_scatter(w->from, w->to, w->counts, type, MPI_SUM, comm);
    else if (what == CT_COLLECTIVE_ALLGATHER)
        MPI_Allgatherv(w->from, own, type, w->to, w->counts, w->displacements, type, comm);
    else if (what == CT_COLLECTIVE_ALLTOALL)
        MPI_Alltoallv(w->from, w->counts, w->displacements, type, w->to, w->other_counts,
                      w->other_displacements, type, comm);
    else if (what == CT_COLLECTIVE_GATHER)
        MPI_Gatherv(w->from, own, type, w->to, w->counts, w->displacements, type, root, comm);
    else if (what == CT_COLLECTIVE_SCATTER)
        MPI_Scatterv(w->from, w->counts, w->displacements, type, w->to, own, type, root, comm);
}

/* Leave out what the rank has sent to itself: a copy, for us. */
static void forget_own(const struct world *world)
{
    size_t n = 0;
    for (size_t i = 0; i < seen.n; i++)
        if (seen.of[i].endpoint != world->endpoints[world->rank])
            seen.of[n++] = seen.of[i];
    seen.n = n;
}

static void print_difference(const struct world *world, const struct ct_collective_call *call,
                             const char *algorithm, const struct expected *expected)
{
    char text[4000];
    FILE *out = fmemopen(text, sizeof text, "w");
    if (!out)
        return;
    fprintf(out, "FAILED: rank %" PRIu32 " of %" PRIu32 ": %s%s by %s, %" PRIu64 " bytes\n",
            call->rank, call->n_ranks, ct_collective_name(call->what),
            call->recv_bytes ? " of unequal blocks" : "", algorithm, call->bytes);
    fprintf(out, "  expected, as rank:bytes");
    for (size_t i = 0; i < expected->n; i++)
        fprintf(out, " %" PRIu32 ":%" PRIu64, expected->of[i].peer, expected->of[i].bytes);
    fprintf(out, "\n  sent");
    for (size_t i = 0; i < seen.n; i++) {
        uint32_t to = 0;
        while (to < world->n_ranks && world->endpoints[to] != seen.of[i].endpoint)
            to++;
        fprintf(out, " %" PRIu32 ":%" PRIu64, to, seen.of[i].bytes);
    }
    fclose(out);
    text[sizeof text - 1] = '\0';
    fprintf(stderr, "%s\n", text);
}

/* Compare what was seen with the expansion of the call by the default rules. */
static bool is_as_expected(struct world *world, const struct ct_collective_call *call)
{
    struct ct_collective_rules rules;
    struct ct_error err;
    struct expected *expected = &world->expected;
    ct_collective_rules_default(CT_COLLECTIVE_OF_MPICH, &rules);
    expected->n = 0;
    if (ct_collective_expand(&rules, call, expect, expected, &err)) {
        fprintf(stderr, "FAILED: %s\n", err.text);
        return false;
    }
    forget_own(world);
    bool is_same = expected->n == seen.n;
    for (size_t i = 0; i < seen.n && is_same; i++)
        is_same = (seen.of[i].is_packed || expected->of[i].bytes == seen.of[i].bytes) &&
                  world->endpoints[expected->of[i].peer] == seen.of[i].endpoint;
    if (!is_same)
        print_difference(world, call, ct_collective_choose(&rules, call)->name, expected);
    return is_same;
}

static bool try_equal(struct world *world, enum ct_collective what, uint64_t bytes)
{
    assert(world->n_ranks > 0);
    struct ct_collective_call call = {.what = what,
                                      .n_ranks = world->n_ranks,
                                      .rank = world->rank,
                                      .root = (uint32_t)(world->n_tried++ % world->n_ranks),
                                      .bytes = bytes};
    start_recording();
    call_mpi(world, what, (int)call.root, (int)(bytes / sizeof(double)));
    seen.is_on = false;
    return is_as_expected(world, &call);
}

/* Blocks of (7 i mod 4) x scale elements, i the rank; alltoallv: i the distance. */
static bool try_unequal(struct world *world, enum ct_collective what, uint32_t scale)
{
    uint32_t n = world->n_ranks, rank = world->rank;
    for (uint32_t i = 0; i < n; i++) {
        bool is_alltoall = what == CT_COLLECTIVE_ALLTOALL;
        uint32_t sent = is_alltoall ? (i + n - rank) % n : i, received = (rank + n - i) % n;
        world->counts[i] = (int)(sent * 7 % 4 * scale);
        world->other_counts[i] = (int)(received * 7 % 4 * scale);
        world->displacements[i] = i > 0 ? world->displacements[i - 1] + world->counts[i - 1] : 0;
        world->other_displacements[i] =
            i > 0 ? world->other_displacements[i - 1] + world->other_counts[i - 1] : 0;
        world->block_bytes[i] = (uint64_t)world->counts[i] * sizeof(double);
        world->other_block_bytes[i] = (uint64_t)world->other_counts[i] * sizeof(double);
    }
    assert(world->n_ranks > 0);
    struct ct_collective_call call = {.what = what,
                                      .n_ranks = n,
                                      .rank = rank,
                                      .root = (uint32_t)(world->n_tried++ % n),
                                      .recv_bytes = world->block_bytes};
    if (what == CT_COLLECTIVE_ALLTOALL) {
        call.send_bytes = world->block_bytes;
        call.recv_bytes = world->other_block_bytes;
    }
    start_recording();
    call_mpi_with_blocks(world, what, (int)call.root);
    seen.is_on = false;
    return is_as_expected(world, &call);
}

/* Sizes, on both sides of which are calls: at some of them MPICH changes the algorithm. */
static const struct {
    enum ct_collective what;
    bool of_all_blocks; /* they are sums */
    uint64_t bytes[4];
} equal[] = {
    {CT_COLLECTIVE_BARRIER, false, {0}},
    {CT_COLLECTIVE_BCAST, false, {64, 12288, 524288}},
    {CT_COLLECTIVE_REDUCE, false, {64, 2048, 16384}},
    {CT_COLLECTIVE_ALLREDUCE, false, {64, 2048}},
    {CT_COLLECTIVE_REDUCE_SCATTER, false, {64, 524288}},
    {CT_COLLECTIVE_ALLGATHER, true, {64, 81920, 524288}},
    {CT_COLLECTIVE_ALLTOALL, false, {64, 256, 32768}},
    {CT_COLLECTIVE_GATHER, false, {64, 4096}},
    {CT_COLLECTIVE_SCATTER, false, {64, 4096}},
    {CT_COLLECTIVE_SCAN, false, {64, 4096}},
    {CT_COLLECTIVE_EXSCAN, false, {64, 4096}},
};

/* allgatherv: MPICH's ring sends blocks of more than 32 KiB in segments. */
static const struct {
    enum ct_collective what;
    uint32_t scale_max;
} unequal[] = {{CT_COLLECTIVE_REDUCE_SCATTER, 10000},
               {CT_COLLECTIVE_ALLGATHER, 1000},
               {CT_COLLECTIVE_ALLTOALL, 10000},
               {CT_COLLECTIVE_GATHER, 10000},
               {CT_COLLECTIVE_SCATTER, 10000}};

/* Vectors are cut without remainder: where there is one, MPICH cuts in another way. */
static uint64_t unit_of(const struct world *world, enum ct_collective what)
{
    if (what >= CT_COLLECTIVE_ALLGATHER)
        return sizeof(double);
    uint64_t folded = 1;
    while (folded <= world->n_ranks / 2)
        folded *= 2;
    return sizeof(double) * world->n_ranks * folded;
}

/* Returns how many calls sent what was not expected. */
static unsigned long try_all(struct world *world)
{
    unsigned long n_wrong = 0;
    for (size_t i = 0; i < sizeof equal / sizeof *equal; i++) {
        uint64_t unit = unit_of(world, equal[i].what);
        uint64_t smallest = sizeof(double);
        if (equal[i].what == CT_COLLECTIVE_REDUCE_SCATTER)
            smallest *= world->n_ranks;
        n_wrong += !try_equal(world, equal[i].what, 0);
        n_wrong += !try_equal(world, equal[i].what, smallest);
        for (size_t k = 0; k < 4 && equal[i].bytes[k] > 0; k++) {
            uint64_t bytes = equal[i].bytes[k] / (equal[i].of_all_blocks ? world->n_ranks : 1);
            n_wrong += !try_equal(world, equal[i].what, bytes / unit * unit);
            n_wrong += !try_equal(world, equal[i].what, bytes / unit * unit + unit);
        }
    }
    for (size_t i = 0; i < sizeof unequal / sizeof *unequal; i++)
        for (uint32_t scale = 1; scale <= unequal[i].scale_max; scale *= 10)
            n_wrong += !try_unequal(world, unequal[i].what, scale);
    return n_wrong;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    struct world *world = world_new();
    int code = EXIT_SKIPPED;
    if (learn_endpoints(world)) {
        unsigned long n_wrong = try_all(world);
        MPI_Allreduce(MPI_IN_PLACE, &n_wrong, 1, MPI_UNSIGNED_LONG, MPI_SUM, MPI_COMM_WORLD);
        if (world->rank == 0)
            printf("%" PRIu32 " ranks: %lu calls, %lu times a rank sent what was not expected\n",
                   world->n_ranks, world->n_tried, n_wrong);
        code = n_wrong > 0;
    } else if (world->rank == 0) {
        printf("this MPI does not hand its messages to UCX\n");
    }
    world_free(world);
    MPI_Finalize();
    return code;
}
