/* crosstalk validate: run time over latency, measured and predicted. */
#include "campaign/drive.h"
#include "campaign/folder_name.h"
#include "campaign/validation_file.h"
#include "cli/cli.h"
#include "cli/graph_input.h"
#include "cli/switch_options.h"
#include "cli/thresholds.h"
#include "cli/validation.h"
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

/* ---- answering ---- */

enum { PANEL_PX = 300, KEY_ROW_PX = 20 };

static enum ct_status draw_figure(const struct ct_validation *found, const char *folder,
                                  const char *title, struct ct_tables *tables, struct ct_error *err)
{
    char path[PATH_MAX];
    struct ct_validation_figure *figure = NULL;
    enum ct_status status = ct_folder_name(folder, "validation.svg", "", "", path, err);
    if (status == CT_OK)
        status = ct_validation_figure_make(found, &figure, err);
    if (status == CT_OK) {
        const struct ct_plot_panel *panel = ct_validation_figure_panel(figure);
        const struct ct_plot plot = {
            .title = title,
            .panels = panel,
            .n_panels = 1,
            .panel_height = PANEL_PX + KEY_ROW_PX * (double)(panel->n_series + panel->n_zones)};
        status = ct_plot_write(&plot, path, err);
        ct_validation_figure_free(figure);
    }
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
    ct_validation_fill(tables, found);
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
