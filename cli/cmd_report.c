/* crosstalk report: a campaign as one HTML page. */
#include "campaign/about.h"
#include "cli/analysis.h"
#include "cli/campaign_rows.h"
#include "cli/cli.h"
#include "cli/link_rate.h"
#include "cli/scan_answer.h"
#include "cli/schedule_options.h"
#include "cli/warn.h"
#include "core/file.h"
#include "core/option_rows.h"
#include "core/picture.h"
#include "predict/constants.h"
#include "predict/models.h"
#include "report/page.h"
#include "report/scan_page.h"
#include "study/scan_file.h"
#include "study/scan_kit.h"
#include "study/scan_sheet_file.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct settings {
    const char *output;
    double acceptable_frac;
    const char *placement;
    const char *model; /* NULL: the best */
    struct ct_link_rate link_rate;
    struct ct_schedule_settings schedules;
    double confidence_frac;
    uint64_t seed;
    struct ct_scan_applications applications; /* of a scan */
    const char *against;                      /* of a scan; NULL: none */
    bool figures;
    struct ct_view view;
};

static const struct ct_option output_options[] = {
    CT_ROW_OUTPUT(struct settings, output, "OUT",
                  "OUT.html: the page. OUT.svg, OUT.png: only the picture of its matrix. OUT.json: "
                  "the sheet of a scan as JSON. Else a folder for the page, OUT/report.html; made "
                  "if it does not exist",
                  .required = true),
    {CT_OPTION(FLAG, "figures", struct settings, figures),
     .help = "also write the pictures of the first screen to OUT/matrix.svg and OUT/groups.svg"},
    CT_ROW_QUIET_AS(struct settings, view.quiet,
                    "print the answer on a scan, warnings and errors only"),
    {0}};

static const struct ct_option scan_options[] = {
    {CT_OPTION(STRING, "against", struct settings, against), .argument = "OTHER.json",
     .help =
         "compare a scan with the sheet.json of another one: what differs beyond the intervals"},
    {CT_OPTION(VIEW, "all", struct settings, view.given.all),
     .help = "print the whole answer; without it, what fits on 25 lines"},
    {0}};

static const struct ct_option analysis_options[] = {
    CT_ROW_ACCEPTABLE(struct settings, acceptable_frac),
    CT_ROW_PLACEMENT(struct settings, placement,
                     "show only this placement, of a campaign that has several"),
    {CT_OPTION(STRING, "model", struct settings, model), .argument = "NAME",
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
    {"Scans", scan_options, 0},
    {"Applications beside the loads of a scan", ct_scan_application_rows,
     offsetof(struct settings, applications)},
    {"Analysis", analysis_options, 0},
    {"Known loads", ct_link_rate_options, offsetof(struct settings, link_rate)},
    {"Schedules", ct_schedule_options, offsetof(struct settings, schedules)},
    {0}};

static const char *const examples[] = {
    "crosstalk report results -o page.html",
    "the page about the campaign in the folder results",
    "crosstalk report campaign.h5 -o page --acceptable 10%",
    "page/report.html of a packed campaign; a slowdown of 10 % is still acceptable",
    "crosstalk report sheet -o page.html",
    "the sheet of a scan in the folder sheet",
    "crosstalk report sheet --applications traces -o page.html",
    "and how much longer each application in the folder traces takes beside each congestor",
    "crosstalk report kit.json -o page.html",
    "that of a scan elsewhere, from the file of its kit",
    "crosstalk report sheet --against before/sheet.json -o page.html",
    "what differs between two scans",
    "crosstalk report results -o matrix.svg",
    "only the matrix, as a picture",
    NULL};

static const char *const see_also[] = {"crosstalk-campaign(1)", "crosstalk-scan(1)",
                                       "crosstalk-predict(1)", "crosstalk-export(1)", NULL};

static const struct ct_command command = {
    .name = "crosstalk report",
    .summary = "show a campaign or a scan as a page",
    .operands = "DIR|KIT.json",
    .description =
        "DIR is a folder with the runs of a campaign, a packed campaign, or a folder of a scan. "
        "The page is one HTML "
        "file that needs no network. Its first screen states which applications may run beside "
        "each other, how sure that is, what disturbed the measurements, and what to measure "
        "next; a click on a cell shows the passes behind it. Then what each application uses, "
        "suffers and tolerates; models and provenance are folded. Without scripts the first screen "
        "remains.\n\n"
        "A campaign may be incomplete, and may have several placements, which are shown side by "
        "side. Parameters of its network with their uncertainty are shown if the folder has a "
        "posterior.h5 of crosstalk-calibrate(1), or with --parameters. Of a folder of "
        "crosstalk-scan(1), or of KIT.json, the file of its --kit, the page is its sheet, and "
        "the answer is printed, too; with --applications both have predicted slowdowns. Numbers "
        "for scripts are those of crosstalk-predict(1) and crosstalk-export(1).",
    .groups = groups,
    .examples = examples,
    .see_also = see_also,
    .min_operands = 1};

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
    CT_TRY(ct_link_rate_parse(&settings->link_rate, &rate, err));
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
    CT_TRY(ct_schedule_source_given(&settings->schedules, &made_p->schedules, err));
    return find_model(settings->model, &made_p->model, err);
}

