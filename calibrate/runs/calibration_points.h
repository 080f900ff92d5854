/** The simulations of a calibration: the benchmark, and probes beside loads, at every point of a
 * design, in parallel. */
#pragma once

#include "calibrate/benchmark.h"
#include "calibrate/design.h"
#include "calibrate/runs/calibration_loads.h"
#include "calibrate/unknowns.h"
#include "core/log.h"

#include <stdint.h>

struct ct_calibration_points {
    const struct ct_unknowns *unknowns;
    const struct ct_benchmark *benchmark;
    const struct ct_calibration_loads *loads; /**< NULL: none */
    size_t n_outputs;                         /**< of the benchmark, then one of each load */
    const struct ct_design *design;
    uint64_t inputs[2]; /**< hash of everything else that simulations depend on */
    const char *output; /**< path of the result, beside which simulations are stored */
    unsigned threads;
    struct ct_log *log; /**< progress */
};

struct ct_calibration_counts {
    size_t n_found; /**< simulations that were stored before */
    size_t n_made;
    double elapsed_s; /**< of those that were made */
};

/**
 * @param outputs   [out] [point * n_outputs + output]; undefined on error
 * @param counts_p  [out] unchanged on error
 * @return CT_OK; what ct_calibration_store_open(), ct_calibration_store_add() and, with the values
 *         of the parameters, ct_benchmark_run() return; CT_ENOMEM
 */
enum ct_status ct_calibration_simulate(const struct ct_calibration_points *points, double *outputs,
                                       struct ct_calibration_counts *counts_p,
                                       struct ct_error *err);
