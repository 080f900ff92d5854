#include "cli/tolerance_windows.h"

#include "core/parallel.h"

#include <math.h>
#include <stdlib.h>

enum { READ, COMPILE, TASKS };

/* The window that becomes a part of the evaluator, and the one that is read meanwhile. */
struct windows {
    const struct ct_tolerance_load *load;
    struct ct_graph_options options;
    struct ct_plane along_L, along_G;
    struct ct_schedule_windows source;
    struct ct_goal goals[TASKS];
    struct ct_evaluator_parts parts;
    struct ct_once once;
    uint64_t n_operations, n_edges;
    uint32_t n_ranks;
    enum ct_status status[TASKS];
    struct ct_error errors[TASKS];
};

/* Along G, with the part of the path that messages cost as its passenger. */
static struct ct_plane plane_of_costs(struct ct_loggps at)
{
    struct ct_plane plane = ct_plane_of_gap(at);
    plane.slope[1] = at;
    return plane;
}

static enum ct_status add_window(struct windows *windows, struct ct_goal *goal,
                                 struct ct_error *err)
{
    struct ct_graph graph;
    enum ct_status status = ct_graph_take(goal, &windows->options, &graph, err);
    if (status != CT_OK)
        return ct_fail_within(err, status, "%s", windows->load->input.path);
    windows->n_ranks = graph.n_ranks;
    windows->n_operations += graph.n_operations;
    windows->n_edges += graph.n_edges;
    status = ct_evaluator_append(&graph, &windows->along_L, &windows->parts, err);
    if (status == CT_OK)
        status = ct_once_add(&windows->once, &graph, &windows->along_G,
                             windows->load->at.G_ns_per_byte, err);
    ct_graph_free(&graph);
    return status;
}

static void run_task(void *work, size_t task)
{
    struct windows *windows = work;
    struct ct_error *err = &windows->errors[task];
    if (task == COMPILE)
        windows->status[task] = add_window(windows, &windows->goals[COMPILE], err);
    else if (windows->goals[COMPILE].is_continued)
        windows->status[task] =
            ct_schedule_windows_next(&windows->source, &windows->goals[READ], err);
}

/* goals[COMPILE] is the first of several. */
static enum ct_status add_windows(struct windows *windows, struct ct_error *err)
{
    for (bool is_last = false; !is_last;) {
        is_last = !windows->goals[COMPILE].is_continued;
        ct_parallel_run(TASKS, TASKS, run_task, windows);
        windows->goals[COMPILE] = windows->goals[READ];
        windows->goals[READ] = (struct ct_goal){0};
        for (int task = COMPILE; task >= READ; task--)
            if (windows->status[task] != CT_OK) {
                *err = windows->errors[task];
                return windows->status[task];
            }
    }
    return CT_OK;
}

static void take_results(struct windows *windows, struct ct_graph *graph_p,
                         struct ct_tolerance_windows *windows_p)
{
    const struct ct_once_value *end = &windows->once.end;
    const double T_ns = ct_line_at(end->line, windows->load->at.G_ns_per_byte);
    *graph_p =
        (struct ct_graph){.n_ranks = windows->n_ranks, .n_operations = windows->n_operations};
    *windows_p = (struct ct_tolerance_windows){
        .evaluator = windows->parts.evaluator,
        .lambda_G = end->line.slope,
        .compute_ns = windows->options.overheads ? NAN : T_ns - end->passenger,
        .n_edges = windows->n_edges};
    windows->parts.evaluator = NULL;
}

static enum ct_status load_windows(struct windows *windows, struct ct_graph *graph_p,
                                   struct ct_error *err)
{
    const struct ct_tolerance_load *load = windows->load;
    struct ct_goal *first = &windows->goals[COMPILE];
    CT_TRY(ct_schedule_windows_next(&windows->source, first, err));
    if (first->is_continued)
        return add_windows(windows, err);
    enum ct_status status = ct_graph_take(first, &windows->options, graph_p, err);
    return status == CT_OK ? CT_OK : ct_fail_within(err, status, "%s", load->input.path);
}

static void free_windows(struct windows *windows)
{
    ct_goal_free(&windows->goals[COMPILE]);
    ct_goal_free(&windows->goals[READ]);
    ct_evaluator_free(windows->parts.evaluator);
    free(windows->once.ranks);
}

/* *again_p: there were windows, but all of the program would be one: its weight is only about that
 * of its operations. */
static enum ct_status try_load(const struct ct_tolerance_load *load, struct ct_graph *graph_p,
                               struct ct_tolerance_windows *windows_p, bool *again_p,
                               struct ct_error *err)
{
    struct windows windows = {.load = load,
                              .options = ct_graph_load_options(load->graph, load->model),
                              .along_L = ct_plane_of_latency(load->at),
                              .along_G = plane_of_costs(load->at)};
    struct ct_trace_settings traces = load->graph->traces;
    traces.marks_waits = windows.options.in_call;
    CT_TRY(
        ct_schedule_open(load->command, load->input, &traces, load->weight, &windows.source, err));
    enum ct_status status = load_windows(&windows, graph_p, err);
    *again_p = status == CT_OK && windows.parts.evaluator && windows.n_operations < load->weight;
    if (status == CT_OK && windows.parts.evaluator && !*again_p)
        take_results(&windows, graph_p, windows_p);
    windows.source.failed |= *again_p; /* its notes are printed once */
    ct_schedule_close(load->command, &traces, &windows.source);
    free_windows(&windows);
    return status;
}

enum ct_status ct_tolerance_windows_load(const struct ct_tolerance_load *load,
                                         struct ct_graph *graph_p,
                                         struct ct_tolerance_windows *windows_p,
                                         struct ct_error *err)
{
    struct ct_tolerance_load whole = *load;
    bool again = false;
    enum ct_status status = try_load(load, graph_p, windows_p, &again, err);
    whole.weight = CT_WINDOW_WHOLE;
    return again ? try_load(&whole, graph_p, windows_p, &again, err) : status;
}
