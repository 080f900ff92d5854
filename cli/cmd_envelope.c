/* crosstalk envelope: the run time as an exact function of the latency over an interval. */
#include "cli/cli.h"
#include "cli/graph_input.h"
#include "cli/latency_plot.h"
#include "lp-bridge/envelope/of_graph.h"
#include "study/tolerance_intervals.h"

#include <math.h>
#include <stdlib.h>

struct settings {
    double L_min_s, L_max_s;
    const char *plot_path;
    struct ct_model_settings model;
    struct ct_graph_settings graph;
    struct ct_answer_settings answer;
};

static const struct ct_option interval_options[] = {
    {.name = "L-min",
     .type = CT_OPTION_DURATION,
     .offset = offsetof(struct settings, L_min_s),
     .argument = "DURATION",
     .required = true,
     .max = CT_MODEL_MAX_S,
     .help = "smallest latency of the network"},
    {.name = "L-max",
     .type = CT_OPTION_DURATION,
     .offset = offsetof(struct settings, L_max_s),
     .argument = "DURATION",
     .required = true,
     .max = CT_MODEL_MAX_S,
     .help = "largest latency"},
    {.name = "plot",
     .type = CT_OPTION_STRING,
     .offset = offsetof(struct settings, plot_path),
     .argument = "FILE.svg",
     .help = "draw run time, lambda_L and rho_L over the interval (needs gnuplot)"},
    {0}};

static const struct ct_option_group groups[] = {
    {"Interval", interval_options, 0},
    {"Model (LogGPS)", ct_model_options, offsetof(struct settings, model)},
    {"Schedule", ct_graph_options, offsetof(struct settings, graph)},
    {"Traces", ct_trace_options, offsetof(struct settings, graph.traces)},
    {"Computing", ct_threads_options, offsetof(struct settings, answer)},
    {"Output", ct_output_options, offsetof(struct settings, answer)},
    {0}};

static const char *const examples[] = {
    "crosstalk envelope stencil.goal --o 5us --G 0.018ns --L-min 3us --L-max 103us",
    "every latency between 3 and 103 us at which the critical path changes",
    "crosstalk envelope stencil.goal --o 5us --G 0.018ns --L-min 3us --L-max 103us --plot T.svg",
    "the same, and a picture of it",
    "crosstalk envelope stencil.goal --logp logp.h5 --L-min 3us --L-max 103us",
    "with overheads by message size, G and S as logpb measured them",
    NULL};

static const char *const see_also[] = {"crosstalk-tolerance(1)", "crosstalk-lp(1)",
                                       "crosstalk-goal(1)", NULL};

static const struct ct_command command = {
    .name = "crosstalk envelope",
    .summary = "run time of a schedule as an exact function of the latency",
    .operands = "TRACES|FILE.goal",
    .description =
        "Under the LogGPS model the run time T is a convex, piecewise linear function of the "
        "network's latency L. This finds all its pieces in an interval: on each, the critical path "
        "has lambda_L = dT/dL latencies, and where a piece ends, at a critical latency, a path "
        "with "
        "more of them becomes the longest. Exact, without a linear program.\n\n"
        "With --logp, T at the start of each piece and lambda_L in its middle have intervals: the "
        "run's repetitions are drawn again 200 times, and overheads and G follow from each draw. "
        "Many pieces of a large schedule get fewer draws, or no intervals.",
    .groups = groups,
    .examples = examples,
    .see_also = see_also,
    .min_operands = 1,
    .max_operands = 1};

/* Of pieces: T where each begins, lambda_L in its middle. */
struct intervals {
    size_t n_replicates;         /* 0: none */
    struct ct_line_interval *at; /* [2 * pieces]: beginnings, then middles */
};

#define CT_SEGMENT_COLUMNS(T_from_, lambda_from_, to_)                                             \
    {                                                                                              \
        {"L_lo_s", "L from", CT_UNIT_SECONDS}, {"L_hi_s", "to", CT_UNIT_SECONDS},                  \
            {"lambda_L", "lambda_L", CT_UNIT_NONE},                                                \
            {"runtime_lo_s", "T at from", CT_UNIT_SECONDS},                                        \
            {"runtime_lo_ci_s[]", T_from_, CT_UNIT_SECONDS},                                       \
            {"runtime_lo_ci_s[]", to_, CT_UNIT_SECONDS},                                           \
            {"lambda_L_ci[]", lambda_from_, CT_UNIT_NONE}, {"lambda_L_ci[]", to_, CT_UNIT_NONE},   \
    }

static void fill_segments(struct ct_tables *tables, const struct ct_envelope *envelope,
                          const struct intervals *intervals)
{
    enum { COLUMNS = 8 };
    /* The table shows intervals only where there are some. */
    static const struct ct_column shown[COLUMNS] =
        CT_SEGMENT_COLUMNS("T from", "lambda_L from", "to"),
                                  hidden[COLUMNS] = CT_SEGMENT_COLUMNS(NULL, NULL, NULL);
    static const struct ct_line_interval none = {{NAN, NAN}, {NAN, NAN}};
    bool has_intervals = intervals->n_replicates > 0;
    ct_tables_begin(tables, "segments", "Pieces of T(L)", has_intervals ? shown : hidden, COLUMNS);
    for (size_t i = 0; i < envelope->n; i++) {
        const struct ct_segment *segment = &envelope->segments[i];
        const struct ct_line_interval *begin = has_intervals ? &intervals->at[i] : &none;
        const struct ct_line_interval *middle =
            has_intervals ? &intervals->at[envelope->n + i] : &none;
        const double cells[COLUMNS] = {
            segment->lo * 1e-9,  segment->hi * 1e-9,
            segment->line.slope, ct_line_at(segment->line, segment->lo) * 1e-9,
            begin->runtime_s.lo, begin->runtime_s.hi,
            middle->lambda_L.lo, middle->lambda_L.hi};
        for (size_t k = 0; k < COLUMNS; k++)
            ct_tables_cell_number(tables, cells[k]);
    }
}