/* ---- files ---- */

/* Where it is written. */
struct output {
    char *path;         /* of the page or picture */
    bool is_picture;    /* of the matrix, and nothing else */
    const char *folder; /* NULL: a file was asked for */
    bool has_made_folder;
};

static bool ends_in(const char *text, const char *end)
{
    size_t length = strlen(text), n = strlen(end);
    return length > n && !strcasecmp(text + length - n, end);
}

static enum ct_status make_folder(const char *folder, bool *has_made_p, struct ct_error *err)
{
    *has_made_p = mkdir(folder, 0777) == 0;
    return *has_made_p || errno == EEXIST
               ? CT_OK
               : ct_fail(err, CT_EIO, "--output: %s: cannot be made: %s", folder, strerror(errno));
}

/* Create a file there, and remove it. */
static enum ct_status try_file(const char *path, struct ct_error *err)
{
    struct ct_file draft;
    enum ct_status status = ct_file_create(path, &draft, err);
    if (status != CT_OK)
        return ct_fail_within(err, status, "--output");
    ct_file_discard(&draft);
    return CT_OK;
}

static void close_output(struct output *output, bool has_failed)
{
    free(output->path);
    if (has_failed && output->has_made_folder)
        rmdir(output->folder);
}

/* Before the work, so that a name that cannot be written is said at once. */
static enum ct_status open_output(const struct settings *settings, struct output *output_p,
                                  struct ct_error *err)
{
    const char *name = settings->output;
    struct output output = {.is_picture = ends_in(name, ".svg") || ends_in(name, ".png")};
    bool is_file = output.is_picture || ends_in(name, ".html") || ends_in(name, ".htm") ||
                   ends_in(name, ".json");
    output.folder = is_file ? NULL : name;
    if (is_file && settings->figures)
        return ct_fail(err, CT_EUSAGE, "--figures: %s is a file; give --output a folder", name);
    enum ct_status status = ct_file_check_target(name,
                                                 output.is_picture ? CT_FILE_PICTURE
                                                 : is_file         ? CT_FILE_REGULAR
                                                                   : CT_FILE_FOLDER,
                                                 err);
    if (status != CT_OK)
        return ct_fail_within(err, status, "--output");
    if (output.folder)
        status = make_folder(output.folder, &output.has_made_folder, err);
    if (status != CT_OK)
        return status;
    const char *end = is_file ? "" : ends_in(name, "/") ? "report.html" : "/report.html";
    status = asprintf(&output.path, "%s%s", name, end) < 0 ? ct_no_memory(err, "%s", name)
                                                           : try_file(output.path, err);
    if (status == CT_OK)
        *output_p = output;
    else
        close_output(&output, true);
    return status;
}

static enum ct_status save_picture(const char *folder, const char *name, const char *svg,
                                   struct ct_error *err)
{
    char *path;
    if (asprintf(&path, "%s/%s", folder, name) < 0)
        return ct_no_memory(err, "%s", folder);
    enum ct_status status = ct_file_save(path, svg, strlen(svg), err);
    free(path);
    return status;
}

