/* crosstalk validate: run time over latency, measured and predicted. */
#include "campaign/drive.h"
#include "campaign/folder_name.h"
#include "campaign/validation_file.h"
#include "cli/cli.h"
#include "cli/graph_input.h"
#include "cli/pair_settings.h"
#include "cli/switch_options.h"
#include "cli/thresholds.h"
#include "cli/validation_figure.h"
#include "cli/validation_options.h"
#include "cli/warn.h"

#include <stdlib.h>

struct settings {
    struct ct_validation_options measured;
    struct ct_thresholds thresholds;
    const char *posterior; /* NULL: none */
    struct ct_graph_settings graph;
    struct ct_answer_settings answer;
};

static const struct ct_option question_options[] = {
    CT_MODEL_ROW_PARAMETERS(struct settings, posterior,
                            "; by default all are those of the run of logpb"),
    {CT_OPTION(CUSTOM, "threshold", struct settings, thresholds), .argument = "FRACTION,...",
     .initial = "1%,2%,5%", .parse = ct_thresholds_parse,
     .help = "how much longer the program may run: tolerances"},
    {0}};

static const struct ct_option_group groups[] = {
    {"Measurement", ct_validation_measurement_options, offsetof(struct settings, measured)},
    {"Network", ct_validation_network_options, offsetof(struct settings, measured)},
    {"Several switches", ct_lab_switch_options, offsetof(struct settings, measured.switches)},
    {"Lab", ct_validation_lab_options, offsetof(struct settings, measured)},
    {"Simulation", ct_validation_simulation_options, offsetof(struct settings, measured)},
    {"Question", question_options, 0},
    CT_GRAPH_GROUPS(struct settings, graph, answer),
    {"Output", ct_output_options, offsetof(struct settings, answer)},
    {0}};

static const char *const examples[] = {
    "crosstalk validate -o val -- workload lulesh --iterations 20",
    "ten latencies, three runs of 5 s at each",
    ("crosstalk validate -o val --latencies 0us,500us,1ms,2ms,4ms --repetitions 5 --format json -- "
     "workload milc --iterations 20"),
    "other latencies, for scripts",
    ("crosstalk validate -o beside --load 'P2 M4 B5ms' --latencies 0us,1ms,2ms,4ms -- workload "
     "lulesh --iterations 20"),
    "added latency and contention together",
    "crosstalk validate -o val --passes driver -- ./app input",
    "any MPI program, timed from its start to its exit",
    "crosstalk validate -o tree --topology tree:2x4 --spines 2 -- workload lulesh --iterations 20",
    "on two levels of switches",
    ("crosstalk validate --launcher simgrid -o sim --topology fat-tree:4 -- workload milc "
     "--iterations 20 --compute-time 100us"),
    "inside a simulator, on 16 hosts",
    NULL};

static const char *const see_also[] = {"crosstalk-lab-latency(1)", "crosstalk-tolerance(1)",
                                       "crosstalk-campaign(1)", "logpb(1)", NULL};

static const struct ct_command command = {
    .name = "crosstalk validate",
    .summary = "run time of a program over latency, measured and predicted",
    .operands = "-- PROGRAM [ARGUMENT]...",
    .description =
        "Runs an MPI program in a lab or in a simulation that adds latency, at each of several "
        "latencies, repeatedly, in random order. Measures LogP parameters at the least latency and "
        "traces the program "
        "there. Then it predicts the run time at each latency, T(L + dL), from the traces, and "
        "compares: relative root mean square error; slope, up to run times 25 % longer, measured, "
        "with 95 % interval, and predicted, beside lambda_L; added latency at which the program "
        "takes 1, 2 and 5 % longer. DIR/validation.svg shows run time over latency, with predicted "
        "tolerances as zones.\n\n"
        "T of a trace includes the start and the warm-up of the program, a timed pass does not. So "
        "a program that times its passes is traced twice, the second time with 1 + K times as "
        "many iterations, and the difference of both T, divided by K, is the prediction of a pass. "
        "For a program that is timed as a whole, the increase of the run time is predicted.\n\n"
        "With --load the program runs beside compressionb at each latency, and alone at the least "
        "one. A probe, impactb, runs on the idle network and beside the load. With what the load "
        "adds to its mean latency, L_B, the prediction is T(L_B + dL).\n\n"
        "With --topology there are several switches, and messages cost the L, o and G of the "
        "class "
        "of their path, which is the number of switches between two hosts: logpb --pairs classes "
        "measures a pair of each class. The added latency is the same on all paths.\n\n"
        "In a simulation (--launcher simgrid) each message between hosts is later by the added "
        "latency, whatever the model of the network is. As many simulations run at once as "
        "there are processors.\n\n"
        "DIR is the folder of a campaign, DIR/campaign.yaml its file: the same command continues "
        "after an interruption, and makes no run twice.",
    .groups = groups,
    .examples = examples,
    .see_also = see_also,
    .min_operands = 1,
    .max_operands = SIZE_MAX,
    .options_end_at_operand = true};

