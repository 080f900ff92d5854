#include "study/load_impact.h"

#include <string.h>

enum ct_status ct_load_impact(const char *path, struct ct_values *values_p, char **app_p,
                              struct ct_error *err)
{
    struct ct_run run;
    enum ct_status status = ct_run_read(path, &run, err);
    if (status != CT_OK)
        return status;
    if (run.info.kind != CT_RUN_IMPACT)
        status = ct_fail(err, CT_EINVAL, "%s: a run of kind %s; impactb makes runs of kind %s",
                         path, ct_run_kind_text(run.info.kind), ct_run_kind_text(CT_RUN_IMPACT));
    else
        status = ct_values_append_run(values_p, &run, err);
    if (status == CT_OK && app_p) {
        *app_p = strdup(run.info.app);
        if (!*app_p)
            status = ct_fail(err, CT_ENOMEM, "%s: out of memory", path);
    }
    ct_run_free(&run);
    return status;
}
