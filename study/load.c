/* From run files to a study. */
#include "core/array.h"
#include "core/cancel.h"
#include "core/order.h"
#include "results/network_settings.h"
#include "study/placements.h"
#include "study/samples.h"
#include "study/scan_runs.h"
#include "study/study.h"
#include "study/switch_counters.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- applications and configurations ---- */

/* The applications of a campaign, in the order of appearance. */
struct parties {
    char **apps; /* owned, each too */
    size_t n_apps;
    struct ct_config *configs; /* owned */
    size_t n_configs;
};

static void parties_free(struct parties *parties)
{
    for (size_t i = 0; i < parties->n_apps; i++)
        free(parties->apps[i]);
    free(parties->apps);
    free(parties->configs);
}

static enum ct_status add_app(struct parties *parties, const char *name)
{
    if (*name == '\0')
        return CT_OK;
    for (size_t i = 0; i < parties->n_apps; i++)
        if (!strcmp(parties->apps[i], name))
            return CT_OK;
    if (!CT_ARRAY_RESIZE(parties->apps, parties->n_apps + 1))
        return CT_ENOMEM;
    parties->apps[parties->n_apps] = strdup(name);
    if (!parties->apps[parties->n_apps])
        return CT_ENOMEM;
    parties->n_apps++;
    return CT_OK;
}

static enum ct_status add_config(struct parties *parties, const struct ct_config *config)
{
    for (size_t i = 0; i < parties->n_configs; i++)
        if (ct_config_same(&parties->configs[i], config))
            return CT_OK;
    if (!CT_ARRAY_RESIZE(parties->configs, parties->n_configs + 1))
        return CT_ENOMEM;
    parties->configs[parties->n_configs++] = *config;
    return CT_OK;
}

/* What a study is made of. */
struct sources {
    bool by_canary;      /* scanb probes, since there is a run of it; else impactb */
    bool takes_programs; /* of scanb, which no other application is beside: workloads may have the
                            names of applications, and their times are of other lengths */
};

static struct sources find_sources(const struct ct_run_list *list)
{
    struct sources sources = {.takes_programs = true};
    for (size_t i = 0; i < list->n_entries; i++) {
        sources.by_canary |= list->entries[i].info.kind == CT_RUN_SCAN;
        sources.takes_programs &= list->entries[i].info.kind != CT_RUN_RUNTIME;
    }
    return sources;
}

static bool is_relevant(const struct ct_run_info *info, const struct sources *sources)
{
    enum ct_run_kind probe = sources->by_canary ? CT_RUN_SCAN : CT_RUN_IMPACT;
    return (info->kind == probe || info->kind == CT_RUN_RUNTIME) &&
           ct_run_added_latency_s(info) == 0;
}

/* Several co-runners at once: "fft,milc". */
static bool is_group(const struct ct_run_info *info)
{
    return info->kind == CT_RUN_RUNTIME && strchr(info->with, ',') != NULL;
}

static enum ct_status add_members(struct parties *parties, const char *with)
{
    char *names = strdup(with), *rest = names, *name;
    enum ct_status status = names ? CT_OK : CT_ENOMEM;
    while (status == CT_OK && (name = strsep(&rest, ",")) != NULL)
        status = add_app(parties, name);
    free(names);
    return status;
}

static enum ct_status add_run(struct parties *parties, const struct ct_run_info *info)
{
    CT_TRY(add_app(parties, info->app));
    CT_TRY(is_group(info) ? add_members(parties, info->with) : add_app(parties, info->with));
    return info->has_config ? add_config(parties, &info->config) : CT_OK;
}

