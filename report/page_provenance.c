/* What was measured where, from the attributes of the runs; and what is to be doubted. */
#include "report/page_facts.h"
#include "report/run_table.h"
#include "study/describe.h"
#include "study/network_settings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- different values of an attribute ---- */

enum { SHOWN_MAX = 4 };

static const char *tool_of(const struct ct_run_info *info)
{
    return info->tool;
}

static const char *version_of(const struct ct_run_info *info)
{
    return info->version;
}

static const char *hosts_of(const struct ct_run_info *info)
{
    return info->hosts;
}

static const char *mpi_of(const struct ct_run_info *info)
{
    return info->mpi_library;
}

static const char *timer_of(const struct ct_run_info *info)
{
    return info->timer;
}

static const char *app_of(const struct ct_run_info *info)
{
    return info->app;
}

/* Rows: an attribute, or the fact with this key. */
static const struct attribute {
    const char *name;
    const char *(*text)(const struct ct_run_info *info);
    const char *fact;
} attributes[] = {
    {"applications", app_of, NULL},
    {"hosts", hosts_of, NULL},
    {"placement", NULL, CT_RUN_PLACEMENT},
    {"hosts of co-runners", NULL, CT_RUN_PLACEMENT_WITH},
    {"system", NULL, "kernel"},
    {"processors of a rank", NULL, "affinity"},
    {"frequency governor", NULL, "cpu_governor"},
    {"network devices", NULL, "network_devices"},
    {"MPI library", mpi_of, NULL},
    {"programs", tool_of, NULL},
    {"their version", version_of, NULL},
    {"clock", timer_of, NULL},
    {"probes sent every", NULL, "option_interval"},
    {"size of a probe", NULL, "option_message_size"},
};
enum { N_ATTRIBUTES = sizeof attributes / sizeof *attributes };

static bool is_among(const struct ct_argv *words, const char *text)
{
    for (size_t i = 0; i < words->n; i++)
        if (!strcmp(words->item[i], text))
            return true;
    return false;
}

static void add_fact(struct ct_page_source *source, const char *key, const char *text)
{
    ct_argv_add(&source->texts, "%s", key);
    ct_argv_add(&source->texts, "%s", text);
}

static void add_distinct(struct ct_page_source *source, const struct attribute *attribute,
                         size_t shown_max)
{
    struct ct_argv found = {0}, shown = {0};
    char *text = NULL;
    for (size_t i = 0; i < source->list.n_entries; i++) {
        const struct ct_run_info *info = &source->list.entries[i].info;
        const char *value =
            attribute->text ? attribute->text(info) : ct_run_text(info, attribute->fact);
        if (value && *value && !is_among(&found, value))
            ct_argv_add(&found, "%s", value);
    }
    size_t size;
    FILE *out = open_memstream(&text, &size);
    for (size_t i = 0; i < found.n && i < shown_max && out; i++)
        fprintf(out, "%s%s", i ? "; " : "", found.item[i]);
    if (out && found.n > shown_max)
        fprintf(out, "; and %zu others", found.n - shown_max);
    source->texts.failed |= found.failed || !out || fclose(out) != 0;
    if (found.n > 0 && text)
        add_fact(source, attribute->name, text);
    free(text);
    ct_argv_free(&found);
    ct_argv_free(&shown);
}

/* A row for each variable that chooses the network, by its own name. */
static void add_settings(struct ct_page_source *source)
{
    struct ct_argv keys = {0};
    ct_network_settings_list(&source->list, &keys);
    for (size_t i = 0; i < keys.n; i++) {
        const struct attribute variable = {.name = ct_network_settings_name(keys.item[i]),
                                           .fact = keys.item[i]};
        add_distinct(source, &variable, SHOWN_MAX);
    }
    source->texts.failed |= keys.failed;
    ct_argv_free(&keys);
}

/* ---- sums over the runs ---- */

static void add_time(struct ct_page_source *source)
{
    const char *first = NULL, *last = NULL;
    for (size_t i = 0; i < source->list.n_entries; i++) {
        const char *started = source->list.entries[i].info.started_utc;
        if (*started && (!first || strcmp(started, first) < 0))
            first = started;
        if (*started && (!last || strcmp(started, last) > 0))
            last = started;
    }
    if (!first)
        return;
    ct_argv_add(&source->texts, "first and last run started");
    ct_argv_add(&source->texts, "%s, %s", first, last);
}

