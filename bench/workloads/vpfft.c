/* Crystal plasticity by a spectral method, after VPFFT: the stress at each point of an n^3 grid
 * from the strain there, which is heavy computing; three components of it to Fourier space, the
 * product with Green's operator, and back; a reduction of the error. The grid is cut into slabs: a
 * transform of one component is one all-to-all transposition of rows of n points. */
#include "bench/workloads/alltoall.h"

enum { N_AT_SCALE_1 = 16, COMPLEX_WORDS = 2, N_COMPONENTS = 3 };

enum { STRESS, FORWARD, GREEN, BACKWARD, ERROR };
static const char *const phases[] = {
    [STRESS] = "stress",     [FORWARD] = "forward", [GREEN] = "green",
    [BACKWARD] = "backward", [ERROR] = "error",     NULL};

/* Shares of the iteration's computing; rough. Iterating for the stress at a point takes far longer
 * than its part of a transform. */
static const double stress_share = 0.70, transform_share = 0.04, green_share = 0.06;

static void vpfft_destroy(void *state)
{
    ct_alltoall_free(state);
}

static enum ct_status vpfft_create(const struct ct_workload_run *run, void **state_p,
                                   struct ct_error *err)
{
    size_t n = ct_workload_scaled(N_AT_SCALE_1, run->scale, 1.0 / 3);
    const struct ct_matrix matrix = {
        .n = n, .element_words = COMPLEX_WORDS * n, .n_ranks = run->size};
    struct ct_alltoall *alltoall;
    CT_TRY(ct_alltoall_new(run, &matrix, &alltoall, err));
    *state_p = alltoall;
    return CT_OK;
}

/* Component after component: the buffers of one serve the next. */
static void transform_field(struct ct_alltoall *alltoall, struct ct_workload_run *run, bool back)
{
    for (int component = 0; component < N_COMPONENTS; component++) {
        uint64_t stamp = (2 * run->iteration + (uint64_t)back) * N_COMPONENTS + (uint64_t)component;
        ct_workload_compute(run, transform_share);
        ct_alltoall_transpose(alltoall, run, stamp, back);
    }
}

static void vpfft_iterate(void *state, struct ct_workload_run *run)
{
    ct_workload_phase(run, STRESS);
    ct_workload_compute(run, stress_share);
    ct_workload_phase(run, FORWARD);
    transform_field(state, run, false);
    ct_workload_phase(run, GREEN);
    ct_workload_compute(run, green_share);
    ct_workload_phase(run, BACKWARD);
    transform_field(state, run, true);
    ct_workload_phase(run, ERROR);
    double base = (double)run->iteration;
    ct_workload_reduce_checked(run, base + run->rank, MPI_MAX, base + run->size - 1);
}

const struct ct_workload ct_workload_vpfft = {
    .name = "vpfft",
    .iterations = 10,
    .compute_s = 40e-3,
    .phases = phases,
    .create = vpfft_create,
    .iterate = vpfft_iterate,
    .destroy = vpfft_destroy,
};
