/** The first round of a scan: which nodes there are, and where. */
#pragma once

#include "campaign/launcher.h"
#include "study/scan.h"

/** Small messages on the idle network, of all pairs. */
struct ct_scan_idle {
    double median_s, p99_s;
    double wait_frac; /**< as in struct ct_scan_round */
};

/**
 * Take the nodes of a survey that is in the folder; and their switches, in this order: from the
 * text of an option; those of a lab or a simulation; from Slurm (scontrol show topology); from
 * latencies.
 * @param topology  [in]  a spec or a file; "": none is given
 * @param scan      [out] nodes, path_class, asked.switches_of; the rest is unchanged
 * @return CT_OK; CT_ENODATA (there is no survey yet); CT_EINVAL (the given topology has not these
 *         nodes); CT_EIO, CT_EFORMAT; CT_ENOMEM
 */
enum ct_status ct_scan_survey_take(struct ct_launcher *launcher, const char *topology,
                                   struct ct_scan *scan, struct ct_error *err);

enum { CT_SCAN_NETWORK_MAX = 160 };
/** Rates of a lab or a simulation: "links of 100gbit, 50gbit between switches, 500ns"; "": of a
 * cluster. */
void ct_scan_survey_network(const struct ct_campaign_launcher *setup,
                            char text[CT_SCAN_NETWORK_MAX]);

/**
 * Whether a scan that is continued is on the network that it was begun on, as far as that has a
 * name, that of --topology (given), of the lab or of the simulation, and rates that are known.
 * @return CT_OK; CT_EEXIST (it is not); CT_EINVAL, CT_ENOENT (the given one cannot be read);
 *         CT_ENOMEM
 */
enum ct_status ct_scan_survey_check(const struct ct_launcher *launcher, const char *given,
                                    const struct ct_scan *scan, struct ct_error *err);

/** What the survey of a scan says of its idle network; NaN: there is none. */
enum ct_status ct_scan_survey_idle(const struct ct_scan *scan, struct ct_scan_idle *idle_p,
                                   struct ct_error *err);
