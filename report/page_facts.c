#include "report/page_facts.h"

#include "study/constants.h"
#include "study/placements.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- models ---- */

/* Answers to questions [first, end) by all models. */
static struct ct_predict_case *list_cases(const struct ct_predict_case *answered,
                                          const struct ct_questions *questions, size_t first,
                                          size_t end, struct ct_predict_case *next)
{
    for (size_t m = 0; m < CT_N_PREDICT_MODELS; m++)
        for (size_t q = first; q < end; q++)
            *next++ = answered[m * questions->n + q];
    return next;
}

static enum ct_status list_groups(struct ct_page_source *source, size_t n_pairs)
{
    const struct ct_study *study = &source->session.study;
    size_t n = source->questions.n - n_pairs;
    source->groups = calloc(n + 1, sizeof *source->groups);
    for (size_t i = 0; source->groups && i < n; i++) {
        enum { WITH_MAX = 512 };
        const struct ct_question *question = &source->questions.items[n_pairs + i];
        char with[WITH_MAX];
        ct_question_with(question, study, with, sizeof with);
        ct_argv_add(&source->group_names, "%s", with);
        source->groups[i] = (struct ct_page_group){.app = ct_study_app(study, question->app),
                                                   .measured_frac = question->measured.frac};
    }
    if (!source->groups || source->group_names.failed)
        return CT_ENOMEM;
    for (size_t i = 0; i < n; i++)
        source->groups[i].with = source->group_names.item[i];
    source->facts.groups = source->groups;
    source->facts.n_groups = n;
    return CT_OK;
}

/* Pairs and groups in one call for all models, so that they are asked about the same replicates. */
static enum ct_status ask_models(struct ct_page_source *source, const struct ct_bootstrap *setup)
{
    struct ct_questions *questions = &source->questions;
    const struct ct_question_choice all = {NULL, NULL};
    size_t n_pairs = source->analysis.n_apps * source->analysis.n_apps;
    struct ct_predict_case *answered;
    enum ct_status status = ct_questions_make(&source->session.study, &all, questions, NULL);
    if (status == CT_OK)
        status = ct_questions_ask(questions, NULL, &source->analysis, setup, &answered);
    if (status != CT_OK)
        return status;
    source->cases = calloc(CT_N_PREDICT_MODELS * questions->n + 1, sizeof *source->cases);
    if (source->cases) {
        source->facts.cases = source->cases;
        source->facts.group_cases = list_cases(answered, questions, 0, n_pairs, source->cases);
        list_cases(answered, questions, n_pairs, questions->n,
                   source->cases + CT_N_PREDICT_MODELS * n_pairs);
    }
    free(answered);
    if (!source->cases)
        return CT_ENOMEM;
    ct_questions_measure(&source->session.study, &source->analysis, setup->level, questions);
    source->facts.pairs = questions->items;
    return list_groups(source, n_pairs);
}

/* What cannot be analysed is said on the page; the rest of it is there all the same. */
static enum ct_status analyse(struct ct_page_source *source,
                              const struct ct_page_settings *settings, struct ct_error *err)
{
    const struct ct_predict_input input = ct_session_input(&source->session);
    enum ct_status status = ct_predict_analyse(&input, NULL, &source->analysis, &source->why_not);
    if (status == CT_ENODATA) {
        source->facts.why_not = source->why_not.text;
        return CT_OK;
    }
    if (status != CT_OK)
        return ct_fail(err, status, "%s: %s", settings->directory, source->why_not.text);
    source->facts.analysis = &source->analysis;
    status = ask_models(source, &settings->bootstrap);
    if (status != CT_OK)
        return ct_fail(err, status, "%s: %s", settings->directory, ct_status_text(status));
    return CT_OK;
}

/* ---- probes in the course of time ---- */

static bool is_probe_of(const struct ct_run_info *info, const char *app)
{
    return info->kind == CT_RUN_IMPACT && !info->has_config && !*info->with &&
           !strcmp(info->app, app);
}

static int by_time(const void *left, const void *right)
{
    const struct ct_sample *a = left, *b = right;
    return (a->t_s > b->t_s) - (a->t_s < b->t_s);
}

