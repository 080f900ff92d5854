#include "study/campaign.h"

#include "core/array.h"
#include "predict/summaries.h"
#include "study/network_settings.h"
#include "study/switch_counters.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- values of one run ---- */

static int by_time(const void *left, const void *right)
{
    const struct ct_sample *a = left, *b = right;
    return (a->t_s > b->t_s) - (a->t_s < b->t_s);
}

static enum ct_status reserve(struct ct_values *values, size_t more, struct ct_error *err)
{
    size_t needed = values->n + more;
    if (needed <= values->capacity)
        return CT_OK;
    size_t capacity = needed > 2 * values->capacity ? needed : 2 * values->capacity;
    if (!CT_ARRAY_RESIZE(values->x, capacity) || !CT_ARRAY_RESIZE(values->time_s, capacity))
        return ct_fail(err, CT_ENOMEM, "%zu values: out of memory", capacity);
    values->capacity = capacity;
    return CT_OK;
}

static void append(struct ct_values *values, double time_s, double x)
{
    values->time_s[values->n] = time_s;
    values->x[values->n++] = x;
}

/* Ranks wrote their samples one after the other; the bootstrap needs the order of time. */
static enum ct_status append_latencies(struct ct_values *values, const struct ct_run *run,
                                       struct ct_error *err)
{
    if (run->n_samples == 0)
        return CT_OK;
    struct ct_sample *samples = malloc(run->n_samples * sizeof *samples);
    if (!samples)
        return ct_fail(err, CT_ENOMEM, "%zu samples: out of memory", run->n_samples);
    memcpy(samples, run->samples, run->n_samples * sizeof *samples);
    qsort(samples, run->n_samples, sizeof *samples, by_time);
    enum ct_status status = reserve(values, run->n_samples, err);
    for (size_t i = 0; i < run->n_samples && status == CT_OK; i++)
        append(values, samples[i].t_s, samples[i].latency_s);
    free(samples);
    return status;
}

static enum ct_status append_durations(struct ct_values *values, const struct ct_run *run,
                                       struct ct_error *err)
{
    enum ct_status status = reserve(values, run->n_runtimes, err);
    for (size_t i = 0; i < run->n_runtimes && status == CT_OK; i++)
        append(values, run->runtimes[i].start_s, run->runtimes[i].duration_s);
    return status;
}

static enum ct_status end_run(struct ct_values *values, struct ct_error *err)
{
    if (!CT_ARRAY_RESIZE(values->ends, values->n_runs + 1))
        return ct_fail(err, CT_ENOMEM, "%zu runs: out of memory", values->n_runs + 1);
    values->ends[values->n_runs++] = values->n;
    return CT_OK;
}

enum ct_status ct_values_append_run(struct ct_values *values, const struct ct_run *run,
                                    struct ct_error *err)
{
    enum ct_status status;
    if (run->info.kind == CT_RUN_IMPACT)
        status = append_latencies(values, run, err);
    else if (run->info.kind == CT_RUN_RUNTIME)
        status = append_durations(values, run, err);
    else
        status = ct_fail(err, CT_EINVAL, "a run of kind %s has neither latencies nor run times",
                         ct_run_kind_text(run->info.kind));
    return status == CT_OK ? end_run(values, err) : status;
}

struct ct_series ct_values_series(const struct ct_values *values)
{
    return (struct ct_series){values->x, values->n};
}

struct ct_series ct_values_times(const struct ct_values *values)
{
    return (struct ct_series){values->time_s, values->n};
}

struct ct_runs ct_values_runs(const struct ct_values *values)
{
    return (struct ct_runs){values->ends, values->n_runs};
}

void ct_values_free(struct ct_values *values)
{
    free(values->x);
    free(values->time_s);
    free(values->ends);
    *values = (struct ct_values){0};
}

/* ---- applications and configurations of a campaign ---- */

