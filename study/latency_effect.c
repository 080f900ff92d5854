#include "study/latency_effect.h"

#include "results/network_settings.h"
#include "study/parameters.h"
#include "study/samples.h"
#include "study/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* By one envelope that reaches as far as the latencies of all. */
static enum ct_status find_effects(const struct ct_effect_subject *subject, struct ct_series idle_s,
                                   const struct ct_series *latency_s, struct ct_besides *besides,
                                   struct ct_error *err)
{
    struct ct_envelope envelope = {0};
    double L_ns = ct_ns_from_s(subject->L_s), end_ns = 0;
    for (size_t b = 0; b < besides->n; b++) {
        const struct ct_effect_probe probe = {idle_s, latency_s[b]};
        end_ns = fmax(end_ns, ct_effect_end_ns(L_ns, &probe));
    }
    enum ct_status status =
        ct_envelope_find(subject->evaluator, 0, end_ns, subject->threads, &envelope, err);
    for (size_t b = 0; b < besides->n && status == CT_OK; b++) {
        const struct ct_effect_probe probe = {idle_s, latency_s[b]};
        status = ct_effect_find(&envelope, L_ns, &probe, &subject->setup, &besides->items[b].effect,
                                err);
    }
    ct_envelope_free(&envelope);
    return status;
}

static enum ct_status finish_effect(enum ct_status status, struct ct_besides *besides,
                                    struct ct_besides *besides_p, struct ct_error *err)
{
    if (status == CT_OK && (besides->notes.failed || besides->missing.failed))
        status = ct_no_memory(err, "notes");
    if (status == CT_OK)
        *besides_p = *besides;
    else
        ct_besides_free(besides);
    return status;
}

/* ---- one run ---- */

static enum ct_status find_one(const struct ct_effect_subject *subject, const char *impact_path,
                               const char *idle_path, const struct ct_samples *idle_s,
                               const struct ct_samples *loaded_s, const char *app,
                               struct ct_besides *besides, struct ct_error *err)
{
    const struct ct_series latency_s = ct_samples_values(loaded_s);
    besides->items = calloc(1, sizeof *besides->items);
    if (!besides->items)
        return ct_no_memory(err, "%s", impact_path);
    besides->n = 1;
    besides->items[0] = (struct ct_beside){
        .with = strdup(*app ? app : impact_path), .n_latencies = latency_s.n, .measured_frac = NAN};
    if (!besides->items[0].with)
        return ct_no_memory(err, "%s", impact_path);
    enum ct_status status =
        find_effects(subject, ct_samples_values(idle_s), &latency_s, besides, err);
    return status == CT_OK
               ? CT_OK
               : ct_fail_within(err, status, "--impact %s --idle %s", impact_path, idle_path);
}

enum ct_status ct_besides_of_run(const struct ct_effect_subject *subject, const char *impact_path,
                                 const char *idle_path, struct ct_besides *besides_p,
                                 struct ct_error *err)
{
    struct ct_samples idle_s = {0}, loaded_s = {0};
    struct ct_besides besides = {0};
    char *idle_app = NULL, *app = NULL;
    enum ct_status status = ct_samples_read_probe(idle_path, &idle_s, &idle_app, err);
    if (status == CT_OK)
        status = ct_samples_read_probe(impact_path, &loaded_s, &app, err);
    if (status == CT_OK)
        status = find_one(subject, impact_path, idle_path, &idle_s, &loaded_s, app, &besides, err);
    if (status == CT_OK && *idle_app)
        ct_argv_add(&besides.notes, "%s is labelled '%s': was the network idle?", idle_path,
                    idle_app);
    if (status == CT_OK)
        status = ct_network_settings_compare_files(idle_path, impact_path, &besides.notes, err);
    free(app);
    free(idle_app);
    ct_samples_free(&idle_s);
    ct_samples_free(&loaded_s);
    return finish_effect(status, &besides, besides_p, err);
}

/* ---- a campaign ---- */

