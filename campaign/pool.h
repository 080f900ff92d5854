/** What the runs of one sort measured, put together. */
#ifndef CT_CAMPAIGN_POOL_H
#define CT_CAMPAIGN_POOL_H

#include "campaign/plan.h"

/** Latencies or durations of passes, seconds; {0}: none. */
struct ct_pool {
    double *x; /**< owned, free() */
    size_t n;
};

/**
 * Append what a run measured, from its file in the folder.
 * @param found_p  [out] there is such a file, and it can be read
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_pool_add(struct ct_pool *pool, const char *folder, const struct ct_plan_run *run,
                           bool *found_p);

#endif