__attribute__((format(printf, 3, 4))) static enum ct_status
add_note(struct ct_loaded_campaign *campaign, struct ct_error *err, const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    char *note = strdup(text);
    if (!note || !CT_ARRAY_RESIZE(campaign->notes, campaign->n_notes + 1)) {
        free(note);
        return ct_fail(err, CT_ENOMEM, "%s: out of memory", text);
    }
    campaign->notes[campaign->n_notes++] = note;
    return CT_OK;
}

static int by_name(const void *left, const void *right)
{
    return strcmp(*(char *const *)left, *(char *const *)right);
}

/* Index of a name or a configuration; the count where it is not there. */
static size_t find_app(const struct ct_loaded_campaign *campaign, const char *name)
{
    size_t i = 0;
    while (i < campaign->input.n_apps && strcmp(campaign->app_names[i], name) != 0)
        i++;
    return i;
}

static size_t find_config(const struct ct_loaded_campaign *campaign, const struct ct_config *config)
{
    size_t i = 0;
    while (i < campaign->input.n_configs && !ct_config_same(&campaign->configs[i], config))
        i++;
    return i;
}

static enum ct_status add_app(struct ct_loaded_campaign *campaign, const char *name)
{
    size_t n = campaign->input.n_apps;
    if (*name == '\0' || find_app(campaign, name) < n)
        return CT_OK;
    if (!CT_ARRAY_RESIZE(campaign->app_names, n + 1))
        return CT_ENOMEM;
    campaign->app_names[n] = strdup(name);
    if (!campaign->app_names[n])
        return CT_ENOMEM;
    campaign->input.n_apps++;
    return CT_OK;
}

static enum ct_status add_config(struct ct_loaded_campaign *campaign,
                                 const struct ct_config *config)
{
    size_t n = campaign->input.n_configs;
    if (find_config(campaign, config) < n)
        return CT_OK;
    if (!CT_ARRAY_RESIZE(campaign->configs, n + 1))
        return CT_ENOMEM;
    campaign->configs[n] = *config;
    campaign->input.n_configs++;
    return CT_OK;
}

static char *config_name(const struct ct_config *config)
{
    char text[CT_CONFIG_TEXT_MAX];
    ct_config_describe(config, text);
    return strdup(text);
}

static bool is_relevant(const struct ct_run_info *info)
{
    return info->kind == CT_RUN_IMPACT || info->kind == CT_RUN_RUNTIME;
}

/* Several co-runners at once: "fft,milc". */
static bool is_group(const struct ct_run_info *info)
{
    return info->kind == CT_RUN_RUNTIME && strchr(info->with, ',') != NULL;
}

static enum ct_status add_members(struct ct_loaded_campaign *campaign, const char *with)
{
    char *names = strdup(with), *rest = names, *name;
    enum ct_status status = names ? CT_OK : CT_ENOMEM;
    while (status == CT_OK && (name = strsep(&rest, ",")) != NULL)
        status = add_app(campaign, name);
    free(names);
    return status;
}

static enum ct_status collect_parties(struct ct_loaded_campaign *campaign,
                                      const struct ct_run_list *list)
{
    enum ct_status status = CT_OK;
    for (size_t i = 0; i < list->n_entries && status == CT_OK; i++) {
        const struct ct_run_info *info = &list->entries[i].info;
        if (!is_relevant(info))
            continue;
        status = add_app(campaign, info->app);
        if (status == CT_OK)
            status =
                is_group(info) ? add_members(campaign, info->with) : add_app(campaign, info->with);
        if (status == CT_OK && info->has_config)
            status = add_config(campaign, &info->config);
    }
    size_t n_configs = campaign->input.n_configs;
    campaign->config_names = calloc(n_configs + 1, sizeof *campaign->config_names);
    if (status != CT_OK || !campaign->config_names)
        return CT_ENOMEM;
    if (campaign->input.n_apps > 0)
        qsort(campaign->app_names, campaign->input.n_apps, sizeof *campaign->app_names, by_name);
    if (n_configs > 0)
        qsort(campaign->configs, n_configs, sizeof *campaign->configs, ct_config_compare);
    for (size_t i = 0; i < n_configs; i++) {
        campaign->config_names[i] = config_name(&campaign->configs[i]);
        if (!campaign->config_names[i])
            return CT_ENOMEM;
    }
    return CT_OK;
}

