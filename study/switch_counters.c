#include "study/switch_counters.h"

#include "core/file.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUSY_FACT CT_RUN_PACKED_PREFIX "switch_busy_mean_frac"

enum ct_status ct_switch_counters_parse(const char *text, size_t size, const char *name,
                                        double *busy_frac_p, struct ct_error *err)
{
    cJSON *root = cJSON_ParseWithLength(text, size);
    const cJSON *busy = cJSON_GetObjectItemCaseSensitive(root, "busy_fraction_mean");
    double busy_frac = cJSON_IsNumber(busy) ? busy->valuedouble : NAN;
    cJSON_Delete(root);
    if (!isfinite(busy_frac) || busy_frac < 0)
        return ct_fail(err, CT_EFORMAT, "%s: no number busy_fraction_mean >= 0 in it", name);
    *busy_frac_p = busy_frac;
    return CT_OK;
}

/* false: there is no such file, or nothing readable in it; the reason goes to err in the latter
 * case. */
static bool read_side_file(const char *run_path, double *busy_frac_p, struct ct_error *err)
{
    char path[4096];
    size_t length = strlen(run_path);
    if (length < 3 || strcmp(run_path + length - 3, ".h5") != 0)
        return false;
    int n = snprintf(path, sizeof path, "%.*s.ports.json", (int)(length - 3), run_path);
    if (n < 0 || (size_t)n >= sizeof path)
        return false;
    struct ct_text text;
    struct ct_error why;
    enum ct_status status = ct_file_read(path, &text, &why);
    if (status != CT_OK) {
        if (status != CT_ENOENT)
            ct_fail(err, status, "%s", why.text);
        return false;
    }
    status = ct_switch_counters_parse(text.text, text.size, path, busy_frac_p, err);
    free(text.text);
    return status == CT_OK;
}

bool ct_switch_busy_frac(const struct ct_run_entry *entry, double *busy_frac_p,
                         struct ct_error *err)
{
    double packed_frac = ct_run_number(&entry->info, BUSY_FACT);
    if (isnan(packed_frac))
        return read_side_file(entry->path, busy_frac_p, err);
    *busy_frac_p = packed_frac;
    return true;
}

enum ct_status ct_switch_add_facts(struct ct_run_entry *entry, struct ct_error *err)
{
    double busy_frac;
    struct ct_error why = {0};
    if (!ct_switch_busy_frac(entry, &busy_frac, &why)) {
        if (why.status != CT_OK)
            *err = why;
        return why.status;
    }
    if (ct_run_add_number(&entry->info, BUSY_FACT, busy_frac) != CT_OK)
        return ct_no_memory(err, "%s", entry->path);
    return CT_OK;
}
