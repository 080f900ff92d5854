/** Tables of a validation: measured and predicted run times, slopes and tolerances. */
#pragma once

#include "core/table.h"
#include "study/latency_validation.h"

/** Numbers of the whole, then the tables "points" and "tolerance". */
void ct_validation_fill(struct ct_tables *tables, const struct ct_validation *found);
