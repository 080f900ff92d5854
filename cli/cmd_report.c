/* crosstalk report: a campaign as one HTML page. */
#include "campaign/about.h"
#include "cli/analysis.h"
#include "cli/cli.h"
#include "cli/link_rate.h"
#include "cli/placement_row.h"
#include "cli/schedule_options.h"
#include "cli/warn.h"
#include "core/file.h"
#include "core/option_rows.h"
#include "predict/constants.h"
#include "report/page_facts.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct settings {
    const char *output;
    double acceptable_frac;
    const char *placement;
    const char *model; /* NULL: the best */
    struct ct_link_rate link_rate;
    struct ct_schedule_settings schedules;
    double confidence_frac;
    uint64_t seed;
    bool figures;
    bool quiet;
};

static const struct ct_option output_options[] = {
    CT_ROW_OUTPUT(struct settings, output, "OUT/",
                  "folder for the page, OUT/report.html; made if it does not exist",
                  .required = true, .target = CT_FILE_FOLDER),
    {.name = "figures",
     CT_OPTION_AT(FLAG, struct settings, figures),
     .help = "also write each figure to a separate file, OUT/NAME.svg"},
    CT_ROW_QUIET_NO_ANSWER(struct settings, quiet),
    {0}};

static const struct ct_option analysis_options[] = {
    {.name = "acceptable",
     CT_OPTION_AT(FRACTION, struct settings, acceptable_frac),
     .argument = "FRACTION",
     .initial = "5%",
     .min = 1e-3,
     .max = 10,
     .help = "slowdown up to which two applications may share a switch"},
    CT_ROW_PLACEMENT(struct settings, placement,
                     "the placement to show, of a campaign that has several"),
    {.name = "model",
     CT_OPTION_AT(STRING, struct settings, model),
     .argument = "NAME",
     .help =
         "model to use if a slowdown was not measured (default: the best that the inputs allow, "
         "as crosstalk-predict(1) has it); the others are shown too"},
    CT_ROW_CONFIDENCE(struct settings, confidence_frac, "level of the intervals"),
    CT_ROW_SEED(
        struct settings, seed,
        "start of the random numbers of the bootstrap; the same runs and seed give the same "
        "page"),
    {0}};

static const struct ct_option_group groups[] = {
    {"Output", output_options, 0},
    {"Analysis", analysis_options, 0},
    {"Known loads", ct_link_rate_options, offsetof(struct settings, link_rate)},
    {"Schedules", ct_schedule_options, offsetof(struct settings, schedules)},
    {0}};

static const char *const examples[] = {
    "crosstalk report results -o page", "page/report.html about the campaign in the folder results",
    "crosstalk report campaign.h5 -o page --acceptable 10%",
    "of a packed campaign; a slowdown of 10 % is still acceptable", NULL};

static const char *const see_also[] = {"crosstalk-campaign(1)", "crosstalk-predict(1)",
                                       "crosstalk-advise(1)", "gnuplot(1)", NULL};

static const struct ct_command command = {
    .name = "crosstalk report",
    .summary = "show a campaign as a page with figures",
    .operands = "DIR",
    .description =
        "DIR is a folder with the runs of a campaign, or a packed campaign. The page is "
        "one HTML file that needs neither network nor scripts: figures are in it as "
        "SVG, their data as CSV to download. It states which applications may share a "
        "switch, and shows measured and predicted slowdowns, errors of the models, "
        "latencies, utilizations, phases, warnings, and the provenance of the runs.\n\n"
        "A campaign may be incomplete; every section lists the runs that it lacks. Parameters "
        "of its network with their uncertainty are shown if the folder has a "
        "posterior.h5 of crosstalk-calibrate(1), or with --parameters.\n\n"
        "Figures are drawn by gnuplot, which must be installed.",
    .groups = groups,
    .examples = examples,
    .see_also = see_also,
    .min_operands = 1,
    .max_operands = 1};

/* ---- settings ---- */

