/** What applications beside a program do to its run time, by the latency that they add. */
#ifndef CT_CLI_LATENCY_EFFECT_H
#define CT_CLI_LATENCY_EFFECT_H

#include "core/option.h"
#include "core/table.h"
#include "study/latency_effect.h"

struct ct_effect_settings {
    const char *impact_path, *idle_path; /**< NULL: not asked for */
    const char *campaign_path;           /**< NULL: not asked for */
    const char *app;                     /**< name of the program in the campaign; NULL: unknown */
    double confidence_frac;
    uint64_t seed;
};

/** Rows --impact, --idle, --campaign, --app, --confidence, --seed; offsets in the struct above. */
extern const struct ct_option ct_effect_options[];

/** What is known of the program before. */
struct ct_effect_tolerance {
    double threshold_frac; /**< the largest that was asked for */
    double tolerance_s;    /**< the largest L with T(L) <= (1 + threshold) T; INFINITY: any */
    const char *schedule;  /**< what to call the program where --app is not given */
};

/** @return CT_OK; CT_EUSAGE (options that do not go together) */
enum ct_status ct_effect_check(const struct ct_effect_settings *settings, struct ct_error *err);

/**
 * Add what was asked for: table "beside", a row for each application and a sentence for
 * it; with --impact also "runtime_quantiles".
 * @param subject  [in]  without its setup, which the settings make
 * @return CT_OK; CT_EINVAL, CT_ENOENT, CT_EFORMAT, CT_ENODATA (runs that do not do); CT_ENOMEM
 */
enum ct_status ct_effect_table(const struct ct_effect_settings *settings,
                               struct ct_effect_subject subject,
                               const struct ct_effect_tolerance *tolerance,
                               struct ct_tables *tables, struct ct_error *err);

#endif
