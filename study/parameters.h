/**
 * Parameters of the LogGPS model, from options, from a posterior of crosstalk calibrate, or from a
 * run of logpb, in this order; each with its origin. A posterior has those that its file of
 * parameters had, and perhaps queues (simulate/network.h) with them.
 */
#pragma once

#include "lp-bridge/graph/graph.h"
#include "model/loggp/resample.h"
#include "predict/response.h"
#include "results/run.h"
#include "simulate/network.h"

struct ct_posterior_draws;

/** g, the time between two messages of a rank: 0, given, or that of a run of logpb. */
struct ct_g_asked {
    bool is_measured;
    double s;
};

/** Values that are given by options, and the files that the others are taken from. */
struct ct_parameters_given {
    double L_s, o_s, G_s_per_byte; /**< NaN: not given */
    struct ct_g_asked g;
    bool has_S;
    size_t S_bytes;
    const char *posterior_path; /**< NULL: no posterior */
    const char *logp_path;      /**< NULL: no run */
};

enum { CT_ORIGIN_MAX = 256 };

/**
 * Largest accepted L and o, seconds, and G, seconds per byte: larger than those of any network, and
 * small enough for the precision of solvers.
 */
#define CT_MODEL_MAX_S 1000.0

/** Parameters, each with its origin as a text. */
struct ct_parameters {
    bool L_is_measured,
        G_is_measured; /**< taken from the run or a posterior: replicates have others */
    bool o_is_drawn;   /**< likewise, from a posterior */
    double L_s;        /**< NaN: not needed */
    double o_s;        /**< NaN: by message size, in measured */
    double G_s_per_byte;
    double G_least_s_per_byte; /**< of a byte on a link: one that is measured is not below it */
    size_t S_bytes;
    struct ct_path_latencies paths; /**< what L and G of each number of switches are beyond L_s
                                         and G_s_per_byte: of a run that measured classes of paths,
                                         where these are of the least, or L of probes; n = 0: both
                                         are of all paths */
    double g_s;       /**< time between two messages without many bytes; NaN: not measured */
    double between_s; /**< g that counts; 0: none does */
    struct ct_loggps_model measured;      /**< all 0 without --logp */
    struct ct_posterior_draws *posterior; /**< NULL: none; owned */
    /** Replicates of the measured values; none before ct_parameters_resample() and
     * ct_parameters_draw(). */
    struct ct_loggps_replicates replicates;
    struct ct_path_latencies *drawn_paths; /**< [replicates.n], paths of each; NULL: all have those
                                                of paths; owned */
    char L_origin[CT_ORIGIN_MAX], o_origin[CT_ORIGIN_MAX], G_origin[CT_ORIGIN_MAX],
        S_origin[CT_ORIGIN_MAX];
};

/**
 * Take the given values, and the others from the run.
 * @param needs_L  [in] whether L is needed
 * @param model_p  [out] ct_parameters_free(); unchanged on error
 * @return CT_OK; CT_EUSAGE (a value missing); CT_EINVAL (a run of another kind); CT_ENODATA (the
 *         run lacks a value); what ct_run_read() returns
 */
enum ct_status ct_parameters_make(const struct ct_parameters_given *given, bool needs_L,
                                  struct ct_parameters *model_p, struct ct_error *err);
void ct_parameters_free(struct ct_parameters *model);

/** No parameters: values are NaN without an origin, S is the constant S_default. */
struct ct_parameters ct_parameters_none(void);

/**
 * Take the parameters that have no origin yet from a run of logpb.
 * @param path     [in]     of the run
 * @param needs_L  [in] whether L is needed
 * @param model    [in,out] ct_parameters_free() is due even on error
 * @return CT_OK; CT_EINVAL, CT_ENODATA as above; what ct_run_read() returns
 */
enum ct_status ct_parameters_measure(const char *path, bool needs_L, struct ct_parameters *model,
                                     struct ct_error *err);

