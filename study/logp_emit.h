/** Prints the parameters of a logp run in the input format of a simulator. */
#pragma once

#include "model/loggp/emit.h"
#include "results/run.h"

/**
 * Print the parameters of the first direction of a run. They are the same as those of `crosstalk
 * tolerance --logp`.
 * @param path  [in] for messages
 * @return CT_OK; CT_ENODATA (another kind of run, or a parameter was not measured); CT_EIO;
 *         CT_ENOMEM
 */
enum ct_status ct_logp_emit(const struct ct_run *run, const char *path, enum ct_emit what,
                            FILE *out, struct ct_error *err);
