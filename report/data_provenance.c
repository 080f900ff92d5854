/* What was measured where, from the attributes of the runs; the runs; parameters of the network. */
#include "calibrate/runs/posterior_view.h"
#include "report/part.h"
#include "results/network_settings.h"
#include "study/describe.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- different values of an attribute ---- */

enum { SHOWN_MAX = 4 };

/* A member of struct ct_run_info, or the fact with this key. */
static const struct attribute {
    const char *name;
    size_t offset;
    const char *fact;
    size_t shown_max;
} attributes[] = {
    {"applications", offsetof(struct ct_run_info, app), NULL, SIZE_MAX},
    {"hosts", offsetof(struct ct_run_info, hosts), NULL, SHOWN_MAX},
    {"placement", 0, CT_RUN_PLACEMENT, SHOWN_MAX},
    {"hosts of co-runners", 0, CT_RUN_PLACEMENT_WITH, SHOWN_MAX},
    {"system", 0, "kernel", SHOWN_MAX},
    {"processors of a rank", 0, "affinity", SHOWN_MAX},
    {"frequency governor", 0, "cpu_governor", SHOWN_MAX},
    {"network devices", 0, "network_devices", SHOWN_MAX},
    {"MPI library", offsetof(struct ct_run_info, mpi_library), NULL, SHOWN_MAX},
    {"programs", offsetof(struct ct_run_info, tool), NULL, SHOWN_MAX},
    {"their version", offsetof(struct ct_run_info, version), NULL, SHOWN_MAX},
    {"clock", offsetof(struct ct_run_info, timer), NULL, SHOWN_MAX},
    {"probes sent every", 0, "option_interval", SHOWN_MAX},
    {"size of a probe", 0, "option_message_size", SHOWN_MAX},
};
enum { N_ATTRIBUTES = sizeof attributes / sizeof *attributes };

static const char *text_of(const struct attribute *attribute, const struct ct_run_info *info)
{
    return attribute->fact ? ct_run_text(info, attribute->fact)
                           : *(char *const *)(const void *)((const char *)info + attribute->offset);
}

/* Facts are put as [key, text]. */
static void add_fact(struct ct_json *facts, const char *key, const char *text)
{
    struct ct_json *fact = ct_json_append(facts, ct_json_array());
    ct_json_append(fact, ct_json_text(key));
    ct_json_append(fact, ct_json_text(text));
}

static void __attribute__((format(printf, 3, 4)))
add_sentence(struct ct_json *facts, const char *key, const char *format, ...)
{
    char text[CT_DESCRIPTION_MAX * 2];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    add_fact(facts, key, text);
}

static bool add_distinct(const struct ct_page_part *part, const struct attribute *attribute,
                         struct ct_json *facts)
{
    struct ct_argv found = {0};
    char *text = NULL;
    size_t size;
    for (size_t i = 0; i < part->list.n_entries; i++) {
        const struct ct_run_info *info = &part->list.entries[i].info;
        const char *value = text_of(attribute, info);
        if (value && *value && !ct_argv_has(&found, value))
            ct_argv_add(&found, "%s", value);
    }
    FILE *out = open_memstream(&text, &size);
    for (size_t i = 0; i < found.n && i < attribute->shown_max && out; i++)
        fprintf(out, "%s%s", i ? "; " : "", found.item[i]);
    if (out && found.n > attribute->shown_max)
        fprintf(out, "; and %zu others", found.n - attribute->shown_max);
    bool has_room = out && fclose(out) == 0 && !found.failed;
    if (found.n > 0 && has_room)
        add_fact(facts, attribute->name, text);
    free(text);
    ct_argv_free(&found);
    return has_room;
}

/* A row for each variable that chooses the network, by its own name. */
static bool add_settings(const struct ct_page_part *part, struct ct_json *facts)
{
    struct ct_argv keys = {0};
    ct_network_settings_list(&part->list, &keys);
    bool has_room = !keys.failed;
    for (size_t i = 0; i < keys.n && has_room; i++) {
        const struct attribute variable = {.name = ct_network_settings_name(keys.item[i]),
                                           .fact = keys.item[i],
                                           .shown_max = SHOWN_MAX};
        has_room = add_distinct(part, &variable, facts);
    }
    ct_argv_free(&keys);
    return has_room;
}

