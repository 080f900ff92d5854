/* crosstalk simulate: where the time of ranks goes by call of MPI and over time, as tables, as a
 * picture, and as a file for viewers of timelines. */
#pragma once

#include "cli/simulate_engine.h"
#include "core/file.h"
#include "simulate/call_times.h"
#include "simulate/run_path.h"
#include "simulate/spans_file.h"

struct ct_calls_settings {
    const char *plot, *timeline;
    const char *breakdown, *draw_path; /* what --plot is, or former options; NULL: not asked */
    bool course, path;
};

/* Rows --course, --breakdown, --path, --draw-path, --timeline. */
extern const struct ct_option ct_calls_options[];

/* What watches a simulation; {0} at first. */
struct ct_calls_watch {
    const struct ct_goal *goals;
    const char *const *names;
    size_t n;                     /* of both */
    size_t n_observed;            /* simulations with an observer: ct_network_runs_observed() */
    struct ct_call_times **times; /* [n_observed]; after the simulation the first has the sum */
    struct ct_spans_file *spans;
    struct ct_file draft; /* of the timeline */
    FILE *out;
    struct ct_path_record *record;
    struct ct_run_path *paths;            /* [n], after the simulation; NULL: not asked */
    struct ct_observer_pair pair, second; /* of the first simulation */
    struct ct_observer *observers;        /* [n_observed], for the simulations */
};

/* @param goals  [in] [n], borrowed, as names. @return CT_OK; CT_EIO; CT_ENOMEM */
enum ct_status ct_calls_begin(const struct ct_calls_settings *settings, const struct ct_goal *goals,
                              const char *const *names, size_t n, struct ct_calls_watch *watch_p,
                              struct ct_error *err);

/* The simulation has ended: paths are found and drawn, the timeline gets its name.
 * @return CT_OK; CT_EIO; CT_ENOMEM */
enum ct_status ct_calls_end(const struct ct_calls_settings *settings, struct ct_calls_watch *watch,
                            struct ct_error *err);
void ct_calls_free(struct ct_calls_watch *watch);

/* Tables "calls" and, if they are asked for, "path", "path_calls" and "course"; "call_sites" and
 * "path_sites", if the schedules know from which places of programs calls come.
 * @return CT_OK; CT_ENOMEM */
enum ct_status ct_calls_fill(const struct ct_calls_settings *settings,
                             const struct ct_calls_watch *watch, struct ct_tables *tables,
                             struct ct_error *err);

/*
 * Draw where the time of each program goes, alone: on the network that is asked for, on alpha-beta,
 * and on none.
 * @param request  [in] of all programs
 * @param answer   [in] to it
 * @return CT_OK; as ct_engine_find() and ct_stacked_write()
 */
enum ct_status ct_calls_draw(const struct ct_calls_settings *settings,
                             const struct ct_engine_request *request,
                             const struct ct_engine_answer *answer, const char *const *names,
                             struct ct_error *err);