/* ---- combinations: where a run's values go ---- */

/* First combination of each sort; loads that are probed come first, so that they number truths. */
struct places {
    size_t idle, app_latency, config_latency, n_probed, baseline, under_config, beside_app, total;
};

static struct places places_of(const struct ct_loaded_campaign *campaign)
{
    size_t n_apps = campaign->input.n_apps, n_configs = campaign->input.n_configs;
    struct places places = {.idle = 0, .app_latency = 1};
    places.config_latency = places.app_latency + n_apps;
    places.n_probed = places.baseline = places.config_latency + n_configs;
    places.under_config = places.baseline + n_apps;
    places.beside_app = places.under_config + n_apps * n_configs;
    places.total = places.beside_app + n_apps * n_apps;
    return places;
}

static bool place_of_impact(const struct ct_loaded_campaign *campaign,
                            const struct ct_run_info *info, size_t *place_p)
{
    struct places places = places_of(campaign);
    if (*info->with || (*info->app && info->has_config))
        return false;
    if (*info->app)
        *place_p = places.app_latency + find_app(campaign, info->app);
    else if (info->has_config)
        *place_p = places.config_latency + find_config(campaign, &info->config);
    else
        *place_p = places.idle;
    return true;
}

static bool place_of_runtime(const struct ct_loaded_campaign *campaign,
                             const struct ct_run_info *info, size_t *place_p)
{
    struct places places = places_of(campaign);
    if (!*info->app || (*info->with && info->has_config))
        return false;
    size_t app = find_app(campaign, info->app);
    if (*info->with)
        *place_p =
            places.beside_app + app * campaign->input.n_apps + find_app(campaign, info->with);
    else if (info->has_config)
        *place_p = places.under_config + app * campaign->input.n_configs +
                   find_config(campaign, &info->config);
    else
        *place_p = places.baseline + app;
    return true;
}

/* false: the run is of no combination. */
static bool place_of(const struct ct_loaded_campaign *campaign, const struct ct_run_info *info,
                     size_t *place_p)
{
    return info->kind == CT_RUN_IMPACT ? place_of_impact(campaign, info, place_p)
                                       : place_of_runtime(campaign, info, place_p);
}

/* ---- several co-runners at once ---- */

static int by_index(const void *left, const void *right)
{
    size_t a = *(const size_t *)left, b = *(const size_t *)right;
    return (a > b) - (a < b);
}

/* The group of a run, in order of the applications' numbers. */
static enum ct_status parse_group(const struct ct_loaded_campaign *campaign,
                                  const struct ct_run_info *info, struct ct_measured_group *group)
{
    *group = (struct ct_measured_group){.app = find_app(campaign, info->app)};
    char *names = strdup(info->with), *rest = names, *name;
    group->with = malloc((strlen(info->with) + 1) * sizeof *group->with);
    if (!names || !group->with) {
        free(names);
        free(group->with);
        return CT_ENOMEM;
    }
    while ((name = strsep(&rest, ",")) != NULL)
        if (*name)
            group->with[group->n_with++] = find_app(campaign, name);
    qsort(group->with, group->n_with, sizeof *group->with, by_index);
    free(names);
    return CT_OK;
}

static bool same_group(const struct ct_measured_group *a, const struct ct_measured_group *b)
{
    return a->app == b->app && a->n_with == b->n_with &&
           memcmp(a->with, b->with, a->n_with * sizeof *a->with) == 0;
}

