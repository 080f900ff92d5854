/* Run times over added latency, of the applications that were run at several latencies. */
#include "core/parallel.h"
#include "report/page_facts.h"

#include <stdlib.h>
#include <string.h>

/* As those of crosstalk validate. */
static const double threshold_frac[] = {0.01, 0.02, 0.05};

static bool has_latencies(const struct ct_run_list *list, const char *app)
{
    for (size_t i = 0; i < list->n_entries; i++) {
        const struct ct_run_info *info = &list->entries[i].info;
        if (info->kind == CT_RUN_RUNTIME && !strcmp(info->app, app) && !*info->with &&
            ct_run_added_latency_s(info) > 0)
            return true;
    }
    return false;
}

static enum ct_status validate(const struct ct_page_settings *settings, const char *app,
                               struct ct_page_validation *validation, struct ct_error *err)
{
    const struct ct_validation_question question = {.folder = settings->directory,
                                                    .placement = settings->placement,
                                                    .app = app,
                                                    .threshold_frac = threshold_frac,
                                                    .n_thresholds = sizeof threshold_frac /
                                                                    sizeof *threshold_frac,
                                                    .convert = ct_convert_defaults(),
                                                    .serialize_nic = true,
                                                    .threads = ct_parallel_processors(),
                                                    .seed = settings->bootstrap.seed};
    struct ct_error why;
    enum ct_status status = ct_validation_find(&question, &validation->found, &why);
    validation->app = app;
    if (status == CT_OK)
        return CT_OK;
    validation->why = strdup(why.text);
    return status != CT_ENOMEM && validation->why ? CT_OK
                                                  : ct_no_memory(err, "%s", settings->directory);
}

enum ct_status ct_page_add_validations(struct ct_page_source *source,
                                       const struct ct_page_settings *settings,
                                       struct ct_error *err)
{
    const struct ct_study *study = &source->session.study;
    struct ct_page_facts *facts = &source->facts;
    enum ct_status status = CT_OK;
    source->validations = calloc(study->measured.n_apps + 1, sizeof *source->validations);
    if (!source->validations)
        return ct_no_memory(err, "%s", settings->directory);
    facts->validations = source->validations;
    for (size_t app = 0; app < study->measured.n_apps && status == CT_OK; app++)
        if (has_latencies(&source->list, ct_study_app(study, app)))
            status = validate(settings, ct_study_app(study, app),
                              &source->validations[facts->n_validations++], err);
    return status;
}

void ct_page_free_validations(struct ct_page_source *source)
{
    for (size_t i = 0; i < source->facts.n_validations; i++) {
        ct_validation_free(&source->validations[i].found);
        free(source->validations[i].why);
    }
    free(source->validations);
}
