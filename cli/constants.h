/** The constants of all rooms, for crosstalk show --constants. */
#ifndef CT_CLI_CONSTANTS_H
#define CT_CLI_CONSTANTS_H

#include "core/table.h"

/** Add a table with a row for each constant. */
void ct_constants_table(struct ct_tables *tables);

#endif
