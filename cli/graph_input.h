/**
 * Options and functions that the commands on execution graphs have in common: reading, computing,
 * output.
 */
#pragma once

#include "cli/model_options.h"
#include "cli/trace_options.h"
#include "core/option_rows.h"

/** When steps of messages begin that a rank must make: at once, or when it is in MPI. */
enum ct_progress_asked { CT_ASKED_AT_ONCE, CT_ASKED_IN_CALL, CT_ASKED_BOTH };

/** How to build the graph of a schedule; offsets of the rows are in this struct. */
struct ct_graph_settings {
    bool serialize;
    bool serialize_nic;
    int progress; /**< enum ct_progress_asked; no row here */
    int puts;     /**< 1: as over sockets; no row here */
    bool gaps;    /**< times of bytes by message size, where one G does not fit; no row here */
    bool peers;   /**< no row: set by who needs the graph's peers */
    struct ct_trace_settings traces; /**< rows: ct_trace_options */
};

/** Rows --serialize and --serialize-nic. */
extern const struct ct_option ct_graph_options[];

/** Threads and output of a command. */
struct ct_answer_settings {
    uint64_t threads;
    int format; /**< enum ct_format */
    struct ct_view view;
};

/** Row --threads, and rows --format, --quiet; offsets in struct ct_answer_settings. */
extern const struct ct_option ct_threads_options[], ct_output_options[];

/* A path of members in offsetof() has no parentheses. NOLINTBEGIN(bugprone-macro-parentheses) */
/** Groups of a command that builds graphs of schedules. */
#define CT_GRAPH_GROUPS(structure_, graph_, answer_)                                               \
    {"Schedule", ct_graph_options, offsetof(structure_, graph_)},                                  \
        {"Traces", ct_trace_options, offsetof(structure_, graph_.traces)},                         \
    {                                                                                              \
        "Computing", ct_threads_options, offsetof(structure_, answer_)                             \
    }
/* NOLINTEND(bugprone-macro-parentheses) */

/** Defaults, to be set before the options are parsed: as many threads as processors. */
struct ct_answer_settings ct_answer_defaults(void);

/** What a graph is to be. The overheads are those of the model. */
struct ct_graph_options ct_graph_load_options(const struct ct_graph_settings *settings,
                                              const struct ct_parameters *model);

/** Where gaps by size are asked for, and the run has none: a note on it. */
void ct_gaps_fill(const struct ct_graph_settings *settings, const struct ct_parameters *model,
                  struct ct_tables *tables);

/** Read a schedule and build its graph, with the overheads and S of a model; ct_graph_free(). */
enum ct_status ct_graph_load(const char *command, struct ct_input input,
                             const struct ct_graph_settings *settings,
                             const struct ct_parameters *model, struct ct_graph *graph_p,
                             struct ct_error *err);

/** New tables with every option and the size of the graph as provenance; NULL: out of memory. */
struct ct_tables *ct_graph_tables(const struct ct_command *command, const void *values,
                                  enum ct_format format, const char *path,
                                  const struct ct_graph *graph);
