/** Command lines of the programs of a run, without the launcher's part. */
#pragma once

#include "campaign/plan.h"
#include "core/argv.h"

/**
 * Append the path of a program in the folder of this one, or else its name, to be found in PATH.
 */
void ct_command_add_program(struct ct_argv *argv, const char *name);

/**
 * The program that measures.
 * @param output  [in]  run file that it is to write
 * @param argv_p  [out] {0} before; ct_argv_free() is due also on error
 * @return CT_OK; CT_EINVAL; CT_ENOMEM
 */
enum ct_status ct_command_measured(const struct ct_campaign_spec *spec,
                                   const struct ct_plan_run *run, const char *output,
                                   struct ct_argv *argv_p, struct ct_error *err);

/** Number of programs in the background. */
size_t ct_command_n_backgrounds(const struct ct_campaign_spec *spec, const struct ct_plan_run *run);

/**
 * A program in the background.
 * @param index    [in] which one
 * @param output   [in] run file of compressionb; applications in the background write none
 * @param limit_s  [in] time after which it ends by itself if it was not ended before; seconds
 */
enum ct_status ct_command_background(const struct ct_campaign_spec *spec,
                                     const struct ct_plan_run *run, size_t index,
                                     const char *output, double limit_s, struct ct_argv *argv_p,
                                     struct ct_error *err);

/** Ranks per host of the measured program, and of one in the background. */
uint64_t ct_command_measured_slots(const struct ct_campaign_spec *spec,
                                   const struct ct_plan_run *run);
uint64_t ct_command_background_slots(const struct ct_campaign_spec *spec,
                                     const struct ct_plan_run *run, size_t index);

/** Number of hosts that these use, the first ones of theirs; 0: all of them. */
uint64_t ct_command_measured_hosts(const struct ct_campaign_spec *spec,
                                   const struct ct_plan_run *run);
uint64_t ct_command_background_hosts(const struct ct_campaign_spec *spec,
                                     const struct ct_plan_run *run, size_t index);

/** Ranks per host of the first n programs in the background together. */
uint64_t ct_command_background_slots_sum(const struct ct_campaign_spec *spec,
                                         const struct ct_plan_run *run, size_t n);
