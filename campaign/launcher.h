/** How programs get onto hosts: one row a way of starting them. */
#ifndef CT_CAMPAIGN_LAUNCHER_H
#define CT_CAMPAIGN_LAUNCHER_H

#include "campaign/placement.h"
#include "campaign/spec.h"
#include "core/argv.h"
#include "core/log.h"

/** What a row may use; state is its own. */
struct ct_launcher {
    const struct ct_launcher_row *row;
    const struct ct_campaign_spec *spec; /**< borrowed */
    const char *folder;                  /**< of the campaign; borrowed */
    struct ct_log *log;                  /**< borrowed */
    void *state;
};

struct ct_launcher_row {
    /** Make the network ready; state of the row into launcher->state. */
    enum ct_status (*open)(struct ct_launcher *launcher, struct ct_error *err);
    /** Undo that. NULL: nothing to undo. */
    void (*close)(struct ct_launcher *launcher);
    /** Command line of a program on all hosts; its part decides how many ranks and on which cores,
     * see campaign/placement.h. */
    enum ct_status (*command)(struct ct_launcher *launcher, const struct ct_part *part,
                              char *const *program, struct ct_argv *argv_p, struct ct_error *err);
    /** Signal that this command passes on to its ranks, so that they end in order. */
    int end_signal;
    /**
     * Return when no program runs on the hosts and the network is quiet, after ending left-overs
     * if need be. NULL: cannot be seen.
     * @return CT_OK; CT_ETIMEOUT (it is not quiet, the message says what is going on); CT_EINTR;
     *         CT_EIO
     */
    enum ct_status (*settle)(struct ct_launcher *launcher, struct ct_error *err);
    /** Whether programs can still be started, or the network is lost; asked when a run has failed.
     * NULL: cannot be seen. @return CT_OK; CT_ENOENT, CT_EIO, CT_ECHILD */
    enum ct_status (*check)(const struct ct_launcher *launcher, struct ct_error *err);
    /** Let all programs from now on have a network with that much more latency than the campaign
     * has otherwise; 0 undoes it. NULL: cannot be done. @return CT_OK; CT_ENOENT, CT_EIO,
     * CT_ETIMEOUT */
    enum ct_status (*add_latency)(struct ct_launcher *launcher, double latency_s,
                                  struct ct_error *err);
    /** Start measuring the load of the network. NULL: it cannot be measured. */
    enum ct_status (*meter_start)(struct ct_launcher *launcher, struct ct_error *err);
    /** Write what it was since then to a file, as JSON: "busy_fraction_mean" and "_max" over the
     * ports, "interval_s", and "ports", a list of what each passed on.
     * @return CT_OK; CT_ETIMEOUT (the network was not what it should be: the run is worth nothing);
     *         CT_ENOENT, CT_EIO, CT_ENOMEM */
    enum ct_status (*meter_write)(struct ct_launcher *launcher, const char *path,
                                  struct ct_error *err);
    /** Add what the meter saw of the network itself to the facts of the run. NULL: nothing. */
    enum ct_status (*meter_facts)(struct ct_launcher *launcher, struct ct_run_info *info);
};

extern const struct ct_launcher_row ct_launcher_lab, ct_launcher_mpiexec, ct_launcher_slurm;

/**
 * Open the launcher that a campaign names.
 * @param launcher_p  [out] ct_launcher_close() is due; unchanged on error
 */
enum ct_status ct_launcher_open(const struct ct_campaign_spec *spec, const char *folder,
                                struct ct_log *log, struct ct_launcher *launcher_p,
                                struct ct_error *err);
void ct_launcher_close(struct ct_launcher *launcher);

#endif
