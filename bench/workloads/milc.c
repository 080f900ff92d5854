/* Conjugate gradient on a four-dimensional lattice of staggered fermions, after MILC's ks_congrad:
 * one iteration multiplies by the hopping matrix twice, from even to odd sites and back. Each time
 * a vector of three complex numbers in single precision goes to the neighbours in all eight
 * directions while the sites inside are computed. Two reductions of one number follow, one for the
 * length of the step, one for the residue. */
#include "bench/workloads/lattice.h"
#include "bench/workloads/workload.h"

#include <stdlib.h>

/* Edges n, n, n, 2 n. A complex number of two floats is one word. */
enum { N_AT_SCALE_1 = 4, SITE_WORDS = 3 };

enum { DSLASH, REDUCE, UPDATE };
static const char *const phases[] = {
    [DSLASH] = "dslash", [REDUCE] = "reduce", [UPDATE] = "update", NULL};

/* Shares of the iteration's computing: twice inside, twice at the boundary, twice the update. */
static const double inside_share = 0.3, boundary_share = 0.1, update_share = 0.1;

struct milc {
    struct ct_lattice lattice;
    size_t face_words; /* room for the largest face */
    uint64_t *sent, *received;
};

static void milc_destroy(void *state)
{
    struct milc *milc = state;
    if (!milc)
        return;
    free(milc->sent);
    free(milc->received);
    free(milc);
}

static enum ct_status milc_create(const struct ct_workload_run *run, void **state_p,
                                  struct ct_error *err)
{
    /* Even edges only; the greatest scale keeps all counts within an int. */
    size_t n = 2 * ct_workload_scaled(N_AT_SCALE_1 / 2, run->scale, 1.0 / 4);
    struct milc *milc = calloc(1, sizeof *milc);
    if (!milc)
        return ct_fail(err, CT_ENOMEM, "no memory for the state of milc");
    milc->lattice = (struct ct_lattice){.grid = ct_grid_make(run->size, CT_LATTICE_AXES, true),
                                        .edge = {n, n, n, 2 * n},
                                        .site_words = SITE_WORDS};
    milc->face_words = ct_lattice_face_words(&milc->lattice, 0);
    size_t bytes = CT_LATTICE_DIRECTIONS * milc->face_words * CT_REGION_WORD_BYTES;
    milc->sent = malloc(bytes);
    milc->received = malloc(bytes);
    if (!milc->sent || !milc->received) {
        milc_destroy(milc);
        return ct_fail(err, CT_ENOMEM, "no memory for two times %zu bytes of faces", bytes);
    }
    *state_p = milc;
    return CT_OK;
}

/* Start to receive from and send to all neighbours; the tag is the direction of the way. */
static int start_gather(struct milc *milc, struct ct_workload_run *run, bool odd, uint64_t stamp,
                        MPI_Request *requests)
{
    int n = 0, peer;
    struct ct_region region;
    ct_workload_mpi_begin(run);
    for (int d = 0; d < CT_LATTICE_DIRECTIONS; d++)
        if (ct_lattice_receive(&milc->lattice, run->rank, d, odd, &peer, &region))
            MPI_Irecv(milc->received + (size_t)d * milc->face_words, (int)ct_region_words(&region),
                      MPI_UINT64_T, peer, d ^ 1, run->comm, &requests[n++]);
    ct_workload_mpi_end(run);
    for (int d = 0; d < CT_LATTICE_DIRECTIONS; d++) {
        if (!ct_lattice_send(&milc->lattice, run->rank, d, odd, &peer, &region))
            continue;
        uint64_t *words = milc->sent + (size_t)d * milc->face_words;
        ct_region_fill(&region, stamp, words);
        ct_workload_sent(run, peer, ct_region_words(&region) * CT_REGION_WORD_BYTES);
        ct_workload_mpi_begin(run);
        MPI_Isend(words, (int)ct_region_words(&region), MPI_UINT64_T, peer, d, run->comm,
                  &requests[n++]);
        ct_workload_mpi_end(run);
    }
    return n;
}

static void apply_dslash(struct milc *milc, struct ct_workload_run *run, bool odd)
{
    uint64_t stamp = 2 * run->iteration + odd;
    MPI_Request requests[2 * CT_LATTICE_DIRECTIONS];
    MPI_Status statuses[2 * CT_LATTICE_DIRECTIONS];
    int n = start_gather(milc, run, odd, stamp, requests), peer;
    ct_workload_compute(run, inside_share);
    ct_workload_mpi_begin(run);
    MPI_Waitall(n, requests, statuses);
    ct_workload_mpi_end(run);
    struct ct_region region;
    for (int d = 0; d < CT_LATTICE_DIRECTIONS; d++)
        if (ct_lattice_receive(&milc->lattice, run->rank, d, odd, &peer, &region))
            ct_workload_check(run, peer, &region, stamp,
                              milc->received + (size_t)d * milc->face_words);
    ct_workload_compute(run, boundary_share);
}

static void milc_iterate(void *state, struct ct_workload_run *run)
{
    double ranks = run->size, iteration = (double)run->iteration;
    double mine = iteration + run->rank, all = ranks * iteration + ranks * (ranks - 1) / 2;
    ct_workload_phase(run, DSLASH);
    apply_dslash(state, run, false);
    apply_dslash(state, run, true);
    for (int reduction = 0; reduction < 2; reduction++) {
        ct_workload_phase(run, REDUCE);
        ct_workload_reduce_checked(run, mine + reduction, MPI_SUM, all + reduction * ranks);
        ct_workload_phase(run, UPDATE);
        ct_workload_compute(run, update_share);
    }
}

const struct ct_workload ct_workload_milc = {
    .name = "milc",
    .iterations = 25,
    .compute_s = 16e-3,
    .phases = phases,
    .create = milc_create,
    .iterate = milc_iterate,
    .destroy = milc_destroy,
};
