#include "bench/scan/scan_workload.h"

#include "bench/workloads/workload.h"

#include <stdlib.h>

/* Words of a message that an iteration looks at. */
enum { CHECKS = 32 };

struct ct_scan_workload {
    const struct ct_workload *about;
    struct ct_workload_run run;
    void *state;
};

static const struct ct_workload *find_workload(enum ct_scan_canary canary)
{
    static const struct ct_workload *const of[CT_N_SCAN_MEASURED] = {
        [CT_SCAN_FFT] = &ct_workload_fft,       [CT_SCAN_VPFFT] = &ct_workload_vpfft,
        [CT_SCAN_LULESH] = &ct_workload_lulesh, [CT_SCAN_MCB] = &ct_workload_mcb,
        [CT_SCAN_MILC] = &ct_workload_milc,     [CT_SCAN_AMG] = &ct_workload_amg};
    return of[canary];
}

/* All ranks of the side give up where one does. */
static enum ct_status agree_on_status(const struct ct_scan_side *side, enum ct_status status,
                                      struct ct_error *err)
{
    int failed = status != CT_OK, any_failed;
    MPI_Allreduce(&failed, &any_failed, 1, MPI_INT, MPI_MAX, side->comm);
    return any_failed && !failed
               ? ct_fail(err, CT_EINVAL, "another rank could not begin the workload")
               : status;
}

enum ct_status ct_scan_workload_new(const struct ct_scan_side *side, enum ct_scan_canary canary,
                                    struct ct_scan_workload **workload_p, struct ct_error *err)
{
    struct ct_scan_workload *workload = calloc(1, sizeof *workload);
    double dilation = 0;
    enum ct_status status =
        workload ? ct_workload_dilation(&dilation, err) : ct_no_memory(err, "a workload");
    status = agree_on_status(side, status, err);
    if (status == CT_OK) {
        workload->about = find_workload(canary);
        workload->run = (struct ct_workload_run){.comm = side->comm,
                                                 .rank = side->rank,
                                                 .size = side->layout.n_ranks,
                                                 .scale = 1,
                                                 .compute_s = workload->about->compute_s *
                                                              (dilation > 0 ? dilation : 1),
                                                 .max_checks = CHECKS,
                                                 .log = &side->bench->log,
                                                 .seed = side->bench->options->seed};
        status = workload->about->create(&workload->run, &workload->state, err);
        if (status != CT_OK)
            ct_fail_within(err, status, "--cells");
        status = agree_on_status(side, status, err);
    }
    if (status == CT_OK)
        *workload_p = workload;
    else
        ct_scan_workload_free(workload);
    return status;
}

void ct_scan_workload_iterate(struct ct_scan_workload *workload)
{
    ct_workload_phase(&workload->run, 0);
    workload->about->iterate(workload->state, &workload->run);
    workload->run.iteration++;
}

enum ct_status ct_scan_workload_status(const struct ct_scan_workload *workload,
                                       struct ct_error *err)
{
    if (!workload || workload->run.status == CT_OK)
        return CT_OK;
    *err = workload->run.error;
    return workload->run.status;
}

void ct_scan_workload_free(struct ct_scan_workload *workload)
{
    if (!workload)
        return;
    if (workload->about)
        workload->about->destroy(workload->state);
    free(workload);
}
