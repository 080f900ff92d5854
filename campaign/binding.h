/**
 * Cores for the programs of a launcher: finds the cores of the hosts, and warns of cores that are
 * shared.
 */
#pragma once

#include "campaign/launcher.h"
#include "campaign/placement.h"

/**
 * Start `crosstalk campaign cores` on every host, and read the output. If the hosts differ, a
 * warning is printed, and the cores of the host with the fewest are used.
 * @param start    [in]  command line that starts the command after it once on every host; freed
 * @param n_hosts  [in]  answers to expect
 * @param cores_p  [out] ct_cores_free() is due; unchanged on error
 * @return CT_OK; CT_EFORMAT (no output of some host); else see ct_ask()
 */
enum ct_status ct_binding_ask(const struct ct_launcher *launcher, struct ct_argv *start,
                              uint64_t n_hosts, struct ct_cores *cores_p, struct ct_error *err);

/**
 * Warn, once for the whole campaign and with the numbers of the cores, if ranks share some.
 * @param hosts  [in] of the campaign that are on one machine
 * @return CT_OK; CT_ENOMEM; as ct_plan_make()
 */
enum ct_status ct_binding_warn(const struct ct_launcher *launcher, const struct ct_cores *cores,
                               uint64_t hosts, struct ct_error *err);
