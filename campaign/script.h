/** Batch scripts that run a campaign. */
#pragma once

#include "campaign/plan.h"

#include <stdio.h>

/** A campaign as a job. */
struct ct_script {
    const char *crosstalk; /**< absolute path of the program */
    const char *directory; /**< absolute path of the folder in which it is started */
    const char *file;      /**< the campaign file */
    const char *folder;    /**< of the campaign */
    double
        limit_s; /**< longest time that a job may take; 0: the time that the whole campaign needs */
};

/**
 * Write a script for sbatch, from the nodes and the time that the campaign needs. If it is
 * submitted several times, the jobs run one after the other, and each continues where the one
 * before stopped.
 * @param plan  [in] of the spec
 * @return CT_OK; CT_EINVAL (the campaign has another launcher than slurm, or no number of nodes;
 *         limit_s is less than two minutes); CT_EIO
 */
enum ct_status ct_script_write(const struct ct_campaign_spec *spec, const struct ct_plan *plan,
                               const struct ct_script *script, FILE *out, struct ct_error *err);

/**
 * The same from a campaign file: make the plan, for this program and the current folder.
 * @param path      [in] of the file, for the command in the script
 * @param spec      [in] the same, read
 * @param folder    [in] of the campaign
 * @param limit_s   [in] as in struct ct_script
 * @return as ct_script_write() and ct_plan_make()
 */
enum ct_status ct_script_write_here(const char *path, const struct ct_campaign_spec *spec,
                                    const char *folder, double limit_s, FILE *out,
                                    struct ct_error *err);