/**
 * Where a run of logpb measured L on one class of paths only, take what others have beyond it from
 * the probe (study/path_latencies.h).
 * @param logp_path  [in]     that L is of
 * @param list       [in]     with runs of the idle network
 * @param model      [in,out] unchanged if L was not measured, or by classes
 * @return CT_OK; CT_ENOMEM; what ct_run_read() returns
 */
enum ct_status ct_parameters_take_probes(const char *logp_path, const struct ct_run_list *list,
                                         struct ct_parameters *model, struct ct_error *err);

/**
 * Take the time of a byte on the network's links for a G that a run of logpb has below it, also in
 * its replicates. Large messages, which G is measured by, may cost the processor less than those
 * that its overheads are measured by (a rendezvous copies nothing); what is taken for overhead is
 * then missing from G. A G that is given, or of a posterior, stays.
 * @param rate_bit_per_s  [in]     of the links that messages pass, > 0
 * @param model           [in,out]
 */
void ct_parameters_bound_G(double rate_bit_per_s, struct ct_parameters *model);

/**
 * Draw replicates of the measured values, with the seed and the level of the run.
 * @param path   [in]     of the run that the model was taken from
 * @param model  [in,out] gets replicates, unless the run has no repetitions
 * @return CT_OK; CT_ENOMEM; what ct_run_read() returns
 */
enum ct_status ct_parameters_resample(const char *path, struct ct_parameters *model,
                                      struct ct_error *err);

/**
 * Give replicates the values of draws of the model's posterior: as many as there are replicates of
 * a run of logpb, else constant posterior_draws. Nothing changes without a posterior.
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_parameters_draw(struct ct_parameters *model, struct ct_error *err);

/**
 * Check that options do not give what the posterior has: as ct_stack_check_options().
 * @param path  [in] of the posterior, if there is one
 */
enum ct_status ct_parameters_check_options(const struct ct_parameters *model, uint32_t options,
                                           const char *path, struct ct_error *err);

/** Whether the posterior has something of the queues of packets: it was calibrated with them. */
bool ct_parameters_has_queues(const struct ct_parameters *model);

/**
 * Queues as the posterior has them.
 * @param r       [in]  replicate; SIZE_MAX: the most likely values
 * @param queues  [in,out] what the posterior has replaces what is there
 */
void ct_parameters_queues(const struct ct_parameters *model, size_t r,
                          struct ct_port_queues *queues);

/**
 * Parameters of a replicate: the measured values are replaced by drawn ones, the given values are
 * not changed. An L below 0 or NaN becomes 0.
 * @param r  [in] < replicates.n
 * @return overheads in it are borrowed from the replicate; not to be freed
 */
struct ct_parameters ct_parameters_replicate(const struct ct_parameters *model, size_t r);

/** Interval of L or G from the replicates; NaN: there are none, or the value was given. */
struct ct_interval ct_parameters_L_interval(const struct ct_parameters *model);
struct ct_interval ct_parameters_G_interval(const struct ct_parameters *model);

/** Whether a value was taken from a run of logpb. */
bool ct_parameters_is_measured(const struct ct_parameters *model);

/** Overheads by message size, for the graph; NULL: o does not depend on the size. Borrowed. */
const struct ct_overheads *ct_parameters_overheads(const struct ct_parameters *model);

/** Gaps by message size, for simulations; NULL: G is that of all sizes, or given. Borrowed. */
const struct ct_gaps *ct_parameters_gaps(const struct ct_parameters *model);

/** The parameters in ns, the unit of graphs, with this L. */
struct ct_loggps ct_parameters_at(const struct ct_parameters *model, double L_s);

/**
 * Convert seconds to nanoseconds, the unit of schedules. A value within rounding error of a whole
 * number of femtoseconds becomes that number, so that "3us" is exactly 3000, and paths of equal
 * length stay equal.
 */
double ct_ns_from_s(double seconds);
