/** Reads the runs of a validation: run times at several latencies, probes beside a load. */
#pragma once

#include "predict/validation.h"
#include "results/config.h"

/** What the load does to the probe at one latency. */
struct ct_validation_probe {
    double delta_L_s; /**< added to that of the baseline, >= 0 */
    /** Mean one-way latency beside the load less that on the idle network without added latency,
     * seconds: delta_L_s and what the load adds. */
    double added_s;
    struct ct_interval added_ci; /**< block bootstrap of both series; NaN: of one probe */
    size_t n_probes;
};

struct ct_validation_runs {
    struct ct_validation_run *runs; /**< alone or, if there is a load, beside it */
    size_t n_runs;
    bool has_load;
    struct ct_config load;           /**< of compressionb; this and what follows only with a load */
    struct ct_validation_run *alone; /**< without the load, without added latency */
    size_t n_alone;
    struct ct_validation_probe *probes; /**< ascending; the first one without added latency */
    size_t n_probes;
    char *logp_path; /**< run of logpb on the idle network; NULL: none */
};

/**
 * Read the runs of one program in a folder. There is a load if any run was made beside
 * compressionb.
 * @param placement  [in]  of the runs; NULL: all must have the same
 * @param app        [in]  name of the program in the runs
 * @param setup      [in]  of the intervals of the probes
 * @param runs_p     [out] ct_validation_runs_free(); unchanged on error
 * @return CT_OK; what ct_placements_read_list() and ct_run_read() return; CT_ENODATA (a run without
 * a pass; a load, but no probe on the idle network or beside the load without added latency, or no
 * run alone); CT_EINVAL (several loads); CT_ENOMEM
 */
enum ct_status ct_validation_runs_read(const char *folder, const char *placement, const char *app,
                                       const struct ct_bootstrap *setup,
                                       struct ct_validation_runs *runs_p, struct ct_error *err);
void ct_validation_runs_free(struct ct_validation_runs *runs);
