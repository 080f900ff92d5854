/** Launchers: how programs are started on hosts, one row for each way. */
#pragma once

#include "campaign/placement.h"
#include "campaign/spec.h"
#include "core/argv.h"
#include "core/log.h"
#include "lab/lab.h"

/** Arguments of the functions of a row; state belongs to the row. */
struct ct_launcher {
    const struct ct_launcher_row *row;
    const struct ct_campaign_spec *spec; /**< borrowed */
    const char *folder;                  /**< of the campaign; borrowed */
    struct ct_log *log;                  /**< borrowed */
    void *state;
};

/** A program of a run, for launchers that start all of them together. */
struct ct_program {
    struct ct_part part;
    char *const *argv; /**< NULL-terminated; borrowed */
    const char *trace; /**< folder for its traces; NULL: it is not traced; borrowed */
    double start_s;    /**< so long after the others, in the time of the simulation */
};

struct ct_launcher_row {
    /**
     * What is measured does not depend on the machine: its runs can be made at once. They are made
     * in copies of the process: what functions of the row change in its state then holds for one
     * run.
     */
    bool is_simulated;
    /** Prepare the network, and set launcher->state. */
    enum ct_status (*open)(struct ct_launcher *launcher, struct ct_error *err);
    /** Undo open(). NULL: nothing to undo. */
    void (*close)(struct ct_launcher *launcher);
    /**
     * Command line that starts a program on the hosts of its part. The number of ranks and their
     * cores depend on the part, see campaign/placement.h.
     */
    enum ct_status (*command)(struct ct_launcher *launcher, const struct ct_part *part,
                              char *const *program, struct ct_argv *argv_p, struct ct_error *err);
    /**
     * Command line that starts all programs of a run, the first of which measures, and ends those
     * in the background when it has ended. It writes the load of the network to a file, as
     * meter_write() expects it. NULL: each program has a command line of its own. A row has this
     * function or command().
     */
    enum ct_status (*together)(struct ct_launcher *launcher, const struct ct_program *programs,
                               size_t n, const char *load_path, struct ct_argv *argv_p,
                               struct ct_error *err);
    /** Name of a host by its number. Needed for parts with a list of hosts only. */
    void (*host_name)(const struct ct_launcher *launcher, uint32_t host, char text[CT_HOST_MAX]);
    /** Signal that this command passes on to its ranks, so that they end regularly. */
    int end_signal;
    /**
     * Wait until no program runs on the hosts and the network is quiet. Programs that were left
     * over are ended. NULL: cannot be checked.
     * @return CT_OK; CT_ETIMEOUT (it does not become quiet; the message has the cause); CT_EINTR;
     *         CT_EIO
     */
    enum ct_status (*settle)(struct ct_launcher *launcher, struct ct_error *err);
    /**
     * After a run has failed: check that programs can still be started. NULL: cannot be checked.
     * @return CT_OK; CT_ENOENT, CT_EIO, CT_ECHILD
     */
    enum ct_status (*check)(const struct ct_launcher *launcher, struct ct_error *err);
    /**
     * Set the latency that is added to that of the campaign's network, seconds, for all programs
     * whose command lines are made from now on; 0: none. NULL: not possible.
     * @return CT_OK; CT_ENOENT, CT_EIO, CT_ETIMEOUT
     */
    enum ct_status (*add_latency)(struct ct_launcher *launcher, double latency_s,
                                  struct ct_error *err);
    /** Start measuring the load of the network. NULL: not possible. */
    enum ct_status (*meter_start)(struct ct_launcher *launcher, struct ct_error *err);
    /**
     * Write the load of the network to a file, see campaign/network_load.h: since meter_start(), or
     * what the command of together() has written there.
     * @return CT_OK; CT_ETIMEOUT (packets were lost, or later than allowed: the run is not valid);
     *         CT_ENOENT, CT_EIO, CT_ENOMEM
     */
    enum ct_status (*meter_write)(struct ct_launcher *launcher, const char *path,
                                  struct ct_error *err);
    /** What passed the network from meter_start() to meter_write(). NULL: not known. */
    enum ct_lab_traffic (*traffic)(const struct ct_launcher *launcher);
    /**
     * Add the meter's measurements of the network itself to the facts of the run. NULL: there are
     * none.
     */
    enum ct_status (*meter_facts)(struct ct_launcher *launcher, struct ct_run_info *info);
};

extern const struct ct_launcher_row ct_launcher_lab, ct_launcher_mpiexec, ct_launcher_slurm,
    ct_launcher_simgrid;

/** The row that a campaign names, which need not be open. */
const struct ct_launcher_row *ct_launcher_row(const struct ct_campaign_spec *spec);

/**
 * Open the launcher of a campaign.
 * @param launcher_p  [out] ct_launcher_close() is due; unchanged on error
 * @return CT_OK; what open() of the row returns
 */
enum ct_status ct_launcher_open(const struct ct_campaign_spec *spec, const char *folder,
                                struct ct_log *log, struct ct_launcher *launcher_p,
                                struct ct_error *err);
void ct_launcher_close(struct ct_launcher *launcher);
