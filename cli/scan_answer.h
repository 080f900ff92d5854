/** The sheet of a scan as text: what `crosstalk scan` ends with. */
#pragma once

#include "cli/applications.h"
#include "core/option.h"
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

/** Options that ask for answers on applications. */
struct ct_scan_applications {
    const char *path; /**< NULL: none */
    uint64_t ranks_per_node;
};
extern const struct ct_option ct_scan_application_rows[];

/**
 * Read the applications that are asked for.
 * @param apps_p  [out] ct_applications_free(); without any where none is asked for; unchanged on
 *                      error
 * @return as ct_applications_read()
 */
enum ct_status ct_scan_applications_read(const struct ct_scan_applications *asked,
                                         struct ct_applications *apps_p, struct ct_error *err);

/**
 * Add the answers to a sheet.
 * @return as ct_scan_answers_make()
 */
enum ct_status ct_scan_applications_make(const struct ct_scan_applications *asked,
                                         const struct ct_applications *apps,
                                         const struct ct_scan *scan, struct ct_scan_sheet *sheet,
                                         struct ct_error *err);

/** The answers on applications: a line each of the first twelve, beside steady congestors, and
 * sentences. */
void ct_scan_applications_fill(const struct ct_scan_sheet *sheet, struct ct_tables *tables);