/* The key of the model that was asked for, or of its successor; NULL: none was. */
static enum ct_status find_model(const char *name, const char **key_p, struct ct_error *err)
{
    size_t model;
    if (!name)
        return CT_OK;
    enum ct_status status = ct_analysis_find_model(name, strlen(name), &model, err);
    if (status != CT_OK)
        return ct_fail_within(err, status, "--model");
    *key_p = ct_predict_models[model].key;
    return CT_OK;
}

static enum ct_status make_settings(const struct settings *settings, const char *directory,
                                    const struct ct_campaign_about *about,
                                    struct ct_page_settings *made_p, struct ct_error *err)
{
    double rate = NAN;
    enum ct_status status = ct_link_rate_parse(&settings->link_rate, &rate, err);
    if (status != CT_OK)
        return status;
    *made_p = (struct ct_page_settings){
        .directory = directory,
        .placement = settings->placement,
        .name = about->name,
        .network = about->network,
        .file = about->file,
        .warnings = (const char *const *)about->warnings.item,
        .n_warnings = about->warnings.n,
        .acceptable_frac = settings->acceptable_frac,
        .link_bit_per_s = rate,
        .bootstrap = {.replicates = ct_predict_count(CT_PREDICT_REPLICATES),
                      .level = settings->confidence_frac,
                      .seed = settings->seed}};
    status = ct_schedule_source_given(&settings->schedules, &made_p->schedules, err);
    return status == CT_OK ? find_model(settings->model, &made_p->model, err) : status;
}

/* ---- the file ---- */

/* In memory first: on the disk it appears complete or not at all. */
static enum ct_status write_page(const struct ct_page_facts *facts, const char *path,
                                 struct ct_error *err)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return ct_no_memory(err, "%s", path);
    enum ct_status status = ct_page_write(facts, out, err);
    bool failed = ferror(out) != 0;
    if ((fclose(out) != 0 || failed) && status == CT_OK)
        status = ct_no_memory(err, "%s", path);
    if (status == CT_OK)
        status = ct_file_save(path, text, size, err);
    free(text);
    return status;
}

static enum ct_status make_page(const struct settings *settings,
                                const struct ct_page_settings *made, const char *path,
                                struct ct_error *err)
{
    struct ct_page_source source;
    enum ct_status status = ct_page_source_read(made, &source, err);
    if (status != CT_OK)
        return status;
    ct_warn_all("crosstalk", &source.session.study.notes);
    ct_warn_all("crosstalk", &source.session.schedules.notes);
    if (mkdir(settings->output, 0777) != 0 && errno != EEXIST)
        status = ct_fail(err, CT_EIO, "%s: cannot be made: %s", settings->output, strerror(errno));
    source.facts.figures = settings->figures ? settings->output : NULL;
    if (status == CT_OK)
        status = write_page(&source.facts, path, err);
    ct_page_source_free(&source);
    return status;
}

static enum ct_status make_report(const struct settings *settings, const char *directory,
                                  char **path_p, struct ct_error *err)
{
    struct ct_page_settings made;
    struct ct_campaign_about about;
    size_t length = strlen(settings->output);
    const char *slash = length > 0 && settings->output[length - 1] == '/' ? "" : "/";
    if (asprintf(path_p, "%s%sreport.html", settings->output, slash) < 0) {
        *path_p = NULL;
        return ct_no_memory(err, "%s", settings->output);
    }
    enum ct_status status = ct_campaign_about_read(directory, &about, err);
    if (status != CT_OK)
        return status;
    status = make_settings(settings, directory, &about, &made, err);
    if (status == CT_OK)
        status = make_page(settings, &made, *path_p, err);
    ct_campaign_about_free(&about);
    return status;
}

int ct_cmd_report(int argc, char **argv)
{
    struct settings settings = {0};
    struct ct_arguments args;
    struct ct_error err;
    char *path = NULL;
    if (ct_command_parse(&command, argc, argv, &settings, &args, stdout, &err) != CT_OK)
        return ct_print_failure(command.name, &err);
    if (args.finished)
        return 0;
    enum ct_status status = make_report(&settings, args.operands[0], &path, &err);
    struct ct_log log = ct_log_open(command.name, settings.quiet);
    if (status == CT_OK)
        ct_log_info(&log, "%s", path);
    free(path);
    return status == CT_OK ? 0 : ct_print_failure(command.name, &err);
}
