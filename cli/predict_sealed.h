/** Tables of crosstalk predict --against. */
#pragma once

#include "core/table.h"
#include "study/seal.h"

/** Add "pairs": predicted slowdowns, and those measured since; "errors" of each model; notes. */
void ct_predict_tables_sealed(const struct ct_seal *seal, const struct ct_seal_verdict *verdict,
                              struct ct_tables *tables);

/**
 * Say what differs from the seal, and who opened it before; record that it is opened now. Where
 * nothing is judged, nothing is opened.
 * @param path  [in] of the seal
 * @return CT_OK; CT_EIO (it cannot be recorded); CT_ENOMEM
 */
enum ct_status ct_predict_note_opening(const char *path, const struct ct_seal *seal,
                                       const struct ct_seal_source *now, bool is_judged,
                                       struct ct_tables *tables, struct ct_error *err);
