/**
 * A scan: a survey, a plan, rounds of scanb by a launcher; resumable. The folder: DIR/scan.json
 * (study/scan_file.h), DIR/runs/round-NNNN.h5, DIR/logs/round-NNNN.log.
 *
 *     ct_scan_begin(&setup, &spec, &log, &drive, &err);    finds nodes and switches, makes the plan
 *     if (the user agrees)
 *         ct_scan_continue(drive, &end, &err);             congestors
 *     ct_scan_close(drive);
 */
#pragma once

#include "campaign/launcher.h"
#include "campaign/scan_plan.h"

struct ct_scan_setup {
    const char *dir;
    double time_s, half_width_frac;
    double cell_s;        /**< of a canary in a cell */
    size_t message_bytes; /**< of the bandwidth canary, and of congestors */
    const char *cells;    /**< cases, separated by blanks; "": as many as the time allows */
    const char
        *topology;      /**< a spec or a file; "": that of the launcher, or Slurm's, or latencies */
    bool has_workloads; /**< without `cells`: also of a workload, as far as time allows */
    uint64_t slots;     /**< ranks on a node */
    uint64_t seed;      /**< of a scan that is begun */
};

/** A scan under way. Its members are for reading. */
struct ct_scan_drive {
    struct ct_scan_setup setup; /**< its texts are borrowed */
    struct ct_launcher launcher;
    struct ct_log *log;
    int lock;
    bool is_open;        /**< the launcher */
    struct ct_scan scan; /**< plan, and the rounds that were made before the last one */
    struct ct_scan_pace pace;
    size_t n_rounds; /**< that are in the folder */
    double used_s;   /**< that they took */
    bool is_new;     /**< it was begun by this call */
};

/** How a scan ended. */
struct ct_scan_end {
    size_t n_rounds;    /**< in the folder */
    size_t n_made;      /**< by this call */
    const char *reason; /**< static; "": there are as many rounds as were asked for */
};

/**
 * Open the folder and the launcher; in a new folder make the survey (messages of 8 bytes on an idle
 * network) and the plan. A scan that is there keeps its seed, nodes and cases; its time and
 * half-width may be changed. From now on signals are caught (ct_process_catch_signals()).
 * @param spec     [in]  its launcher; borrowed while the scan is open
 * @param drive_p  [out] ct_scan_close() is due; unchanged on error
 * @return CT_OK; CT_EINVAL (fewer than four nodes; a time that is too short; a topology without the
 *         nodes); CT_EEXIST (another process works in the folder; it has a scan of other nodes or
 *         cells);
 *         CT_EINTR; CT_ECHILD, CT_ETIMEOUT (a round failed, with its last lines); errors of the
 *         launcher; CT_EIO; CT_ENOMEM
 */
enum ct_status ct_scan_begin(const struct ct_scan_setup *setup, const struct ct_campaign_spec *spec,
                             struct ct_log *log, struct ct_scan_drive *drive_p,
                             struct ct_error *err);

/**
 * Make rounds until every interval is as narrow as asked, or the time is up.
 * @param n_most  [in]  end before that with so many rounds in the folder; SIZE_MAX: no limit
 * @param end_p  [out] also on error: what there is
 * @return as ct_scan_begin(); CT_EINTR: a signal came, and everything that was started has ended
 */
enum ct_status ct_scan_continue(struct ct_scan_drive *drive, size_t n_most,
                                struct ct_scan_end *end_p, struct ct_error *err);
void ct_scan_close(struct ct_scan_drive *drive);