static enum ct_status save_output(const struct settings *settings, const struct ct_page *page,
                                  const struct output *output, struct ct_error *err)
{
    CT_TRY(output->is_picture ? ct_picture_save(output->path, page->matrix_svg, err)
                              : ct_file_save(output->path, page->html, strlen(page->html), err));
    if (settings->figures)
        CT_TRY(save_picture(output->folder, "matrix.svg", page->matrix_svg, err));
    if (settings->figures)
        CT_TRY(save_picture(output->folder, "groups.svg", page->groups_svg, err));
    return CT_OK;
}

/* ---- the whole ---- */

static enum ct_status make_page(const struct settings *settings, const char *directory,
                                struct ct_page *page_p, struct ct_error *err)
{
    struct ct_page_settings made;
    struct ct_campaign_about about;
    CT_TRY(ct_campaign_about_read(directory, &about, err));
    enum ct_status status = make_settings(settings, directory, &about, &made, err);
    if (status == CT_OK)
        status = ct_page_make(&made, page_p, err);
    ct_campaign_about_free(&about);
    return status;
}

/* Whether the folder is one of crosstalk scan. */
static bool is_scan(const char *directory)
{
    char path[PATH_MAX];
    return (size_t)snprintf(path, sizeof path, "%s/%s", directory, CT_SCAN_FILE) < sizeof path &&
           access(path, F_OK) == 0;
}

/* Whether it is the file of a kit, or another text in JSON: a campaign is a folder or HDF5. */
static bool is_json(const char *path)
{
    char head[64];
    struct stat about;
    return stat(path, &about) == 0 && S_ISREG(about.st_mode) &&
           ct_file_head(path, head, sizeof head) && head[strspn(head, " \t\r\n")] == '{';
}

/* --applications */
static enum ct_status add_answers(const struct settings *settings, const struct ct_scan *scan,
                                  struct ct_scan_sheet *sheet, struct ct_error *err)
{
    struct ct_applications apps;
    CT_TRY(ct_scan_applications_read(&settings->applications, &apps, err));
    enum ct_status status =
        ct_scan_applications_make(&settings->applications, &apps, scan, sheet, err);
    ct_applications_free(&apps);
    return status;
}

/* @param comparison, seal  [in] NULL: none */
static enum ct_status save_scan(const struct ct_scan *scan, const struct ct_scan_sheet *sheet,
                                const struct ct_scan_comparison *comparison,
                                const struct ct_scan_seal *seal, const char *path,
                                struct ct_error *err)
{
    char *html = NULL;
    if (ends_in(path, ".json"))
        return ct_scan_sheet_write(path, scan, sheet, err);
    enum ct_status status = ct_scan_page_make(scan, sheet, comparison, seal, &html, err);
    if (status == CT_OK)
        status = ct_file_save(path, html, strlen(html), err);
    free(html);
    return status;
}

/* As crosstalk scan ends. */
static enum ct_status print_scan(const struct ct_view *view, const struct ct_scan *scan,
                                 const struct ct_scan_sheet *sheet,
                                 const struct ct_scan_comparison *comparison,
                                 const struct ct_scan_seal *seal, struct ct_error *err)
{
    struct ct_tables *tables = ct_tables_new(command.name, CT_FORMAT_TABLE);
    if (!tables)
        return ct_no_memory(err, "tables");
    ct_tables_view(tables, view);
    ct_scan_answer_fill(scan, sheet, comparison, seal, tables);
    if (sheet->n_answers > 0)
        ct_scan_applications_fill(sheet, tables);
    enum ct_status status = ct_tables_print(tables, stdout, err);
    ct_tables_free(tables);
    return status;
}

/* The page and the answer, beside another scan if --against names one. */
static enum ct_status show_scan(const struct settings *settings, const struct ct_scan *scan,
                                const struct ct_scan_sheet *sheet, const struct ct_scan_seal *seal,
                                const char *path, struct ct_error *err)
{
    struct ct_scan_sheet before = {0};
    struct ct_scan_comparison found = {0}, *comparison = settings->against ? &found : NULL;
    enum ct_status status =
        comparison ? ct_scan_sheet_read(settings->against, &before, err) : CT_OK;
    if (status != CT_OK)
        return ct_fail_within(err, status, "--against");
    if (comparison)
        status = ct_scan_compare(sheet, &before, comparison, err);
    if (status == CT_OK)
        status = save_scan(scan, sheet, comparison, seal, path, err);
    if (status == CT_OK)
        status = print_scan(&settings->view, scan, sheet, comparison, seal, err);
    free(found.changes);
    ct_scan_sheet_free(&before);
    return status;
}