/* Those of the cells of a run of scanb. What cannot be read is noted when it is loaded. */
static enum ct_status add_cells(struct parties *parties, const struct ct_run_entry *entry,
                                bool takes_programs)
{
    struct ct_run round;
    struct ct_run_info info;
    enum ct_status status = CT_OK;
    if (ct_run_read_entry(entry, &round, NULL) != CT_OK)
        return CT_OK;
    for (size_t cell = 0; cell < round.n_scan_cells && status == CT_OK; cell++)
        if (ct_scan_cell_is_run(&round, cell, takes_programs, &info))
            status = add_run(parties, &info);
    ct_run_free(&round);
    return status;
}

static enum ct_status collect_parties(const struct ct_run_list *list, struct parties *parties)
{
    const struct sources sources = find_sources(list);
    enum ct_status status = CT_OK;
    for (size_t i = 0; i < list->n_entries && status == CT_OK; i++) {
        const struct ct_run_info *info = &list->entries[i].info;
        if (!is_relevant(info, &sources))
            continue;
        status = info->kind == CT_RUN_SCAN
                     ? add_cells(parties, &list->entries[i], sources.takes_programs)
                     : add_run(parties, info);
    }
    if (parties->n_apps > 0)
        qsort(parties->apps, parties->n_apps, sizeof *parties->apps, ct_order_texts);
    if (parties->n_configs > 0)
        qsort(parties->configs, parties->n_configs, sizeof *parties->configs, ct_config_compare);
    return status;
}

/* Room for what was measured with them, and names for all loads. */
static enum ct_status make_room(struct parties *parties, struct ct_study *study)
{
    size_t n_apps = parties->n_apps, n_configs = parties->n_configs;
    CT_TRY(ct_measurements_new(n_apps, n_configs, &study->measured));
    struct ct_measured_load *loads = study->measured.loads;
    study->configs = calloc(n_configs + 1, sizeof *study->configs);
    loads[0].name = strdup("idle network");
    for (size_t app = 0; app < n_apps; app++) {
        loads[ct_load_of_app(app)].name = parties->apps[app];
        parties->apps[app] = NULL;
    }
    for (size_t c = 0; c < n_configs && study->configs; c++) {
        char text[CT_CONFIG_TEXT_MAX];
        ct_config_describe(&parties->configs[c], text);
        study->configs[c] = (struct ct_study_config){parties->configs[c], NAN};
        loads[ct_load_of_config(n_apps, c)].name = strdup(text);
    }
    enum ct_status status = CT_OK;
    for (size_t load = 0; load < ct_measured_n_loads(&study->measured); load++)
        if (!loads[load].name)
            status = CT_ENOMEM;
    return status;
}

/* ---- where the values of a run go ---- */

/* NULL: the run is of no combination. */
static struct ct_samples *samples_of_impact(struct ct_study *study, const struct ct_run_info *info,
                                            size_t *load_p)
{
    if (*info->with || (*info->app && info->has_config))
        return NULL;
    if (*info->app)
        *load_p = ct_load_of_app(ct_study_find_app(study, info->app));
    else if (info->has_config)
        *load_p =
            ct_load_of_config(study->measured.n_apps, ct_study_find_config(study, &info->config));
    else
        *load_p = 0;
    return &study->measured.loads[*load_p].latency_s;
}

static struct ct_samples *samples_of_runtime(struct ct_study *study, const struct ct_run_info *info)
{
    size_t load = 0;
    if (!*info->app || (*info->with && info->has_config))
        return NULL;
    if (*info->with)
        load = ct_load_of_app(ct_study_find_app(study, info->with));
    else if (info->has_config)
        load =
            ct_load_of_config(study->measured.n_apps, ct_study_find_config(study, &info->config));
    return &study->measured.loads[load].passes_s[ct_study_find_app(study, info->app)];
}

/* ---- several co-runners at once ---- */