static enum ct_status load_group(struct ct_loaded_campaign *campaign, const struct ct_run *run,
                                 struct ct_error *err)
{
    struct ct_measured_group wanted;
    if (!CT_ARRAY_RESIZE(campaign->groups, campaign->n_groups + 1) ||
        parse_group(campaign, &run->info, &wanted) != CT_OK)
        return ct_fail(err, CT_ENOMEM, "%zu groups: out of memory", campaign->n_groups + 1);
    struct ct_measured_group *groups = campaign->groups;
    size_t i = 0;
    while (i < campaign->n_groups && !same_group(&groups[i], &wanted))
        i++;
    if (i == campaign->n_groups)
        groups[campaign->n_groups++] = wanted;
    else
        free(wanted.with);
    return ct_values_append_run(&groups[i].duration_s, run, err);
}

/* ---- the whole ---- */

struct mean {
    double sum;
    size_t n;
};

/* What runs tell beside their series. */
struct facts {
    struct mean *truths; /* one per combination that is probed */
    struct mean *sent;   /* [config] */
};

static double value_of(const struct mean *mean)
{
    return mean->n > 0 ? mean->sum / (double)mean->n : NAN;
}

static size_t count_words(const char *text)
{
    size_t n = 0;
    for (const char *p = text; *p; p++)
        if (*p != ' ' && (p == text || p[-1] == ' '))
            n++;
    return n;
}

/* Bytes per second and node that compressionb recorded while nothing but a probe ran beside it. */
static enum ct_status load_sent(struct ct_loaded_campaign *campaign,
                                const struct ct_run_entry *entry, struct mean *sent,
                                struct ct_error *err)
{
    struct ct_run run;
    struct ct_error why = {0};
    if (!entry->info.has_config || *entry->info.app || *entry->info.with)
        return CT_OK;
    size_t config = find_config(campaign, &entry->info.config);
    if (config == campaign->input.n_configs)
        return CT_OK;
    if (ct_run_read(entry->path, &run, &why) != CT_OK)
        return add_note(campaign, err, "left out: %s", why.text);
    double bytes = 0, time_s = 0;
    for (size_t i = 0; i < run.n_rounds; i++) {
        bytes += (double)run.rounds[i].bytes;
        time_s += run.rounds[i].duration_s;
    }
    size_t n_nodes = count_words(run.info.hosts);
    if (time_s > 0 && n_nodes > 0) {
        sent[config].sum += bytes / time_s / (double)n_nodes;
        sent[config].n++;
    }
    ct_run_free(&run);
    return CT_OK;
}

static enum ct_status load_run(struct ct_loaded_campaign *campaign,
                               const struct ct_run_entry *entry, const struct facts *facts,
                               struct ct_error *err)
{
    size_t place = SIZE_MAX;
    if (entry->info.kind == CT_RUN_COMPRESSION)
        return load_sent(campaign, entry, facts->sent, err);
    if (!is_relevant(&entry->info))
        return CT_OK;
    if (!is_group(&entry->info) && !place_of(campaign, &entry->info, &place))
        return add_note(campaign, err,
                        "left out: %s: kind, app, with and configuration fit no "
                        "combination that is known",
                        entry->path);
    struct ct_run run;
    struct ct_error why = {0};
    if (ct_run_read(entry->path, &run, &why) != CT_OK)
        return add_note(campaign, err, "left out: %s", why.text);
    enum ct_status status = is_group(&entry->info)
                                ? load_group(campaign, &run, err)
                                : ct_values_append_run(&campaign->values[place], &run, err);
    ct_run_free(&run);
    campaign->n_runs++;
    double busy_frac;
    if (status != CT_OK || place >= places_of(campaign).n_probed)
        return status;
    if (ct_switch_busy_frac(entry, &busy_frac, &why)) {
        facts->truths[place].sum += busy_frac;
        facts->truths[place].n++;
    } else if (why.status != CT_OK) {
        status = add_note(campaign, err, "left out: %s", why.text);
    }
    return status;
}

