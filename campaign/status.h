/** State of a campaign, from its folder alone, also while a driver has it open. */
#pragma once

#include "campaign/plan.h"
#include "core/argv.h"

#define CT_RUN_STATE_MAP(X)                                                                        \
    X(DONE, "done")       /* its file exists and is valid */                                       \
    X(MISSING, "missing") /* no attempt, or the last one was interrupted */                        \
    X(FAILED, "failed")   /* the last attempt failed */                                            \
    X(RUNNING, "running") /* a driver is making it */

enum ct_run_state {
#define CT_RUN_STATE_ENUM(name, text) CT_RUN_##name,
    CT_RUN_STATE_MAP(CT_RUN_STATE_ENUM)
#undef CT_RUN_STATE_ENUM
        CT_N_RUN_STATES
};
/** "done" and so on. */
const char *ct_run_state_text(enum ct_run_state state);

/** One run of the plan. */
struct ct_run_status {
    enum ct_run_state state;
    size_t n_attempts;
    char reason[sizeof((struct ct_error *)0)->text]; /**< why it is not done, or why the last failed
                                                        attempt failed; or "" */
};

struct ct_campaign_status {
    struct ct_campaign_spec spec; /**< the campaign file in the folder */
    struct ct_plan plan;          /**< including repetitions and configurations that were added */
    struct ct_run_status *runs;   /**< plan.n_runs, in the order of the plan */
    size_t n[CT_N_RUN_STATES];    /**< runs in each state */
    struct ct_argv doubts;        /**< warnings: baselines that drift, settings that differ */
};

/**
 * @param folder    [in]  of a campaign that was begun
 * @param status_p  [out] ct_campaign_status_free(); unchanged on error
 * @return CT_OK; CT_ENOENT (no campaign file or journal there); CT_EFORMAT, CT_EINVAL (one of them
 *         is damaged); CT_EIO; CT_ENOMEM
 */
enum ct_status ct_campaign_status_read(const char *folder, struct ct_campaign_status *status_p,
                                       struct ct_error *err);
void ct_campaign_status_free(struct ct_campaign_status *status);