static enum ct_status find_app(const struct ct_study *study, const char *name, size_t *app_p,
                               struct ct_error *err)
{
    char names[400] = "";
    *app_p = ct_study_find_app(study, name);
    if (*app_p < study->measured.n_apps)
        return CT_OK;
    for (size_t app = 0; app < study->measured.n_apps; app++) {
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", used > 0 ? ", " : "",
                 ct_study_app(study, app));
    }
    return ct_fail(err, CT_EUSAGE, "--app: there is no '%s'; there are: %s", name, names);
}

/* Applications with a probe run; the others get a note. */
static enum ct_status list_probed(const struct ct_study *study, bool is_known, size_t app,
                                  struct ct_series *latency_s, struct ct_besides *besides,
                                  struct ct_error *err)
{
    const struct ct_measurements *measured = &study->measured;
    for (size_t b = 0; b < measured->n_apps; b++) {
        const struct ct_measured_load *load = ct_measured_app(measured, b);
        if (load->latency_s.n == 0) {
            ct_argv_add(&besides->missing, "%s: no run of impactb beside it", load->name);
            continue;
        }
        struct ct_beside *beside = &besides->items[besides->n];
        *beside = (struct ct_beside){
            .with = strdup(load->name), .n_latencies = load->latency_s.n, .measured_frac = NAN};
        if (!beside->with)
            return ct_no_memory(err, "slowdowns");
        if (is_known) {
            struct ct_samples with_s = ct_measured_passes(measured, app, ct_load_of_app(b));
            struct ct_samples alone_s = ct_measured_passes(measured, app, 0);
            beside->measured_frac = ct_measured_slowdown(&with_s, &alone_s);
        }
        latency_s[besides->n++] = ct_samples_values(&load->latency_s);
    }
    return besides->n > 0 ? CT_OK
                          : ct_fail(err, CT_ENODATA, "no run of impactb beside an application");
}

static enum ct_status find_all(const struct ct_effect_subject *subject,
                               const struct ct_study *study, const char *name,
                               struct ct_besides *besides, struct ct_error *err)
{
    const struct ct_samples *idle_s = &study->measured.loads[0].latency_s;
    size_t app = 0, n_apps = study->measured.n_apps;
    if (idle_s->n == 0)
        return ct_fail(err, CT_ENODATA,
                       "no run of impactb on the idle network, which others are compared with");
    CT_TRY(name ? find_app(study, name, &app, err) : CT_OK);
    struct ct_series *latency_s = calloc(n_apps + 1, sizeof *latency_s);
    besides->items = calloc(n_apps + 1, sizeof *besides->items);
    enum ct_status status = latency_s && besides->items
                                ? list_probed(study, name != NULL, app, latency_s, besides, err)
                                : ct_no_memory(err, "slowdowns");
    if (status == CT_OK)
        status = find_effects(subject, ct_samples_values(idle_s), latency_s, besides, err);
    free(latency_s);
    return status;
}

enum ct_status ct_besides_of_campaign(const struct ct_effect_subject *subject, const char *path,
                                      const char *app, struct ct_besides *besides_p,
                                      struct ct_error *err)
{
    struct ct_study study;
    struct ct_besides besides = {0};
    CT_TRY(ct_study_load(path, NULL, &study, err));
    enum ct_status status = find_all(subject, &study, app, &besides, err);
    if (status != CT_OK)
        ct_study_fail_within(&study, ct_fail_within(err, status, "--campaign %s", path), err);
    for (size_t i = 0; i < study.notes.n && status == CT_OK; i++)
        ct_argv_add(&besides.notes, "%s", study.notes.item[i]);
    ct_study_free(&study);
    return finish_effect(status, &besides, besides_p, err);
}

void ct_besides_free(struct ct_besides *besides)
{
    for (size_t i = 0; besides->items && i < besides->n; i++)
        free(besides->items[i].with);
    free(besides->items);
    ct_argv_free(&besides->missing);
    ct_argv_free(&besides->notes);
    *besides = (struct ct_besides){0};
}
