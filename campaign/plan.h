/** From a campaign to its runs. Pure: no files, no clock, no programs. */
#pragma once

#include "campaign/spec.h"

/** Room for the name of a run. A file system has 255 bytes for the longest file that is named after
 * it, ID.background4.log. */
enum { CT_PLAN_ID_MAX = 240 };

/** What a run measures. */
enum ct_plan_measure {
    CT_PLAN_PROBE, /**< impactb: latencies of the network */
    CT_PLAN_APP,   /**< durations of the passes of an application */
    CT_PLAN_LOGP,  /**< logpb: LogP parameters of the network beside the background */
    CT_PLAN_TRACE  /**< what an application communicates: folder traces/APP */
};

/** What loads the network during the measurement. */
enum ct_plan_background {
    CT_PLAN_NOTHING,
    CT_PLAN_OTHER_APP,
    CT_PLAN_COMPRESSION,
    CT_PLAN_GROUP /**< several applications */
};

struct ct_plan_run {
    char id[CT_PLAN_ID_MAX]; /**< such as "runtime-fft-with-lulesh-r0"; the file is runs/ID.h5 */
    bool is_id_cut;          /**< the name is too long: the plan is refused */
    enum ct_plan_measure measure;
    enum ct_plan_background background;
    size_t app;       /**< of the spec; timed, or traced */
    size_t other;     /**< application in the background, where it is CT_PLAN_OTHER_APP */
    size_t config;    /**< where background is CT_PLAN_COMPRESSION */
    size_t group;     /**< of the spec; where background is CT_PLAN_GROUP */
    double latency_s; /**< latency that is added to the network; 0: none */
    size_t placement; /**< of the spec; 0 also if it has none */
    bool is_longer;   /**< of the application's longer form: CT_PLAN_TRACE only */
    uint64_t repetition;
    uint64_t seed;     /**< for its programs; depends on the campaign's seed and the id only */
    double expected_s; /**< whole run, from the start of the background to the last end */
    double position;   /**< in the order of runs: 0..1; 1 also for runs added by
                          ct_plan_append(); 1..2: closing runs */
};

struct ct_plan {
    struct ct_plan_run *runs; /**< in the order in which they are made */
    size_t n_runs;
    double expected_s; /**< sum over runs */
    size_t n_closing;  /**< number of closing runs, the last ones: ct_plan_append() inserts before
                          them */
    size_t n_open;     /**< runs of candidates that may be picked, ct_plan_add_candidate() */
    double open_s;     /**< expected time of these, seconds */
};

/**
 * All runs of a campaign: the idle network; every application alone; the probe beside every
 * application and every configuration; every application under every configuration; every ordered
 * pair of applications (also with itself), of which the first is timed; every group. With logp also
 * LogP parameters, once each: on the idle network and, unless logp is limited to that, beside every
 * application and every configuration. With trace every application, and its longer form if it has
 * one, is traced once, alone, at the end of the order, after the baselines. With latencies every
 * application also runs alone, or beside each configuration like the probe, or both (latency_runs),
 * with each of these latencies added to the network, as often as without. With
 * placements there are all of these runs for each placement; applications are traced once, under
 * the first one: a program has equally many hosts under all.
 *
 * The order is random, so that a slow change of the machine is not taken for an effect of loads,
 * and stratified: of n repetitions, the r-th is at a uniform position within [r/n, (r+1)/n) of the
 * campaign, so that baselines and idle runs spread over all of it.
 *
 * The plan does not contain the candidates of an adaptive grid, nor co-runs that are picked
 * (repetitions.picks_co_runs), but counts them in n_open. With such a grid the last repetition of
 * each baseline and of the idle network is a closing run: it comes after the candidates that are
 * picked, so that a drift is found.
 *
 * @param spec    [in]  borrowed
 * @param seed    [in]  equal seeds give equal orders
 * @param plan_p  [out] owned by the caller, ct_plan_free(); unchanged on error
 * @return CT_OK; CT_EINVAL (nothing to measure, two runs with the same name, or a name that is too
 *         long); CT_ENOMEM
 */
