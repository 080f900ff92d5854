/* Multigrid, after AMG2006 (hypre's BoomerAMG as a solver): a system is set up, which is computing
 * that leaves the network idle, then solved by V-cycles. A cycle exchanges faces on the finest
 * level, large, then on each coarser one, a quarter each, until ranks have a single point left and
 * fall idle one after the other; and the same way back. A reduction ends it. */
#include "bench/workloads/multigrid.h"
#include "bench/workloads/workload.h"

#include <stdlib.h>

enum { N_AT_SCALE_1 = 16, N_CYCLES = 3 };

enum { SETUP, FINE, COARSE, NORM };
static const char *const phases[] = {
    [SETUP] = "setup", [FINE] = "fine", [COARSE] = "coarse", [NORM] = "norm", NULL};

/* Shares of the computing of one system. A level has an eighth of the points of the finer one, and
 * all levels together 8/7 of those of the first. */
static const double setup_share = 0.6, level_0_share = 0.4 / N_CYCLES * 7 / 8;
static const double down_share = 2.0 / 3, up_share = 1.0 / 3;

/* What is sent on a level in one cycle, in this order. */
enum { RESTRICTION, RELAXATION, RESIDUAL, CORRECTION, PROLONGATION, N_EXCHANGES };

struct amg {
    struct ct_multigrid multigrid;
    size_t face_words; /* room for the largest face */
    uint64_t *sent, *received;
    int cycle;
};

static void amg_destroy(void *state)
{
    struct amg *amg = state;
    if (!amg)
        return;
    free(amg->sent);
    free(amg->received);
    free(amg);
}

static enum ct_status amg_create(const struct ct_workload_run *run, void **state_p,
                                 struct ct_error *err)
{
    /* The greatest scale keeps all counts within an int. */
    size_t n = ct_workload_scaled(N_AT_SCALE_1, run->scale, 1.0 / 3);
    struct amg *amg = calloc(1, sizeof *amg);
    if (!amg)
        return ct_fail(err, CT_ENOMEM, "no memory for the state of amg");
    amg->multigrid = ct_multigrid_make(run->size, n);
    amg->face_words = n * n;
    size_t bytes = CT_MULTIGRID_DIRECTIONS * amg->face_words * CT_REGION_WORD_BYTES;
    amg->sent = malloc(bytes);
    amg->received = malloc(bytes);
    if (!amg->sent || !amg->received) {
        amg_destroy(amg);
        return ct_fail(err, CT_ENOMEM, "no memory for two times %zu bytes of faces", bytes);
    }
    *state_p = amg;
    return CT_OK;
}

/* Distinct for everything that is sent in a run. */
static uint64_t stamp_of(const struct amg *amg, const struct ct_workload_run *run, int level,
                         int exchange)
{
    uint64_t cycle = run->iteration * N_CYCLES + (uint64_t)amg->cycle;
    return (cycle * CT_MULTIGRID_LEVELS_MAX + (uint64_t)level) * N_EXCHANGES + (uint64_t)exchange;
}

static void exchange_faces(struct amg *amg, struct ct_workload_run *run, int level, int exchange)
{
    uint64_t stamp = stamp_of(amg, run, level, exchange);
    MPI_Request requests[2 * CT_MULTIGRID_DIRECTIONS];
    MPI_Status statuses[2 * CT_MULTIGRID_DIRECTIONS];
    struct ct_region region;
    int n = 0, peer;
    for (int d = 0; d < CT_MULTIGRID_DIRECTIONS; d++)
        if (ct_multigrid_send(&amg->multigrid, level, run->rank, d, &peer, &region)) {
            ct_region_fill(&region, stamp, amg->sent + (size_t)d * amg->face_words);
            ct_workload_sent(run, peer, ct_region_words(&region) * CT_REGION_WORD_BYTES);
        }
    ct_workload_mpi_begin(run);
    for (int d = 0; d < CT_MULTIGRID_DIRECTIONS; d++)
        if (ct_multigrid_receive(&amg->multigrid, level, run->rank, d, &peer, &region))
            MPI_Irecv(amg->received + (size_t)d * amg->face_words, (int)ct_region_words(&region),
                      MPI_DOUBLE, peer, exchange, run->comm, &requests[n++]);
    for (int d = 0; d < CT_MULTIGRID_DIRECTIONS; d++)
        if (ct_multigrid_send(&amg->multigrid, level, run->rank, d, &peer, &region))
            MPI_Isend(amg->sent + (size_t)d * amg->face_words, (int)ct_region_words(&region),
                      MPI_DOUBLE, peer, exchange, run->comm, &requests[n++]);
    MPI_Waitall(n, requests, statuses);
    ct_workload_mpi_end(run);
    for (int d = 0; d < CT_MULTIGRID_DIRECTIONS; d++)
        if (ct_multigrid_receive(&amg->multigrid, level, run->rank, d, &peer, &region))
            ct_workload_check(run, peer, &region, stamp,
                              amg->received + (size_t)d * amg->face_words);
}

