/** Checks and completes the values of a campaign file. */
#pragma once

#include "campaign/spec.h"

/**
 * Check values against each other; find the applications of groups; add the grid's configurations.
 * @param spec  [in,out] with the values of the file
 * @return CT_OK; CT_EINVAL, with "path.of.key: why"; CT_ENOMEM
 */
enum ct_status ct_campaign_spec_complete(struct ct_campaign_spec *spec, struct ct_error *err);

/**
 * The lab that a campaign file asks for, without its owner.
 * @param launcher  [in] of kind lab
 * @return CT_OK; CT_EINVAL (of its switches); CT_ENOMEM
 */
enum ct_status ct_campaign_lab_spec(const struct ct_campaign_launcher *launcher,
                                    struct ct_lab_spec *spec_p, struct ct_error *err);

/** Remove the placements of a campaign. */
void ct_campaign_forget_placements(struct ct_campaign_spec *spec);

/**
 * Which placements were chosen for a file that names none, and what is not asked so.
 * @param text  [out] one line; cut to size
 * @return false: the file names placements, or there are no applications; text is unchanged
 */
bool ct_campaign_describe_choice(const struct ct_campaign_spec *spec, char *text, size_t size);

/**
 * How late packets of a run may leave the delay line: half of them, and 99 of 100.
 * @param latency_s  [in] that is added
 */
void ct_campaign_lateness_bounds(const struct ct_campaign_launcher *launcher, double latency_s,
                                 double *median_s, double *p99_s);
