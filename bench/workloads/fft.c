/* Two-dimensional FFT of a matrix distributed by rows: transform the rows, transpose, transform
 * what were the columns, transpose back. The pattern of FFTW's MPI transform: all ranks exchange
 * with all at once, twice an iteration, and nothing else. */
#include "bench/workloads/alltoall.h"

enum { N_AT_SCALE_1 = 192, ELEMENT_WORDS = 2 };

enum { TRANSFORM, TRANSPOSE };
static const char *const phases[] = {[TRANSFORM] = "transform", [TRANSPOSE] = "transpose", NULL};

static void fft_destroy(void *state)
{
    ct_alltoall_free(state);
}

static enum ct_status fft_create(const struct ct_workload_run *run, void **state_p,
                                 struct ct_error *err)
{
    const struct ct_matrix matrix = {.n = ct_workload_scaled(N_AT_SCALE_1, run->scale, 1.0 / 2),
                                     .element_words = ELEMENT_WORDS,
                                     .n_ranks = run->size};
    struct ct_alltoall *alltoall;
    CT_TRY(ct_alltoall_new(run, &matrix, &alltoall, err));
    *state_p = alltoall;
    return CT_OK;
}

static void fft_iterate(void *state, struct ct_workload_run *run)
{
    for (int back = 0; back <= 1; back++) {
        ct_workload_phase(run, TRANSFORM);
        ct_workload_compute(run, 0.5);
        ct_workload_phase(run, TRANSPOSE);
        ct_alltoall_transpose(state, run, 2 * run->iteration + (uint64_t)back, back);
    }
}

const struct ct_workload ct_workload_fft = {
    .name = "fft",
    .iterations = 10,
    .compute_s = 20e-3,
    .phases = phases,
    .create = fft_create,
    .iterate = fft_iterate,
    .destroy = fft_destroy,
};
