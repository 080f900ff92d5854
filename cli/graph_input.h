/** What the commands on execution graphs have in common: model parameters, reading, output. */
#ifndef CT_CLI_GRAPH_INPUT_H
#define CT_CLI_GRAPH_INPUT_H

#include "core/option.h"
#include "core/report.h"
#include "lp-bridge/graph/graph.h"

/** LogGPS but for L, which some commands take as a range. */
struct ct_graph_settings {
    double o_s, G_s_per_byte;
    size_t S_bytes;
    bool serialize;
};

/** Rows --o, --G, --S, --serialize; offsets in struct ct_graph_settings. */
extern const struct ct_option ct_graph_options[];

/** How a command computes and answers. */
struct ct_answer_settings {
    uint64_t threads;
    int format; /**< enum ct_format */
    bool quiet;
};

/** Rows --threads, --format, --quiet; offsets in struct ct_answer_settings. */
extern const struct ct_option ct_answer_options[];

/** As many threads as there are processors: to be put in before the options are parsed. */
struct ct_answer_settings ct_answer_defaults(void);

/** Read a schedule and build its graph; ct_graph_free(). */
enum ct_status ct_graph_load(const char *path, const struct ct_graph_settings *settings,
                             struct ct_graph *graph_p, struct ct_error *err);

/** The parameters of the model, with L as given. */
struct ct_loggps ct_graph_parameters(const struct ct_graph_settings *settings, double L_s);

/**
 * Nanoseconds, the unit of schedules. A value within rounding of a whole number of femtoseconds is
 * that number, so that "3us" is 3000 and ties between paths stay ties.
 */
double ct_ns_from_s(double seconds);

/** A new report with every option and the size of the graph as provenance; NULL: out of memory. */
struct ct_report *ct_graph_report(const struct ct_command *command, const void *values,
                                  enum ct_format format, const char *path,
                                  const struct ct_graph *graph);

#endif
