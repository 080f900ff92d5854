#include "study/study.h"

#include "core/units.h"
#include "predict/summaries.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Clocks, and buckets of a link that is shaped, let a little more be seen than its rate. */
static const double excess_max = 1.05;

static enum ct_status refuse_rate(const struct ct_study_config *config, double link_bit_per_s,
                                  struct ct_error *err)
{
    char name[CT_CONFIG_TEXT_MAX], sent[CT_UNITS_TEXT_MAX], rate[CT_UNITS_TEXT_MAX];
    ct_config_format(&config->config, name);
    ct_format_rate(8 * config->sent_bytes_per_s, sent);
    ct_format_rate(link_bit_per_s, rate);
    return ct_fail(err, CT_EINVAL,
                   "rate of a link, %s: configuration %s sent %s from each node; give the rate of "
                   "the links that the runs used",
                   rate, name, sent);
}

/* One source for all: what is sent and what ports count differ by the protocols' headers. */
enum ct_status ct_study_set_rate(struct ct_study *study, double link_bit_per_s,
                                 struct ct_error *err)
{
    struct ct_measurements *measured = &study->measured;
    size_t n_recorded = 0;
    for (size_t c = 0; c < measured->n_configs; c++)
        n_recorded += isnan(study->configs[c].sent_bytes_per_s) ? 0 : 1;
    if (n_recorded == 0)
        return ct_fail(
            err, CT_ENODATA,
            "no recorded compressionb run: the link's rate says nothing without what was "
            "sent; 'compressionb --output FILE.h5' beside impactb records it");
    for (size_t c = 0; c < measured->n_configs; c++)
        if (8 * study->configs[c].sent_bytes_per_s > excess_max * link_bit_per_s)
            return refuse_rate(&study->configs[c], link_bit_per_s, err);
    for (size_t c = 0; c < measured->n_configs; c++)
        measured->loads[ct_load_of_config(measured->n_apps, c)].known_frac =
            8 * study->configs[c].sent_bytes_per_s / link_bit_per_s;
    study->is_recorded = true;
    return CT_OK;
}

enum ct_status ct_study_summarize(struct ct_study *study, struct ct_error *err)
{
    size_t n = ct_measured_n_loads(&study->measured);
    struct ct_probe_summary *summaries = malloc(n * sizeof *summaries);
    if (!summaries)
        return ct_no_memory(err, "%zu loads", n);
    enum ct_status status = ct_predict_summarize_probes(&study->measured, summaries, err);
    for (size_t load = 0; load < n && status == CT_OK; load++)
        study->measured.loads[load].summary = summaries[load];
    free(summaries);
    return status;
}

struct ct_predict_input ct_study_input(const struct ct_study *study)
{
    return (struct ct_predict_input){.measured = &study->measured};
}

size_t ct_study_find_app(const struct ct_study *study, const char *name)
{
    size_t app = 0;
    while (app < study->measured.n_apps && strcmp(ct_study_app(study, app), name) != 0)
        app++;
    return app;
}

size_t ct_study_find_config(const struct ct_study *study, const struct ct_config *config)
{
    size_t c = 0;
    while (c < study->measured.n_configs && !ct_config_same(&study->configs[c].config, config))
        c++;
    return c;
}

const char *ct_study_app(const struct ct_study *study, size_t app)
{
    return ct_measured_app(&study->measured, app)->name;
}

enum ct_status ct_study_fail_within(const struct ct_study *study, enum ct_status status,
                                    struct ct_error *err)
{
    size_t n = study->n_unreadable;
    if (!err || n == 0 || n > study->notes.n)
        return status;
    size_t length = strlen(err->text);
    char more[40] = "";
    if (n > 1)
        snprintf(more, sizeof more, " (and %zu file%s more)", n - 1, n > 2 ? "s" : "");
    snprintf(err->text + length, sizeof err->text - length, "; %s%s", study->notes.item[0], more);
    return status;
}

void ct_study_free(struct ct_study *study)
{
    ct_measurements_free(&study->measured);
    free(study->configs);
    for (size_t i = 0; study->groups && i < study->n_groups; i++) {
        free(study->groups[i].with);
        ct_samples_free(&study->groups[i].passes_s);
    }
    free(study->groups);
    ct_drifts_free(&study->drifts);
    ct_argv_free(&study->notes);
    ct_argv_free(&study->switches);
    *study = (struct ct_study){0};
}
