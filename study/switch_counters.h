/**
 * Counters of a lab's switch during a run: the reference for estimates of utilization. They are in
 * RUN.ports.json beside RUN.h5; packing adds them to the run as facts.
 */
#pragma once

#include "results/run.h"

/**
 * Utilization by the switch counters, mean over the ports and both directions, fraction.
 * @param err  [out] filled if there is a file beside the run that is not valid
 * @return whether it is known
 */
bool ct_switch_busy_frac(const struct ct_run_entry *entry, double *busy_frac_p,
                         struct ct_error *err);

/**
 * The same from the content of RUN.ports.json.
 * @param name         [in]  its source, for messages
 * @param busy_frac_p  [out] >= 0; unchanged on error
 * @return CT_OK; CT_EFORMAT
 */
enum ct_status ct_switch_counters_parse(const char *text, size_t size, const char *name,
                                        double *busy_frac_p, struct ct_error *err);

/**
 * Add the utilization to the facts of a run that is packed.
 * @return CT_OK, also if there are no counters; CT_EFORMAT (the file is not valid); CT_EIO;
 *         CT_ENOMEM
 */
enum ct_status ct_switch_add_facts(struct ct_run_entry *entry, struct ct_error *err);