/* ---- measuring ---- */

static enum ct_status drive_campaign(const char *folder, struct ct_text file,
                                     const struct ct_campaign_spec *spec, struct ct_log *log,
                                     struct ct_error *err)
{
    struct ct_drive_result result;
    const struct ct_drive_options options = {0};
    enum ct_status status = ct_drive(folder, file, spec, &options, log, &result, err);
    if (status == CT_EINTR)
        return ct_fail(err, status, "interrupted: %zu of %zu runs done; the same command goes on",
                       result.n_found + result.n_made, result.n_runs);
    if (status == CT_OK && result.n_failed > 0)
        status = ct_fail(err, CT_ECHILD,
                         "%zu of %zu runs failed; see crosstalk campaign status %s; the same "
                         "command tries them again",
                         result.n_failed, result.n_runs, folder);
    return status;
}

static enum ct_status measure_runs(struct settings *settings, struct ct_log *log,
                                   struct ct_error *err)
{
    const struct ct_validation_setup *setup = &settings->measured.setup;
    struct ct_text file;
    struct ct_campaign_spec spec;
    CT_TRY(ct_validation_options_take(&settings->measured, err));
    CT_TRY(ct_validation_file(setup, &file, err));
    enum ct_status status =
        ct_campaign_spec_parse(file.text, file.size, CT_VALIDATION_SOURCE, &spec, err);
    if (status == CT_OK) {
        if (spec.n_latencies == 0)
            status = ct_fail(err, CT_EUSAGE,
                             "--latencies %s: give one at least that is not 0, such as 0us,1ms",
                             setup->latencies);
        else
            status = drive_campaign(settings->measured.folder, file, &spec, log, err);
        ct_campaign_spec_free(&spec);
    }
    free(file.text);
    return status == CT_OK ? CT_OK : ct_validation_options_name(err);
}

/* ---- tables ---- */

static const struct ct_column point_columns[] = {
    {"delta_L_s", "added latency", CT_UNIT_SECONDS},
    {"n_runs", "runs", CT_UNIT_COUNT},
    {"measured_s", "measured", CT_UNIT_LONG_SECONDS},
    {"measured_ci[]", "from", CT_UNIT_LONG_SECONDS},
    {"measured_ci[]", "to", CT_UNIT_LONG_SECONDS},
    {"predicted_s", "predicted", CT_UNIT_LONG_SECONDS},
    {"predicted_ci[]", "from", CT_UNIT_LONG_SECONDS},
    {"predicted_ci[]", "to", CT_UNIT_LONG_SECONDS},
    {"error_frac", "error", CT_UNIT_FRACTION},
    {"parameters_frac", "not known, by parameters", CT_UNIT_FRACTION},
    {"cpu_wait_frac", "waited for processors", CT_UNIT_FRACTION},
    {"probe_L_s", "latency of the probe", CT_UNIT_SECONDS}, /* and the next one with a load only */
    {"predicted_by_probe_s", "predicted with it", CT_UNIT_LONG_SECONDS}};
enum { LOAD_COLUMNS = 2 };
static const struct ct_column tolerance_columns[] = {
    {"threshold", "longer by", CT_UNIT_FRACTION},
    {"measured_s", "measured at added latency", CT_UNIT_SECONDS},
    {"measured_ci[]", "from", CT_UNIT_SECONDS},
    {"measured_ci[]", "to", CT_UNIT_SECONDS},
    {"predicted_s", "predicted", CT_UNIT_SECONDS}};

static void fill_points(struct ct_tables *tables, const struct ct_validation *found)
{
    enum { COLUMNS = sizeof point_columns / sizeof *point_columns };
    size_t n_columns = found->runs.has_load ? COLUMNS : COLUMNS - LOAD_COLUMNS;
    ct_tables_begin(tables, "points",
                    found->runs.has_load ? "Run time of a pass beside the load"
                                         : "Run time of a pass",
                    point_columns, n_columns);
    for (size_t i = 0; i < found->n_points; i++) {
        const struct ct_validation_point *p = &found->points[i];
        const struct ct_validation_spread *spread = &found->spreads[i];
        CT_CELL_NUMBERS(tables, p->delta_L_s, (double)p->n_runs, p->measured_s, p->measured_ci.lo,
                        p->measured_ci.hi, p->predicted_s, spread->predicted_s.lo,
                        spread->predicted_s.hi, p->predicted_s / p->measured_s - 1,
                        spread->parameters_frac, p->cpu_wait_frac);
        if (found->runs.has_load)
            CT_CELL_NUMBERS(tables, found->by_probe[i].L_s, found->by_probe[i].predicted_s);
    }
    ct_tables_detail(tables, true);
    if (found->n_draws > 0)
        ct_tables_note(tables,
                       "Intervals of predictions are what parameters contribute: %g %% of %zu "
                       "replicates. 'Not known, by parameters' is their share of the variance of "
                       "predicted less measured; the rest is the scatter of runs.",
                       100 * ct_pass_schedules_level(&found->schedules), found->n_draws);
    ct_tables_detail(tables, false);
}