/* The group of a run, in order of the applications' numbers. */
static enum ct_status parse_group(const struct ct_study *study, const struct ct_run_info *info,
                                  struct ct_study_group *group)
{
    *group = (struct ct_study_group){.app = ct_study_find_app(study, info->app)};
    char *names = strdup(info->with), *rest = names, *name;
    group->with = malloc((strlen(info->with) + 1) * sizeof *group->with);
    if (!names || !group->with) {
        free(names);
        free(group->with);
        return CT_ENOMEM;
    }
    while ((name = strsep(&rest, ",")) != NULL)
        if (*name)
            group->with[group->n_with++] = ct_study_find_app(study, name);
    qsort(group->with, group->n_with, sizeof *group->with, ct_order_sizes);
    free(names);
    return CT_OK;
}

static bool same_group(const struct ct_study_group *a, const struct ct_study_group *b)
{
    return a->app == b->app && a->n_with == b->n_with &&
           memcmp(a->with, b->with, a->n_with * sizeof *a->with) == 0;
}

/* Of a run that was read: the group is made where it is new. */
static enum ct_status find_group(struct ct_study *study, const struct ct_run_info *info,
                                 struct ct_samples **passes_p, struct ct_error *err)
{
    struct ct_study_group wanted;
    if (!CT_ARRAY_RESIZE(study->groups, study->n_groups + 1) ||
        parse_group(study, info, &wanted) != CT_OK)
        return ct_no_memory(err, "%zu groups", study->n_groups + 1);
    struct ct_study_group *groups = study->groups;
    size_t i = 0;
    while (i < study->n_groups && !same_group(&groups[i], &wanted))
        i++;
    if (i == study->n_groups)
        groups[study->n_groups++] = wanted;
    else
        free(wanted.with);
    *passes_p = &groups[i].passes_s;
    return CT_OK;
}

/* ---- runs ---- */

struct mean {
    double sum;
    size_t n;
};

/* What runs have beside their samples. */
struct facts {
    struct sources sources;
    struct mean *truths; /* [load] */
    struct mean *sent;   /* [config] */
};

static double value_of(const struct mean *mean)
{
    return mean->n > 0 ? mean->sum / (double)mean->n : NAN;
}

static void add_to(struct mean *mean, double value)
{
    mean->sum += value;
    mean->n++;
}

/* compressionb knows the size of its messages and its ranks per node; who labels a probe may not
 * have said. n_configs: none, or several. */
static size_t find_sent_config(const struct ct_study *study, const struct ct_config *sent)
{
    size_t n_configs = study->measured.n_configs, found = ct_study_find_config(study, sent);
    if (found < n_configs)
        return found;
    for (size_t c = 0; c < n_configs; c++)
        if (ct_config_may_be_same(&study->configs[c].config, sent)) {
            if (found < n_configs)
                return n_configs;
            found = c;
        }
    return found;
}

/* Bytes per second and node that compressionb recorded while nothing but a probe ran beside it. */
static void load_sent(struct ct_study *study, const struct ct_run_entry *entry, struct mean *sent)
{
    struct ct_run run;
    struct ct_error why = {0};
    if (!entry->info.has_config || *entry->info.app || *entry->info.with)
        return;
    size_t config = find_sent_config(study, &entry->info.config);
    if (config == study->measured.n_configs)
        return;
    if (ct_run_read_entry(entry, &run, &why) != CT_OK) {
        ct_argv_add(&study->notes, "left out: %s", why.text);
        return;
    }
    double bytes = 0, time_s = 0;
    for (size_t i = 0; i < run.n_rounds; i++) {
        bytes += (double)run.rounds[i].bytes;
        time_s += run.rounds[i].duration_s;
    }
    size_t n_nodes = ct_run_count_hosts(&run.info);
    if (time_s > 0 && n_nodes > 0)
        add_to(&sent[config], bytes / time_s / (double)n_nodes);
    ct_run_free(&run);
}

/* What the switch counted during a probe run. */
static void load_truth(struct ct_study *study, const struct ct_run_entry *entry, struct mean *truth)
{
    double busy_frac;
    struct ct_error why = {0};
    if (ct_switch_busy_frac(entry, &busy_frac, &why))
        add_to(truth, busy_frac);
    else if (why.status != CT_OK)
        ct_argv_add(&study->notes, "left out: %s", why.text);
}