static enum ct_status load_runs(struct ct_loaded_campaign *campaign, const struct ct_run_list *list,
                                struct ct_error *err)
{
    struct places places = places_of(campaign);
    size_t n_configs = campaign->input.n_configs;
    struct facts facts = {calloc(places.n_probed, sizeof *facts.truths),
                          calloc(n_configs + 1, sizeof *facts.sent)};
    campaign->truths = calloc(places.n_probed, sizeof *campaign->truths);
    campaign->sent_bytes_per_s = calloc(n_configs + 1, sizeof *campaign->sent_bytes_per_s);
    campaign->known_frac = calloc(n_configs + 1, sizeof *campaign->known_frac);
    campaign->values = calloc(places.total, sizeof *campaign->values);
    campaign->series = calloc(places.total, sizeof *campaign->series);
    campaign->times = calloc(places.total, sizeof *campaign->times);
    campaign->runs = calloc(places.total, sizeof *campaign->runs);
    enum ct_status status = CT_OK;
    if (!facts.truths || !facts.sent || !campaign->truths || !campaign->sent_bytes_per_s ||
        !campaign->known_frac || !campaign->values || !campaign->series || !campaign->times ||
        !campaign->runs)
        status = ct_fail(err, CT_ENOMEM, "%zu combinations: out of memory", places.total);
    for (size_t i = 0; i < list->n_entries && status == CT_OK; i++)
        status = load_run(campaign, &list->entries[i], &facts, err);
    for (size_t i = 0; i < places.n_probed && status == CT_OK; i++)
        campaign->truths[i] = value_of(&facts.truths[i]);
    for (size_t i = 0; i < n_configs && status == CT_OK; i++) {
        campaign->sent_bytes_per_s[i] = value_of(&facts.sent[i]);
        campaign->known_frac[i] = campaign->truths[places.config_latency + i];
    }
    free(facts.truths);
    free(facts.sent);
    return status;
}

/* One source for all: what is sent and what ports count differ by the protocols' headers. */
enum ct_status ct_loaded_campaign_set_rate(struct ct_loaded_campaign *campaign,
                                           double link_bit_per_s, struct ct_error *err)
{
    size_t n_recorded = 0;
    for (size_t i = 0; i < campaign->input.n_configs; i++)
        if (!isnan(campaign->sent_bytes_per_s[i]))
            n_recorded++;
    if (n_recorded == 0)
        return ct_fail(
            err, CT_ENODATA,
            "no recorded compressionb run: the link's rate says nothing without what was "
            "sent; 'compressionb --output FILE.h5' beside impactb records it");
    for (size_t i = 0; i < campaign->input.n_configs; i++)
        campaign->known_frac[i] = 8 * campaign->sent_bytes_per_s[i] / link_bit_per_s;
    campaign->is_recorded = true;
    return CT_OK;
}

size_t ct_loaded_campaign_n_values(const struct ct_loaded_campaign *campaign)
{
    return places_of(campaign).total;
}

size_t ct_loaded_campaign_n_probed(const struct ct_loaded_campaign *campaign)
{
    return places_of(campaign).n_probed;
}

void ct_loaded_campaign_show(struct ct_loaded_campaign *campaign)
{
    struct places places = places_of(campaign);
    const struct ct_series *series = campaign->series;
    for (size_t i = 0; i < places.total; i++) {
        campaign->series[i] = ct_values_series(&campaign->values[i]);
        campaign->times[i] = ct_values_times(&campaign->values[i]);
        campaign->runs[i] = ct_values_runs(&campaign->values[i]);
    }
    campaign->input = (struct ct_predict_input){
        .n_apps = campaign->input.n_apps,
        .n_configs = campaign->input.n_configs,
        .app_names = (const char *const *)campaign->app_names,
        .config_names = (const char *const *)campaign->config_names,
        .idle_latency_s = series[places.idle],
        .app_latency_s = series + places.app_latency,
        .config_latency_s = series + places.config_latency,
        .baseline_s = series + places.baseline,
        .under_config_s = series + places.under_config,
        .beside_app_s = series + places.beside_app,
        .idle_true_utilization_frac = campaign->truths[places.idle],
        .app_true_utilization_frac = campaign->truths + places.app_latency,
        .config_true_utilization_frac = campaign->truths + places.config_latency,
        .idle_runs = &campaign->runs[places.idle],
        .app_runs = campaign->runs + places.app_latency,
        .config_runs = campaign->runs + places.config_latency,
        .baseline_runs = campaign->runs + places.baseline,
        .under_config_runs = campaign->runs + places.under_config,
        .beside_app_runs = campaign->runs + places.beside_app,
        .config_known_frac = campaign->known_frac,
        .idle_time_s = campaign->times[places.idle],
        .app_time_s = campaign->times + places.app_latency,
        .config_time_s = campaign->times + places.config_latency,
        .probe = campaign->probe,
    };
}

