/** One attempt at one run: background, settle, measurement, end, check. */
#pragma once

#include "campaign/folder.h"
#include "campaign/launcher.h"

/**
 * Make a run. All programs that were started have ended on return. On success runs/ID.h5 exists,
 * and runs/ID.ports.json if the launcher can measure the network, and runs/ID.sent.h5 if
 * compressionb was in the background.
 * @param folder  [in] path
 * @return CT_OK; CT_EINTR (a signal came); CT_ETIMEOUT (deadline; or the network is not quiet);
 *         CT_ECHILD (a program failed); CT_EFORMAT, CT_ENODATA (the run file is not valid);
 *         CT_ENOENT, CT_EIO, CT_ENOMEM
 */
enum ct_status ct_attempt_make(const struct ct_campaign_spec *spec, struct ct_launcher *launcher,
                               const char *folder, const struct ct_plan_run *run,
                               struct ct_error *err);
