/** Tables of crosstalk predict --against. */
#ifndef CT_CLI_PREDICT_SEALED_H
#define CT_CLI_PREDICT_SEALED_H

#include "core/table.h"
#include "study/seal.h"

/** Columns of the table "pairs", one for each model of the seal. They must outlive the tables. */
struct ct_sealed_columns;
struct ct_sealed_columns *ct_sealed_columns_new(const struct ct_seal *seal); /**< NULL: no memory */
void ct_sealed_columns_free(struct ct_sealed_columns *columns);

/** Add "pairs": predicted slowdowns, and those measured since; "errors" of each model; notes. */
void ct_predict_tables_sealed(const struct ct_seal *seal, const struct ct_seal_verdict *verdict,
                              const struct ct_sealed_columns *columns, struct ct_tables *tables);

#endif
