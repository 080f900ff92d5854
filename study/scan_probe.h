/**
 * What runs of scanb are to a study: its canary of latencies is a probe. A cell alone is the idle
 * network, or what the run is labelled with (--label, --config), as a run of impactb is; a cell
 * beside compressionb's ring (`compression:P=1,M=10,B=100us`) is that configuration. Other cells
 * say nothing that models of predict/ use.
 *
 * Calls of a canary follow each other, and are of 8 bytes; impactb's are of 1 KiB, at random times.
 * So a study has one of both as its probe (study/load.c).
 */
#pragma once

#include "results/run.h"

/** A reading of the probe, as a run of impactb would have it. */
struct ct_scan_probe {
    struct ct_run run; /**< kind impact; its attributes are borrowed from the run of scanb, its
                            samples are owned. Without facts where congestors ran in that run:
                            these are of all of it */
    double node_bytes_per_s; /**< that a node of the configuration sent in this cell; NaN: it has
                                  none */
};

/**
 * Whether a cell is a reading of a probe.
 * @param round  [in]  a run of scanb
 * @param info_p [out] attributes that a run of impactb would have; borrowed from the round
 */
bool ct_scan_probe_is(const struct ct_run *round, size_t cell, struct ct_run_info *info_p);

/**
 * @param cell     [in]  for which ct_scan_probe_is()
 * @param probe_p  [out] ct_scan_probe_free(); unchanged on error
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_scan_probe_take(const struct ct_run *round, size_t cell,
                                  struct ct_scan_probe *probe_p, struct ct_error *err);
void ct_scan_probe_free(struct ct_scan_probe *probe);

/**
 * The rounds of a scan that has loads of known amount.
 * @param dir     [in]  its folder
 * @param list_p  [out] ct_run_list_free(); unchanged on error
 * @return CT_OK; CT_EUSAGE (no folder of a scan); CT_ENODATA (no such load, or no round yet);
 *         CT_EFORMAT; CT_EIO; CT_ENOMEM
 */
enum ct_status ct_scan_probe_list(const char *dir, struct ct_run_list *list_p,
                                  struct ct_error *err);
