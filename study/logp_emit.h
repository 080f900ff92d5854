/** The parameters of a logp run in the form that a simulator takes. */
#ifndef CT_STUDY_LOGP_EMIT_H
#define CT_STUDY_LOGP_EMIT_H

#include "model/loggp/emit.h"
#include "results/run.h"

/**
 * Print the parameters of the first direction of a run, derived from its rows as those of
 * `crosstalk tolerance --logp` are.
 * @param path  [in] for messages
 * @return CT_OK; CT_ENODATA (another kind of run, or not all was measured); CT_EIO; CT_ENOMEM
 */
enum ct_status ct_logp_emit(const struct ct_run *run, const char *path, enum ct_emit what,
                            FILE *out, struct ct_error *err);

#endif
