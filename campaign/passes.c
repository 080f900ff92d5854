#include "campaign/passes.h"

#include "core/array.h"
#include "core/version.h"
#include "results/environment.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum ct_status ct_passes_add(struct ct_passes_list *passes, double start_s, double end_s,
                             struct ct_error *err)
{
    if (!CT_ARRAY_RESIZE(passes->rows, passes->n + 1))
        return ct_no_memory(err, "passes");
    if (passes->n == 0)
        passes->first_start_s = start_s;
    passes->rows[passes->n++] = (struct ct_runtime){.start_s = start_s - passes->first_start_s,
                                                    .duration_s = end_s - start_s};
    return CT_OK;
}

static char *join_words(const struct ct_argv *argv)
{
    size_t size = 1;
    for (size_t i = 0; i < argv->n; i++)
        size += strlen(argv->item[i]) + 1;
    char *text = malloc(size), *end = text;
    if (!text)
        return NULL;
    *text = '\0';
    for (size_t i = 0; i < argv->n; i++)
        end = stpcpy(stpcpy(end, i ? " " : ""), argv->item[i]);
    return text;
}

/* Strings are owned by the info. */
static bool describe_passes(struct ct_run_info *info, const struct ct_passes_list *passes,
                            const struct ct_campaign_spec *spec, const struct ct_plan_run *run,
                            const struct ct_argv *argv)
{
    struct timespec resolution;
    clock_getres(CLOCK_MONOTONIC, &resolution);
    *info = (struct ct_run_info){.kind = CT_RUN_RUNTIME,
                                 .tool = strdup("crosstalk campaign"),
                                 .version = strdup(CT_VERSION),
                                 .app = strdup(spec->apps[run->app].name),
                                 .with = strdup(ct_plan_others(spec, run)),
                                 .started_utc = strdup(passes->started_utc),
                                 .argv = join_words(argv),
                                 .seed = run->seed,
                                 .hosts = strdup(""),
                                 .mpi_library = strdup(""),
                                 .timer = strdup("CLOCK_MONOTONIC"),
                                 .timer_resolution_s =
                                     (double)resolution.tv_sec + 1e-9 * (double)resolution.tv_nsec};
    if (run->background == CT_PLAN_COMPRESSION) {
        info->has_config = true;
        info->config = spec->configs[run->config].load;
    }
    return info->tool && info->version && info->app && info->with && info->started_utc &&
           info->argv && info->hosts && info->mpi_library && info->timer &&
           ct_run_add_text(info, "passes", "timed from start to exit, launch included") == CT_OK &&
           ct_run_add_environment(info, "driver_") == CT_OK;
}

enum ct_status ct_passes_write(const struct ct_passes_list *passes, const char *path,
                               const struct ct_campaign_spec *spec, const struct ct_plan_run *run,
                               const struct ct_argv *argv, struct ct_error *err)
{
    struct ct_run content = {.runtimes = passes->rows, .n_runtimes = passes->n};
    enum ct_status status = describe_passes(&content.info, passes, spec, run, argv)
                                ? ct_run_write(path, &content, err)
                                : ct_no_memory(err, "%s", path);
    ct_run_info_free(&content.info);
    return status;
}

void ct_passes_free(struct ct_passes_list *passes)
{
    free(passes->rows);
    *passes = (struct ct_passes_list){0};
}
