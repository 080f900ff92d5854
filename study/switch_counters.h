/**
 * What an emulated switch counted during a run: the truth that models are compared with. It is
 * in RUN.ports.json beside RUN.h5; packing puts it into the run as facts.
 */
#ifndef CT_STUDY_SWITCH_COUNTERS_H
#define CT_STUDY_SWITCH_COUNTERS_H

#include "results/run.h"

/**
 * Busy share of the ports' time, mean over the ports and both directions, fraction.
 * @param err  [out] filled where there is a file beside the run that cannot be understood
 * @return whether it is known
 */
bool ct_switch_busy_frac(const struct ct_run_entry *entry, double *busy_frac_p,
                         struct ct_error *err);

/**
 * The same of the content of RUN.ports.json.
 * @param name         [in]  where it is from, for messages
 * @param busy_frac_p  [out] >= 0; unchanged on error
 * @return CT_OK; CT_EFORMAT
 */
enum ct_status ct_switch_counters_parse(const char *text, size_t size, const char *name,
                                        double *busy_frac_p, struct ct_error *err);

/**
 * Add what is known to the facts of a run that is to be packed.
 * @return CT_OK, also where nothing is known; CT_EFORMAT, CT_EIO (a file that cannot be
 *         understood); CT_ENOMEM
 */
enum ct_status ct_switch_add_facts(struct ct_run_entry *entry, struct ct_error *err);

#endif
