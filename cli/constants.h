/** The constants of all rooms, for crosstalk show --constants. */
#pragma once

#include "core/table.h"

/** Add a table with a row for each constant. */
void ct_constants_table(struct ct_tables *tables);
