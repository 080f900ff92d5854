/** Transposition of a distributed matrix by one MPI_Alltoall: buffers, exchange, check. */
#pragma once

#include "bench/workloads/transpose.h"
#include "bench/workloads/workload.h"

struct ct_alltoall {
    struct ct_matrix matrix;
    bool even;             /**< all messages have the same size */
    int *counts, *offsets; /**< per rank, in complex numbers; the same for sending and receiving */
    uint64_t *sent, *received;
};

/**
 * @param matrix      [in]  element_words even: complex numbers; n_ranks is run->size
 * @param alltoall_p  [out] owned by the caller, ct_alltoall_free(); unchanged on error
 * @return CT_OK; CT_EUSAGE (more elements on a rank than MPI can count); CT_ENOMEM
 */
enum ct_status ct_alltoall_new(const struct ct_workload_run *run, const struct ct_matrix *matrix,
                               struct ct_alltoall **alltoall_p, struct ct_error *err);
void ct_alltoall_free(struct ct_alltoall *alltoall); /**< NULL is allowed */

/**
 * Transpose. Collective.
 * @param stamp  [in] of the exchange; never repeats
 * @param back   [in] the inverse transposition
 */
void ct_alltoall_transpose(struct ct_alltoall *alltoall, struct ct_workload_run *run,
                           uint64_t stamp, bool back);