/* As impactb says it when it ends. */
static void warn_of_late_probes(struct ct_page_source *source, const char *name,
                                const struct ct_run *run)
{
    double noted_frac = ct_study_constant(CT_STUDY_LATE_NOTED);
    double missed = ct_run_number(&run->info, "missed_probes"), behind = isnan(missed) ? 0 : missed;
    double n = (double)run->n_samples + behind;
    for (size_t i = 0; i < run->n_samples; i++)
        behind += run->samples[i].late;
    if (behind > noted_frac * n)
        ct_argv_add(&source->warnings,
                    "%.0f of %.0f probes (%s) had to wait for the one before, or were never sent: "
                    "their interval is short for these latencies",
                    behind, n, name);
}

static enum ct_status add_probe(struct ct_page_source *source, const char *name, struct ct_run *run)
{
    size_t i = source->facts.n_probes, n = run->n_samples;
    double *values = malloc((2 * n + 1) * sizeof *values);
    if (!values)
        return CT_ENOMEM;
    if (n > 0)
        qsort(run->samples, n, sizeof *run->samples, by_time);
    for (size_t s = 0; s < n; s++) {
        values[s] = run->samples[s].t_s;
        values[n + s] = run->samples[s].latency_s;
    }
    source->probe_values[i] = values;
    source->probes[i] = (struct ct_page_probe){name, values, values + n, n};
    source->facts.n_probes++;
    warn_of_late_probes(source, name, run);
    return source->warnings.failed ? CT_ENOMEM : CT_OK;
}

/* The first run that can be read; "": the idle network. */
static enum ct_status add_first_probe(struct ct_page_source *source, const char *app,
                                      const char *name)
{
    for (size_t i = 0; i < source->list.n_entries; i++) {
        struct ct_run run;
        struct ct_error why;
        if (!is_probe_of(&source->list.entries[i].info, app) ||
            ct_run_read_entry(&source->list.entries[i], &run, &why) != CT_OK)
            continue;
        enum ct_status status = add_probe(source, name, &run);
        ct_run_free(&run);
        return status;
    }
    return CT_OK;
}

/*
 * Add one probe run beside each application, and that of the idle network first.
 * @return CT_OK; CT_ENOMEM
 */
static enum ct_status add_probes(struct ct_page_source *source)
{
    const struct ct_study *study = &source->session.study;
    size_t n_apps = study->measured.n_apps;
    source->probes = calloc(n_apps + 1, sizeof *source->probes);
    source->probe_values = calloc(n_apps + 1, sizeof *source->probe_values);
    if (!source->probes || !source->probe_values)
        return CT_ENOMEM;
    enum ct_status status = add_first_probe(source, "", "idle network");
    for (size_t app = 0; app < n_apps && status == CT_OK; app++)
        status = add_first_probe(source, ct_study_app(study, app), ct_study_app(study, app));
    source->facts.probes = source->probes;
    return status;
}

/* ---- the whole ---- */

/* Last part of a path. */
static char *name_of(const char *path)
{
    size_t end = strlen(path);
    while (end > 1 && path[end - 1] == '/')
        end--;
    size_t first = end;
    while (first > 0 && path[first - 1] != '/')
        first--;
    return first < end ? strndup(path + first, end - first) : strdup(path);
}

static enum ct_status describe(struct ct_page_source *source,
                               const struct ct_page_settings *settings)
{
    enum ct_status status = ct_page_add_provenance(source, settings);
    if (status == CT_OK)
        status = ct_page_add_warnings(source, settings);
    if (status == CT_OK)
        status = add_probes(source);
    source->name = settings->name ? strdup(settings->name) : name_of(settings->directory);
    size_t n = source->texts.n / 2;
    source->provenance = calloc(n + 1, sizeof *source->provenance);
    if (status != CT_OK || !source->name || !source->provenance)
        return status == CT_OK ? CT_ENOMEM : status;
    for (size_t i = 0; i < n; i++)
        source->provenance[i] =
            (struct ct_page_fact){source->texts.item[2 * i], source->texts.item[2 * i + 1]};
    source->facts.provenance = source->provenance;
    source->facts.n_provenance = n;
    return CT_OK;
}

