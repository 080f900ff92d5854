/**
 * The measurements of a campaign, as plain data: for each load, the latencies of the probe beside
 * it, and the durations of passes of each application beside it.
 *
 * Loads are numbered alike everywhere: 0 is the idle network, 1 + a is application a, and
 * 1 + n_apps + c is configuration c of CompressionB, in the order of P, M, B.
 */
#pragma once

#include "model/probe/probe.h"

/** Values of several runs, one run after the other; within a run in the order of time. */
struct ct_samples {
    double *x;      /**< [n]; NULL: only the number of values is known */
    double *time_s; /**< [n]: when each value was taken, from an arbitrary time in its run; NULL:
                       not known */
    size_t n;
    size_t *ends;  /**< [n_runs]: where each run ends */
    size_t n_runs; /**< 0: all values are of one run */
    /** Over the runs where that is known: time of a rank, and share of it that ranks
     *  waited for processors times that time; seconds. watched_s = 0: unknown. */
    double watched_s, waited_s;
    /** Likewise, over the runs where that is known: time of a rank, and the part of it in which its
     *  machine's host had taken the processor away. */
    double steal_watched_s, stolen_s;
};

struct ct_series ct_samples_values(const struct ct_samples *samples);
struct ct_runs ct_samples_runs(const struct ct_samples *samples);

/** Share of their time in which ranks waited for processors; NaN: unknown. */
double ct_samples_wait_frac(const struct ct_samples *samples);

/** Mean of n values, added in their order; NaN for n = 0. */
double ct_samples_mean(const double *x, size_t n);

void ct_samples_free(struct ct_samples *samples);

/** A load, and everything that was measured beside it. */
struct ct_measured_load {
    char *name;
    struct ct_samples latency_s; /**< of the probe; n = 0: the load was not probed */
    struct ct_samples *passes_s; /**< [app]: durations of passes; NULL: nothing was timed */
    /** Summary of the latencies, by ct_predict_summarize_probes(). If the summary of the idle
     *  network has blocks, the summaries of all loads are there, and latency_s.x is not read. */
    struct ct_probe_summary summary;
    double true_frac;  /**< utilization of a link by counters; NaN: unknown */
    double known_frac; /**< known load of a configuration (docs/glossary.md), as a share of a link;
                            NaN: unknown. Calibrates queue models */
};

/** The caller owns all of it. */
struct ct_measurements {
    size_t n_apps, n_configs;
    struct ct_measured_load *loads; /**< [ct_measured_n_loads()] */
};

/**
 * Allocate the loads of so many applications and configurations, with no measurement.
 * @param measured_p  [out] ct_measurements_free(); unchanged on error
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_measurements_new(size_t n_apps, size_t n_configs,
                                   struct ct_measurements *measured_p);

/** Free everything: names, samples and summaries too. */
void ct_measurements_free(struct ct_measurements *measured);

size_t ct_measured_n_loads(const struct ct_measurements *measured);
size_t ct_load_of_app(size_t app);
size_t ct_load_of_config(size_t n_apps, size_t config);

const struct ct_measured_load *ct_measured_app(const struct ct_measurements *measured, size_t app);
const struct ct_measured_load *ct_measured_config(const struct ct_measurements *measured,
                                                  size_t config);

/** Passes of an application beside a load; load 0: of the application alone. n = 0: not timed. */
struct ct_samples ct_measured_passes(const struct ct_measurements *measured, size_t app,
                                     size_t load);

/**
 * Slowdown, (mean time with - mean time without) / mean time without: 0.25 for "25 % slower".
 * Source: Casas and Bronevetsky, IPDPS 2014, section IV-D.
 * @param with_s     [in]  passes beside a load, seconds; borrowed
 * @param without_s  [in]  passes alone, seconds; borrowed
 * @return NaN if one of them has no values, or the mean time without is 0
 */
double ct_measured_slowdown(const struct ct_samples *with_s, const struct ct_samples *without_s);

/**
 * How much a slowdown differs between runs, which begin at other phases of the co-runner: standard
 * deviation of the means of runs, in mean times without.
 * @return NaN for less than two runs
 */
double ct_measured_spread(const struct ct_samples *with_s, const struct ct_samples *without_s);

/** How much runs differ beyond what their passes explain. */
struct ct_between_runs {
    double deviation_frac; /**< relative standard deviation */
    uint64_t freedom;      /**< of it: runs less cells, over cells of two runs or more; 0: it is not
                                known, and taken for 0 */
};

/**
 * Interval of a slowdown without random numbers: with T and T_0 the mean times with and without,
 *     T / T_0 exp(-+ t sqrt(v + v_0)) - 1
 * where v and v_0 are the relative variances that both means have in replicates
 * (predict/summaries.h), computed instead of drawn. With a the part of b in their sum, t is the
 * quantile of the level by Student's t with f ((v + v_0) / a)^2 degrees of freedom, f those of b
 * (Welch and Satterthwaite), since few runs tell little of how runs differ; the normal one, if f or
 * b is 0.
 * With R runs of n_r passes, N in all, the mean m, and m_r and q_r the mean and the mean square
 * deviation of a run,
 *     v = sum_r (n_r / N)^2 ((m_r - m)^2 + q_r / n_r) / m^2 + (b / R)^2
 * @param between_runs  [in] b, by ct_predict_between_runs()
 * @param level         [in] 0 < level < 1
 * @return NaN if one of both was not timed, or a single time with b = 0: nothing says how it varies
 */
struct ct_interval ct_measured_interval(const struct ct_samples *with_s,
                                        const struct ct_samples *without_s,
                                        struct ct_between_runs between_runs, double level);

/**
 * Slowdown that waiting for processors explains: how much longer ranks wait in a pass beside the
 * load than in a pass alone, in passes alone,
 *     (w T - w_0 T_0) / T_0
 * with T and T_0 the mean times with and without, and w, w_0 the shares of them that a rank waits,
 * means over the ranks. In the same terms as ct_measured_slowdown(), (T - T_0) / T_0, so that the
 * rest of that is the network's. It holds for ranks that wait in turn, as processors that are
 * shared fairly make them. What it says is too little where ranks run one after the other, so that
 * some block until others have been given a processor, and too much where ranks keep a processor
 * busy while they wait for messages: they wait for it in time that they would have lost anyway.
 * @return fraction, below 0 where ranks wait less than alone; NaN where it is unknown
 */
double ct_measured_processors(const struct ct_samples *with_s, const struct ct_samples *without_s);

/**
 * The same of time that a virtual machine's host took away: (s T - s_0 T_0) / T_0, with s and s_0
 * the shares of time that are stolen. The co-runner is not its cause; below 0, and as misleading,
 * where more was stolen from the passes alone.
 * @return fraction; NaN where it is unknown
 */
double ct_measured_stolen(const struct ct_samples *with_s, const struct ct_samples *without_s);
