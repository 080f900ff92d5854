/** Output of `crosstalk lab` about the latency that a lab adds. */
#pragma once

#include "core/log.h"
#include "core/table.h"
#include "core/units.h"
#include "lab/lab.h"

enum { CT_LAB_DELAY_TEXT_MAX = 3 * CT_UNITS_TEXT_MAX + 80 };

/** ": 500us later, by delay line", the end of a message; "": no latency is added. */
void ct_lab_delay_describe(const struct ct_lab *lab, char text[CT_LAB_DELAY_TEXT_MAX]);

/** Add settings, and lateness since the lab was built; nothing for a lab without a latency. */
void ct_lab_delay_fill(struct ct_tables *tables, struct ct_lab *lab);

/** Say which machine a lab imitates, and its groups beside the machine's; nothing if it imitates
 * none.
 */
void ct_lab_like_note(const struct ct_lab *lab, struct ct_log *log);

/** The same for a table. */
void ct_lab_like_fill(struct ct_tables *tables, const struct ct_lab *lab);

/** Lateness between two readings. @param before  [in] NULL: since the lab was built */
void ct_lab_lateness_fill(struct ct_tables *tables, const struct ct_lab_late *before,
                          const struct ct_lab_late *after);
