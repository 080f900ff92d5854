/**
 * Campaign files: what is measured, with which programs, on which network. YAML, see
 * examples/cluster.yaml for every key with its meaning.
 */
#pragma once

#include "campaign/grid.h"
#include "campaign/sides.h"
#include "core/mpi_kind.h"
#include "core/status.h"
#include "lab/lab.h"
#include "results/run.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** How programs are started; names as in the file. */
#define CT_LAUNCHER_MAP(X)                                                                         \
    X(LAB, "lab", ct_launcher_lab)                                                                 \
    X(MPIEXEC, "mpiexec", ct_launcher_mpiexec)                                                     \
    X(SLURM, "slurm", ct_launcher_slurm)                                                           \
    X(SIMGRID, "simgrid", ct_launcher_simgrid)

enum ct_launcher_kind {
#define CT_LAUNCHER_ENUM(name, text, row) CT_LAUNCHER_##name,
    CT_LAUNCHER_MAP(CT_LAUNCHER_ENUM)
#undef CT_LAUNCHER_ENUM
};

/** Cores that ranks are bound to, see campaign/placement.h; names "cores", "none". */
enum ct_placement {
    CT_PLACEMENT_CORES, /**< a core for each rank, other ones for the program in the background */
    CT_PLACEMENT_NONE   /**< left to the system */
};

/** How the run time of an application is measured; names "self", "driver". */
enum ct_passes {
    CT_PASSES_SELF,  /**< by the program: it takes --loop, --time, --output, ... and writes its run
                        file itself */
    CT_PASSES_DRIVER /**< by the driver, for any program: it is started repeatedly, and timed from
                        start to exit */
};

/** SimGrid's models of a network, as crosstalk-simgrid takes them: "smpi", "ib", "plain", NULL. */
extern const char *const ct_campaign_simgrid_models[];

/** How programs are started. One struct, since each member is a key of `launcher` in the file. */
struct ct_campaign_launcher {
    int kind;       /**< enum ct_launcher_kind */
    uint64_t hosts; /**< lab: hosts, those of its topology too; mpiexec: machines, or 0: lines
                       of the host file, or 1; slurm: nodes, or 0: those of the allocation */
    bool has_rate;  /**< the file states the rate */
    double rate_bit_per_s; /**< of a link: that of the lab, or the one that the grid is made for */
    const char *topology;  /**< lab: several switches, see ct_lab_spec_topology(); simgrid: see
                              ct_topology_open(); "": one switch */
    uint64_t spines;       /**< of its tree; 0: as in the text */
    bool has_uplink;       /**< the file states the uplink */
    double uplink_bit_per_s; /**< of its links between switches */
    const char *like;        /**< lab: machine that it imitates, see lab/like.h; "": none */
    double dilation;         /**< of it; in the file 0: the largest possible */
    int queue;               /**< enum ct_lab_queue; this and the next five are for the lab only */
    double latency_s;        /**< lab: latency added towards every host; 0: none. simgrid: of every
                                link */
    double jitter_s;
    int jitter_shape;     /**< enum ct_lab_jitter */
    bool has_lateness;    /**< the file states it */
    double lateness_s;    /**< a run fails if more than 1 % of its packets were later than that;
                             where the file does not state it, a share of the latency may be more */
    const char *lab;      /**< name of the lab; "": $CROSSTALK_LAB or "default" */
    bool takes_lab;       /**< the lab of that name is there, and is taken as it is: of scans */
    const char *hostfile; /**< mpiexec only; "": none */
    const char *options;  /**< mpiexec, slurm; further words of the command line */
    int mpi;              /**< enum ct_mpi: of programs whose MPI is unknown, see core/mpi_kind.h */
    const char
        *mpiexec; /**< launcher of programs of its MPI; "": see core/mpi_kind.h; not for slurm */
    int model;    /**< simgrid only: index of ct_campaign_simgrid_models */
    double overhead_s; /**< simgrid only: to send a message, and to receive one */
    uint64_t jobs;     /**< runs at once, simgrid only; 0: one for each processor */
    const char
        *simgrid;  /**< simgrid only: folder of crosstalk-simgrid; "": where it is installed */
    int placement; /**< enum ct_placement; in a lab it only decides whether a warning is printed */
};

struct ct_campaign_durations {
    double impact_s;  /**< of a probe run */
    double runtime_s; /**< of a run of an application's passes */
    double logp_s;    /**< of a run of logpb, at most */
    double settle_s;  /**< between the start of the background and that of the measurement */
    double start_s;   /**< allowed for starting and ending a program; simgrid: real time that a
                         simulation may take */
    double deadline_factor; /**< a run that takes this many times the expected time is ended */
};

struct ct_campaign_probe {
    double interval_s; /**< mean time between the probes of a pair */
    size_t message_bytes;
    uint64_t slots;      /**< ranks per host */
    const char *pairing; /**< as impactb takes it */
    const char *options; /**< further words of impactb's command line */
};

/** Number of runs of each kind. */
struct ct_campaign_repetitions {
    uint64_t idle;        /**< probe on the idle network */
    uint64_t baseline;    /**< each application alone */
    uint64_t impact;      /**< probe beside each application and each configuration */
    uint64_t compression; /**< each application under each configuration */
    uint64_t corun;       /**< each ordered pair of applications, and each group */
    bool picks_co_runs;   /**< with an adaptive grid, if the file does not say how often: pairs are
                             measured as far as verdicts need them (campaign/adaptive_co_runs.h) */
    bool has_target;
    double target_frac; /**< timed runs are repeated until half of the interval of their mean is at
                           most this, or max is reached */
    uint64_t max;       /**< largest number of repetitions of a kind of timed run, with a target */
};

