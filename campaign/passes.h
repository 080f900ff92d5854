/**
 * Run files for programs that do not write any: a pass lasts from the start of the program to its
 * exit.
 */
#pragma once

#include "campaign/plan.h"
#include "core/argv.h"

/** The passes; clear with {0}, then ct_passes_free(). */
struct ct_passes_list {
    struct ct_runtime *rows; /**< start: seconds since the first pass began */
    size_t n;
    double first_start_s;
    char started_utc[32];
};

/**
 * Append a pass.
 * @param start_s  [in] ct_clock_now_s() at its start
 * @param end_s    [in] ct_clock_now_s() at its end
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_passes_add(struct ct_passes_list *passes, double start_s, double end_s,
                             struct ct_error *err);

/**
 * Write a file of kind runtime. A pass includes the time of launching the program.
 * @return as ct_run_write()
 */
enum ct_status ct_passes_write(const struct ct_passes_list *passes, const char *path,
                               const struct ct_campaign_spec *spec, const struct ct_plan_run *run,
                               const struct ct_argv *argv, struct ct_error *err);

void ct_passes_free(struct ct_passes_list *passes);
