/* Shock hydrodynamics on a cube of elements per rank, after LULESH 2.0 (LLNL): in each time step
 * one reduction for the length of the step and three exchanges with up to 26 neighbours. Messages,
 * their sizes and their order are those of lulesh.cc and lulesh-comm.cc: receives are posted before
 * the computation that fills the boundaries, sends after it, then all are waited for. */
#include "bench/workloads/halo.h"
#include "bench/workloads/workload.h"

#include <stdlib.h>

enum { N_AT_SCALE_1 = 12, N_EXCHANGES = 3 };

enum { STEP, FORCES, POSITIONS, GRADIENTS, STATE };
static const char *const phases[] = {
    [STEP] = "step",           [FORCES] = "forces", [POSITIONS] = "positions",
    [GRADIENTS] = "gradients", [STATE] = "state",   NULL};

/* One row an exchange. The shares of the step's computing are rough and leave a rest, the
 * artificial viscosity and the equation of state, for the end of the step. */
static const struct {
    int phase;
    struct ct_halo_exchange exchange;
    double compute_share; /* between posting the receives and sending */
} exchanges[N_EXCHANGES] = {
    /* forces on nodes, summed over the ranks that share them */
    {FORCES, {.fields = 3, .nodes = true}, 0.5},
    /* positions and velocities of shared nodes, as the lower rank's neighbours have them */
    {POSITIONS, {.fields = 6, .nodes = true, .to_lower = true}, 0.1},
    /* velocity gradients of the elements on the other side of a face */
    {GRADIENTS, {.fields = 3, .faces_only = true}, 0.2},
};
static const double last_compute_share = 0.2;

/* Messages of one exchange in one direction, and where each starts in the buffer, in words. */
struct messages {
    size_t n, words;
    struct ct_halo_message message[CT_HALO_NEIGHBOURS_MAX];
    size_t offset[CT_HALO_NEIGHBOURS_MAX];
};

struct lulesh {
    struct messages sends[N_EXCHANGES], receives[N_EXCHANGES];
    uint64_t *sent, *received; /* one exchange at a time */
};

static void lulesh_destroy(void *state)
{
    struct lulesh *lulesh = state;
    if (!lulesh)
        return;
    free(lulesh->sent);
    free(lulesh->received);
    free(lulesh);
}

static void lay_out(struct messages *messages)
{
    for (size_t i = 0; i < messages->n; i++) {
        messages->offset[i] = messages->words;
        messages->words += ct_region_words(&messages->message[i].region);
    }
}

static size_t max_words(const struct messages messages[N_EXCHANGES])
{
    size_t words = 1; /* malloc(0) may answer NULL */
    for (int e = 0; e < N_EXCHANGES; e++)
        if (messages[e].words > words)
            words = messages[e].words;
    return words;
}

static enum ct_status lulesh_create(const struct ct_workload_run *run, void **state_p,
                                    struct ct_error *err)
{
    struct ct_halo_grid grid = {.n = ct_workload_scaled(N_AT_SCALE_1, run->scale, 1.0 / 3)};
    enum ct_status status = ct_halo_side(run->size, &grid.side, err);
    if (status != CT_OK)
        return ct_fail_within(err, status, "lulesh");
    if (grid.n > 8192) /* keeps the largest message, 6 (n + 1)^2 words, countable by an int */
        return ct_fail(err, CT_EUSAGE, "--scale %g: %zu elements an edge are more than 8192",
                       run->scale, grid.n);
    struct lulesh *lulesh = calloc(1, sizeof *lulesh);
    if (!lulesh)
        return ct_fail(err, CT_ENOMEM, "no memory for the list of messages");
    for (int e = 0; e < N_EXCHANGES; e++) {
        struct messages *sends = &lulesh->sends[e], *receives = &lulesh->receives[e];
        sends->n = ct_halo_sends(&grid, &exchanges[e].exchange, run->rank, sends->message);
        receives->n = ct_halo_receives(&grid, &exchanges[e].exchange, run->rank, receives->message);
        lay_out(sends);
        lay_out(receives);
    }
    size_t send_words = max_words(lulesh->sends), receive_words = max_words(lulesh->receives);
    lulesh->sent = malloc(send_words * CT_REGION_WORD_BYTES);
    lulesh->received = malloc(receive_words * CT_REGION_WORD_BYTES);
    if (!lulesh->sent || !lulesh->received) {
        lulesh_destroy(lulesh);
        return ct_fail(err, CT_ENOMEM, "no memory for messages of %zu words",
                       send_words + receive_words);
    }
    *state_p = lulesh;
    return CT_OK;
}

static void exchange_halo(struct lulesh *lulesh, struct ct_workload_run *run, int e)
{
    uint64_t stamp = run->iteration * N_EXCHANGES + (uint64_t)e;
    const struct messages *sends = &lulesh->sends[e], *receives = &lulesh->receives[e];
    MPI_Request requests[2 * CT_HALO_NEIGHBOURS_MAX];
    MPI_Status statuses[2 * CT_HALO_NEIGHBOURS_MAX];
    int n = 0;
    ct_workload_mpi_begin(run);
    for (size_t i = 0; i < receives->n; i++)
        MPI_Irecv(lulesh->received + receives->offset[i],
                  (int)ct_region_words(&receives->message[i].region), MPI_DOUBLE,
                  receives->message[i].peer, e, run->comm, &requests[n++]);
    ct_workload_mpi_end(run);
    ct_workload_compute(run, exchanges[e].compute_share);
    for (size_t i = 0; i < sends->n; i++) {
        const struct ct_halo_message *message = &sends->message[i];
        ct_region_fill(&message->region, stamp, lulesh->sent + sends->offset[i]);
        ct_workload_sent(run, message->peer,
                         ct_region_words(&message->region) * CT_REGION_WORD_BYTES);
    }
    ct_workload_mpi_begin(run);
    for (size_t i = 0; i < sends->n; i++)
        MPI_Isend(lulesh->sent + sends->offset[i], (int)ct_region_words(&sends->message[i].region),
                  MPI_DOUBLE, sends->message[i].peer, e, run->comm, &requests[n++]);
    MPI_Waitall(n, requests, statuses);
    ct_workload_mpi_end(run);
    for (size_t i = 0; i < receives->n; i++)
        ct_workload_check(run, receives->message[i].peer, &receives->message[i].region, stamp,
                          lulesh->received + receives->offset[i]);
}

/* The step is as long as the rank with the strictest limit allows: the one whose turn it is. */
static void agree_on_step(struct ct_workload_run *run)
{
    uint64_t ranks = (uint64_t)run->size;
    double base = (double)run->iteration;
    double mine = base + (double)((run->iteration + (uint64_t)run->rank) % ranks);
    ct_workload_reduce_checked(run, mine, MPI_MIN, base);
}

static void lulesh_iterate(void *state, struct ct_workload_run *run)
{
    ct_workload_phase(run, STEP);
    agree_on_step(run);
    for (int e = 0; e < N_EXCHANGES; e++) {
        ct_workload_phase(run, exchanges[e].phase);
        exchange_halo(state, run, e);
    }
    ct_workload_phase(run, STATE);
    ct_workload_compute(run, last_compute_share);
}

const struct ct_workload ct_workload_lulesh = {
    .name = "lulesh",
    .iterations = 10,
    .compute_s = 30e-3,
    .phases = phases,
    .create = lulesh_create,
    .iterate = lulesh_iterate,
    .destroy = lulesh_destroy,
};