enum ct_status ct_plan_make(const struct ct_campaign_spec *spec, uint64_t seed,
                            struct ct_plan *plan_p, struct ct_error *err);

/** Change a run of a plan into another repetition of it: number, id and seed. */
void ct_plan_repeat(const struct ct_campaign_spec *spec, uint64_t seed, uint64_t repetition,
                    struct ct_plan_run *run);

/**
 * Append the runs of a placement with a candidate in the background, in random order. n_open does
 * not change.
 * @return as ct_plan_append()
 */
enum ct_status ct_plan_add_candidate(const struct ct_campaign_spec *spec, uint64_t seed,
                                     size_t placement, size_t config, struct ct_plan *plan,
                                     struct ct_error *err);

/** The first run of an application beside another one, which may be picked as a candidate. */
struct ct_plan_run ct_plan_co_run(const struct ct_campaign_spec *spec, uint64_t seed,
                                  size_t placement, size_t app, size_t with);

/** Whether a plan has a run of an application beside another one. */
bool ct_plan_has_co_run(const struct ct_plan *plan, size_t placement, size_t app, size_t with);

/** Whether a run of the plan is a closing run, or one that comes after these. */
bool ct_plan_closes(const struct ct_campaign_spec *spec, const struct ct_plan_run *run);

/** Whether a plan has runs of a placement with a configuration in the background. */
bool ct_plan_has_config(const struct ct_plan *plan, size_t placement, size_t config);

/** Append a run at the end of the order, before the closing ones. @return CT_OK; CT_EINVAL (too
 * many runs, or a name that is too long); CT_ENOMEM */
enum ct_status ct_plan_append(struct ct_plan *plan, const struct ct_plan_run *run,
                              struct ct_error *err);

/** Whether an application is timed beside others. */
bool ct_plan_is_co_run(const struct ct_plan_run *run);

/** Remove all runs in which an application is timed beside others. */
void ct_plan_leave_out_co_runs(struct ct_plan *plan);

void ct_plan_free(struct ct_plan *plan);

/** When a program that runs beside applications begins. */
struct ct_plan_phase {
    double pass_frac; /**< of the longest pass (key `pass`) of these, 0..1 */
    double later_s;   /**< the same time, beyond durations.settle */
};

/**
 * The phase of a run: uniform over a pass, from the run's seed, so that the mean over repetitions
 * is that over phases. Without applications in the background 0. In a folder of an earlier version
 * (has_fixed_phases) 0, too, but in SimGrid, where nothing else is random: evenly spread fractions
 * of the first one's pass.
 */
struct ct_plan_phase ct_plan_phase(const struct ct_campaign_spec *spec,
                                   const struct ct_plan_run *run);

/** Hosts of the two sides in a run; NULL: the campaign has no placements. */
const struct ct_sides *ct_plan_sides(const struct ct_campaign_spec *spec,
                                     const struct ct_plan_run *run);

/** Name of the placement of a run, such as "disjoint"; NULL: the campaign has none. */
const char *ct_plan_placement(const struct ct_campaign_spec *spec, const struct ct_plan_run *run);

/** Time that the measuring program of a run takes, without its start; seconds. */
double ct_plan_measured_s(const struct ct_campaign_spec *spec, const struct ct_plan_run *run);

/** Number of applications in the background. */
size_t ct_plan_n_others(const struct ct_campaign_spec *spec, const struct ct_plan_run *run);

/** The i-th application in the background; an index of the spec's applications. */
size_t ct_plan_other(const struct ct_campaign_spec *spec, const struct ct_plan_run *run, size_t i);

/**
 * Names of the applications in the background, as in run files: "", "milc", "milc,amg". Borrowed
 * from the spec.
 */
const char *ct_plan_others(const struct ct_campaign_spec *spec, const struct ct_plan_run *run);

/**
 * Kind of run, for messages and tables: "idle", "baseline", "impact", "compression", "corun",
 * "group", "logp", "trace".
 */
const char *ct_plan_sort(const struct ct_plan_run *run);

/** Name of a configuration in a run's id: "p4-m1-b10ms". */
void ct_plan_config_name(const struct ct_config *config, char name[CT_CONFIG_TEXT_MAX]);
