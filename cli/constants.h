/** The constants of all rooms, as crosstalk show --constants prints them. */
#ifndef CT_CLI_CONSTANTS_H
#define CT_CLI_CONSTANTS_H

#include "core/table.h"

/** Add a table with a row for each. */
void ct_constants_table(struct ct_tables *tables);

#endif
