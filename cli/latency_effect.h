/**
 * Options and tables of the predicted slowdown of a program from the latency that co-runners add.
 */
#pragma once

#include "core/option.h"
#include "core/table.h"
#include "study/latency_effect.h"

struct ct_effect_settings {
    const char *impact_path, *idle_path; /**< NULL: not asked for */
    const char *campaign_path;           /**< NULL: not asked for */
    const char *app;                     /**< name of the program in the campaign; NULL: unknown */
    double confidence_frac;
    uint64_t seed;
    bool has_seed; /**< it was given */
};

/** Rows --impact, --idle, --campaign, --app, --confidence, --seed; offsets in the struct above. */
extern const struct ct_option ct_effect_options[];

/** Tolerance of the program, computed before. */
struct ct_effect_tolerance {
    double threshold_frac; /**< the largest threshold of the command */
    double tolerance_s;    /**< the largest L with T(L) <= (1 + threshold) T; INFINITY: any */
    const char *schedule;  /**< name of the program in the text if --app is not given */
};

/** @return CT_OK; CT_EUSAGE (options that exclude or require each other) */
enum ct_status ct_effect_check(const struct ct_effect_settings *settings, struct ct_error *err);

/**
 * Add the table "beside", with a row for each application and a sentence about it; with --impact
 * also the table "runtime_quantiles".
 * @param subject  [in]  without its setup, which the settings make
 * @return CT_OK; CT_EINVAL, CT_ENOENT, CT_EFORMAT, CT_ENODATA (the runs are not suitable);
 *         CT_ENOMEM
 */
enum ct_status ct_effect_table(const struct ct_effect_settings *settings,
                               struct ct_effect_subject subject,
                               const struct ct_effect_tolerance *tolerance,
                               struct ct_tables *tables, struct ct_error *err);