/* ---- sums over the runs ---- */

static void add_times(const struct ct_page_part *part, struct ct_json *facts)
{
    const char *first = NULL, *last = NULL;
    for (size_t i = 0; i < part->list.n_entries; i++) {
        const char *started = part->list.entries[i].info.started_utc;
        if (*started && (!first || strcmp(started, first) < 0))
            first = started;
        if (*started && (!last || strcmp(started, last) > 0))
            last = started;
    }
    if (first)
        add_sentence(facts, "first and last run started", "%s, %s", first, last);
}

static void add_counts(const struct ct_page_part *part, struct ct_json *facts)
{
    const struct ct_measurements *measured = &part->session.study.measured;
    size_t n_of[CT_RUN_SCAN + 1] = {0}, n_probes = 0, n_passes = 0;
    for (size_t i = 0; i < part->list.n_entries; i++)
        n_of[part->list.entries[i].info.kind]++;
    for (size_t load = 0; load < ct_measured_n_loads(measured); load++) {
        n_probes += measured->loads[load].latency_s.n;
        for (size_t app = 0; app < measured->n_apps; app++)
            n_passes += ct_measured_passes(measured, app, load).n;
    }
    size_t n_others = n_of[CT_RUN_COMPRESSION] + n_of[CT_RUN_LOGP];
    char others[64] = "";
    if (n_others > 0)
        snprintf(others, sizeof others, ", %zu of compressionb or logpb", n_others);
    add_sentence(facts, "runs",
                 "%zu: %zu of the probe, %zu of applications%s (%zu configurations of tunable "
                 "load); %zu probes, %zu passes",
                 part->list.n_entries, n_of[CT_RUN_IMPACT], n_of[CT_RUN_RUNTIME], others,
                 measured->n_configs, n_probes, n_passes);
}

static void add_models(const struct ct_page_part *part, struct ct_json *facts)
{
    const struct ct_schedules *schedules = &part->session.schedules;
    char text[CT_DESCRIPTION_MAX];
    if (part->is_analysed && part->analysis.delay.n > 0) {
        ct_describe_calibration(&part->session.study, &part->analysis, text);
        add_fact(facts, "calibration", text);
    }
    if (schedules->n_available == 0)
        return;
    add_sentence(facts, "schedules",
                 "of %zu of %zu applications; L %.4g \302\265s (%s), G %.4g ns/B (%s)",
                 schedules->n_available, schedules->n_apps, schedules->model->L_s * 1e6,
                 schedules->model->L_origin, schedules->model->G_s_per_byte * 1e9,
                 schedules->model->G_origin);
    if (ct_describe_queues(schedules, text))
        add_fact(facts, "queues", text);
}

static bool write_facts(const struct ct_page_part *part, struct ct_json *facts)
{
    const struct ct_bootstrap *bootstrap = &part->settings->bootstrap;
    bool has_room = true;
    add_fact(facts, "campaign", part->settings->directory);
    if (part->settings->network)
        add_fact(facts, "network", part->settings->network);
    add_counts(part, facts);
    add_times(part, facts);
    for (size_t i = 0; i < N_ATTRIBUTES && has_room; i++)
        has_room = add_distinct(part, &attributes[i], facts);
    has_room = has_room && add_settings(part, facts);
    add_models(part, facts);
    add_sentence(facts, "intervals", "level %g %%; bootstrap of %zu replicates, seed %llu",
                 100 * bootstrap->level, bootstrap->replicates,
                 (unsigned long long)bootstrap->seed);
    return has_room;
}

/* ---- runs ---- */