static enum ct_status note_settings(struct ct_loaded_campaign *campaign,
                                    const struct ct_run_list *list, struct ct_error *err)
{
    struct ct_words notes = {0};
    enum ct_status status = ct_network_settings_compare(list, &notes);
    if (status != CT_OK)
        ct_fail(err, status, "network settings: %s", ct_status_text(status));
    for (size_t i = 0; i < notes.n && status == CT_OK; i++)
        status = add_note(campaign, err, "%s", notes.item[i]);
    ct_words_free(&notes);
    return status;
}

enum ct_status ct_load_campaign(const char *path, struct ct_loaded_campaign *campaign_p,
                                struct ct_error *err)
{
    struct ct_run_list list;
    enum ct_status status = ct_run_list_read(path, &list, err);
    if (status != CT_OK)
        return status;
    struct ct_loaded_campaign campaign = {0};
    status = collect_parties(&campaign, &list);
    if (status != CT_OK)
        ct_fail(err, status, "%s: %s", path, ct_status_text(status));
    for (size_t i = 0; i < list.n_rejected && status == CT_OK; i++)
        status = add_note(&campaign, err, "left out: %s", list.rejected[i]);
    if (status == CT_OK)
        status = load_runs(&campaign, &list, err);
    if (status == CT_OK)
        status = ct_drifts_find(&list, &campaign.drifts, err);
    if (status == CT_OK)
        status = note_settings(&campaign, &list, err);
    ct_run_list_free(&list);
    if (status != CT_OK) {
        ct_loaded_campaign_free(&campaign);
        return status;
    }
    ct_loaded_campaign_show(&campaign);
    *campaign_p = campaign;
    return CT_OK;
}

void ct_loaded_campaign_free(struct ct_loaded_campaign *campaign)
{
    for (size_t i = 0; campaign->app_names && i < campaign->input.n_apps; i++)
        free(campaign->app_names[i]);
    free(campaign->app_names);
    for (size_t i = 0; campaign->config_names && i < campaign->input.n_configs; i++)
        free(campaign->config_names[i]);
    free(campaign->config_names);
    free(campaign->configs);
    for (size_t i = 0; campaign->values && i < places_of(campaign).total; i++)
        ct_values_free(&campaign->values[i]);
    free(campaign->values);
    for (size_t i = 0; campaign->groups && i < campaign->n_groups; i++) {
        free(campaign->groups[i].with);
        ct_values_free(&campaign->groups[i].duration_s);
    }
    free(campaign->groups);
    ct_predict_probes_free(campaign->probe, ct_loaded_campaign_n_probed(campaign));
    free(campaign->series);
    free(campaign->times);
    free(campaign->runs);
    free(campaign->truths);
    free(campaign->sent_bytes_per_s);
    free(campaign->known_frac);
    for (size_t i = 0; campaign->notes && i < campaign->n_notes; i++)
        free(campaign->notes[i]);
    free(campaign->notes);
    ct_drifts_free(&campaign->drifts);
    *campaign = (struct ct_loaded_campaign){0};
}