struct ct_campaign_app {
    const char *name;
    const char *command;
    const char *longer; /**< the command with longer passes, for a second trace; "": none */
    uint64_t longer_by; /**< how many passes it makes beyond those of `command` */
    uint64_t slots;     /**< ranks per host */
    uint64_t hosts;     /**< it uses so many of its hosts, the first ones; 0: all */
    int passes;         /**< enum ct_passes */
    double pass_s;      /**< approximate time of a pass alone: for deadlines and the time left */
};

enum { CT_GROUP_OTHERS_MAX = 4, CT_GROUP_TEXT_MAX = 200 };

/** An application that is timed beside several others at once. */
struct ct_campaign_group {
    const char *app_name, *with_names; /**< as in the file: a name, names as words */
    size_t app;
    size_t
        others[CT_GROUP_OTHERS_MAX]; /**< [n_others], ascending; an application may occur twice */
    size_t n_others;                 /**< 2 or more */
    char with[CT_GROUP_TEXT_MAX];    /**< names of the others as in run files: "milc,amg" */
};

struct ct_campaign_config {
    struct ct_config load; /**< P, M, B, pattern, burst, size of a message, ranks per host */
    bool is_candidate;     /**< measured only if it is picked, see campaign/adaptive.h */
};

enum { CT_LATENCIES_MAX = 64 };

/** What logpb measures, see campaign/plan.h. */
enum ct_campaign_logp {
    CT_CAMPAIGN_LOGP_NONE,
    CT_CAMPAIGN_LOGP_ALL,
    CT_CAMPAIGN_LOGP_IDLE,
    CT_CAMPAIGN_LOGP_CLASSES /**< on the idle network, a pair of hosts of each class of paths */
};

/** Which runs are made at further latencies too: applications alone; applications, and the probe,
 * beside each configuration; names "alone", "loaded", "all". */
enum ct_campaign_latency_runs {
    CT_LATENCY_RUNS_ALONE,
    CT_LATENCY_RUNS_LOADED,
    CT_LATENCY_RUNS_ALL
};

/** A campaign file in memory: one struct, whose members are keys of the file or what follows from
 * them. */
struct ct_campaign_spec {
    const char *name;
    bool has_seed;
    uint64_t seed;       /**< of the order of the runs and of every program */
    uint64_t retries;    /**< attempts after the first one of a run that fails */
    int logp;            /**< enum ct_campaign_logp */
    bool is_logp_chosen; /**< the file has none, and the network has several switches */
    int trace;           /**< 1: each application is traced once */
    struct ct_campaign_launcher launcher;
    struct ct_campaign_durations durations;
    struct ct_campaign_probe probe;
    struct ct_campaign_repetitions repetitions;
    struct ct_campaign_app *apps;
    size_t n_apps;
    struct ct_campaign_group *groups; /**< no two with the same applications */
    size_t n_groups;
    struct ct_campaign_config *configs; /**< no two with the same load; those of the file come
                                           first, then those of the grid */
    size_t n_configs;
    int grid_kind;      /**< enum ct_grid_kind */
    const char *scan;   /**< folder of crosstalk scan: its canary of latencies is the probe, beside
                           applications only, and configs are its known loads; "": none */
    const char *bursts; /**< bursts of the grid, words "ON/OFF"; "": none */
    double resolution_frac;    /**< of an adaptive grid, see predict/next_load.h */
    double acceptable_frac;    /**< limit of the verdicts that co-runs are picked for, > 0 */
    const char *latency_words; /**< durations, as in the file */
    double latencies_s[CT_LATENCIES_MAX]; /**< added to launcher.latency_s for further runs;
                                             ascending, > 0 */
    size_t n_latencies;
    int latency_runs;            /**< enum ct_campaign_latency_runs */
    const char *placement_words; /**< kinds of placements, as in the file, or chosen; "": none */
    bool has_fixed_phases;       /**< its folder is of an earlier version: ct_plan_phase() */
    bool is_placement_chosen;    /**< the file names none */
    bool is_begun_without_placement; /**< nor has its folder any: none is chosen */
    uint64_t fragment;               /**< hosts of a block of the placement "fragments" */
    struct ct_sides *placements;     /**< [n_placements], no two of a kind; every run but those of
                                        traces is made once for each; owned */
    size_t n_placements;             /**< 0: none, every program has all hosts */
    uint32_t *all_hosts; /**< [launcher.hosts] 0, 1, 2, ...; owned; NULL: every application
                            uses all of its hosts */
    struct ct_grid grid; /**< the grid whose configurations are in configs; {0}: none */
    void *texts;         /**< owner of the strings above */
};

/**
 * Read a campaign from text.
 * @param source  [in]  name for messages, such as the file's path
 * @param spec_p  [out] owned by the caller, ct_campaign_spec_free(); unchanged on error
 * @return CT_OK; CT_EFORMAT (not YAML, an unknown or missing key) and CT_EINVAL (a value), both
 *         with "SOURCE: path.of.key: why"; CT_ENOMEM
 */
enum ct_status ct_campaign_spec_parse(const char *text, size_t size, const char *source,
                                      struct ct_campaign_spec *spec_p, struct ct_error *err);

/**
 * The same for a campaign that may have been begun before placements were chosen for files that
 * name none.
 * @param is_without_placement  [in] runs of it have no placement, so that none is chosen
 */
enum ct_status ct_campaign_spec_parse_begun(const char *text, size_t size, const char *source,
                                            bool is_without_placement,
                                            struct ct_campaign_spec *spec_p, struct ct_error *err);
void ct_campaign_spec_free(struct ct_campaign_spec *spec);

/**
 * Number of hosts that a program has: all, or half of them if there are placements other than
 * "shared".
 */
uint64_t ct_campaign_program_hosts(const struct ct_campaign_spec *spec);