/* [name, kind, application, beside, start] */
static void write_runs(const struct ct_page_part *part, struct ct_json *runs)
{
    for (size_t i = 0; i < part->list.n_entries; i++) {
        const struct ct_run_entry *entry = &part->list.entries[i];
        const struct ct_run_info *info = &entry->info;
        const char *slash = strrchr(entry->path, '/');
        char config[CT_CONFIG_TEXT_MAX] = "";
        if (info->has_config)
            ct_config_format(&info->config, config);
        struct ct_json *run = ct_json_append(runs, ct_json_array());
        ct_json_append(run, ct_json_text(slash ? slash + 1 : entry->path));
        ct_json_append(run, ct_json_text(ct_run_kind_text(info->kind)));
        ct_json_append(run, ct_json_text(info->app));
        ct_json_append(run, ct_json_text(info->has_config ? config : info->with));
        ct_json_append(run, ct_json_text(info->started_utc));
    }
}

/* ---- parameters of the network ---- */

/* With four significant digits, in the unit of the parameter. */
static void add_value(size_t key, double value, struct ct_json *row)
{
    char digits[32], text[CT_STACK_VALUE_MAX];
    snprintf(digits, sizeof digits, "%.3e", value);
    ct_stack_key_format(key, strtod(digits, NULL), text);
    ct_json_append(row, ct_json_text(text));
}

/* [name, most likely, from, to, from before, to before] */
static void write_posterior(const struct ct_posterior_view *view, struct ct_json *rows)
{
    const struct ct_unknowns *unknowns = &view->draws.unknowns;
    for (size_t i = 0; i < unknowns->n; i++) {
        const struct ct_prior *prior = &unknowns->parameters[i].prior;
        const double values[] = {view->draws.most_likely[i], view->parameter_interval[2 * i],
                                 view->parameter_interval[2 * i + 1], ct_prior_value(prior, -1),
                                 ct_prior_value(prior, 1)};
        struct ct_json *row = ct_json_append(rows, ct_json_array());
        ct_json_append(row, ct_json_text(unknowns->parameters[i].name));
        for (size_t k = 0; k < sizeof values / sizeof *values; k++)
            add_value(unknowns->keys[i], values[k], row);
    }
}

/* That of --parameters, else posterior.h5 in the campaign's folder, if there is one: what is wrong
 * with that is a warning. */
static enum ct_status add_posterior(const struct ct_page_part *part, struct ct_json *into,
                                    struct ct_error *err)
{
    const char *given = part->settings->schedules.given.posterior_path;
    struct ct_posterior_view view;
    char *path = NULL;
    if ((given ? asprintf(&path, "%s", given)
               : asprintf(&path, "%s/" CT_RUN_POSTERIOR, part->settings->directory)) < 0)
        return ct_no_memory(err, "%s", part->settings->directory);
    enum ct_status status = CT_OK;
    if (given || access(path, F_OK) == 0) {
        status = ct_posterior_view_read(path, &view, err);
        if (status == CT_OK) {
            write_posterior(&view, ct_json_put(into, "posterior", ct_json_array()));
            ct_posterior_view_free(&view);
        } else if (!given && status != CT_ENOMEM) {
            ct_json_append(ct_json_member(into, "warnings"), ct_json_text(err->text));
            status = CT_OK;
        }
    }
    free(path);
    return status;
}

/* ---- the whole ---- */

enum ct_status ct_page_write_provenance(const struct ct_page_part *part, struct ct_json *into,
                                        struct ct_error *err)
{
    struct ct_json *warnings = ct_json_put(into, "warnings", ct_json_array());
    for (size_t i = 0; i < part->warnings.n; i++)
        ct_json_append(warnings, ct_json_text(part->warnings.item[i]));
    if (!write_facts(part, ct_json_put(into, "facts", ct_json_array())))
        return ct_no_memory(err, "%s", part->settings->directory);
    ct_json_put(into, "waiting_rms",
                ct_page_number(part->is_analysed ? part->analysis.waiting.rms_frac : NAN));
    write_runs(part, ct_json_put(into, "runs", ct_json_array()));
    return add_posterior(part, into, err);
}
