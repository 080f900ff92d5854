/** How well a scan knows the factor of a case, so that its driver knows when to end. */
#pragma once

#include "study/scan.h"

/**
 * Half of the 95 % interval of a factor, relative to it: of the median and of the mean, the larger
 * one. In each round the factor is that of all times beside the congestor to all baselines of the
 * canary; the interval is that of the mean of its logarithm over rounds (Student's t).
 * @param width_p  [out] INFINITY: fewer than three rounds have the case
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_scan_width(const struct ct_scan *scan, const struct ct_scan_case *scan_case,
                             double *width_p, struct ct_error *err);