static void fill_tables(struct ct_tables *tables, const struct ct_envelope *envelope,
                        const struct intervals *intervals)
{
    static const struct ct_column critical = {"critical_latencies_s[]", NULL, CT_UNIT_SECONDS};
    static const struct ct_column none = {"critical_latencies_s", NULL, CT_UNIT_SECONDS};
    if (envelope->n == 1)
        ct_tables_begin(tables, none.key, NULL, &none, 1);
    for (size_t i = 1; i < envelope->n; i++)
        ct_tables_number(tables, critical, envelope->segments[i].lo * 1e-9);
    fill_segments(tables, envelope, intervals);
}

static enum ct_status find_intervals(const struct ct_graph *graph,
                                     const struct ct_parameters *model,
                                     const struct ct_envelope *envelope, unsigned threads,
                                     struct intervals *intervals_p, struct ct_error *err)
{
    size_t n = envelope->n;
    double *L_ns = malloc((2 * n + 1) * sizeof *L_ns);
    struct intervals found = {.at = malloc((2 * n + 1) * sizeof *found.at)};
    enum ct_status status = CT_ENOMEM;
    for (size_t i = 0; i < n && L_ns; i++) {
        const struct ct_segment *segment = &envelope->segments[i];
        L_ns[i] = segment->lo;
        L_ns[n + i] = segment->lo + (segment->hi - segment->lo) / 2;
    }
    if (L_ns && found.at)
        status = ct_line_intervals(graph, model, L_ns, 2 * n, threads, &found.n_replicates,
                                   found.at, err);
    else
        ct_fail(err, status, "intervals: out of memory");
    free(L_ns);
    if (status == CT_OK)
        *intervals_p = found;
    else
        free(found.at);
    return status;
}

static enum ct_status make_model(const struct settings *settings, struct ct_parameters *model_p,
                                 struct ct_error *err)
{
    enum ct_status status = ct_model_parameters(&settings->model, false, model_p, err);
    if (status == CT_OK && settings->model.logp_path && ct_parameters_is_measured(model_p))
        status = ct_parameters_resample(settings->model.logp_path, model_p, err);
    return status;
}

static enum ct_status print_envelope(const struct settings *settings, const char *path,
                                     const struct ct_parameters *model,
                                     const struct ct_graph *graph,
                                     const struct ct_envelope *envelope,
                                     const struct intervals *intervals, struct ct_error *err)
{
    struct ct_tables *tables =
        ct_graph_tables(&command, settings, (enum ct_format)settings->answer.format, path, graph);
    if (!tables)
        return ct_fail(err, CT_ENOMEM, "tables: out of memory");
    ct_tables_provenance(tables, "evaluations", "%zu", envelope->points);
    ct_intervals_fill(model, settings->model.logp_path, graph->n_edges, intervals->n_replicates,
                      tables);
    fill_tables(tables, envelope, intervals);
    ct_parameters_fill(model, tables);
    enum ct_status status = ct_tables_print(tables, stdout, err);
    ct_tables_free(tables);
    return status;
}

static enum ct_status answer(const struct settings *settings, const char *path,
                             struct ct_error *err)
{
    struct ct_parameters model = {0};
    struct ct_graph graph = {0};
    struct ct_envelope envelope = {0};
    struct intervals intervals = {0};
    const unsigned threads = (unsigned)settings->answer.threads;
    if (!(settings->L_min_s < settings->L_max_s))
        return ct_fail(err, CT_EUSAGE, "--L-max: %gs: not above --L-min", settings->L_max_s);
    enum ct_status status = make_model(settings, &model, err);
    if (status == CT_OK)
        status = ct_graph_load(command.name, path, &settings->graph, &model, &graph, err);
    const struct ct_loggps at = ct_parameters_at(&model, 0);
    if (status == CT_OK)
        status = ct_envelope_of_graph(&graph, &at, ct_ns_from_s(settings->L_min_s),
                                      ct_ns_from_s(settings->L_max_s), threads, &envelope, err);
    if (status == CT_OK)
        status = find_intervals(&graph, &model, &envelope, threads, &intervals, err);
    if (status == CT_OK && settings->plot_path)
        status = ct_latency_plot(path, &envelope, NULL, 0, settings->plot_path, err);
    if (status == CT_OK)
        status = print_envelope(settings, path, &model, &graph, &envelope, &intervals, err);
    free(intervals.at);
    ct_envelope_free(&envelope);
    ct_graph_free(&graph);
    ct_parameters_free(&model);
    return status;
}

int ct_cmd_envelope(int argc, char **argv)
{
    struct settings settings = {.answer = ct_answer_defaults()};
    struct ct_arguments args;
    struct ct_error err;
    enum ct_status status = ct_command_parse(&command, argc, argv, &settings, &args, stdout, &err);
    if (status == CT_OK && !args.finished)
        status = answer(&settings, args.operands[0], &err);
    return status == CT_OK ? 0 : ct_print_failure(command.name, &err);
}
