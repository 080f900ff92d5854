/** The sheet of a scan as one self-contained HTML page, without scripts. Names are text everywhere.
 */
#pragma once

#include "study/scan_compare.h"
#include "study/scan_seal.h"

/**
 * The answer in words first; factors at mean, median, 99 % with their intervals; a heat map over
 * bursts and pauses for each canary and congestor that has them.
 * @param comparison  [in]  with another sheet; NULL: none
 * @param seal        [in]  judged predictions, a row each; NULL: none
 * @param html_p      [out] free(); unchanged on error
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_scan_page_make(const struct ct_scan *scan, const struct ct_scan_sheet *sheet,
                                 const struct ct_scan_comparison *comparison,
                                 const struct ct_scan_seal *seal, char **html_p,
                                 struct ct_error *err);
