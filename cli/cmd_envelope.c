/* crosstalk envelope: the run time as an exact function of the latency over an interval. */
#include "cli/cli.h"
#include "cli/graph_input.h"
#include "cli/latency_plot.h"
#include "lp-bridge/envelope/of_graph.h"

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
        "more of them becomes the longest. Exact, without a linear program.",
    .groups = groups,
    .examples = examples,
    .see_also = see_also,
    .min_operands = 1,
    .max_operands = 1};

static void fill_tables(struct ct_tables *tables, const struct ct_envelope *envelope)
{
    static const struct ct_column critical = {"critical_latencies_s[]", NULL, CT_UNIT_SECONDS};
    static const struct ct_column none = {"critical_latencies_s", NULL, CT_UNIT_SECONDS};
    static const struct ct_column columns[] = {{"L_lo_s", "L from", CT_UNIT_SECONDS},
                                               {"L_hi_s", "to", CT_UNIT_SECONDS},
                                               {"lambda_L", "lambda_L", CT_UNIT_NONE},
                                               {"runtime_lo_s", "T at from", CT_UNIT_SECONDS}};
    if (envelope->n == 1)
        ct_tables_begin(tables, none.key, NULL, &none, 1);
    for (size_t i = 1; i < envelope->n; i++)
        ct_tables_number(tables, critical, envelope->segments[i].lo * 1e-9);
    ct_tables_begin(tables, "segments", "Pieces of T(L)", columns,
                    sizeof columns / sizeof *columns);
    for (size_t i = 0; i < envelope->n; i++) {
        const struct ct_segment *segment = &envelope->segments[i];
        ct_tables_cell_number(tables, segment->lo * 1e-9);
        ct_tables_cell_number(tables, segment->hi * 1e-9);
        ct_tables_cell_number(tables, segment->line.slope);
        ct_tables_cell_number(tables, ct_line_at(segment->line, segment->lo) * 1e-9);
    }
}

static enum ct_status answer(const struct settings *settings, const char *path,
                             struct ct_error *err)
{
    struct ct_parameters model = {0};
    struct ct_graph graph = {0};
    struct ct_envelope envelope = {0};
    struct ct_tables *tables = NULL;
    if (!(settings->L_min_s < settings->L_max_s))
        return ct_fail(err, CT_EUSAGE, "--L-max: %gs: not above --L-min", settings->L_max_s);
    enum ct_status status = ct_model_parameters(&settings->model, false, &model, err);
    if (status == CT_OK)
        status = ct_graph_load(command.name, path, &settings->graph, &model, &graph, err);
    const struct ct_loggps at = ct_parameters_at(&model, 0);
    if (status == CT_OK)
        status = ct_envelope_of_graph(&graph, &at, ct_ns_from_s(settings->L_min_s),
                                      ct_ns_from_s(settings->L_max_s),
                                      (unsigned)settings->answer.threads, &envelope, err);
    if (status == CT_OK && settings->plot_path)
        status = ct_latency_plot(path, &envelope, NULL, 0, settings->plot_path, err);
    if (status != CT_OK)
        goto out;
    tables =
        ct_graph_tables(&command, settings, (enum ct_format)settings->answer.format, path, &graph);
    if (!tables) {
        status = ct_fail(err, CT_ENOMEM, "tables: out of memory");
        goto out;
    }
    ct_tables_provenance(tables, "evaluations", "%zu", envelope.points);
    fill_tables(tables, &envelope);
    ct_parameters_fill(&model, tables);
    status = ct_tables_print(tables, stdout, err);
out:
    ct_tables_free(tables);
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
