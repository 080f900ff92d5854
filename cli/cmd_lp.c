/* crosstalk lp: the linear program of a schedule as a file for other solvers. */
#include "cli/cli.h"
#include "cli/graph_input.h"
#include "cli/pair_tolerance.h"
#include "cli/thresholds.h"
#include "cli/wire_tolerance.h"
#include "core/file.h"
#include "core/option_rows.h"
#include "lp-bridge/envelope/of_graph.h"
#include "lp-bridge/lp/lp.h"

#include <stdio.h>
#include <string.h>

struct settings {
    struct ct_thresholds threshold; /* none: the run time form */
    const char *output_path;
    struct ct_model_settings model;
    struct ct_wire_settings wires;
    struct ct_pair_settings pairs;
    struct ct_graph_settings graph;
    bool quiet;
};

static const struct ct_option question_options[] = {
    CT_MODEL_ROW_L(struct settings, model.L,
                   "latency of the network, the lower bound of l; required without --logp, "
                   "--topology or --pairs"),
    {.name = "threshold",
     CT_OPTION_AT(CUSTOM, struct settings, threshold),
     .argument = "FRACTION",
     .parse = ct_thresholds_parse,
     .help = "write the tolerance form instead: max l with t at most this fraction above the run "
             "time at L"},
    CT_ROW_OUTPUT(struct settings, output_path, "FILE",
                  "FILE.mps (free-format MPS) or FILE.lp (LP format of CPLEX)", .required = true,
                  .target = CT_FILE_STREAM),
    CT_ROW_QUIET_NO_ANSWER(struct settings, quiet),
    {0}};

static const struct ct_option_group groups[] = {
    {"Question and output", question_options, 0},
    {"Model (LogGPS)", ct_model_options, offsetof(struct settings, model)},
    {"Network", ct_wire_options, offsetof(struct settings, wires)},
    {"Pairs of nodes", ct_pair_options, offsetof(struct settings, pairs)},
    {"Schedule", ct_graph_options, offsetof(struct settings, graph)},
    {"Traces", ct_trace_options, offsetof(struct settings, graph.traces)},
    {0}};

static const char *const examples[] = {
    "crosstalk lp stencil.goal --L 3us --o 5us --G 0.018ns -o stencil.lp",
    "write the program; glpsol --lp stencil.lp solves it",
    "crosstalk lp stencil.goal --L 3us --o 5us --G 0.018ns --threshold 1% -o stencil.mps",
    "the largest latency at 1 % more run time; glpsol --freemps stencil.mps",
    ("crosstalk lp stencil.goal --o 5us --G 0.018ns --topology dragonfly:8,4,8 --wire 274ns "
     "--switch 108ns -o wires.lp"),
    "the program in the latency of a wire",
    "crosstalk lp stencil.goal --pairs logp-all.h5 -o pairs.lp",
    "with o, L and G of every pair of nodes; l is a latency added to every pair",
    NULL};

static const char *const see_also[] = {"crosstalk-tolerance(1)", "crosstalk-envelope(1)",
                                       "crosstalk-topology(1)", "crosstalk-goal(1)", NULL};

static const struct ct_command command = {
    .name = "crosstalk lp",
    .summary = "linear program of a schedule as an MPS or LP file",
    .operands = "TRACES|FILE.goal",
    .description =
        "Writes the linear program whose optimum is the run time of a schedule under the LogGPS "
        "model, for any solver. Its columns are l (latency), g (gap per byte), t (run time) and "
        "one y for each point at which an operation waits for several others, all in nanoseconds. "
        "The reduced costs of l and g are lambda_L and lambda_G. The program has the measured "
        "values of --logp; crosstalk-tolerance(1) computes intervals.\n\n"
        "With --pairs, L and G of every pair of nodes are constants of the program: l is a latency "
        "that is added to every pair, g a gap that is added to every byte between two nodes, and "
        "both are at least 0.",
    .groups = groups,
    .examples = examples,
    .see_also = see_also,
    .min_operands = 1,
    .max_operands = 1};

/* Forms of files, by their ending. */
static const struct writer {
    const char *ending;
    enum ct_status (*write)(const struct ct_lp *lp, const struct ct_lp_form *form, FILE *out,
                            struct ct_error *err);
} writers[] = {{".mps", ct_lp_write_mps}, {".lp", ct_lp_write_lp}};

static const struct writer *find_writer(const char *path)
{
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof writers / sizeof *writers; i++)
        if (!strcmp(dot, writers[i].ending))
            return &writers[i];
    return NULL;
}

/* The run time at l, which the threshold of the tolerance form refers to. */
static enum ct_status set_limit(const struct ct_wire_subject *subject, double threshold_frac,
                                struct ct_lp_form *form, struct ct_error *err)
{
    static const struct ct_thresholds none = {.n = 0};
    double runtime_ns = 0;
    struct ct_tolerance found;
    enum ct_status status;
    if (subject->network->wires) {
        status = ct_wire_tolerance(subject, CT_OF_WIRE, &none, &found, NULL, err);
        runtime_ns = status == CT_OK ? found.runtime_ns : 0;
    } else {
        status = ct_runtime_of_graph(subject->graph, &subject->at, &runtime_ns, err);
    }
    if (status == CT_OK) {
        form->tolerance = true;
        form->limit_ns = (1 + threshold_frac) * runtime_ns;
    }
    return status;
}

