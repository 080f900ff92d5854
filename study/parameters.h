/** Parameters of the LogGPS model: as given, or as measured by logpb; each with its origin. */
#ifndef CT_STUDY_PARAMETERS_H
#define CT_STUDY_PARAMETERS_H

#include "lp-bridge/graph/graph.h"
#include "model/loggp/resample.h"

/** What is given, for what a run of logpb would tell otherwise. */
struct ct_parameters_given {
    double L_s, o_s, G_s_per_byte; /**< NaN: not given */
    bool has_S;
    size_t S_bytes;
    const char *logp_path; /**< NULL: no run */
};

enum { CT_ORIGIN_MAX = 256 };

/**
 * Largest L and o, seconds, and G, seconds per byte, that are accepted: beyond what any network
 * has, and so far from overflow that solvers keep their precision.
 */
#define CT_MODEL_MAX_S 1000.0

/** Parameters, each with where it is from, in words. */
struct ct_parameters {
    bool L_is_measured, G_is_measured; /**< taken from the run */
    double L_s;                        /**< NaN: not asked for */
    double o_s;                        /**< NaN: by message size, as measured */
    double G_s_per_byte;
    size_t S_bytes;
    struct ct_loggps_model measured; /**< all 0 without --logp */
    /** Of the measured values; none before ct_parameters_resample(). */
    struct ct_loggps_replicates replicates;
    char L_origin[CT_ORIGIN_MAX], o_origin[CT_ORIGIN_MAX], G_origin[CT_ORIGIN_MAX],
        S_origin[CT_ORIGIN_MAX];
};

/**
 * Take what was given, and the run for the rest.
 * @param needs_L  [in]  whether L is asked for
 * @param model_p  [out] ct_parameters_free(); unchanged on error
 * @return CT_OK; CT_EUSAGE (a value missing); CT_EINVAL (a run of another kind);
 *         CT_ENODATA (the run does not tell a value); what ct_run_read() returns
 */
enum ct_status ct_parameters_make(const struct ct_parameters_given *given, bool needs_L,
                                  struct ct_parameters *model_p, struct ct_error *err);
void ct_parameters_free(struct ct_parameters *model);

/** Nothing is given: values are NaN without an origin, S is the usual one. */
struct ct_parameters ct_parameters_none(void);

/**
 * Take from a run of logpb what has no origin yet; origins then name the run.
 * @param path     [in]     of the run
 * @param needs_L  [in]     whether L is asked for
 * @param model    [in,out] ct_parameters_free() is due even on error
 * @return CT_OK; CT_EINVAL, CT_ENODATA as above; what ct_run_read() returns
 */
enum ct_status ct_parameters_measure(const char *path, bool needs_L, struct ct_parameters *model,
                                     struct ct_error *err);

/**
 * Draw replicates of what was measured, with the seed and the level of the run.
 * @param path   [in]     of the run that the model was taken from
 * @param model  [in,out] its replicates; stays without where the run has no repetitions
 * @return CT_OK; CT_ENOMEM; what ct_run_read() returns
 */
enum ct_status ct_parameters_resample(const char *path, struct ct_parameters *model,
                                      struct ct_error *err);

/**
 * A replicate: measured values are drawn ones, given values as they are. An L that is not >= 0 is
 * 0.
 * @param r  [in] < replicates.n
 * @return overheads in it are borrowed from the replicate; not to be freed
 */
struct ct_parameters ct_parameters_replicate(const struct ct_parameters *model, size_t r);

/** Interval of L or G by the replicates; NaN: there are none, or the value was given. */
struct ct_interval ct_parameters_L_interval(const struct ct_parameters *model);
struct ct_interval ct_parameters_G_interval(const struct ct_parameters *model);

/** Some value was taken from a run. */
bool ct_parameters_is_measured(const struct ct_parameters *model);

/** Overheads by size, for the graph; NULL: o is one number. Borrowed. */
const struct ct_overheads *ct_parameters_overheads(const struct ct_parameters *model);

/** The parameters in the unit of graphs; L as given. */
struct ct_loggps ct_parameters_at(const struct ct_parameters *model, double L_s);

/**
 * Nanoseconds, the unit of schedules. A value within rounding of a whole number of femtoseconds is
 * that number, so that "3us" is 3000 and ties between paths stay ties.
 */
double ct_ns_from_s(double seconds);

#endif
