/** Parameters of the LogGPS model: as given on the command line, or as measured by logpb. */
#ifndef CT_STUDY_PARAMETERS_H
#define CT_STUDY_PARAMETERS_H

#include "core/option.h"
#include "core/report.h"
#include "lp-bridge/graph/graph.h"
#include "model/loggp/loggps.h"

/** Values as written, so that what was not given can be told: NULL. */
struct ct_model_settings {
    const char *L, *o, *G, *S;
    const char *logp_path;
};

/** Rows --o, --G, --S, --logp; offsets in struct ct_model_settings. L is each command's own. */
extern const struct ct_option ct_model_options[];

/** The same rows for tables with other offsets, each with what is said of it there. */
#define CT_MODEL_ROW(name_, offset_, argument_, help_)                                             \
    {                                                                                              \
        .name = (name_), .type = CT_OPTION_STRING, .offset = (offset_), .argument = (argument_),   \
        .help = (help_)                                                                            \
    }
#define CT_MODEL_ROW_L(offset_, help_) CT_MODEL_ROW("L", offset_, "DURATION", help_)
#define CT_MODEL_ROW_O(offset_, more_)                                                             \
    CT_MODEL_ROW("o", offset_, "DURATION",                                                         \
                 "overhead of the CPU for a message, on either side" more_)
#define CT_MODEL_ROW_G(offset_, more_)                                                             \
    CT_MODEL_ROW("G", offset_, "DURATION",                                                         \
                 "gap per byte, the inverse of bandwidth: 0.08ns is 100 Gbit/s" more_)
#define CT_MODEL_ROW_S(offset_, more_)                                                             \
    CT_MODEL_ROW("S", offset_, "SIZE", "larger messages use rendezvous" more_)
#define CT_MODEL_ROW_LOGP(offset_, help_) CT_MODEL_ROW("logp", offset_, "FILE.h5", help_)

enum { CT_ORIGIN_MAX = 256 };

/**
 * Largest L and o, seconds, and G, seconds per byte, that are accepted: beyond what any network
 * has, and so far from overflow that solvers keep their precision.
 */
#define CT_MODEL_MAX_S 1000.0

/** Parameters, each with where it is from, in words. */
struct ct_graph_model {
    double L_s; /**< NaN: not asked for */
    double o_s; /**< NaN: by message size, as measured */
    double G_s_per_byte;
    size_t S_bytes;
    struct ct_loggps_model measured; /**< all 0 without --logp */
    char L_origin[CT_ORIGIN_MAX], o_origin[CT_ORIGIN_MAX], G_origin[CT_ORIGIN_MAX],
        S_origin[CT_ORIGIN_MAX];
};

/**
 * Read what was given, and the run for the rest.
 * @param needs_L  [in]  whether L is asked for
 * @param model_p  [out] ct_graph_model_free(); unchanged on error
 * @return CT_OK; CT_EUSAGE (a value missing or not to be read); CT_EINVAL (a run of another kind);
 *         CT_ENODATA (the run does not tell a value); what ct_run_read() returns
 */
enum ct_status ct_graph_model_make(const struct ct_model_settings *settings, bool needs_L,
                                   struct ct_graph_model *model_p, struct ct_error *err);
void ct_graph_model_free(struct ct_graph_model *model);

/** Nothing is given: values are NaN without an origin, S is the usual one. */
struct ct_graph_model ct_graph_model_none(void);

/**
 * Take from a run of logpb what has no origin yet; origins then name the run.
 * @param path     [in]     of the run
 * @param needs_L  [in]     whether L is asked for
 * @param model    [in,out] ct_graph_model_free() is due even on error
 * @return CT_OK; CT_EINVAL, CT_ENODATA as above; what ct_run_read() returns
 */
enum ct_status ct_graph_model_measure(const char *path, bool needs_L, struct ct_graph_model *model,
                                      struct ct_error *err);

/** Overheads by size, for the graph; NULL: o is one number. Borrowed. */
const struct ct_overheads *ct_graph_model_overheads(const struct ct_graph_model *model);

/** The parameters in the unit of graphs; L as given. */
struct ct_loggps ct_graph_model_at(const struct ct_graph_model *model, double L_s);

/** Table "parameters": each value with its origin. */
void ct_graph_model_report(const struct ct_graph_model *model, struct ct_report *report);

/**
 * Nanoseconds, the unit of schedules. A value within rounding of a whole number of femtoseconds is
 * that number, so that "3us" is 3000 and ties between paths stay ties.
 */
double ct_ns_from_s(double seconds);

#endif
