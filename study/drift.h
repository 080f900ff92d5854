/** Drift: applications whose run time alone changed during a campaign. */
#pragma once

#include "predict/drift.h"
#include "results/run.h"

struct ct_app_drift {
    char *app;                    /**< owned */
    char *before_utc, *after_utc; /**< start of the last run before the change and of the first one
                                     after it; owned */
    struct ct_drift drift;
};

struct ct_drifts {
    struct ct_app_drift *items; /**< applications that drifted, ordered by name */
    size_t n;
};

/**
 * Compare the baselines of every application, in the order in which they were started. Runs that
 * cannot be read are skipped.
 * @param drifts_p  [out] ct_drifts_free() is due; unchanged on error
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_drifts_find(const struct ct_run_list *list, struct ct_drifts *drifts_p,
                              struct ct_error *err);
void ct_drifts_free(struct ct_drifts *drifts);

/** The drift of an application; NULL: none. */
const struct ct_app_drift *ct_drifts_of(const struct ct_drifts *drifts, const char *app);

/** Describe a drift in one line. */
void ct_drift_describe(const struct ct_app_drift *drift, char *text, size_t size);