/* Where the values of a run belong, of one program or two. NULL: the run is of no combination. */
static struct ct_samples *samples_of(struct ct_study *study, const struct ct_run_info *info,
                                     size_t *load_p)
{
    return info->kind == CT_RUN_IMPACT ? samples_of_impact(study, info, load_p)
                                       : samples_of_runtime(study, info);
}

static enum ct_status load_cell(struct ct_study *study, const struct ct_run *round, size_t cell,
                                const struct facts *facts, struct ct_error *err)
{
    struct ct_scan_cell_run made;
    size_t load;
    CT_TRY(ct_scan_cell_run_take(round, cell, &made, err));
    const struct ct_run_info *info = &made.run.info;
    bool is_empty = made.run.n_samples == 0 && made.run.n_runtimes == 0;
    struct ct_samples *samples = is_empty ? NULL : samples_of(study, info, &load);
    enum ct_status status = samples ? ct_samples_append_run(samples, &made.run, err) : CT_OK;
    if (samples && made.node_bytes_per_s > 0)
        add_to(&facts->sent[ct_study_find_config(study, &info->config)], made.node_bytes_per_s);
    ct_scan_cell_run_free(&made);
    return status;
}

static enum ct_status load_round(struct ct_study *study, const struct ct_run_entry *entry,
                                 const struct facts *facts, struct ct_error *err)
{
    struct ct_run round;
    struct ct_run_info info;
    struct ct_error why = {0};
    enum ct_status status = CT_OK;
    if (ct_run_read_entry(entry, &round, &why) != CT_OK) {
        ct_argv_add(&study->notes, "left out: %s", why.text);
        return CT_OK;
    }
    for (size_t cell = 0; cell < round.n_scan_cells && status == CT_OK; cell++)
        if (ct_scan_cell_is_run(&round, cell, facts->sources.takes_programs, &info))
            status = load_cell(study, &round, cell, facts, err);
    ct_run_free(&round);
    study->n_runs++;
    return status;
}

static enum ct_status load_run(struct ct_study *study, const struct ct_run_entry *entry,
                               const struct facts *facts, struct ct_error *err)
{
    const struct ct_run_info *info = &entry->info;
    size_t load = SIZE_MAX; /* that was probed */
    struct ct_samples *samples = NULL;
    if (info->kind == CT_RUN_COMPRESSION)
        load_sent(study, entry, facts->sent);
    if (!is_relevant(info, &facts->sources))
        return CT_OK;
    if (info->kind == CT_RUN_SCAN)
        return load_round(study, entry, facts, err);
    if (!is_group(info)) {
        samples = samples_of(study, info, &load);
        if (!samples) {
            ct_argv_add(&study->notes,
                        "left out: %s: kind, app, with and configuration fit no combination that "
                        "is known",
                        entry->path);
            return CT_OK;
        }
    }
    struct ct_run run;
    struct ct_error why = {0};
    if (ct_run_read_entry(entry, &run, &why) != CT_OK) {
        ct_argv_add(&study->notes, "left out: %s", why.text);
        return CT_OK;
    }
    enum ct_status status = is_group(info) ? find_group(study, info, &samples, err) : CT_OK;
    if (status == CT_OK)
        status = ct_samples_append_run(samples, &run, err);
    ct_run_free(&run);
    study->n_runs++;
    if (status == CT_OK && load != SIZE_MAX)
        load_truth(study, entry, &facts->truths[load]);
    return status;
}

