/**
 * What runs of scanb are to a study: its canary of latencies is a probe, its workloads are
 * applications, and so are the congestors that they are beside. A cell alone is the idle network or
 * a baseline, or what the run is labelled with (--label, --config), as a run of impactb is; a cell
 * beside compressionb's ring (`compression:P=1,M=10,B=100us`) is that configuration; one beside a
 * steady congestor of full intensity is a co-run with it. Other cells say nothing that models of
 * predict/ use.
 *
 * Calls of a canary follow each other, and are of 8 bytes; impactb's are of 1 KiB, at random times.
 * So a study has one of both as its probe, and workloads and congestors only where there are no
 * other applications (study/load.c).
 */
#pragma once

#include "results/run.h"

/** A cell as a run of impactb, or of a timed application. */
struct ct_scan_cell_run {
    struct ct_run run; /**< kind impact or runtime; its attributes are borrowed from the run of
                            scanb, its rows are owned. Without facts where congestors ran in that
                          run: these are of all of it */
    double node_bytes_per_s; /**< that a node of the configuration sent in this cell; NaN: it has
                                  none */
};

/**
 * Whether a cell is one of these.
 * @param round     [in]  a run of scanb
 * @param programs  [in]  also those of workloads, and those beside congestors
 * @param info_p    [out] attributes that its own run would have; borrowed from the round
 */
bool ct_scan_cell_is_run(const struct ct_run *round, size_t cell, bool programs,
                         struct ct_run_info *info_p);

/**
 * @param cell     [in]  for which ct_scan_cell_is_run()
 * @param made_p  [out] ct_scan_cell_run_free(); unchanged on error
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_scan_cell_run_take(const struct ct_run *round, size_t cell,
                                     struct ct_scan_cell_run *made_p, struct ct_error *err);
void ct_scan_cell_run_free(struct ct_scan_cell_run *made);

/**
 * The loads of known amount that a scan measures latencies beside.
 * @param dir        [in]  its folder
 * @param configs_p  [out] [n] free(), n > 0; unchanged on error
 * @return CT_OK; CT_EUSAGE (no folder of a scan); CT_ENODATA (no such load); CT_EFORMAT; CT_ENOMEM
 */
enum ct_status ct_scan_loads_read(const char *dir, struct ct_config **configs_p, size_t *n_p,
                                  struct ct_error *err);

/**
 * The rounds of a scan that has loads of known amount.
 * @param dir     [in]  its folder
 * @param list_p  [out] ct_run_list_free(); unchanged on error
 * @return CT_OK; CT_EUSAGE (no folder of a scan); CT_ENODATA (no such load, or no round yet);
 *         CT_EFORMAT; CT_EIO; CT_ENOMEM
 */
enum ct_status ct_scan_runs_list(const char *dir, struct ct_run_list *list_p, struct ct_error *err);
