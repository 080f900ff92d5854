/** From a campaign to its runs. Pure: no files, no clock, no programs. */
#ifndef CT_CAMPAIGN_PLAN_H
#define CT_CAMPAIGN_PLAN_H

#include "campaign/spec.h"

enum { CT_PLAN_ID_MAX = 256 };

/** What a run measures. */
enum ct_plan_measure {
    CT_PLAN_PROBE, /**< impactb: latencies of the network */
    CT_PLAN_APP,   /**< durations of the passes of an application */
    CT_PLAN_LOGP   /**< logpb: LogP parameters that are left of the network */
};

/** What loads the network meanwhile. */
enum ct_plan_background { CT_PLAN_NOTHING, CT_PLAN_OTHER_APP, CT_PLAN_COMPRESSION };

struct ct_plan_run {
    char id[CT_PLAN_ID_MAX]; /**< says what it is: "runtime-fft-with-lulesh-r0"; file runs/ID.h5 */
    enum ct_plan_measure measure;
    enum ct_plan_background background;
    size_t app;    /**< of the spec; timed, where measure is CT_PLAN_APP */
    size_t other;  /**< application in the background, where it is CT_PLAN_OTHER_APP */
    size_t config; /**< where background is CT_PLAN_COMPRESSION */
    uint64_t repetition;
    uint64_t seed;     /**< for its programs; depends on the campaign's seed and the id only */
    double expected_s; /**< whole run, from the start of the background to the last end */
    double position;   /**< 0..1, place in the order; 1: added later, ct_plan_append() */
};

struct ct_plan {
    struct ct_plan_run *runs; /**< in the order in which they are made */
    size_t n_runs;
    double expected_s; /**< sum over runs */
};

/**
 * All runs of a campaign: the idle network; every application alone; the probe beside every
 * application and every configuration; every application under every configuration; every ordered
 * pair of applications (with itself, too), of which the first is timed. With logp also LogP
 * parameters, once each: idle, beside every application and every configuration.
 *
 * The order is random, so that a slow change of the machine does not look like an effect, and
 * stratified: of n repetitions, the r-th stands at a uniform place within [r/n, (r+1)/n) of the
 * campaign, so that baselines and idle runs spread over all of it.
 *
 * @param spec    [in]  borrowed
 * @param seed    [in]  equal seeds give equal orders
 * @param plan_p  [out] owned by the caller, ct_plan_free(); unchanged on error
 * @return CT_OK; CT_EINVAL (nothing to measure, or two runs with the same name); CT_ENOMEM
 */
enum ct_status ct_plan_make(const struct ct_campaign_spec *spec, uint64_t seed,
                            struct ct_plan *plan_p, struct ct_error *err);

/** Turn a run of a plan into another repetition of it: number, name and seed. */
void ct_plan_repeat(const struct ct_campaign_spec *spec, uint64_t seed, uint64_t repetition,
                    struct ct_plan_run *run);

/** Append a run at the end of the order. @return CT_OK; CT_EINVAL (too many runs); CT_ENOMEM */
enum ct_status ct_plan_append(struct ct_plan *plan, const struct ct_plan_run *run,
                              struct ct_error *err);

void ct_plan_free(struct ct_plan *plan);

/** Time that the measuring program of a run takes, without its start; seconds. */
double ct_plan_measured_s(const struct ct_campaign_spec *spec, const struct ct_plan_run *run);

/** Kind of run for people: "idle", "baseline", "impact", "compression", "corun",
 *  "logp". */
const char *ct_plan_sort(const struct ct_plan_run *run);

/** Name of a configuration in a run's id: "p4-m1-b10ms". */
void ct_plan_config_name(const struct ct_config *config, char name[CT_CONFIG_TEXT_MAX]);

#endif