/* That of --parameters, else posterior.h5 in the campaign's folder, if there is one: what is wrong
 * with that is a warning. */
static enum ct_status add_posterior(struct ct_page_source *source,
                                    const struct ct_page_settings *settings, struct ct_error *err)
{
    const char *given = settings->schedules.given.posterior_path;
    char *path = NULL;
    if ((given ? asprintf(&path, "%s", given)
               : asprintf(&path, "%s/" CT_RUN_POSTERIOR, settings->directory)) < 0)
        return ct_no_memory(err, "%s", settings->directory);
    enum ct_status status = CT_OK;
    if (given || access(path, F_OK) == 0) {
        status = ct_posterior_view_read(path, &source->posterior, err);
        if (status == CT_OK) {
            source->facts.posterior = &source->posterior;
        } else if (!given && status != CT_ENOMEM) {
            ct_argv_add(&source->warnings, "%s", err->text);
            status = source->warnings.failed ? CT_ENOMEM : CT_OK;
        }
    }
    free(path);
    return status;
}

static enum ct_status fill(struct ct_page_source *source, const struct ct_page_settings *settings,
                           struct ct_error *err)
{
    const struct ct_session_settings wanted = {.path = settings->directory,
                                               .placement = settings->placement,
                                               .use_schedules = true,
                                               .link_bit_per_s = settings->link_bit_per_s,
                                               .schedules = settings->schedules};
    enum ct_status status =
        ct_placements_read_list(settings->directory, settings->placement, &source->list, err);
    if (status == CT_OK)
        status = ct_session_open(&wanted, &source->session, err);
    if (status == CT_OK)
        status = analyse(source, settings, err);
    if (status == CT_OK && source->session.schedules.n_available > 0)
        status = ct_app_times_find(&source->session.schedules, &source->times, err);
    if (status == CT_OK)
        status = ct_page_add_validations(source, settings, err);
    if (status == CT_OK)
        status = add_posterior(source, settings, err);
    if (status != CT_OK)
        return status;
    status = describe(source, settings);
    if (status != CT_OK)
        return ct_fail(err, status, "%s: %s", settings->directory, ct_status_text(status));
    struct ct_page_facts *facts = &source->facts;
    facts->name = source->name;
    facts->measured = &source->session.study.measured;
    const struct ct_predict_default *best = ct_session_default(&source->session);
    facts->model = settings->model ? settings->model : best->key;
    facts->why_model = settings->model ? NULL : best->why;
    facts->bootstrap = settings->bootstrap;
    facts->acceptable_frac = settings->acceptable_frac;
    facts->warnings = (const char *const *)source->warnings.item;
    facts->n_warnings = source->warnings.n;
    facts->times = source->times;
    facts->runs_csv = source->runs_csv;
    facts->campaign_file = settings->file;
    return CT_OK;
}

enum ct_status ct_page_source_read(const struct ct_page_settings *settings,
                                   struct ct_page_source *source_p, struct ct_error *err)
{
    *source_p = (struct ct_page_source){0};
    enum ct_status status = fill(source_p, settings, err);
    if (status != CT_OK)
        ct_page_source_free(source_p);
    return status;
}

void ct_page_source_free(struct ct_page_source *source)
{
    for (size_t i = 0; i < source->facts.n_probes; i++)
        free(source->probe_values[i]);
    free(source->probe_values);
    free(source->probes);
    free(source->provenance);
    ct_page_free_validations(source);
    ct_posterior_view_free(&source->posterior);
    ct_app_times_free(source->times, source->session.schedules.n_apps);
    ct_argv_free(&source->texts);
    ct_argv_free(&source->warnings);
    free(source->cases);
    free(source->groups);
    ct_argv_free(&source->group_names);
    ct_questions_free(&source->questions);
    free(source->name);
    free(source->runs_csv);
    ct_predict_analysis_free(&source->analysis);
    ct_session_free(&source->session);
    ct_run_list_free(&source->list);
    *source = (struct ct_page_source){0};
}