/* What it does without added latency. */
static void fill_load(struct ct_tables *tables, const struct ct_validation *found)
{
    const struct ct_validation_probe *probe = &found->runs.probes[0];
    const struct ct_validation_point *alone = &found->alone, *beside = &found->points[0];
    const struct ct_value rows[] = {
        {{"load_adds_s", "the load adds to the latency of the probe", CT_UNIT_SECONDS},
         probe->added_s},
        {{"load_adds_ci_s[]", "from", CT_UNIT_SECONDS}, probe->added_ci.lo},
        {{"load_adds_ci_s[]", "to", CT_UNIT_SECONDS}, probe->added_ci.hi},
        {{"L_beside_s", "latency L_B beside the load", CT_UNIT_SECONDS},
         found->L_s + found->at_s - found->schedules.own_s},
        {{"alone_measured_s", "run time of a pass alone, measured", CT_UNIT_LONG_SECONDS},
         alone->measured_s},
        {{"alone_predicted_s", "predicted", CT_UNIT_LONG_SECONDS}, alone->predicted_s},
        {{"slowdown_measured", "slowdown by the load, measured", CT_UNIT_FRACTION},
         beside->measured_s / alone->measured_s - 1},
        {{"slowdown_predicted", "predicted", CT_UNIT_FRACTION},
         beside->predicted_s / alone->predicted_s - 1}};
    CT_TABLES_NUMBERS(tables, rows);
    ct_tables_note(tables, "Predictions beside the load are T(L_B + added latency), with L_B from "
                           "the probe without added latency. 'Predicted with it' is T at the "
                           "latency that the probe had at that point: the load itself may become "
                           "lighter when its messages take longer.");
}

static void fill_tolerances(struct ct_tables *tables, const struct ct_validation *found)
{
    enum { COLUMNS = sizeof tolerance_columns / sizeof *tolerance_columns };
    ct_tables_begin(tables, "tolerance", "Latency tolerance", tolerance_columns, COLUMNS);
    for (size_t i = 0; i < found->n_tolerances; i++) {
        const struct ct_validation_tolerance *t = &found->tolerances[i];
        CT_CELL_NUMBERS(tables, t->threshold_frac, t->measured_s, t->measured_ci.lo,
                        t->measured_ci.hi, t->predicted_s);
    }
}

static void fill_validation(struct ct_tables *tables, const struct ct_validation *found)
{
    const struct ct_value rows[] = {
        {{"rrmse", "relative root mean square error", CT_UNIT_FRACTION}, found->rrmse},
        {{"L_s",
          found->schedules.by_class ? "latency L of the baseline, mean over the critical path"
                                    : "latency L of the baseline",
          CT_UNIT_SECONDS},
         found->L_s},
        {{"lambda_L", "lambda_L, latencies on the critical path", CT_UNIT_NONE}, found->lambda_L},
        {{"slope_limit_s", "slopes up to an added latency of", CT_UNIT_SECONDS}, found->limit_s},
        {{"slope_measured", "slope, measured", CT_UNIT_NONE}, found->slope.slope},
        {{"slope_ci[]", "from", CT_UNIT_NONE}, found->slope.ci.lo},
        {{"slope_ci[]", "to", CT_UNIT_NONE}, found->slope.ci.hi},
        {{"slope_predicted", "slope, predicted", CT_UNIT_NONE}, found->slope_predicted}};
    CT_TABLES_NUMBERS(tables, rows);
    if (!found->model.longer) {
        CT_TABLES_NUMBER(tables, "offset_s", "added to T", LONG_SECONDS, found->model.offset_s);
        ct_tables_note(tables, "The whole program is timed, with its start, which a trace does not "
                               "contain: predictions are T plus what the measurement without added "
                               "latency takes longer.");
    }
    if (found->runs.has_load)
        fill_load(tables, found);
    fill_points(tables, found);
    if (found->schedules.by_class)
        ct_pair_classes_fill(&found->schedules.pairs, found->class_lambdas,
                             found->alone.predicted_s, tables);
    fill_tolerances(tables, found);
    char off[CT_UNITS_TEXT_MAX];
    ct_format_share(found->rrmse, off);
    ct_tables_answer(tables,
                     "Predicted run times are off by %s (root mean square). Run time grows by %.3g "
                     "times the added latency as measured, by %.3g as predicted.",
                     off, found->slope.slope, found->slope_predicted);
}