static enum ct_status make_scan_sheet(const struct settings *settings, const char *directory,
                                      const char *path, struct ct_error *err)
{
    struct ct_scan scan;
    struct ct_scan_sheet sheet = {0};
    struct ct_scan_seal seal = {0};
    CT_TRY(ct_scan_load(directory, &scan, err));
    ct_warn_all("crosstalk", &scan.notes);
    enum ct_status status = ct_scan_sheet_make(&scan, &sheet, err);
    if (status == CT_OK && settings->applications.path)
        status = add_answers(settings, &scan, &sheet, err);
    if (status == CT_OK)
        status = ct_scan_seal_judge(directory, &scan, &seal, err);
    if (status == CT_OK)
        status = show_scan(settings, &scan, &sheet, seal.text ? &seal : NULL, path, err);
    ct_scan_sheet_free(&sheet);
    ct_scan_seal_free(&seal);
    ct_scan_free(&scan);
    return status;
}

static enum ct_status save_kit(const struct settings *settings, const char *file, const char *path,
                               struct ct_error *err)
{
    struct ct_scan_kit kit;
    if (settings->applications.path)
        return ct_fail(err, CT_EUSAGE,
                       "--applications: %s is the file of a kit, which has no times of messages: "
                       "give the folder of the scan",
                       file);
    CT_TRY(ct_scan_kit_read(file, &kit, err));
    enum ct_status status = show_scan(settings, &kit.scan, &kit.sheet, &kit.seal, path, err);
    ct_scan_kit_free(&kit);
    return status;
}

/* The sheet of a scan has no matrix. */
static enum ct_status report_scan(const struct settings *settings, const char *directory,
                                  struct ct_error *err)
{
    struct output output = {0};
    if (settings->figures || ends_in(settings->output, ".svg") || ends_in(settings->output, ".png"))
        return ct_fail(
            err, CT_EUSAGE,
            "%s: a scan has no matrix to draw; give --output FILE.html without --figures",
            directory);
    CT_TRY(open_output(settings, &output, err));
    enum ct_status status = is_json(directory)
                                ? save_kit(settings, directory, output.path, err)
                                : make_scan_sheet(settings, directory, output.path, err);
    if (status == CT_OK) {
        struct ct_log log = ct_log_open(command.name, settings->view.quiet);
        ct_log_info(&log, "%s", output.path);
    }
    close_output(&output, status != CT_OK);
    return status;
}

/* What only a scan has. */
static enum ct_status check_campaign(const struct settings *settings, const char *directory,
                                     struct ct_error *err)
{
    if (settings->applications.path)
        return ct_fail(err, CT_EUSAGE,
                       "--applications: %s is no folder of a scan; what a campaign predicts of "
                       "its applications is on its page without this option",
                       directory);
    if (settings->against)
        return ct_fail(err, CT_EUSAGE, "--against: %s is no folder of a scan", directory);
    if (ends_in(settings->output, ".json"))
        return ct_fail(err, CT_EUSAGE,
                       "--output: %s: only the sheet of a scan is written as JSON; numbers of a "
                       "campaign are those of crosstalk predict --format json",
                       settings->output);
    return CT_OK;
}

static enum ct_status make_report(void *values, const struct ct_arguments *args,
                                  struct ct_error *err)
{
    const struct settings *settings = values;
    struct output output = {0};
    struct ct_page page;
    if (is_scan(args->operands[0]) || is_json(args->operands[0]))
        return report_scan(settings, args->operands[0], err);
    CT_TRY(check_campaign(settings, args->operands[0], err));
    CT_TRY(open_output(settings, &output, err));
    enum ct_status status = make_page(settings, args->operands[0], &page, err);
    if (status == CT_OK) {
        struct ct_log log = ct_log_open(command.name, settings->view.quiet);
        ct_warn_all("crosstalk", &page.notes);
        status = save_output(settings, &page, &output, err);
        if (status == CT_OK)
            ct_log_info(&log, "%s", output.path);
        ct_page_free(&page);
    }
    close_output(&output, status != CT_OK);
    return status;
}

int ct_cmd_report(int argc, char **argv)
{
    struct settings settings = {0};
    return ct_command_main(&command, argc, argv, &settings, make_report);
}
