/** Parameters of the LogGPS model as options, and as a table. */
#pragma once

#include "core/option.h"
#include "core/table.h"
#include "study/parameters.h"

/** Values as written, NULL if not given. */
struct ct_model_settings {
    const char *L, *o, *G, *S;
    const char *logp_path;
    const char *posterior_path;
    struct ct_g_asked g;
};

/** Parse a duration, or 'measured', for CT_ROW_BETWEEN; field is a struct ct_g_asked. */
enum ct_status ct_g_parse(const char *text, void *field, struct ct_error *err);

/** Row --g of a command that has it. */
#define CT_ROW_BETWEEN(structure_, member_)                                                        \
    {                                                                                              \
        CT_OPTION(CUSTOM, "g", structure_, member_),                                               \
            .argument = "DURATION|measured", .parse = ct_g_parse,                                  \
            .help = "g of LogGP, 0 without this: least time "                                      \
                    "from the first byte of an eager "                                             \
                    "message of a rank to that of the next "                                       \
                    "one; measured: that of --logp"                                                \
    }

/**
 * Rows --o, --G, --S, --logp, --parameters; offsets in struct ct_model_settings. Each command has
 * its own row for L.
 */
extern const struct ct_option ct_model_options[];

/** The same without --parameters, for a command that has an option of this name. */
extern const struct ct_option ct_measured_model_options[];

/** The same rows for tables with other offsets and further help text. */
#define CT_MODEL_ROW(name_, structure_, member_, argument_, help_)                                 \
    {                                                                                              \
        CT_OPTION(STRING, name_, structure_, member_), .argument = (argument_), .help = (help_)    \
    }
#define CT_MODEL_ROW_L(structure_, member_, help_)                                                 \
    CT_MODEL_ROW("L", structure_, member_, "DURATION", help_)
#define CT_MODEL_ROW_O(structure_, member_, more_)                                                 \
    CT_MODEL_ROW("o", structure_, member_, "DURATION",                                             \
                 "overhead of the CPU for a message, on either side" more_)
#define CT_MODEL_ROW_G(structure_, member_, more_)                                                 \
    CT_MODEL_ROW("G", structure_, member_, "DURATION|BANDWIDTH",                                   \
                 "gap per byte, 0.08ns, or its inverse, the bandwidth: 12.5GB/s, 100gbit" more_)
#define CT_MODEL_ROW_S(structure_, member_, more_)                                                 \
    CT_MODEL_ROW("S", structure_, member_, "SIZE", "larger messages use rendezvous" more_)
#define CT_MODEL_ROW_LOGP(structure_, member_, help_)                                              \
    CT_MODEL_ROW("logp", structure_, member_, "FILE.h5", help_)
#define CT_MODEL_ROW_PARAMETERS(structure_, member_, more_)                                        \
    CT_MODEL_ROW(                                                                                  \
        "parameters", structure_, member_, "FILE.h5",                                              \
        "posterior of crosstalk-calibrate(1) with the protocols loggps: L, o, G and S that no "    \
        "option gives, and intervals from its draws" more_)

/**
 * Parse the given values.
 * @param given_p  [out] unchanged on error.
 * @return CT_OK; CT_EUSAGE
 */
enum ct_status ct_model_given(const struct ct_model_settings *settings,
                              struct ct_parameters_given *given_p, struct ct_error *err);

/**
 * For commands that simulate networks, whose links have a rate: --G 0s is refused.
 * @return CT_OK, also where it is not given; CT_EUSAGE
 */
enum ct_status ct_model_demand_G(const struct ct_model_settings *settings, struct ct_error *err);

/**
 * Make parameters of the given values.
 * @return as ct_parameters_make(); CT_EUSAGE
 */
enum ct_status ct_model_parameters(const struct ct_model_settings *settings, bool needs_L,
                                   struct ct_parameters *parameters_p, struct ct_error *err);

/**
 * Draw replicates of what was measured and of what a posterior has, for intervals.
 * @param model  [in,out] of ct_model_parameters()
 * @return CT_OK; what ct_parameters_resample() and ct_parameters_draw() return
 */
enum ct_status ct_model_replicates(const struct ct_model_settings *settings,
                                   struct ct_parameters *model, struct ct_error *err);

/** Table "parameters": each value with its origin. */
void ct_parameters_fill(const struct ct_parameters *model, struct ct_tables *tables);

/**
 * Add a note on the source of the intervals of a schedule's run time, or why there are none.
 * @param replicates    [in] its models are not looked at
 * @param logp_path     [in] the run of logpb
 * @param n_edges       [in] dependencies of the schedule
 * @param n_replicates  [in] number used for the intervals; 0: no intervals
 */
void ct_replicates_fill(const struct ct_loggps_replicates *replicates, const char *logp_path,
                        size_t n_edges, size_t n_replicates, struct ct_tables *tables);

/** The same of a model and the files that it is from; without a note if these gave nothing to it.
 */
void ct_intervals_fill(const struct ct_parameters *model, const struct ct_model_settings *settings,
                       size_t n_edges, size_t n_replicates, struct ct_tables *tables);