/* The one point of a rank, on its way to or from the rank that holds it on the coarser level. */
static struct ct_region point_of(int rank)
{
    return (struct ct_region){.origin = (uint64_t)rank, .extent = {1, 1, 1, 1}};
}

static void send_point(struct amg *amg, struct ct_workload_run *run, int level, int exchange,
                       int peer, int point_rank)
{
    struct ct_region region = point_of(point_rank);
    ct_region_fill(&region, stamp_of(amg, run, level, exchange), amg->sent);
    ct_workload_sent(run, peer, CT_REGION_WORD_BYTES);
    ct_workload_mpi_begin(run);
    MPI_Send(amg->sent, 1, MPI_DOUBLE, peer, exchange, run->comm);
    ct_workload_mpi_end(run);
}

static void receive_point(struct amg *amg, struct ct_workload_run *run, int level, int exchange,
                          int peer, int point_rank)
{
    struct ct_region region = point_of(point_rank);
    ct_workload_mpi_begin(run);
    MPI_Recv(amg->received, 1, MPI_DOUBLE, peer, exchange, run->comm, MPI_STATUS_IGNORE);
    ct_workload_mpi_end(run);
    ct_workload_check(run, peer, &region, stamp_of(amg, run, level, exchange), amg->received);
}

static void enter_level(const struct amg *amg, struct ct_workload_run *run, int level)
{
    ct_workload_phase(run, amg->multigrid.levels[level].edge > 1 ? FINE : COARSE);
}

/* A level with one point a rank is no work worth a pause. */
static void compute_on(const struct amg *amg, struct ct_workload_run *run, int level, double share)
{
    if (amg->multigrid.levels[level].edge > 1)
        ct_workload_compute(run, share * level_0_share / (double)(UINT64_C(1) << 3 * level));
}

/* Down to the coarsest level on which this rank holds points; which is returned. */
static int descend_levels(struct amg *amg, struct ct_workload_run *run)
{
    const struct ct_multigrid *multigrid = &amg->multigrid;
    int children[CT_MULTIGRID_CHILDREN_MAX], level = 0;
    for (;; level++) {
        enter_level(amg, run, level);
        int n_children = ct_multigrid_children(multigrid, level, run->rank, children);
        for (int i = 0; i < n_children; i++)
            receive_point(amg, run, level, RESTRICTION, children[i], children[i]);
        compute_on(amg, run, level, down_share);
        exchange_faces(amg, run, level, RELAXATION);
        exchange_faces(amg, run, level, RESIDUAL);
        if (level + 1 == multigrid->n_levels ||
            !ct_multigrid_holds(multigrid, level + 1, run->rank))
            return level;
    }
}

static void ascend_levels(struct amg *amg, struct ct_workload_run *run, int coarsest)
{
    int children[CT_MULTIGRID_CHILDREN_MAX];
    for (int level = coarsest; level >= 0; level--) {
        enter_level(amg, run, level);
        exchange_faces(amg, run, level, CORRECTION);
        compute_on(amg, run, level, up_share);
        int n_children = ct_multigrid_children(&amg->multigrid, level, run->rank, children);
        for (int i = 0; i < n_children; i++)
            send_point(amg, run, level, PROLONGATION, children[i], children[i]);
    }
}

static void run_cycle(struct amg *amg, struct ct_workload_run *run)
{
    int coarsest = descend_levels(amg, run), next = coarsest + 1;
    if (next < amg->multigrid.n_levels) {
        enter_level(amg, run, next);
        int owner = ct_multigrid_owner(&amg->multigrid, next, run->rank);
        send_point(amg, run, next, RESTRICTION, owner, run->rank);
        receive_point(amg, run, next, PROLONGATION, owner, run->rank);
    }
    ascend_levels(amg, run, coarsest);
    ct_workload_phase(run, NORM);
    double ranks = run->size, base = (double)run->iteration + amg->cycle;
    ct_workload_reduce_checked(run, base + run->rank, MPI_SUM,
                               ranks * base + ranks * (ranks - 1) / 2);
}

static void amg_iterate(void *state, struct ct_workload_run *run)
{
    struct amg *amg = state;
    ct_workload_phase(run, SETUP);
    ct_workload_compute(run, setup_share);
    for (amg->cycle = 0; amg->cycle < N_CYCLES; amg->cycle++)
        run_cycle(amg, run);
}

const struct ct_workload ct_workload_amg = {
    .name = "amg",
    .iterations = 2,
    .compute_s = 240e-3,
    .phases = phases,
    .create = amg_create,
    .iterate = amg_iterate,
    .destroy = amg_destroy,
};
