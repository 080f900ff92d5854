/** The latencies of one probe run. */
#ifndef CT_STUDY_LOAD_IMPACT_H
#define CT_STUDY_LOAD_IMPACT_H

#include "study/campaign.h"

/**
 * Read a run of impactb: one-way latencies (half of each round trip), seconds, in the order of
 * time.
 * @param values_p  [out] appended to; ct_values_free() is due even on error
 * @param app_p     [out] what ran beside the probe, "" for nothing; owned by the caller; may be
 * NULL
 * @return CT_OK; CT_EINVAL (a run of another kind); what ct_run_read() returns
 */
enum ct_status ct_load_impact(const char *path, struct ct_values *values_p, char **app_p,
                              struct ct_error *err);

#endif
