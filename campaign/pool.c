#include "campaign/pool.h"

#include "campaign/folder.h"
#include "core/array.h"

#include <stdlib.h>

static enum ct_status append(struct ct_pool *pool, const struct ct_run *run)
{
    size_t more = run->n_samples + run->n_runtimes;
    if (!CT_ARRAY_RESIZE(pool->x, pool->n + more))
        return CT_ENOMEM;
    for (size_t i = 0; i < run->n_samples; i++)
        pool->x[pool->n++] = run->samples[i].latency_s;
    for (size_t i = 0; i < run->n_runtimes; i++)
        pool->x[pool->n++] = run->runtimes[i].duration_s;
    return CT_OK;
}

enum ct_status ct_pool_add(struct ct_pool *pool, const char *folder, const struct ct_plan_run *run,
                           bool *found_p)
{
    char name[PATH_MAX];
    struct ct_run content;
    *found_p = ct_folder_name(folder, "runs/", run->id, ".h5", name, NULL) == CT_OK &&
               ct_run_read(name, &content, NULL) == CT_OK;
    if (!*found_p)
        return CT_OK;
    enum ct_status status = append(pool, &content);
    ct_run_free(&content);
    return status;
}
