/** The cells of a round as a table on standard output. */
#pragma once

#include "bench/scan/scan_run.h"

/** On rank 0. @return CT_OK; CT_ENOMEM; CT_EIO */
enum ct_status ct_scan_print(const struct ct_scan_side *side, const struct ct_scan_setup *setup,
                             const struct ct_scan_result *result, struct ct_error *err);