static void add_counts(struct ct_page_source *source)
{
    const struct ct_measurements *measured = &source->session.study.measured;
    size_t n_of[CT_RUN_LOGP + 1] = {0}, n_probes = 0, n_passes = 0;
    for (size_t i = 0; i < source->list.n_entries; i++)
        n_of[source->list.entries[i].info.kind]++;
    for (size_t load = 0; load < ct_measured_n_loads(measured); load++) {
        n_probes += measured->loads[load].latency_s.n;
        for (size_t app = 0; app < measured->n_apps; app++)
            n_passes += ct_measured_passes(measured, app, load).n;
    }
    size_t n_others = n_of[CT_RUN_COMPRESSION] + n_of[CT_RUN_LOGP];
    char others[64] = "";
    if (n_others > 0)
        snprintf(others, sizeof others, ", %zu of compressionb or logpb", n_others);
    ct_argv_add(&source->texts, "runs");
    ct_argv_add(&source->texts,
                "%zu: %zu of the probe, %zu of applications%s (%zu configurations of tunable "
                "load); %zu probes, %zu passes",
                source->list.n_entries, n_of[CT_RUN_IMPACT], n_of[CT_RUN_RUNTIME], others,
                measured->n_configs, n_probes, n_passes);
}

static void add_calibration(struct ct_page_source *source)
{
    const struct ct_predict_analysis *analysis = source->facts.analysis;
    char text[CT_DESCRIPTION_MAX];
    if (!analysis || analysis->delay.n == 0)
        return;
    ct_describe_calibration(&source->session.study, analysis, text);
    ct_argv_add(&source->texts, "calibration");
    ct_argv_add(&source->texts, "%s", text);
}

/* ---- the whole ---- */

static enum ct_status add_runs(struct ct_page_source *source)
{
    size_t size;
    FILE *out = open_memstream(&source->runs_csv, &size);
    struct ct_tables *tables = ct_tables_new("crosstalk report", CT_FORMAT_CSV);
    enum ct_status status = out && tables ? CT_OK : CT_ENOMEM;
    if (status == CT_OK)
        status = ct_run_table(tables, &source->list, false, NULL);
    if (status == CT_OK)
        status = ct_tables_print(tables, out, NULL);
    ct_tables_free(tables);
    if (out && fclose(out) != 0)
        status = CT_ENOMEM;
    return status;
}

static void add_schedules(struct ct_page_source *source)
{
    const struct ct_schedules *schedules = &source->session.schedules;
    if (schedules->n_available == 0)
        return;
    ct_argv_add(&source->texts, "schedules");
    ct_argv_add(&source->texts, "of %zu of %zu applications; L %.4g µs (%s), G %.4g ns/B (%s)",
                schedules->n_available, schedules->n_apps, schedules->model->L_s * 1e6,
                schedules->model->L_origin, schedules->model->G_s_per_byte * 1e9,
                schedules->model->G_origin);
    char text[CT_DESCRIPTION_MAX];
    if (ct_describe_queues(schedules, text)) {
        ct_argv_add(&source->texts, "queues");
        ct_argv_add(&source->texts, "%s", text);
    }
}

enum ct_status ct_page_add_provenance(struct ct_page_source *source,
                                      const struct ct_page_settings *settings)
{
    add_fact(source, "campaign", settings->directory);
    if (settings->network)
        add_fact(source, "network", settings->network);
    add_counts(source);
    add_time(source);
    for (size_t i = 0; i < N_ATTRIBUTES; i++)
        add_distinct(source, &attributes[i], attributes[i].text == app_of ? SIZE_MAX : SHOWN_MAX);
    add_settings(source);
    add_calibration(source);
    add_schedules(source);
    ct_argv_add(&source->texts, "intervals");
    ct_argv_add(&source->texts, "bootstrap of %zu replicates, level %g %%, seed %llu",
                settings->bootstrap.replicates, 100 * settings->bootstrap.level,
                (unsigned long long)settings->bootstrap.seed);
    return source->texts.failed ? CT_ENOMEM : add_runs(source);
}

/* ---- warnings ---- */

static void warn_of_drifts(struct ct_page_source *source)
{
    for (size_t i = 0; i < source->session.study.drifts.n; i++) {
        char text[400];
        ct_drift_describe(&source->session.study.drifts.items[i], text, sizeof text);
        ct_argv_add(&source->warnings, "%s", text);
    }
}

enum ct_status ct_page_add_warnings(struct ct_page_source *source,
                                    const struct ct_page_settings *settings)
{
    char noise[CT_DESCRIPTION_MAX];
    warn_of_drifts(source);
    if (source->facts.analysis && ct_describe_idle_noise(source->facts.analysis, noise))
        ct_argv_add(&source->warnings, "%s", noise);
    for (size_t i = 0; i < source->session.study.notes.n; i++)
        ct_argv_add(&source->warnings, "%s", source->session.study.notes.item[i]);
    for (size_t i = 0; i < settings->n_warnings; i++)
        ct_argv_add(&source->warnings, "%s", settings->warnings[i]);
    return source->warnings.failed ? CT_ENOMEM : CT_OK;
}