static enum ct_status load_runs(struct ct_study *study, const struct ct_run_list *list,
                                struct ct_error *err)
{
    struct ct_measurements *measured = &study->measured;
    size_t n_loads = ct_measured_n_loads(measured);
    struct facts facts = {find_sources(list), calloc(n_loads, sizeof *facts.truths),
                          calloc(measured->n_configs + 1, sizeof *facts.sent)};
    enum ct_status status = CT_OK;
    if (!facts.truths || !facts.sent)
        status = ct_no_memory(err, "%zu loads", n_loads);
    for (size_t i = 0; i < list->n_entries && status == CT_OK; i++)
        if ((status = ct_cancel_check(err)) == CT_OK)
            status = load_run(study, &list->entries[i], &facts, err);
    if (status == CT_OK)
        study->idle_wait_frac = ct_samples_wait_frac(&measured->loads[0].latency_s);
    for (size_t load = 0; load < n_loads && status == CT_OK; load++)
        measured->loads[load].true_frac = value_of(&facts.truths[load]);
    for (size_t c = 0; c < measured->n_configs && status == CT_OK; c++) {
        struct ct_measured_load *load = &measured->loads[ct_load_of_config(measured->n_apps, c)];
        load->known_frac = load->true_frac;
        study->configs[c].sent_bytes_per_s = value_of(&facts.sent[c]);
    }
    free(facts.truths);
    free(facts.sent);
    return status;
}

/* ---- the whole ---- */

/* Latencies of two probes do not compare. */
static void note_other_probe(const struct ct_run_list *list, struct ct_study *study)
{
    size_t n = 0;
    for (size_t i = 0; i < list->n_entries; i++)
        n += list->entries[i].info.kind == CT_RUN_IMPACT;
    if (n > 0 && find_sources(list).by_canary)
        ct_argv_add(&study->notes,
                    "left out: %zu runs of impactb: there are runs of scanb, whose canary of "
                    "latencies is the probe of this study; probe applications by it, too: 'scanb "
                    "--cells latency:none --label APP'",
                    n);
}

enum ct_status ct_study_load_list(const struct ct_run_list *list, struct ct_study *study_p,
                                  struct ct_error *err)
{
    struct ct_study study = {0};
    struct parties parties = {0};
    enum ct_status status = collect_parties(list, &parties);
    if (status == CT_OK)
        status = make_room(&parties, &study);
    parties_free(&parties);
    if (status != CT_OK)
        ct_fail(err, status, "%zu runs: %s", list->n_entries, ct_status_text(status));
    for (size_t i = 0; i < list->n_rejected && status == CT_OK; i++)
        ct_argv_add(&study.notes, "left out: %s", list->rejected[i]);
    for (size_t i = 0; i < list->n_copies && status == CT_OK; i++)
        ct_argv_add(&study.notes, "counted once: %s", list->copies[i]);
    study.n_unreadable = list->n_rejected;
    note_other_probe(list, &study);
    study.shared = ct_shared_find(list);
    if (study.shared == CT_SHARED_UNKNOWN && find_sources(list).by_canary)
        study.shared = CT_SHARED_OWN_HOSTS; /* as canaries and congestors are */
    if (status == CT_OK)
        status = load_runs(&study, list, err);
    if (status == CT_OK)
        status = ct_drifts_find(list, &study.drifts, err);
    if (status == CT_OK)
        status = ct_dilation_find(list, &study.dilation, &study.notes, err);
    if (status == CT_OK) { /* where memory ends, the notes say so */
        ct_network_settings_compare(list, &study.notes);
        ct_network_settings_note_switches(list, &study.switches);
    }
    if (status == CT_OK && (study.notes.failed || study.switches.failed))
        status = ct_no_memory(err, "notes");
    if (status == CT_OK)
        *study_p = study;
    else
        ct_study_free(&study);
    return status;
}

enum ct_status ct_study_load(const char *path, const char *placement, struct ct_study *study_p,
                             struct ct_error *err)
{
    struct ct_run_list list;
    CT_TRY(ct_placements_read_list(path, placement, &list, err));
    enum ct_status status = ct_study_load_list(&list, study_p, err);
    ct_run_list_free(&list);
    return status;
}
