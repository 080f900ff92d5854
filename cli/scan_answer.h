/** The sheet of a scan as text: what `crosstalk scan` ends with. */
#pragma once

#include "core/table.h"
#include "study/scan_compare.h"
#include "study/scan_seal.h"

/**
 * Factors beside steady congestors, score, worst path, idle network, and why nothing can be seen.
 * @param comparison  [in] with another sheet; NULL: none
 */
void ct_scan_answer_fill(const struct ct_scan *scan, const struct ct_scan_sheet *sheet,
                         const struct ct_scan_comparison *comparison,
                         const struct ct_scan_seal *seal, struct ct_tables *tables);

/** The answers on applications: a line each of the first twelve, beside steady congestors, and
 * sentences. */
void ct_scan_applications_fill(const struct ct_scan_sheet *sheet, struct ct_tables *tables);