static enum ct_status build(const struct ct_wire_subject *subject, struct ct_lp *lp_p,
                            struct ct_error *err)
{
    struct ct_wires_plane plane;
    if (!subject->network->wires)
        return ct_lp_build(subject->graph, subject->at.o_ns, lp_p, err);
    ct_wires_plane(subject->network->wires, &subject->at, CT_WIRES_LATENCY, CT_WIRES_GAP, &plane);
    return ct_lp_build_on(subject->graph, &plane.plane, lp_p, err);
}

static enum ct_status make_program(const struct settings *settings,
                                   const struct ct_parameters *model, const char *path,
                                   struct ct_lp *lp_p, struct ct_lp_form *form_p,
                                   struct ct_error *err)
{
    struct ct_graph graph = {0};
    struct ct_network network = {.wires = NULL};
    enum ct_status status =
        ct_graph_load(command.name, ct_input_of(path), &settings->graph, model, &graph, err);
    if (status == CT_OK)
        status = ct_network_open(&settings->wires, &graph, NULL, &network, err);
    struct ct_loggps at = ct_network_at(&network, &settings->wires, model);
    const struct ct_wire_subject subject = {
        .graph = &graph, .network = &network, .at = at, .threads = 1};
    *form_p = (struct ct_lp_form){.L_ns = at.L_ns, .G_ns_per_byte = at.G_ns_per_byte};
    if (status == CT_OK && settings->threshold.n > 0)
        status = set_limit(&subject, settings->threshold.frac[0], form_p, err);
    if (status == CT_OK)
        status = build(&subject, lp_p, err);
    ct_network_free(&network);
    ct_graph_free(&graph);
    return status;
}

/* In what is added to the L and G of every pair. */
static enum ct_status make_program_of_pairs(const struct settings *settings, const char *path,
                                            struct ct_lp *lp_p, struct ct_lp_form *form_p,
                                            struct ct_error *err)
{
    const struct ct_pair_source source = {.command = &command,
                                          .schedule = ct_input_of(path),
                                          .pairs = &settings->pairs,
                                          .model = &settings->model,
                                          .wires = &settings->wires,
                                          .graph = &settings->graph};
    struct ct_pair_subject subject = {.evaluator = NULL};
    struct ct_pairs_plane plane;
    const double nothing_added = 0;
    struct ct_line line = {0};
    *form_p = (struct ct_lp_form){.L_ns = 0};
    enum ct_status status = ct_pair_open(&source, &subject, err);
    if (status == CT_OK && settings->threshold.n > 0) {
        status = ct_evaluator_lines(ct_pair_evaluator_added(subject.evaluator), &nothing_added, 1,
                                    1, &line, err);
        form_p->tolerance = true;
        form_p->limit_ns = (1 + settings->threshold.frac[0]) * line.cost_ns;
    }
    if (status == CT_OK) {
        ct_pairs_plane(&subject.parameters.pairs, &plane);
        status = ct_lp_build_on(&subject.graph, &plane.plane, lp_p, err);
    }
    ct_pair_close(&subject);
    return status;
}

struct written {
    const struct ct_lp *lp;
    const struct ct_lp_form *form;
    const struct writer *writer;
};

static enum ct_status write_to(FILE *out, const void *data, struct ct_error *err)
{
    const struct written *written = data;
    return written->writer->write(written->lp, written->form, out, err);
}

static enum ct_status save(const struct settings *settings, const struct ct_lp *lp,
                           const struct ct_lp_form *form, struct ct_error *err)
{
    const struct written written = {lp, form, find_writer(settings->output_path)};
    enum ct_status status = ct_file_make(settings->output_path, write_to, &written, err);
    if (status == CT_OK && !settings->quiet)
        fprintf(stderr, "crosstalk lp: %s: %d rows, %d columns, %d elements\n",
                settings->output_path, lp->n_rows, lp->n_columns, lp->row_start[lp->n_rows]);
    return status;
}

static enum ct_status make(const struct settings *settings, const char *path, struct ct_lp *lp_p,
                           struct ct_lp_form *form_p, struct ct_error *err)
{
    struct ct_parameters model;
    if (settings->pairs.path)
        return make_program_of_pairs(settings, path, lp_p, form_p, err);
    enum ct_status status = ct_wire_check(&settings->wires, &settings->model, CT_WIRE_ALWAYS, err);
    if (status == CT_OK)
        status = ct_model_parameters(&settings->model, !settings->wires.topology, &model, err);
    if (status != CT_OK)
        return status;
    status = make_program(settings, &model, path, lp_p, form_p, err);
    ct_parameters_free(&model);
    return status;
}

static enum ct_status answer(const struct settings *settings, const char *path,
                             struct ct_error *err)
{
    struct ct_lp lp = {0};
    struct ct_lp_form form;
    if (!find_writer(settings->output_path))
        return ct_fail(err, CT_EUSAGE, "--output: '%s': ends neither in .mps nor in .lp",
                       settings->output_path);
    if (settings->threshold.n > 1)
        return ct_fail(err, CT_EUSAGE, "--threshold: a file asks one question: give one fraction");
    enum ct_status status = make(settings, path, &lp, &form, err);
    if (status == CT_OK)
        status = save(settings, &lp, &form, err);
    ct_lp_free(&lp);
    return status;
}

int ct_cmd_lp(int argc, char **argv)
{
    struct settings settings = {.wires = ct_wire_defaults()};
    struct ct_arguments args;
    struct ct_error err;
    enum ct_status status = ct_command_parse(&command, argc, argv, &settings, &args, stdout, &err);
    if (status == CT_OK && !args.finished)
        status = answer(&settings, args.operands[0], &err);
    return status == CT_OK ? 0 : ct_print_failure(command.name, &err);
}
