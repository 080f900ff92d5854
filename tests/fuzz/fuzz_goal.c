/*
 * Schedules in both forms: any bytes are read or refused. What is read survives being written, and
 * where it has a graph, the path found on it is as long as the program for evaluation says. In
 * windows it is as long, too.
 */
#include "lp-bridge/envelope/evaluator.h"
#include "lp-bridge/envelope/path.h"
#include "lp-bridge/goal/goal.h"
#include "tests/fuzz/fuzz.h"

#include <math.h>
#include <stdlib.h>

enum { RENDEZVOUS_ABOVE = 10 };

static enum ct_status read_any(const uint8_t *data, size_t size, struct ct_goal *goal_p)
{
    if (ct_goal_is_binary(data, size))
        return ct_goal_read_binary(data, size, "input", goal_p, NULL);
    FILE *in = size ? fmemopen((void *)(uintptr_t)data, size, "r") : fopen("/dev/null", "r");
    if (!in)
        return CT_ENOMEM;
    enum ct_status status = ct_goal_read_text(in, "input", goal_p, NULL);
    fclose(in);
    return status;
}

static void check_form(const struct ct_goal *goal,
                       enum ct_status (*write)(const struct ct_goal *, FILE *, struct ct_error *))
{
    char *bytes = NULL;
    size_t size = 0;
    struct ct_goal back;
    FILE *out = open_memstream(&bytes, &size);
    if (!out)
        return;
    enum ct_status status = write(goal, out, NULL);
    fclose(out);
    if (status != CT_OK || read_any((uint8_t *)bytes, size, &back) != CT_OK)
        abort();
    if (back.n_ops != goal->n_ops || back.n_deps != goal->n_deps || back.n_ranks != goal->n_ranks ||
        !back.marks != !goal->marks || back.n_marks != goal->n_marks)
        abort();
    ct_goal_free(&back);
    free(bytes);
}

static void check_graph(const struct ct_goal *goal, const struct ct_graph_options *options)
{
    const struct ct_loggps at = {.o_ns = 10, .L_ns = 100, .G_ns_per_byte = 2};
    struct ct_plane plane = ct_plane_of_latency(at);
    struct ct_graph graph;
    struct ct_evaluator *evaluator;
    struct ct_path path;
    struct ct_line line;
    if (ct_graph_build(goal, options, &graph, NULL) != CT_OK)
        return;
    if (ct_path_find(&graph, &at, &path, NULL) != CT_OK ||
        ct_evaluator_compile(&graph, &plane, &evaluator, NULL) != CT_OK ||
        ct_evaluator_lines(evaluator, &at.L_ns, 1, 1, &line, NULL) != CT_OK)
        abort();
    double T_ns = ct_line_at(line, at.L_ns);
    if (!(fabs(T_ns - path.runtime_ns) <= 1e-9 * T_ns))
        abort();
    ct_evaluator_free(evaluator);
    ct_path_free(&path);
    ct_graph_free(&graph);
}

/* T of the windows, one after the other; NaN: one of them is refused. */
static double find_windows_time(struct ct_goal_windows *windows)
{
    const struct ct_graph_options options = {.eager_max_bytes = RENDEZVOUS_ABOVE};
    const struct ct_loggps at = {.o_ns = 10, .L_ns = 100, .G_ns_per_byte = 2};
    const struct ct_plane plane = ct_plane_of_latency(at);
    struct ct_once once = {0};
    enum ct_status status = CT_OK;
    for (bool is_continued = true; is_continued && status == CT_OK;) {
        struct ct_goal goal;
        struct ct_graph graph;
        if ((status = ct_goal_windows_next(windows, &goal, NULL)) != CT_OK)
            break;
        is_continued = goal.is_continued;
        if ((status = ct_graph_take(&goal, &options, &graph, NULL)) != CT_OK)
            break;
        status = ct_once_add(&once, &graph, &plane, at.L_ns, NULL);
        ct_graph_free(&graph);
    }
    free(once.ranks);
    return status == CT_OK ? ct_line_at(once.end.line, at.L_ns) : NAN;
}

/* whole: NULL: it was refused. */
static void check_windows(const uint8_t *data, size_t size, const struct ct_goal *whole)
{
    const struct ct_graph_options options = {.eager_max_bytes = RENDEZVOUS_ABOVE};
    const struct ct_loggps at = {.o_ns = 10, .L_ns = 100, .G_ns_per_byte = 2};
    const struct ct_plane plane = ct_plane_of_latency(at);
    struct ct_goal_windows *windows;
    struct ct_graph graph;
    struct ct_line line;
    if (!ct_goal_is_binary(data, size) ||
        ct_goal_windows_of(data, size, "input", 1, &windows, NULL) != CT_OK)
        return;
    const double T_ns = find_windows_time(windows);
    ct_goal_windows_free(windows);
    if (!whole || ct_graph_build(whole, &options, &graph, NULL) != CT_OK)
        return;
    if (ct_evaluate_once(&graph, &plane, at.L_ns, &line, NULL) != CT_OK)
        abort();
    ct_graph_free(&graph);
    const double whole_ns = ct_line_at(line, at.L_ns);
    if (!(fabs(T_ns - whole_ns) <= 1e-9 * whole_ns))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ct_goal goal;
    const bool is_read = read_any(data, size, &goal) == CT_OK;
    check_windows(data, size, is_read ? &goal : NULL);
    if (!is_read)
        return 0;
    if (goal.n_ranks < 10000) {
        check_form(&goal, ct_goal_write_text);
        check_form(&goal, ct_goal_write_binary);
        for (int serialize = 0; serialize < 2; serialize++)
            check_graph(&goal, &(struct ct_graph_options){.eager_max_bytes = RENDEZVOUS_ABOVE,
                                                          .serialize = serialize});
        for (int puts = 0; puts < 2; puts++)
            check_graph(&goal, &(struct ct_graph_options){.eager_max_bytes = RENDEZVOUS_ABOVE,
                                                          .puts = puts,
                                                          .in_call = true});
    }
    ct_goal_free(&goal);
    return 0;
}