/* ---- answering ---- */

static enum ct_status draw_figure(const struct ct_validation *found, const char *folder,
                                  const char *title, struct ct_tables *tables, struct ct_error *err)
{
    char path[PATH_MAX];
    enum ct_status status = ct_folder_name(folder, "validation.svg", "", "", path, err);
    if (status == CT_OK)
        status = ct_validation_draw(found, title, path, err);
    if (status != CT_EUNSUPPORTED)
        return status;
    ct_tables_note(tables, "No picture: %s", err->text);
    return CT_OK;
}

static enum ct_status find_schedules(const struct settings *settings, struct ct_validation *found_p,
                                     struct ct_error *err)
{
    struct ct_validation_question question = {.folder = settings->measured.folder,
                                              .app = CT_VALIDATION_APP,
                                              .threshold_frac = settings->thresholds.frac,
                                              .n_thresholds = settings->thresholds.n,
                                              .serialize = settings->graph.serialize,
                                              .serialize_nic = settings->graph.serialize_nic,
                                              .posterior_path = settings->posterior,
                                              .threads = (unsigned)settings->answer.threads,
                                              .seed = settings->measured.setup.seed};
    *found_p = (struct ct_validation){.n_points = 0};
    enum ct_status status =
        ct_trace_convert_options(&settings->graph.traces, &question.convert, err);
    if (status == CT_OK)
        status = ct_validation_find(&question, found_p, err);
    ct_warn_all(command.name, &found_p->notes);
    return status;
}

static enum ct_status fill_tables(const struct settings *settings,
                                  const struct ct_validation *found, const char *title,
                                  struct ct_tables *tables, struct ct_error *err)
{
    ct_tables_view(tables, &settings->answer.view);
    ct_tables_provenance(tables, "program", "%s", title);
    ct_tables_provenance(tables, "folder", "%s", settings->measured.folder);
    if (settings->measured.setup.simulation)
        ct_tables_provenance(
            tables, "simulated by", "SimGrid, model %s",
            ct_campaign_simgrid_models[settings->measured.setup.simulation->model]);
    if (*settings->measured.setup.topology)
        ct_tables_provenance(tables, "topology", "%s", settings->measured.setup.topology);
    if (found->runs.has_load) {
        char load[CT_CONFIG_TEXT_MAX];
        ct_config_describe(&found->runs.load, load);
        ct_tables_provenance(tables, "load", "%s", load);
    }
    fill_validation(tables, found);
    ct_tables_detail(tables, true);
    if (!found->schedules.by_class)
        ct_parameters_fill(&found->schedules.parameters, tables);
    ct_tables_detail(tables, false);
    return draw_figure(found, settings->measured.folder, title, tables, err);
}

static enum ct_status answer_validation(const struct settings *settings, struct ct_error *err)
{
    char title[120];
    size_t used = 0;
    for (size_t i = 0; settings->measured.setup.program[i] && used < sizeof title; i++)
        used += (size_t)snprintf(title + used, sizeof title - used, "%s%s", i ? " " : "",
                                 settings->measured.setup.program[i]);
    struct ct_validation found;
    struct ct_tables *tables = NULL;
    enum ct_status status = find_schedules(settings, &found, err);
    if (status == CT_OK) {
        tables = ct_tables_new(command.name, (enum ct_format)settings->answer.format);
        status = fill_tables(settings, &found, title, tables, err);
    }
    if (status == CT_OK)
        status = ct_tables_print(tables, stdout, err);
    ct_tables_free(tables);
    ct_validation_free(&found);
    return status;
}

static enum ct_status validate_runs(void *values, const struct ct_arguments *args,
                                    struct ct_error *err)
{
    struct settings *settings = values;
    struct ct_log log = ct_log_open(command.name, settings->answer.view.quiet);
    settings->measured.setup.program = args->operands;
    args->operands[args->n_operands] = NULL;
    CT_TRY(measure_runs(settings, &log, err));
    return answer_validation(settings, err);
}

int ct_cmd_validate(int argc, char **argv)
{
    struct settings settings = {.answer = ct_answer_defaults(),
                                .measured = ct_validation_options_defaults()};
    return ct_command_main(&command, argc, argv, &settings, validate_runs);
}
